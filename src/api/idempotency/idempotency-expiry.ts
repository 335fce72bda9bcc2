import { Injectable } from '@nestjs/common';
import { Settings } from '../../kernel/settings/settings.js';
import { DatabaseClock } from '../../store/database/database-clock.js';
import { Database, prepared } from '../../store/database/database.js';
import { ROWS_PER_DELETE, oneAtATime } from '../../store/database/housekeeping.js';
import { UnitOfWork } from '../../store/database/unit-of-work.js';
import { Job } from '../../store/jobs/job.decorator.js';

const EXPIRE = prepared({
  name: 'idempotency_keys.expire',
  // A key that is claimed again meanwhile is not old any more.
  text: `DELETE FROM idempotency_keys WHERE created_at < $1 AND (organization_id, environment, key) IN (
      SELECT organization_id, environment, key FROM idempotency_keys WHERE created_at < $1 LIMIT ${ROWS_PER_DELETE})
    RETURNING 1 AS gone`,
});

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
    for (;;) {
      const gone = await oneAtATime(this, EXPIRE, [oldest]);
      if (gone.length < ROWS_PER_DELETE) return;
    }
  }
}
