import { Injectable } from '@nestjs/common';
import { AuditRecorder } from '../../store/audit/audit-recorder.js';
import { changeContext, type Actor, type Tenant, ENVIRONMENTS } from '../../kernel/context.js';
import { Clock } from '../../kernel/time.js';
import { UnitOfWork } from '../../store/database/unit-of-work.js';
import { StatementContent } from './content/statement-content.js';
import { StatementsRepository } from './statements.repository.js';
import { isUuid } from '../../kernel/ids.js';
import { ImportService, type NewStatement } from './import/import.service.js';
import { RedactionProcessor } from './redaction/redaction.processor.js';
import type { BankStatement } from './statement.entity.js';
import { StatementChanges, missing } from './statements.service.js';
import { BankStatementUpdated } from './statements.events.js';

export interface RedactedNames {
  readonly checked: number;
  readonly changed: number;
}

/** Redacts the file names of statements that were imported when names were stored as they were given. */
@Injectable()
export class StoredNamesService {
  constructor(
    private readonly statements: StatementsRepository,
    private readonly content: StatementContent,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditRecorder,
    private readonly clock: Clock,
  ) {}

  /** A redacted name does not change again, so this can be interrupted and repeated. */
  async redact(actor: Actor, tenant: Tenant): Promise<RedactedNames> {
    const { redactFileName } = await import('./redaction/redact-file-name.js');
    const key = await this.content.findKey(tenant);
    let [checked, changed, after] = [0, 0, ''];
    for (;;) {
      const batch = await this.statements.namesAfter(tenant, after);
      if (batch.length === 0) return { checked, changed };
      for (const { id, fileName } of batch) {
        const redacted = redactFileName(fileName, key);
        if (redacted === fileName) continue;
        await this.rename(actor, tenant, id, redacted);
        changed += 1;
      }
      checked += batch.length;
      after = batch.at(-1)!.id;
    }
  }

  private rename(actor: Actor, tenant: Tenant, id: string, fileName: string): Promise<void> {
    return this.unitOfWork.runAs(actor, tenant, async (ctx) => {
      const before = await this.statements.lock(ctx, id);
      if (!before) return;
      await this.statements.change(ctx, { ...before, fileName, updatedAt: this.clock.timestamp() }, ['fileName']);
      // Without the name as it was, which would stay in the log for ever.
      this.audit.record(ctx, {
        action: 'bank_statement.file_name_redacted',
        resourceId: id,
        changes: { fileName: { from: null, to: fileName } },
      });
    });
  }
}

@Injectable()
export class StatementOperatorService {
  constructor(
    private readonly statements: StatementsRepository,
    private readonly imports: ImportService,
    private readonly changes: StatementChanges,
    private readonly unitOfWork: UnitOfWork,
    private readonly processor: RedactionProcessor,
    private readonly storedNames: StoredNamesService,
  ) {}

  /** Operators name a statement by its id, without its tenant. */
  async get(id: string): Promise<BankStatement> {
    return (isUuid(id) ? await this.statements.byId(id) : undefined) ?? missing();
  }

  import(actor: Actor, wanted: NewStatement): Promise<BankStatement> {
    return this.imports.import(actor, wanted);
  }

  /** A ZIP archive is imported as a statement for each of its files. */
  importAll(actor: Actor, wanted: NewStatement): Promise<readonly BankStatement[]> {
    return this.imports.importAll(actor, wanted);
  }

  async retry(actor: Actor, id: string): Promise<BankStatement> {
    const { organizationId, environment } = await this.get(id);
    const ctx = { ...changeContext(organizationId, actor), environment, emits: [BankStatementUpdated] };
    return this.unitOfWork.run(ctx, (inner) => this.changes.retry(inner, id));
  }

  redact(): Promise<void> {
    return this.processor.redact();
  }

  /** Redacts the file names of an organization's statements that were imported before file names were redacted. */
  async redactNames(actor: Actor, organizationId: string): Promise<RedactedNames> {
    let [checked, changed] = [0, 0];
    for (const environment of ENVIRONMENTS) {
      const done = await this.storedNames.redact(actor, { organizationId, environment });
      [checked, changed] = [checked + done.checked, changed + done.changed];
    }
    return { checked, changed };
  }
}
