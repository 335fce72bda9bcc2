import { Injectable } from '@nestjs/common';
import { ENVIRONMENTS, type Actor } from '../../kernel/context.js';
import { isUuid } from '../../kernel/ids.js';
import { ImportService, type NewStatement } from './import/import.service.js';
import { StoredNamesService, type RedactedNames } from './import/stored-names.service.js';
import { RedactionProcessor } from './redaction/redaction.processor.js';
import type { BankStatement } from './statement.entity.js';
import { BankStatementDto } from './statements.dto.js';
import { StatementsRepository } from './statements.repository.js';
import { missing } from './statements.service.js';

/** What operators do with statements. */
@Injectable()
export class StatementOperatorService {
  constructor(
    private readonly statements: StatementsRepository,
    private readonly imports: ImportService,
    private readonly processor: RedactionProcessor,
    private readonly storedNames: StoredNamesService,
  ) {}

  /** The statement as the API returns it. */
  async get(id: string): Promise<BankStatementDto> {
    return BankStatementDto.from(await this.byId(id));
  }

  async import(actor: Actor, wanted: NewStatement): Promise<BankStatementDto> {
    return BankStatementDto.from(await this.imports.import(actor, wanted));
  }

  /** A ZIP archive is imported as a statement for each of its files. */
  async importAll(actor: Actor, wanted: NewStatement): Promise<BankStatementDto[]> {
    return (await this.imports.importAll(actor, wanted)).map((statement) => BankStatementDto.from(statement));
  }

  async retry(actor: Actor, id: string): Promise<BankStatementDto> {
    return BankStatementDto.from(await this.imports.retry(actor, await this.byId(id)));
  }

  /** Begins to redact queued statements in this process, as a worker would. */
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

  /** Operators name a statement by its id, without its tenant. */
  private async byId(id: string): Promise<BankStatement> {
    return (isUuid(id) ? await this.statements.byId(id) : undefined) ?? missing();
  }
}
