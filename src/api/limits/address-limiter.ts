import { Injectable } from '@nestjs/common';
import type { AddressLimit } from '../../kernel/address-limits.js';
import { callerOf } from '../../kernel/addresses.js';
import { Problem } from '../../kernel/problems.js';
import { Settings } from '../../kernel/settings/settings.js';
import { RateLimiter } from './rate-limiter.js';

const REASONS: Record<AddressLimit, string> = {
  authorize: 'Too many authorization requests came from this address.',
  pushed: 'Too many pushed authorization requests came from this address.',
  pages: 'Too many requests for pages came from this address.',
  console: 'Too many requests for pages of the console came from this address.',
  registrations: 'Too many applications were registered from this address.',
  clientDocuments: 'Too many metadata documents of applications were asked for from this address.',
  userCodes: 'Too many codes were entered from this address.',
  documents: 'Too many requests for documents came from this address.',
  preflights: 'Too many CORS preflights came from this address.',
  failures: 'Too many calls without a valid credential came from this address.',
};

/** Limits callers whose credential is not known, by their address. */
@Injectable()
export class AddressLimiter {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly settings: Settings,
  ) {}

  async findRefusal(limit: AddressLimit, address: string): Promise<Problem | undefined> {
    const { allowed, retryAfterSeconds } = await this.limiter.take(`${limit}:${callerOf(address)}`, this.settings.addressLimits[limit]);
    if (allowed) return undefined;
    return new Problem('rate_limited', { detail: REASONS[limit], headers: { 'Retry-After': String(retryAfterSeconds) } });
  }
}
