import type { Failure } from '../../kernel/failure.js';
import { Clock } from '../../kernel/time.js';
import type { ReadContext, WriteContext } from '../../store/database/unit-of-work.js';
import { Database } from '../../store/database/database.js';
import { DatabaseClock } from '../../store/database/database-clock.js';
import { changedAtSql, entityColumns, selectList } from '../../store/database/sql.js';
import { Implements } from '../../store/discovery/ports.js';
import { type Waiting, WaitingWork } from '../../store/metrics/gauges.js';
import { TenantRepository } from '../../store/tenant/tenant-repository.js';
import { LeaseQueue, type LeasedItem } from '../../store/jobs/lease-queue.js';
import { acrossTenants, TENANT, tenantSql } from '../../store/tenant/tenant-sql.js';
import type { TestOutcome } from '../configurations/index.js';
import { keptSql } from '../organization/index.js';
import type { RunInputs } from './engine/inputs.js';
import type { ClaimReportProgressDto } from './result.dto.js';
import { provoked } from './run/run-failures.js';
import { ClaimReport, LISTED_COLUMNS, LISTED_RESULT } from './report.entity.js';

const NEWEST = tenantSql(
  'claim_reports.newest',
  `SELECT ${selectList(entityColumns(ClaimReport), { result: LISTED_RESULT })} FROM claim_reports
    WHERE ${TENANT} AND project_id = :projectId ORDER BY id DESC LIMIT :limit`,
);
const BY_TENANT = `id = :id AND ${TENANT}` as const;
const START = tenantSql(
  'claim_reports.start',
  `UPDATE claim_reports SET started_at = coalesce(started_at, greatest(:now, queued_at)) WHERE ${BY_TENANT}`,
);
const PROGRESS = tenantSql(
  'claim_reports.progress',
  `UPDATE claim_reports SET progress = :progress, updated_at = ${changedAtSql(':now')}
    WHERE ${BY_TENANT} AND lease = :lease AND status = 'running'`,
);
const TEST_OUTCOME = tenantSql(
  'claim_reports.test_outcome',
  `SELECT test_outcome AS outcome, started_at AS "startedAt" FROM claim_reports WHERE ${BY_TENANT} AND test_outcome IS NOT NULL`,
  'Of a run that was read before.',
);
const INPUTS = tenantSql('claim_reports.inputs', `SELECT inputs FROM claim_reports WHERE ${BY_TENANT}`, 'Of a run that was read before.');

export interface AskedOutcome extends Pick<TestOutcome, 'outcome'> {
  readonly failure: Failure;
  readonly inMs: number;
}

@Implements(WaitingWork)
export class ReportsRepository extends TenantRepository<ClaimReport> implements WaitingWork {
  readonly table = 'claim_reports';
  readonly queue: LeaseQueue;
  private readonly byIdSql = acrossTenants(
    'claim_reports.by_id',
    'Operators name a run by its id only.',
    `SELECT ${selectList(entityColumns(ClaimReport))} FROM claim_reports WHERE id = :id`,
  );

  constructor(
    database: Database,
    private readonly clock: Clock,
    databaseClock: DatabaseClock,
  ) {
    super(database, ClaimReport, { columns: LISTED_COLUMNS, keepsAll: true });
    this.queue = new LeaseQueue(database, databaseClock, this.table, 'status', keptSql);
  }

  waiting(): Promise<Waiting> {
    return this.queue.waiting();
  }

  async byId(id: string): Promise<ClaimReport | undefined> {
    return (await this.database.rows<ClaimReport>(...this.byIdSql.bind({ id })))[0];
  }

  newest(ctx: ReadContext, projectId: string, limit: number): Promise<ClaimReport[]> {
    return this.database.shortRead<ClaimReport>(...NEWEST.bind(ctx, { projectId, limit }), ctx.trace);
  }

  /** Sets `startedAt`, unless an earlier worker has set it. */
  async start(ctx: WriteContext, id: string): Promise<void> {
    await this.database.rows(...START.bind(ctx, { id, now: this.clock.timestamp() }), ctx.unit);
  }

  /** Written only by the worker that holds the lease. */
  async storeProgress(item: LeasedItem, progress: ClaimReportProgressDto): Promise<void> {
    const { id, lease } = item;
    const values = { id, lease, progress: JSON.stringify(progress), now: this.clock.timestamp() };
    await this.database.rows(...PROGRESS.bind(item, values));
  }

  /** The inputs of the run; null until they were collected. */
  async inputs(ctx: ReadContext, id: string): Promise<RunInputs | null> {
    return (await this.database.rows<{ inputs: RunInputs | null }>(...INPUTS.bind(ctx, { id }), ctx.unit))[0]!.inputs;
  }

  /** What somebody has asked for to become of a run, and how long from now. */
  async testOutcome(ctx: ReadContext, id: string): Promise<AskedOutcome | undefined> {
    const sql = TEST_OUTCOME.bind(ctx, { id });
    const [asked] = await this.database.rows<{ outcome: TestOutcome; startedAt: string }>(...sql, ctx.unit);
    if (!asked) return undefined;
    const { outcome, startedAt } = asked;
    const inMs = Date.parse(startedAt) + outcome.takesSeconds * 1000 - this.clock.now().getTime();
    return { outcome: outcome.outcome, failure: provoked(outcome.failureCode), inMs };
  }
}
