import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import type { ReadContext, WriteContext } from '../../store/database/transaction.js';
import { Database, type Statement } from '../../store/database/database.js';
import { entityColumns, selectList } from '../../store/database/sql.js';
import { TenantRepository } from '../../store/tenant/tenant-repository.js';
import { LeaseQueue } from '../../store/jobs/lease-queue.js';
import { searchKeyOf } from '../../kernel/text.js';
import { BankStatement } from './statement.entity.js';

// For operators, who name a statement by its id without its tenant.
const BY_ID: Statement = {
  name: 'bank_statements.by_id',
  text: `SELECT ${selectList(entityColumns(BankStatement))} FROM bank_statements WHERE id = $1`,
};
const READABLE: Statement = {
  name: 'bank_statements.readable',
  text: `SELECT ${selectList(entityColumns(BankStatement))}, balances FROM bank_statements
    WHERE organization_id = $1 AND environment = $2 AND redaction_status IN ('succeeded', 'skipped') AND (project_id = $3 OR $3 IS NULL)
      AND (period_end >= $4 OR $4 IS NULL) AND (period_start <= $5 OR $5 IS NULL) ORDER BY id`,
};
const QUEUE_PENDING: Statement = {
  name: 'bank_statements.admit',
  text: "UPDATE bank_statements SET redaction_status = 'queued' WHERE redaction_status = 'pending'",
};

interface Period {
  readonly start: string;
  readonly end: string;
}

@Injectable()
export class StatementsRepository extends TenantRepository<BankStatement> {
  /** The statements that wait for redaction. */
  readonly queue: LeaseQueue;

  constructor(database: Database, clock: Clock) {
    super(database, BankStatement);
    this.queue = new LeaseQueue(database, clock, 'bank_statements', 'redaction_status');
  }

  async add(ctx: WriteContext, statement: BankStatement): Promise<void> {
    await this.insert(ctx, { ...statement, searchKey: searchKeyOf(statement.fileName, statement.accountLabel) });
  }

  async change(ctx: WriteContext, statement: BankStatement, properties: readonly (keyof BankStatement)[]): Promise<void> {
    await this.update(ctx, { ...statement, searchKey: searchKeyOf(statement.fileName, statement.accountLabel) }, [
      ...properties,
      'updatedAt',
      'searchKey',
    ]);
  }

  async byId(id: string): Promise<BankStatement | undefined> {
    return (await this.database.rows<BankStatement>(BY_ID, [id]))[0];
  }

  /** Moves imported statements from `pending` to `queued`. */
  async queuePending(): Promise<void> {
    await this.database.rows(QUEUE_PENDING, []);
  }

  /** Redacted statements of a project or of all, with days in a period or of any time, in the order of their import. */
  readable(ctx: ReadContext, projectId: string | null, period: Period | null): Promise<BankStatement[]> {
    return this.database.rows<BankStatement>(
      READABLE,
      [ctx.organizationId, ctx.environment, projectId, period?.start ?? null, period?.end ?? null],
      ctx.unit,
    );
  }
}
