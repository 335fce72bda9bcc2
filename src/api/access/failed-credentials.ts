import { Injectable } from '@nestjs/common';
import { Problem } from '../../kernel/problems.js';
import { RateLimiter } from '../limits/rate-limiter.js';

const PER_ADDRESS = { perMinute: 60, burst: 60 };

/**
 * Slows down who tries credentials. Only failures are counted and only failures are refused: behind one address there may
 * be many callers, and one's mistakes must not lock out the others' valid keys.
 */
@Injectable()
export class FailedCredentials {
  constructor(private readonly limiter: RateLimiter) {}

  /** Throws when there were too many. */
  async count(address: string): Promise<void> {
    const refusal = await this.refusalOf(address);
    if (refusal) throw refusal;
  }

  /** Counts, and gives the answer where there were too many: for who answers in another way than the API. */
  async refusalOf(address: string): Promise<Problem | undefined> {
    const { allowed, retryAfterSeconds } = await this.limiter.take(`failed:${address}`, PER_ADDRESS);
    return allowed
      ? undefined
      : new Problem('rate_limited', {
          detail: 'Too many calls without a valid credential came from this address.',
          headers: { 'Retry-After': String(retryAfterSeconds) },
        });
  }
}
