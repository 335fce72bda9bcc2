import { Injectable } from '@nestjs/common';
import type { AddressLimit } from '../../kernel/address-limits.js';
import { callerOf } from '../../kernel/addresses.js';
import type { Environment } from '../../kernel/context.js';
import { tierOf, type Plan, type Tier } from '../../kernel/plans.js';
import { Problem } from '../../kernel/problems.js';
import { Settings } from '../../kernel/settings/settings.js';
import { Clock, later } from '../../kernel/time.js';
import type { OwnLimits } from './own-limits.js';

export interface Allowance {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Seconds until the whole burst is available again. */
  readonly resetSeconds: number;
  /** Seconds until the next request is allowed; 0 if this one was. */
  readonly retryAfterSeconds: number;
  /** What is left is that of the caller's share, or of its calls of the day; undefined: of the whole. */
  readonly of?: 'share' | 'day';
}

/**
 * Of one caller among those who have a bucket together. What the bucket has above `reserve` is for all of them; of what is below, each
 * takes no more than a bucket of its own allows. So one alone has all of it, and one that never stops leaves the others theirs. With a
 * share that is set, the reserve is all of it: the caller takes no more than that, also alone.
 */
export interface Share {
  readonly key: string;
  readonly tier: Tier;
  readonly reserve: number;
  readonly limits: OwnLimits | undefined;
}

/** Half of the whole, unless another share is set. */
export function shareIn({ perMinute, burst }: Tier, key: string, limits?: OwnLimits): Share {
  const set = limits?.rateShare ?? null;
  const percent = set ?? 50;
  const reserve = set === null ? Math.floor(burst / 2) : burst;
  return { key, tier: { perMinute: (perMinute * percent) / 100, burst: Math.ceil((burst * percent) / 100) }, reserve, limits };
}

/** More calls than this are never let in together, however long their sender waits. */
export function mostAtOnce(tier: Tier, limits?: OwnLimits): number {
  const { burst } = limits && limits.rateShare !== null ? shareIn(tier, '', limits).tier : tier;
  return Math.min(burst, limits?.dailyCalls ?? burst);
}

/** A bucket per key, refilled at the tier's steady rate. `cost` is how many requests are taken at once; with 0 it is only read. */
export abstract class RateLimiter {
  abstract take(key: string, tier: Tier, cost?: number, share?: Share): Promise<Allowance> | Allowance;
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

/** What is left to the caller of a share: of both buckets together. `whole` is as it is after the call. */
export function ofShare(whole: Allowance, own: Allowance, { reserve }: Share): Allowance {
  const remaining = Math.max(0, whole.remaining - reserve) + own.remaining;
  if (own.allowed && remaining >= whole.remaining) return whole;
  const { allowed, resetSeconds, retryAfterSeconds } = own;
  return { allowed, remaining: Math.min(remaining, whole.remaining), resetSeconds, retryAfterSeconds, of: 'share' };
}

export const DAY_MS = 86_400_000;

/** The calls of a UTC day: `used` with this one if it is allowed, `leftMs` until the next day. */
export interface DayCount {
  readonly allowed: boolean;
  readonly used: number;
  readonly leftMs: number;
}

export function ofDay(rate: Allowance, { allowed, used, leftMs }: DayCount, dailyCalls: number): Allowance {
  const remaining = Math.max(0, dailyCalls - used);
  if (allowed && remaining >= rate.remaining) return rate;
  const resetSeconds = Math.ceil(leftMs / 1000);
  return {
    allowed,
    remaining: Math.min(remaining, rate.remaining),
    resetSeconds,
    retryAfterSeconds: allowed ? 0 : resetSeconds,
    of: 'day',
  };
}

/** With more keys than this, full buckets are removed. */
const SWEEP_ABOVE = 10_000;

/** The limits of one process: without Redis, or while Redis is down. */
export class LocalRateLimiter extends RateLimiter {
  private readonly fullAt = new Map<string, number>();
  private sweepAbove = SWEEP_ABOVE;

  private ofToday = { day: 0, used: new Map<string, number>() };

  constructor(
    private readonly now: () => number = () => performance.now(),
    private readonly wallClock: () => number = () => Date.now(),
  ) {
    super();
  }

  take(key: string, tier: Tier, cost = 1, share?: Share): Allowance {
    const now = this.now();
    const whole = gcra(this.fullAt.get(key) ?? now, now, tier, cost);
    if (!share || !whole.allowance.allowed) {
      if (cost > 0) this.remember(key, whole.fullAtMs, now);
      return whole.allowance;
    }
    const taken = (whole.fullAtMs - now) / (MINUTE_MS / tier.perMinute);
    const ofOwn = Math.max(0, Math.min(cost, taken - (tier.burst - share.reserve)));
    const own = gcra(this.fullAt.get(share.key) ?? now, now, share.tier, ofOwn);
    const rate = ofShare(whole.allowance, own.allowance, share);
    const dailyCalls = share.limits?.dailyCalls ?? null;
    const allowance = rate.allowed && dailyCalls !== null ? ofDay(rate, this.count(share.key, dailyCalls, cost), dailyCalls) : rate;
    if (allowance.allowed && cost > 0) {
      this.remember(key, whole.fullAtMs, now);
      if (ofOwn > 0) this.remember(share.key, own.fullAtMs, now);
    }
    return allowance;
  }

  private count(key: string, dailyCalls: number, cost: number): DayCount {
    const at = this.wallClock();
    const day = Math.floor(at / DAY_MS);
    if (this.ofToday.day !== day) this.ofToday = { day, used: new Map() };
    const before = this.ofToday.used.get(key) ?? 0;
    const allowed = before + cost <= dailyCalls;
    const used = allowed ? before + cost : before;
    this.ofToday.used.set(key, used);
    return { allowed, used, leftMs: (day + 1) * DAY_MS - at };
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
  /** The key, or the person in the console; all connections of an application are one. None: it takes from the whole. */
  readonly id?: string;
  readonly application?: { readonly id: string } | null;
  readonly limits?: OwnLimits;
}

interface Taken {
  readonly allowance: Allowance;
  readonly tier: Tier;
  readonly share: Share | undefined;
}

/** The one whose calls are counted together; undefined: the whole organization. */
export const callerIdOf = ({ id, application }: Limited): string | undefined => application?.id ?? id;

@Injectable()
export class TenantLimits {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  async take(limited: Limited, cost = 1): Promise<Taken> {
    const { organization, environment, limits } = limited;
    const tier = tierOf(this.settings.rateLimits, organization);
    // Redis keeps the keys with the same braces together.
    const key = `{${organization.id}:${environment}}`;
    const caller = callerIdOf(limited);
    const share = caller === undefined ? undefined : shareIn(tier, `${key}:${caller}`, limits);
    return { allowance: await this.limiter.take(key, tier, cost, share), tier, share };
  }

  /** The state that usage and the credential context show. Reading it does not count as a request. */
  async state(limited: Limited) {
    const { organization, environment } = limited;
    const { allowance, tier } = await this.take({ organization, environment }, 0);
    const { remaining, resetSeconds } = allowance;
    const resetAt = later(this.clock, resetSeconds * 1000);
    return { tier: organization.plan, limit: tier.perMinute, windowSeconds: 60, remaining, resetAt };
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
