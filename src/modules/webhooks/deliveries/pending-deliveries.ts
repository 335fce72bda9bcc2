import type { Database, Statement } from '../../../store/database/database.js';
import type { Unit } from '../../../store/database/transaction.js';

const GIVE_UP: Statement = {
  name: 'webhook_deliveries.give_up',
  text: `UPDATE webhook_deliveries SET status = 'failed', error_code = $2, updated_at = $3 WHERE webhook_id = $1 AND status = 'pending'`,
};

/** Why, as the delivery log says it. */
export type GivenUp = 'endpoint_disabled' | 'environment_changed';

/**
 * What is still to be delivered to an endpoint no longer will be, and the log says why. Otherwise it would be there, days
 * late, with whatever the endpoint has become when it is enabled again.
 */
export async function giveUpPending(
  database: Database,
  { unit }: { readonly unit: Unit },
  webhookId: string,
  reason: GivenUp,
  now: string,
): Promise<void> {
  await database.rows(GIVE_UP, [webhookId, reason, now], unit);
}
