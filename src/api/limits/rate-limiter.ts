import { Injectable } from '@nestjs/common';
import type { AddressLimit } from '../../kernel/address-limits.js';
import { callerOf } from '../../kernel/addresses.js';
import type { Environment } from '../../kernel/context.js';
import { tierOf, type Plan, type Tier } from '../../kernel/plans.js';
import { Problem } from '../../kernel/problems.js';
import { Settings } from '../../kernel/settings/settings.js';
import { Clock, later } from '../../kernel/time.js';

export interface Allowance {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Seconds until the whole burst is available again. */
  readonly resetSeconds: number;
  /** Seconds until the next request is allowed; 0 if this one was. */
  readonly retryAfterSeconds: number;
}

/** A bucket per key, refilled at the tier's steady rate. `cost` is how many requests are taken at once; with 0 it is only read. */
export abstract class RateLimiter {
  abstract take(key: string, tier: Tier, cost?: number): Promise<Allowance> | Allowance;
}

const MINUTE_MS = 60_000;
/** Tolerance for floating-point errors. Without it the last request of a burst would sometimes be refused. */
const TOLERANCE_MS = 0.001;

/** The generic cell rate algorithm: a bucket stores only when it will be full again. On Redis a script does it; one suite tests both. */
export function gcra(fullAtMs: number, nowMs: number, tier: Tier, cost: number): { fullAtMs: number; allowance: Allowance } {
  const perRequestMs = MINUTE_MS / tier.perMinute;
  const capacityMs = perRequestMs * tier.burst;
  const before = Math.max(fullAtMs, nowMs);
  const after = before + perRequestMs * cost;
  const waitMs = after - capacityMs - nowMs;
  const allowed = waitMs <= TOLERANCE_MS;
  return { fullAtMs: allowed ? after : before, allowance: toAllowance(allowed, (allowed ? after : before) - nowMs, waitMs, tier) };
}

/** `missingMs`: how long the bucket takes to be full. `waitMs`: how long a refused request would have to wait. */
export function toAllowance(allowed: boolean, missingMs: number, waitMs: number, tier: Tier): Allowance {
  const perRequestMs = MINUTE_MS / tier.perMinute;
  const missing = Math.max(0, missingMs - TOLERANCE_MS);
  const remaining = Math.max(0, Math.floor(tier.burst - missing / perRequestMs));
  return {
    allowed,
    remaining,
    resetSeconds: Math.ceil(missing / 1000),
    retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil((waitMs - TOLERANCE_MS) / 1000)),
  };
}

/** With more keys than this, full buckets are removed. */
const SWEEP_ABOVE = 10_000;

/** The limits of one process: without Redis, or while Redis is down. */
export class LocalRateLimiter extends RateLimiter {
  private readonly fullAt = new Map<string, number>();
  private sweepAbove = SWEEP_ABOVE;

  constructor(private readonly now: () => number = () => performance.now()) {
    super();
  }

  take(key: string, tier: Tier, cost = 1): Allowance {
    const now = this.now();
    const { fullAtMs, allowance } = gcra(this.fullAt.get(key) ?? now, now, tier, cost);
    if (cost > 0) this.remember(key, fullAtMs, now);
    return allowance;
  }

  /** A full bucket is like a new one, so it can be removed: the keys in use bound the memory. */
  private remember(key: string, fullAtMs: number, now: number): void {
    this.fullAt.set(key, fullAtMs);
    if (this.fullAt.size <= this.sweepAbove) return;
    for (const [candidate, at] of this.fullAt) if (at <= now) this.fullAt.delete(candidate);
    this.sweepAbove = Math.max(SWEEP_ABOVE, this.fullAt.size * 2);
  }
}

/** Whose limit it is: a credential speaks for one, and so does a page of the console. */
export interface Limited {
  readonly organization: { readonly id: string; readonly plan: Plan };
  readonly environment: Environment;
}

@Injectable()
export class TenantLimits {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  async take({ organization, environment }: Limited, cost = 1): Promise<{ allowance: Allowance; tier: Tier }> {
    const tier = tierOf(this.settings.rateLimits, organization);
    const allowance = await this.limiter.take(`${organization.id}:${environment}`, tier, cost);
    return { allowance, tier };
  }

  /** The state that usage and the credential context show. Reading it does not count as a request. */
  async state(limited: Limited) {
    const { allowance, tier } = await this.take(limited, 0);
    const { remaining, resetSeconds } = allowance;
    const resetAt = later(this.clock, resetSeconds * 1000);
    return { tier: limited.organization.plan, limit: tier.perMinute, windowSeconds: 60, remaining, resetAt };
  }
}

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
