import { Injectable } from '@nestjs/common';
import { Problem } from '../../kernel/problems.js';
import { RateLimiter } from '../limits/rate-limiter.js';

const PER_ADDRESS = { perMinute: 60, burst: 60 };

/**
 * Slows down callers that guess credentials. Only failures are counted and refused: many callers may share an address, and the
 * mistakes of one must not lock out the valid keys of the others.
 */
@Injectable()
export class FailedCredentials {
  constructor(private readonly limiter: RateLimiter) {}

  /** Counts a failure. Throws when the address had too many. */
  async count(address: string): Promise<void> {
    const refusal = await this.refusalOf(address);
    if (refusal) throw refusal;
  }

  /** Like `count`, but returns the problem: for protocols with another error format than the API. */
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
