import { Injectable } from '@nestjs/common';
import { OrganizationLimit } from '../../../api/limits/organization-limit.js';
import type { Plan } from '../../../kernel/plans.js';
import { Implements } from '../../../store/discovery/ports.js';

/** Webhook endpoints that an organization may have in each environment. */
export const MAX_WEBHOOKS = 50;

/** The operations themselves ask for the plan; this is what an organization is told. */
@Implements(OrganizationLimit)
@Injectable()
export class EndpointLimit implements OrganizationLimit {
  readonly name = 'webhooks';

  of(plan: Plan): number {
    return plan === 'enterprise' ? MAX_WEBHOOKS : 0;
  }
}
