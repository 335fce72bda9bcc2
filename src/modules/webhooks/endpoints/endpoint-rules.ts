import type { Environment } from '../../../kernel/context.js';
import type { ReadContext } from '../../../store/database/unit-of-work.js';
import type { Plans, StandardPlan } from '../../../kernel/plans.js';
import { Problem } from '../../../kernel/problems.js';
import { entitledSql } from '../../organization/index.js';
import type { WebhookEndpoint } from './webhook-endpoint.entity.js';

/** The plan that webhooks need. */
export const WEBHOOKS_PLAN: StandardPlan = 'enterprise';

/** Whether events are delivered to an organization now: it is active and has the plan. Without, deliveries wait. */
export const isDeliveredToSql = (organizationId: string, plans: Plans): string => entitledSql(organizationId, plans, WEBHOOKS_PLAN);

/** How long deliveries are signed with the previous secret as well after a rotation. */
export const SECRET_OVERLAP_MS = 24 * 3_600_000;

/** An endpoint is disabled when no delivery has succeeded for this long. */
export const DISABLED_AFTER_FAILING_MS = 5 * 86_400_000;

/** Deliveries per minute. Whoever wants more needs no limit. */
export const MAX_RATE_LIMIT = 6000;

/** The fields that change with the status. Enabling an endpoint also forgets since when it has failed. */
export function withStatus(
  status: WebhookEndpoint['status'],
): Pick<WebhookEndpoint, 'status' | 'disabledReason' | 'failingSince' | 'failingNoticedAt'> {
  return { status, disabledReason: status === 'disabled' ? 'manual' : null, failingSince: null, failingNoticedAt: null };
}

export function requireManageable(ctx: ReadContext, environment: Environment): void {
  if (ctx.environment === 'live' || environment === ctx.environment) return;
  throw new Problem('environment_mismatch', {
    detail: 'A test credential can manage endpoints of the test environment only.',
    errors: [{ location: 'body', field: 'environment', code: 'environment_mismatch', message: 'must be test for a test credential' }],
  });
}

export function missing(): never {
  throw new Problem('not_found', { detail: 'There is no webhook endpoint with this id.' });
}
