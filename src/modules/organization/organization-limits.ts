import { Injectable } from '@nestjs/common';
import { OrganizationLimit } from '../../api/limits/organization-limit.js';
import { tierOf, type Plans } from '../../kernel/plans.js';
import { Settings } from '../../kernel/settings/settings.js';
import { Ports } from '../../store/discovery/ports.js';
import type { OrganizationLimitsDto } from './organization.dto.js';
import type { Organization } from './organization.entity.js';

/**
 * The limits of an organization. How many records it may have is a setting. Of the limits of its plan, the module that enforces
 * one declares it; one that no module declares is 0.
 */
@Injectable()
export class OrganizationLimits {
  constructor(
    private readonly settings: Settings,
    private readonly ports: Ports,
  ) {}

  get plans(): Plans {
    return this.settings.plans;
  }

  list(organization: Pick<Organization, 'id' | 'plan'>): OrganizationLimitsDto {
    const { plan } = organization;
    const { perMinute, burst } = tierOf(this.settings.rateLimits, organization);
    const limit = (name: string): number =>
      this.ports
        .all(OrganizationLimit)
        .find((candidate) => candidate.name === name)
        ?.of(plan) ?? 0;
    const { recordLimits } = this.settings;
    return { ...recordLimits, rateTier: plan, requestsPerMinute: perMinute, burst, apiKeys: limit('apiKeys'), webhooks: limit('webhooks') };
  }
}
