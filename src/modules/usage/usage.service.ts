import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/time.js';
import type { RequestContext } from '../../api/call/request-context.js';
import { TenantLimits } from '../../api/limits/rate-limiter.js';
import { Registry } from '../../api/operation/registry.js';
import { OrganizationService } from '../organization/index.js';
import { billingPeriod } from './billing-period.js';
import { UsageCounter } from './usage-counter.js';
import type { UsageSummaryDto } from './usage.dto.js';
import { UsageRepository } from './usage.repository.js';

@Injectable()
export class UsageService {
  constructor(
    private readonly usage: UsageRepository,
    private readonly counter: UsageCounter,
    private readonly organizations: OrganizationService,
    private readonly limits: TenantLimits,
    private readonly registry: Registry,
    private readonly clock: Clock,
  ) {}

  async summary(ctx: RequestContext): Promise<UsageSummaryDto> {
    await this.counter.write();
    const { billingCycleAnchor } = await this.organizations.byId(ctx.organizationId);
    const period = billingPeriod(billingCycleAnchor, this.clock.timestamp().slice(0, 10));
    const counted = new Map((await this.usage.totals(ctx, period)).map((row) => [row.capability, row]));
    const capabilities = this.registry.capabilities.map((capability) => {
      const { reads = 0, writes = 0, failed = 0 } = counted.get(capability) ?? {};
      return { capability, reads, writes, failed, total: reads + writes };
    });
    const total = capabilities.reduce((sum, capability) => sum + capability.total, 0);
    return { billingPeriod: period, environment: ctx.environment, capabilities, total, rateLimit: await this.limits.state(ctx.principal) };
  }
}
