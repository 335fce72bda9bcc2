import { Injectable } from '@nestjs/common';
import { OrganizationLimit } from '../../../api/limits/organization-limit.js';
import type { Plan } from '../../../kernel/plans.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { Implements } from '../../../store/discovery/ports.js';
import { WEBHOOKS_PLAN } from './endpoint-rules.js';

/** The limit as `GET /v1/organization` shows it. The plan itself is checked by the operations. */
@Implements(OrganizationLimit)
@Injectable()
export class EndpointLimit implements OrganizationLimit {
  readonly name = 'webhooks';

  constructor(private readonly settings: Settings) {}

  of(plan: Plan): number {
    return this.settings.plans.includes(plan, WEBHOOKS_PLAN) ? this.settings.recordLimits.webhooks : 0;
  }
}
