import { ended, type Waiting } from './ended.js';
import { ClaimsError } from './errors.js';
import { BankStatementsResource } from './generated.js';
import type { BankStatement, BankStatementFile, CreateBankStatement } from './generated-types.js';
import type { CallOptions, WriteOptions } from './options.js';

/** The statement could not be read or redacted. `statement.failure` says why, and where. */
export class StatementFailedError extends ClaimsError<'statement_failed'> {
  constructor(readonly statement: BankStatement) {
    super('statement_failed', `${statement.fileName} was not read: ${statement.failure?.message ?? 'for an unknown reason'}`);
  }
}

export class Statements extends BankStatementsResource {
  /** Imports a file, or the bookings of a feed, and waits until they are read and redacted. If that fails, it is an error. */
  async createAndWait(
    statement: BankStatementFile | CreateBankStatement,
    options: WriteOptions & Waiting<BankStatement> = {},
  ): Promise<BankStatement> {
    const { idempotencyKey: _, ...waiting } = options;
    const { id } = await ('file' in statement ? this.createFromFile(statement, options) : this.create(statement, options));
    return this.wait(id, waiting);
  }

  /** Waits until a statement is read and redacted, asking less and less often. */
  async wait(statementId: string, options: CallOptions & Waiting<BankStatement> = {}): Promise<BankStatement> {
    const statement = await ended(
      (call) => this.get(statementId, call),
      {
        hasEnded: ({ redactionStatus }) => ['succeeded', 'skipped', 'failed'].includes(redactionStatus),
        late: ({ redactionStatus }) => `The statement ${statementId} is still ${redactionStatus}. Wait for it again with statements.wait.`,
      },
      options,
    );
    if (statement.redactionStatus === 'failed') throw new StatementFailedError(statement);
    return statement;
  }
}
