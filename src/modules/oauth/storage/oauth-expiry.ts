import { Injectable } from '@nestjs/common';
import { DatabaseClock } from '../../../store/database/database-clock.js';
import { ROWS_PER_DELETE } from '../../../store/database/housekeeping.js';
import { Job } from '../../../store/jobs/job.decorator.js';
import { OAuthRecordsRepository } from './oauth-records.repository.js';

/** How long expired records are kept. Until then the audit log can show that an expired token was used. */
const RETENTION_MS = 24 * 3_600_000;

@Injectable()
export class OAuthExpiry {
  constructor(
    private readonly records: OAuthRecordsRepository,
    private readonly clock: DatabaseClock,
  ) {}

  @Job({ id: 'oauth.expire', summary: 'Removes codes, tokens, grants and sessions that have expired.', everyMs: 60_000 })
  async expire(): Promise<void> {
    const now = this.clock.now();
    const before = new Date(now.getTime() - RETENTION_MS);
    while ((await this.records.expire(before, ROWS_PER_DELETE)) === ROWS_PER_DELETE);
    // The audit log shows nothing of these, so they are not kept any longer.
    while ((await this.records.expireRequests(now, ROWS_PER_DELETE)) === ROWS_PER_DELETE);
  }
}
