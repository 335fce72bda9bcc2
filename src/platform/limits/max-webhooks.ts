import type { Plan } from './tiers.js';

/** Webhook endpoints that an organization may have in each environment. */
export const MAX_WEBHOOKS = 50;

/** The operations themselves ask for the plan; this is what an organization is told. */
export const maxWebhooks = (plan: Plan): number => (plan === 'enterprise' ? MAX_WEBHOOKS : 0);
