import { Injectable } from '@nestjs/common';
import { Database, prepared } from '../../../store/database/database.js';
import { entityColumns, selectList } from '../../../store/database/sql.js';
import type { ReadContext, WriteContext } from '../../../store/database/unit-of-work.js';
import { TenantRepository } from '../../../store/tenant/tenant-repository.js';
import { TENANT, tenantOf, tenantSql } from '../../../store/tenant/tenant-sql.js';
import type { DateRange } from '../engine/inputs.js';
import { ClaimClosing } from './closing.entity.js';

const COLUMNS = selectList(entityColumns(ClaimClosing));
const OF_RUN = tenantSql(
  'claim_closings.of_run',
  `SELECT ${COLUMNS} FROM claim_closings WHERE ${TENANT} AND report_id = :reportId ORDER BY id`,
);
/** Final claims of a project over days of the period, but those that were corrected: a correction stands in for them. */
const FINALS = tenantSql(
  'claim_closings.finals',
  `SELECT ${COLUMNS}, EXISTS (SELECT FROM claim_closings reopened WHERE ${tenantOf('reopened')}
      AND reopened.report_id = claim_closings.report_id AND reopened.state = 'reopened') AS "isReopened"
    FROM claim_closings
    WHERE ${tenantOf('claim_closings')} AND claim_closings.project_id = :projectId AND claim_closings.state = 'final'
      AND period_start <= :end AND period_end >= :start
      AND NOT EXISTS (SELECT FROM claim_closings later WHERE ${tenantOf('later')} AND later.corrects = claim_closings.id)
    ORDER BY id DESC`,
);
/** Steps of a project follow each other. What a final claim would refuse may happen at once, but not beside a step. */
const LOCK = prepared({
  name: 'claim_closings.queue_up',
  text: "SELECT pg_advisory_xact_lock(hashtextextended('claim closings ' || $1, 0))",
});
const SHARE = prepared({
  name: 'claim_closings.queue_up_shared',
  text: "SELECT pg_advisory_xact_lock_shared(hashtextextended('claim closings ' || $1, 0))",
});

export type FinalClaim = ClaimClosing & { readonly isReopened: boolean };

@Injectable()
export class ClosingsRepository extends TenantRepository<ClaimClosing> {
  constructor(database: Database) {
    super(database, ClaimClosing, { keepsAll: true });
  }

  async lockProject({ unit }: WriteContext, projectId: string): Promise<void> {
    await this.database.rows(LOCK, [projectId], unit);
  }

  async shareProject({ unit }: WriteContext, projectId: string): Promise<void> {
    await this.database.rows(SHARE, [projectId], unit);
  }

  findSteps(ctx: ReadContext, reportId: string): Promise<ClaimClosing[]> {
    return this.database.rows<ClaimClosing>(...OF_RUN.bind(ctx, { reportId }), ctx.unit);
  }

  /** The newest first. */
  findFinals(ctx: ReadContext, projectId: string, { start, end }: DateRange): Promise<FinalClaim[]> {
    return this.database.rows<FinalClaim>(...FINALS.bind(ctx, { projectId, start, end }), ctx.unit);
  }
}
