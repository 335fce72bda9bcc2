import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { Job } from '../../../store/jobs/job.decorator.js';
import { OAuthRecordsRepository } from './oauth-records.repository.js';

/** How long expired records are kept. Until then the audit log can show that an expired token was used. */
const RETENTION_MS = 24 * 3_600_000;
const BATCH_SIZE = 5000;

@Injectable()
export class OAuthExpiry {
  constructor(
    private readonly records: OAuthRecordsRepository,
    private readonly clock: Clock,
  ) {}

  @Job({ id: 'oauth.expire', summary: 'Removes codes, tokens, grants and sessions that have expired.', everyMs: 60_000 })
  async expire(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - RETENTION_MS);
    while ((await this.records.expire(before, BATCH_SIZE)) === BATCH_SIZE);
  }
}
