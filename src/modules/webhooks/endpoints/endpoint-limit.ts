import { Injectable } from '@nestjs/common';
import { OrganizationLimit } from '../../../api/limits/organization-limit.js';
import { PLANS, type Plan } from '../../../kernel/plans.js';
import { Implements } from '../../../store/discovery/ports.js';
import { MAX_WEBHOOKS, WEBHOOKS_PLAN } from './endpoint-rules.js';

/** The limit as `GET /v1/organization` shows it. The plan itself is checked by the operations. */
@Implements(OrganizationLimit)
@Injectable()
export class EndpointLimit implements OrganizationLimit {
  readonly name = 'webhooks';

  of(plan: Plan): number {
    return PLANS.indexOf(plan) >= PLANS.indexOf(WEBHOOKS_PLAN) ? MAX_WEBHOOKS : 0;
  }
}
