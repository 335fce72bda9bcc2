import { Injectable } from '@nestjs/common';
import { changeContext, type Actor } from '../../kernel/context.js';
import { UnitOfWork } from '../../store/database/unit-of-work.js';
import { StatementsRepository } from './statements.repository.js';
import { isUuid } from '../../kernel/ids.js';
import { ImportService, type NewStatement } from './import/import.service.js';
import { RedactionProcessor } from './redaction/redaction.processor.js';
import type { BankStatement } from './statement.entity.js';
import { StatementChanges, missing } from './statements.service.js';
import { BankStatementUpdated } from './statements.events.js';

@Injectable()
export class StatementOperatorService {
  constructor(
    private readonly statements: StatementsRepository,
    private readonly imports: ImportService,
    private readonly changes: StatementChanges,
    private readonly unitOfWork: UnitOfWork,
    private readonly processor: RedactionProcessor,
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
}
