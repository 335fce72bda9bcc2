import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/time.js';
import { Settings } from '../../kernel/settings/settings.js';
import { Database, type Statement } from '../../store/database/database.js';
import { ROWS_PER_DELETE } from '../../store/database/housekeeping.js';
import { Job } from '../../store/jobs/job.decorator.js';

const EXPIRE: Statement = {
  name: 'idempotency_keys.expire',
  text: `WITH expired AS (SELECT ctid FROM idempotency_keys WHERE created_at < $1 LIMIT ${ROWS_PER_DELETE} FOR UPDATE SKIP LOCKED)
    DELETE FROM idempotency_keys WHERE ctid IN (SELECT ctid FROM expired) RETURNING 1 AS gone`,
};

@Injectable()
export class IdempotencyExpiry {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  @Job({ id: 'idempotency.expire', summary: 'Deletes remembered answers that are older than IDEMPOTENCY_RETENTION.', everyMs: 10 * 60_000 })
  async expire(): Promise<void> {
    const oldest = new Date(this.clock.now().getTime() - this.settings.idempotencyRetentionMs).toISOString();
    for (;;) {
      const gone = await this.database.rows(EXPIRE, [oldest]);
      if (gone.length < ROWS_PER_DELETE) return;
    }
  }
}
