import type { Environment } from '../../../kernel/context.js';
import type { ReadContext } from '../../../store/database/transaction.js';
import { Problem } from '../../../kernel/problems.js';
import { MAX_WEBHOOKS } from './endpoint-limit.js';
import type { WebhookEndpoint } from './webhook-endpoint.entity.js';

export function requireRoom(environment: Environment, count: number): void {
  if (count >= MAX_WEBHOOKS)
    throw new Problem('webhook_limit_reached', {
      detail: `There are ${MAX_WEBHOOKS} endpoints in the ${environment} environment already.`,
    });
}

/** Who enables an endpoint again begins anew. */
export function statusOf(status: WebhookEndpoint['status']): Pick<WebhookEndpoint, 'status' | 'disabledReason' | 'failingSince'> {
  return { status, disabledReason: status === 'disabled' ? 'manual' : null, failingSince: null };
}

export function requireManageable(ctx: ReadContext, environment: Environment): void {
  if (ctx.environment === 'live' || environment === ctx.environment) return;
  throw new Problem('environment_mismatch', {
    detail: 'A test credential manages endpoints of the test environment only.',
    errors: [{ location: 'body', field: 'environment', code: 'environment_mismatch', message: 'must be test for a test credential' }],
  });
}

export function missing(): never {
  throw new Problem('not_found', { detail: 'There is no webhook endpoint with this id.' });
}
