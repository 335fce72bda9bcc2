import { Injectable } from '@nestjs/common';
import type { Principal } from '../access/principal.js';
import { Clock } from '../../kernel/clock.js';
import { Settings } from '../../kernel/settings/settings.js';
import { RateLimiter, type Allowance } from './rate-limiter.js';
import { tierOf, type Tier } from '../../kernel/plans.js';

/** The rate limit of an organization in one environment. */
@Injectable()
export class TenantLimits {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  async take(principal: Principal, cost: 0 | 1 = 1): Promise<Allowance & { tier: Tier }> {
    const tier = tierOf(this.settings.rateLimits, principal.organization);
    const allowance = await this.limiter.take(`${principal.organization.id}:${principal.environment}`, tier, cost);
    return { ...allowance, tier };
  }

  /** The state that usage and the credential context show. Reading it does not count as a request. */
  async state(principal: Principal) {
    const { tier, remaining, resetSeconds } = await this.take(principal, 0);
    const resetAt = new Date(this.clock.now().getTime() + resetSeconds * 1000).toISOString();
    return { tier: principal.organization.plan, limit: tier.perMinute, windowSeconds: 60, remaining, resetAt };
  }
}
