import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../kernel/context.js';
import { Clock } from '../../kernel/time.js';
import type { ReadContext, WriteContext } from '../../store/database/unit-of-work.js';
import { Database, prepared } from '../../store/database/database.js';
import { DatabaseClock } from '../../store/database/database-clock.js';
import { changedAtSql, entityColumns, selectList } from '../../store/database/sql.js';
import { Implements } from '../../store/discovery/ports.js';
import { type Waiting, WaitingWork } from '../../store/metrics/gauges.js';
import { TenantRepository } from '../../store/tenant/tenant-repository.js';
import { LeaseQueue, type LeasedItem } from '../../store/jobs/lease-queue.js';
import type { RunInputs } from './engine/inputs.js';
import type { ClaimReportProgressDto } from './progress.dto.js';
import { ClaimReport } from './report.entity.js';
import { LISTED_COLUMNS } from './result-size.js';

// For operators, who name a run by its id without its tenant.
const BY_ID = prepared({
  name: 'claim_reports.by_id',
  text: `SELECT ${selectList(entityColumns(ClaimReport))} FROM claim_reports WHERE id = $1`,
});
const BY_TENANT = 'id = $1 AND organization_id = $2 AND environment = $3';
const START = prepared({
  name: 'claim_reports.start',
  text: `UPDATE claim_reports SET started_at = coalesce(started_at, greatest($4, queued_at)) WHERE ${BY_TENANT}`,
});
const PROGRESS = prepared({
  name: 'claim_reports.progress',
  text: `UPDATE claim_reports SET progress = $5, updated_at = ${changedAtSql('$6')}
    WHERE ${BY_TENANT} AND lease = $4 AND status = 'running'`,
});
const INPUTS = prepared({ name: 'claim_reports.inputs', text: `SELECT inputs FROM claim_reports WHERE ${BY_TENANT}` });

const tenantParams = (ctx: Tenant, id: string): unknown[] => [id, ctx.organizationId, ctx.environment];

@Implements(WaitingWork)
@Injectable()
export class ReportsRepository extends TenantRepository<ClaimReport> implements WaitingWork {
  readonly table = 'claim_reports';
  /** The runs that wait for a worker. */
  readonly queue: LeaseQueue;

  constructor(
    database: Database,
    private readonly clock: Clock,
    databaseClock: DatabaseClock,
  ) {
    super(database, ClaimReport, { columns: LISTED_COLUMNS, keepsAll: true });
    this.queue = new LeaseQueue(database, databaseClock, this.table, 'status');
  }

  waiting(): Promise<Waiting> {
    return this.queue.waiting();
  }

  async byId(id: string): Promise<ClaimReport | undefined> {
    return (await this.database.rows<ClaimReport>(BY_ID, [id]))[0];
  }

  /** Sets `startedAt`, unless an earlier worker has set it. */
  async start(ctx: WriteContext, id: string): Promise<void> {
    await this.database.rows(START, [...tenantParams(ctx, id), this.clock.timestamp()], ctx.unit);
  }

  /** Written only by the worker that holds the lease. */
  async storeProgress(item: LeasedItem, progress: ClaimReportProgressDto): Promise<void> {
    await this.database.rows(PROGRESS, [...tenantParams(item, item.id), item.lease, JSON.stringify(progress), this.clock.timestamp()]);
  }

  /** The inputs of the run; null until they were collected. */
  async inputs(ctx: ReadContext, id: string): Promise<RunInputs | null> {
    return (await this.database.rows<{ inputs: RunInputs | null }>(INPUTS, tenantParams(ctx, id), ctx.unit))[0]!.inputs;
  }
}
