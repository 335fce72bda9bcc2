import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { Job } from '../../../store/jobs/job.decorator.js';
import { OAuthRecordsRepository } from './oauth-records.repository.js';

/** A credential that is over is told apart from one that never was, for a while: its organization learns of its use. */
const KEPT_MS = 24 * 3_600_000;
const AT_ONCE = 5000;

/** Removes what has expired. */
@Injectable()
export class OAuthExpiry {
  constructor(
    private readonly records: OAuthRecordsRepository,
    private readonly clock: Clock,
  ) {}

  @Job({ id: 'oauth.expire', summary: 'Removes codes, tokens, grants and sessions that have expired.', everyMs: 60_000 })
  async expire(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - KEPT_MS);
    while ((await this.records.expire(before, AT_ONCE)) === AT_ONCE);
  }
}
