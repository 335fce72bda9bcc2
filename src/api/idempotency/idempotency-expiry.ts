import { Injectable } from '@nestjs/common';
import { Settings } from '../../kernel/settings/settings.js';
import { DatabaseClock } from '../../store/database/database-clock.js';
import { Database } from '../../store/database/database.js';
import { ROWS_PER_DELETE, oneAtATime } from '../../store/database/housekeeping.js';
import { UnitOfWork } from '../../store/database/unit-of-work.js';
import { Job } from '../../store/jobs/job.decorator.js';
import { acrossTenants } from '../../store/tenant/tenant-sql.js';

const EXPIRE = acrossTenants(
  'idempotency_keys.expire',
  'A worker deletes old keys of all tenants.',
  // A key that is claimed again meanwhile is not old any more.
  `DELETE FROM idempotency_keys WHERE created_at < :oldest AND (organization_id, environment, key) IN (
      SELECT organization_id, environment, key FROM idempotency_keys WHERE created_at < :oldest LIMIT ${ROWS_PER_DELETE})
    RETURNING 1 AS gone`,
);

@Injectable()
export class IdempotencyExpiry {
  constructor(
    readonly database: Database,
    readonly unitOfWork: UnitOfWork,
    private readonly clock: DatabaseClock,
    private readonly settings: Settings,
  ) {}

  @Job({ id: 'idempotency.expire', summary: 'Deletes remembered answers that are older than IDEMPOTENCY_RETENTION.', everyMs: 10 * 60_000 })
  async expire(): Promise<void> {
    const oldest = new Date(this.clock.now().getTime() - this.settings.idempotencyRetentionMs).toISOString();
    while ((await oneAtATime(this, ...EXPIRE.bind({ oldest }))).length === ROWS_PER_DELETE);
  }
}
