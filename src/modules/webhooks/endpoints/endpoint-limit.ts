import { Injectable } from '@nestjs/common';
import { OrganizationLimit } from '../../../api/limits/organization-limit.js';
import type { Plan } from '../../../kernel/plans.js';
import { Implements } from '../../../store/discovery/ports.js';
import { MAX_WEBHOOKS } from './endpoint-rules.js';

/** The limit as `GET /v1/organization` shows it. The plan itself is checked by the operations. */
@Implements(OrganizationLimit)
@Injectable()
export class EndpointLimit implements OrganizationLimit {
  readonly name = 'webhooks';

  of(plan: Plan): number {
    return plan === 'enterprise' ? MAX_WEBHOOKS : 0;
  }
}
