import { type Database } from '../../../store/database/database.js';
import { entityColumns } from '../../../store/database/sql.js';
import type { Unit } from '../../../store/database/unit-of-work.js';
import { ORGANIZATION, organizationSql } from '../../../store/tenant/tenant-sql.js';
import type { GiveUpReason } from './webhook-delivery.dto.js';
import { WebhookDelivery } from './webhook-delivery.entity.js';

/** What a new delivery has from the row that it is made from, unless it is said. */
const OF_ROW = ['environment', 'webhookId', 'eventId', 'eventKind', 'requestId', 'replayId'] as const;
/** SQL expressions for what a new delivery is made from; `createdAt` is also its `updatedAt`. */
type PendingDelivery = Record<'id' | 'organizationId' | 'createdAt' | 'attempt' | 'trigger' | 'scheduledAt', string> &
  Partial<Record<(typeof OF_ROW)[number], string>>;

const { table, columns } = entityColumns(WebhookDelivery);

/** An INSERT of pending deliveries: one for each row of `from`, a FROM clause with what follows it. */
export function insertPendingSql(values: PendingDelivery, from: string): string {
  const all: Record<string, string> = { ...values, updatedAt: values.createdAt, status: "'pending'" };
  const inserted = columns.filter(({ property }) => property in all || (OF_ROW as readonly string[]).includes(property));
  return `INSERT INTO ${table} (${inserted.map(({ column }) => column).join(', ')})
    SELECT ${inserted.map(({ property, column }) => all[property] ?? column).join(', ')}
    ${from}`;
}

const GIVE_UP = organizationSql(
  'webhook_deliveries.give_up',
  `UPDATE webhook_deliveries SET status = 'failed', error_code = :reason, updated_at = :now
    WHERE ${ORGANIZATION} AND webhook_id = :webhookId AND status = 'pending'`,
);

/** Left pending, they would be sent days late when the endpoint is enabled again, to whatever its target is by then. */
export async function giveUpPending(
  database: Database,
  { unit, organizationId }: { readonly unit: Unit; readonly organizationId: string },
  webhookId: string,
  reason: GiveUpReason,
  now: string,
): Promise<void> {
  await database.rows(...GIVE_UP.bind({ organizationId }, { webhookId, reason, now }), unit);
}
