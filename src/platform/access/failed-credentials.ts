import { Injectable } from '@nestjs/common';
import { Problem } from '../errors/problems.js';
import { RateLimiter } from '../limits/rate-limiter.js';

const PER_ADDRESS = { perMinute: 60, burst: 60 };

/**
 * Slows down who tries credentials. Only failures are counted and only failures are refused: behind one address there may
 * be many callers, and one's mistakes must not lock out the others' valid keys.
 */
@Injectable()
export class FailedCredentials {
  constructor(private readonly limiter: RateLimiter) {}

  async count(address: string): Promise<void> {
    const allowance = await this.limiter.take(`failed:${address}`, PER_ADDRESS);
    if (allowance.allowed) return;
    throw new Problem('rate_limited', { detail: 'Too many calls without a valid credential came from this address.', headers: { 'Retry-After': String(allowance.retryAfterSeconds) } });
  }
}
