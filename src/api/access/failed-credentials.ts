import { Injectable } from '@nestjs/common';
import type { Problem } from '../../kernel/problems.js';
import { AddressLimiter } from '../limits/address-limiter.js';

/**
 * Slows down callers that guess credentials. Only failures are counted and refused: many callers may share an address, and the
 * mistakes of one must not lock out the valid keys of the others.
 */
@Injectable()
export class FailedCredentials {
  constructor(private readonly limiter: AddressLimiter) {}

  /** Counts a failure. Throws when the address had too many. */
  async count(address: string): Promise<void> {
    const refusal = await this.findRefusal(address);
    if (refusal) throw refusal;
  }

  /** Like `count`, but returns the problem: for protocols with another error format than the API. */
  findRefusal(address: string): Promise<Problem | undefined> {
    return this.limiter.findRefusal('failures', address);
  }
}
