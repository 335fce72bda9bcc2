import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../kernel/context.js';
import { Clock } from '../../kernel/time.js';
import { TenantLimits, type Limited } from '../../api/limits/rate-limiter.js';
import { Registry } from '../../api/operation/registry.js';
import { OrganizationService } from '../organization/index.js';
import { billingPeriod, type BillingPeriod } from './billing-period.js';
import { UsageCounter } from './usage-counter.js';
import type { UsageSummaryDto } from './usage.dto.js';
import { UsageRepository } from './usage.repository.js';

export interface DayOfUsage {
  readonly day: string;
  readonly succeeded: number;
  readonly failed: number;
}

export interface UsageByDay {
  readonly period: BillingPeriod;
  /** From the first day of the period to today (UTC), also those without requests. */
  readonly days: readonly DayOfUsage[];
}

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

  async summary(whose: Limited): Promise<UsageSummaryDto> {
    await this.counter.write();
    const tenant = { organizationId: whose.organization.id, environment: whose.environment };
    const { period } = await this.findPeriod(tenant);
    const counted = new Map((await this.usage.totals(tenant, period)).map((row) => [row.capability, row]));
    const capabilities = this.registry.capabilities.map((capability) => {
      const { reads = 0, writes = 0, failed = 0 } = counted.get(capability) ?? {};
      return { capability, reads, writes, failed, total: reads + writes };
    });
    const total = capabilities.reduce((sum, capability) => sum + capability.total, 0);
    return { billingPeriod: period, environment: tenant.environment, capabilities, total, rateLimit: await this.limits.state(whose) };
  }

  async byDay(tenant: Tenant): Promise<UsageByDay> {
    await this.counter.write();
    const { period, today } = await this.findPeriod(tenant);
    const counted = new Map((await this.usage.days(tenant, period)).map((row) => [row.day, row]));
    const days = daysBetween(period.start, today).map((day) => {
      const { total = 0, failed = 0 } = counted.get(day) ?? {};
      return { day, succeeded: total - failed, failed };
    });
    return { period, days };
  }

  private async findPeriod({ organizationId }: Tenant): Promise<{ period: BillingPeriod; today: string }> {
    const { billingCycleAnchor } = await this.organizations.byId(organizationId);
    const today = this.clock.timestamp().slice(0, 10);
    return { period: billingPeriod(billingCycleAnchor, today), today };
  }
}

const DAY_MS = 86_400_000;

function daysBetween(first: string, last: string): string[] {
  const count = (Date.parse(last) - Date.parse(first)) / DAY_MS + 1;
  return Array.from({ length: count }, (_nothing, index) => new Date(Date.parse(first) + index * DAY_MS).toISOString().slice(0, 10));
}
