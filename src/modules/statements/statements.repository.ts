import { In } from 'typeorm';
import type { Tenant } from '../../kernel/context.js';
import type { ReadContext, WriteContext } from '../../store/database/unit-of-work.js';
import { DatabaseClock } from '../../store/database/database-clock.js';
import { Database, prepared } from '../../store/database/database.js';
import { entityColumns, selectList } from '../../store/database/sql.js';
import { RecordBounds } from '../../store/tenant/record-bounds.js';
import { Implements } from '../../store/discovery/ports.js';
import { type Waiting, WaitingWork } from '../../store/metrics/gauges.js';
import { TenantRepository } from '../../store/tenant/tenant-repository.js';
import { LeaseQueue } from '../../store/jobs/lease-queue.js';
import { acrossTenants, TENANT, tenantSql } from '../../store/tenant/tenant-sql.js';
import { searchKeyOf } from '../../kernel/text.js';
import { keptSql } from '../organization/index.js';
import type { Period } from '../../../tools/bank-files/index.js';
import { BankStatement, type StoredReadingOptions } from './statement.entity.js';
import { BANK_STATEMENT_FIELDS } from './statements.dto.js';

const IS_OWN = '(project_id = :projectId OR :projectId IS NULL)';
const HAS_DAYS = '(period_end >= :start OR :start IS NULL) AND (period_start <= :end OR :end IS NULL)';
const IS_OUTSIDE = `${IS_OWN} AND redaction_status IN ('succeeded', 'skipped') AND (period_end < :start OR period_start > :end)` as const;
const READING_OPTIONS = tenantSql(
  'bank_statements.reading_options',
  `SELECT reading_options AS "readingOptions" FROM bank_statements WHERE ${TENANT} AND id = :id`,
  'Of a statement that was read before.',
);
const READABLE = tenantSql(
  'bank_statements.readable',
  `SELECT ${selectList(entityColumns(BankStatement))}, balances, content_expired_at AS "contentExpiredAt" FROM bank_statements
    WHERE ${TENANT} AND redaction_status IN ('succeeded', 'skipped') AND ${IS_OWN}
      AND ${HAS_DAYS} ORDER BY id LIMIT :limit`,
);
const NEWEST = tenantSql(
  'bank_statements.newest_readable',
  `SELECT ${selectList(entityColumns(BankStatement))}, balances, (sum(line_count) OVER ())::float8 AS "linesInAll"
    FROM bank_statements
    WHERE ${TENANT} AND redaction_status IN ('succeeded', 'skipped') AND content_expired_at IS NULL
      AND ${IS_OWN} AND ${HAS_DAYS}
    ORDER BY id DESC LIMIT :limit`,
);
const BY_IDS = tenantSql(
  'bank_statements.by_ids',
  `SELECT ${selectList(entityColumns(BankStatement))}, balances FROM bank_statements
    WHERE ${TENANT} AND id = ANY (:ids::uuid[]) ORDER BY id`,
  'Of lines that were read before.',
);
const COUNT_OTHERS = tenantSql(
  'bank_statements.count_others',
  `SELECT count(*) FILTER (WHERE project_id IS NULL)::int AS "withoutProject", count(project_id)::int AS "ofOtherProjects"
    FROM bank_statements WHERE ${TENANT} AND redaction_status IN ('succeeded', 'skipped')
      AND content_expired_at IS NULL AND project_id IS DISTINCT FROM :projectId
      AND ${HAS_DAYS}`,
);
const MOST_OTHERS = tenantSql(
  'bank_statements.most_others',
  `SELECT project_id AS "projectId" FROM bank_statements
    WHERE ${TENANT} AND redaction_status IN ('succeeded', 'skipped')
      AND content_expired_at IS NULL AND project_id <> :projectId AND ${HAS_DAYS}
    GROUP BY project_id ORDER BY count(*) DESC, project_id LIMIT :limit`,
);
const COUNT_UNREAD = tenantSql(
  'bank_statements.count_unread',
  `SELECT count(*)::int AS "inAll",
      count(*) FILTER (WHERE ${IS_OUTSIDE})::int AS outside,
      min(period_start) FILTER (WHERE ${IS_OUTSIDE}) AS start, max(period_end) FILTER (WHERE ${IS_OUTSIDE}) AS "end",
      count(*) FILTER (WHERE ${IS_OWN} AND redaction_status = 'failed')::int AS failed,
      count(*) FILTER (WHERE ${IS_OWN} AND redaction_status IN ('pending', 'queued', 'running'))::int AS waiting
    FROM bank_statements WHERE ${TENANT}`,
);
const EXPIRED = tenantSql(
  'bank_statements.expired_of',
  `SELECT ${selectList(entityColumns(BankStatement))} FROM bank_statements
    WHERE ${TENANT} AND id = ANY (:ids::uuid[]) AND content_expired_at IS NOT NULL ORDER BY id`,
  'Of statements that were read before.',
);
/** Statements of a month are imported in a row, and rarely late by more than two. */
const DAYS_APART = 62;
const NEIGHBOURS = tenantSql(
  'bank_statements.neighbours',
  `SELECT id, certainty, period_end AS "periodEnd", balances FROM bank_statements
    WHERE ${TENANT} AND redaction_status IN ('succeeded', 'skipped') AND id <> :id
      AND period_end BETWEEN :periodStart::date - ${DAYS_APART} AND :periodEnd::date + ${DAYS_APART}
      AND EXISTS (SELECT FROM json_array_elements(balances) AS balance WHERE balance->>'key' = ANY (:keys::text[]))
    ORDER BY id DESC LIMIT 20`,
);
/** Of statements that are completed at once, each would miss the others. */
const QUEUE_UP = prepared({
  name: 'bank_statements.await_neighbours',
  text: "SELECT pg_advisory_xact_lock(hashtextextended('bank_statements ' || $1 || ' ' || $2, 0))",
});
const FOUND_AT_ONCE = 500;
const QUEUE_PENDING = acrossTenants(
  'bank_statements.admit',
  'A worker admits the imported statements of all tenants.',
  "UPDATE bank_statements SET redaction_status = 'queued' WHERE redaction_status = 'pending'",
);

const keyOf = (row: BankStatement): string => searchKeyOf(row.fileName, row.accountLabel, ...BANK_STATEMENT_FIELDS.searched(row));

const daysOf = (period: Period | null) => ({ start: period?.start ?? null, end: period?.end ?? null });

/** Counts of statements that are not of a project. */
export interface StatementsElsewhere {
  readonly withoutProject: number;
  readonly ofOtherProjects: number;
}

/** Statements of a project, or of all, that a report of a period does not read. */
export interface UnreadStatements {
  /** Of the whole tenant, whatever their project, period and status. */
  readonly inAll: number;
  /** With days before or after the period only, and the first and last of these. */
  readonly outside: number;
  readonly start: string | null;
  readonly end: string | null;
  readonly failed: number;
  readonly waiting: number;
}

/** With the number of lines of all statements that the same question finds. */
export type WithLinesInAll = BankStatement & { readonly linesInAll: number };

@Implements(WaitingWork)
export class StatementsRepository extends TenantRepository<BankStatement> implements WaitingWork {
  readonly table = 'bank_statements';
  readonly queue: LeaseQueue;
  private readonly byIdSql = acrossTenants(
    'bank_statements.by_id',
    'Operators name a statement by its id only.',
    `SELECT ${selectList(entityColumns(BankStatement))} FROM bank_statements WHERE id = :id`,
  );

  constructor(
    database: Database,
    clock: DatabaseClock,
    private readonly bounds: RecordBounds,
  ) {
    super(database, BankStatement, { keepsAll: true });
    this.queue = new LeaseQueue(database, clock, this.table, 'redaction_status', keptSql);
  }

  waiting(): Promise<Waiting> {
    return this.queue.waiting();
  }

  async add(ctx: WriteContext, statement: BankStatement): Promise<void> {
    const row = { ...statement, searchKey: keyOf(statement) };
    await this.bounds.create(ctx, { name: 'bankStatements', noun: 'bank statements', table: this.table }, () => this.insert(ctx, row));
  }

  async change(ctx: WriteContext, statement: BankStatement, properties: readonly (keyof BankStatement)[]): Promise<void> {
    await this.update(ctx, { ...statement, searchKey: keyOf(statement) }, [...properties, 'updatedAt', 'searchKey']);
  }

  async byId(id: string): Promise<BankStatement | undefined> {
    return (await this.database.rows<BankStatement>(...this.byIdSql.bind({ id })))[0];
  }

  async findReadingOptions(tenant: Tenant, id: string): Promise<StoredReadingOptions> {
    const [row] = await this.database.rows<Required<Pick<BankStatement, 'readingOptions'>>>(...READING_OPTIONS.bind(tenant, { id }));
    return row!.readingOptions;
  }

  /** Nothing else of these bytes is recorded before the transaction ends. */
  async queueUp({ organizationId, environment, unit }: WriteContext, sha256: string): Promise<void> {
    await this.database.rows(QUEUE_UP, [organizationId, `${environment} ${sha256}`], unit);
  }

  withHashes(tenant: Tenant, sha256s: readonly string[]): Promise<BankStatement[]> {
    return this.find(tenant, { where: { sha256: In([...sha256s]) }, order: { id: 'ASC' }, take: FOUND_AT_ONCE });
  }

  /** The statements that have the balances of the same accounts, around the period of one. No other is completed meanwhile. */
  async neighbours(
    ctx: WriteContext,
    of: { readonly id: string; readonly keys: readonly string[]; readonly periodStart: string; readonly periodEnd: string },
  ): Promise<BankStatement[]> {
    await this.database.rows(QUEUE_UP, [ctx.organizationId, ctx.environment], ctx.unit);
    return this.database.rows<BankStatement>(...NEIGHBOURS.bind(ctx, of), ctx.unit);
  }

  async queuePending(): Promise<void> {
    await this.database.rows(...QUEUE_PENDING.bind());
  }

  findExpired(tenant: Tenant, ids: readonly string[]): Promise<BankStatement[]> {
    return this.database.rows<BankStatement>(...EXPIRED.bind(tenant, { ids }));
  }

  readable(ctx: ReadContext, projectId: string | null, period: Period | null, limit: number): Promise<BankStatement[]> {
    return this.database.rows<BankStatement>(...READABLE.bind(ctx, { projectId, ...daysOf(period), limit }), ctx.unit);
  }

  newest(ctx: ReadContext, projectId: string | null, period: Period | null, limit: number): Promise<WithLinesInAll[]> {
    return this.database.rows<WithLinesInAll>(...NEWEST.bind(ctx, { projectId, ...daysOf(period), limit }), ctx.unit);
  }

  ofIds(tenant: Tenant, ids: readonly string[]): Promise<BankStatement[]> {
    return this.database.rows<BankStatement>(...BY_IDS.bind(tenant, { ids }));
  }

  /** Statements that are not redacted: they wait, or have failed. */
  unredacted(ctx: Tenant, projectId: string | null, limit: number): Promise<BankStatement[]> {
    const redactionStatus = In(['pending', 'queued', 'running', 'failed']);
    return this.find(ctx, { where: { redactionStatus, ...(projectId !== null && { projectId }) }, order: { id: 'DESC' }, take: limit });
  }

  /** Redacted statements whose lines are kept, with days in a period or of any time, that are not of the project. */
  async countOthers(tenant: Tenant, projectId: string, period: Period | null): Promise<StatementsElsewhere> {
    const [counts] = await this.database.rows<StatementsElsewhere>(...COUNT_OTHERS.bind(tenant, { projectId, ...daysOf(period) }));
    return counts!;
  }

  async projectsWithMost(tenant: Tenant, projectId: string, period: Period | null, limit: number): Promise<string[]> {
    const found = await this.database.rows<{ projectId: string }>(...MOST_OTHERS.bind(tenant, { projectId, ...daysOf(period), limit }));
    return found.map((row) => row.projectId);
  }

  async countUnread(tenant: Tenant, projectId: string | null, period: Period | null): Promise<UnreadStatements> {
    const [counts] = await this.database.rows<UnreadStatements>(...COUNT_UNREAD.bind(tenant, { projectId, ...daysOf(period) }));
    return counts!;
  }
}
