import { Injectable } from '@nestjs/common';
import { declareProblem, Implements, Policy, Problem, type PolicyContext, type RegisteredOperation } from '../../../extension-api.js';

const NEEDS_A_LARGER_PLAN = declareProblem('live_orders_need_plan', {
  status: 403,
  title: 'The plan has no live purchase orders',
  retry: 'never',
  about: 'Organizations with the plan starter can try purchase orders in the test environment. In the live one they need a larger plan.',
});

/** Organizations with the smallest plan place purchase orders in the test environment only. */
@Injectable()
@Implements(Policy)
export class TrialOrders implements Policy {
  readonly problems = [NEEDS_A_LARGER_PLAN];

  appliesTo({ capability, isWrite }: RegisteredOperation): boolean {
    return capability === 'purchase_orders' && isWrite;
  }

  check({ environment, organization }: PolicyContext): void {
    if (environment === 'live' && organization.plan === 'starter') throw new Problem(NEEDS_A_LARGER_PLAN);
  }
}
