import { Injectable } from '@nestjs/common';
import { OrganizationLimit } from '../../api/limits/organization-limit.js';
import { tierOf } from '../../kernel/plans.js';
import { Settings } from '../../kernel/settings/settings.js';
import { Ports } from '../../store/discovery/ports.js';
import type { OrganizationLimitsDto } from './organization.dto.js';
import type { Organization } from './organization.entity.js';

/** What an organization's plan allows. The modules that enforce a bound declare it; one that none declares is 0. */
@Injectable()
export class OrganizationLimits {
  constructor(
    private readonly settings: Settings,
    private readonly ports: Ports,
  ) {}

  of(organization: Pick<Organization, 'id' | 'plan'>): OrganizationLimitsDto {
    const { plan } = organization;
    const { perMinute, burst } = tierOf(this.settings.rateLimits, organization);
    const bound = (name: string): number =>
      this.ports
        .all(OrganizationLimit)
        .find((limit) => limit.name === name)
        ?.of(plan) ?? 0;
    return { rateTier: plan, requestsPerMinute: perMinute, burst, apiKeys: bound('apiKeys'), webhooks: bound('webhooks') };
  }
}
