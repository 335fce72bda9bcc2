import type { Tier } from '../../kernel/plans.js';

export interface Allowance {
  readonly allowed: boolean;
  /** How many requests may still come at once. */
  readonly remaining: number;
  /** Until the whole burst is there again. */
  readonly resetSeconds: number;
  /** Until the next request is let through; 0 when this one was. */
  readonly retryAfterSeconds: number;
}

/** A bucket per key, filled at the tier's steady rate. `cost` 0 looks without taking. */
export abstract class RateLimiter {
  abstract take(key: string, tier: Tier, cost?: 0 | 1): Promise<Allowance> | Allowance;
}

const MINUTE_MS = 60_000;
/** Sums of fractions are a little off: without this much of tolerance the last call of a burst is refused now and then. */
const HAIR_MS = 0.001;

/**
 * The generic cell rate algorithm: all that a bucket needs to remember is one time, the one at which it will be full again.
 * On Redis a script does the same; one test suite holds both to it.
 */
export function gcra(fullAtMs: number, nowMs: number, tier: Tier, cost: number): { fullAtMs: number; allowance: Allowance } {
  const perRequestMs = MINUTE_MS / tier.perMinute;
  const capacityMs = perRequestMs * tier.burst;
  const before = Math.max(fullAtMs, nowMs);
  const after = before + perRequestMs * cost;
  const waitMs = after - capacityMs - nowMs;
  const allowed = waitMs <= HAIR_MS;
  return { fullAtMs: allowed ? after : before, allowance: toAllowance(allowed, (allowed ? after : before) - nowMs, waitMs, tier) };
}

/** What callers are told, of how far the bucket is from full and how long the refused request would have to wait. */
export function toAllowance(allowed: boolean, missingMs: number, waitMs: number, tier: Tier): Allowance {
  const perRequestMs = MINUTE_MS / tier.perMinute;
  const missing = Math.max(0, missingMs - HAIR_MS);
  const remaining = Math.max(0, Math.floor(tier.burst - missing / perRequestMs));
  return {
    allowed,
    remaining,
    resetSeconds: Math.ceil(missing / 1000),
    retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil((waitMs - HAIR_MS) / 1000)),
  };
}
