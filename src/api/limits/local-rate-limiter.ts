import { gcra, RateLimiter, type Allowance } from './rate-limiter.js';
import type { Tier } from '../../kernel/plans.js';

/** With more keys than this, full buckets are removed. */
const SWEEP_ABOVE = 10_000;

/** The limits of one process: without Redis, or while Redis is down. */
export class LocalRateLimiter extends RateLimiter {
  private readonly fullAt = new Map<string, number>();
  private sweepAbove = SWEEP_ABOVE;

  constructor(private readonly now: () => number = () => performance.now()) {
    super();
  }

  take(key: string, tier: Tier, cost: 0 | 1 = 1): Allowance {
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
