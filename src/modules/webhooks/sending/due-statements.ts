import type { Statement } from '../../../store/database/database.js';
import { SETTLED_AFTER_MS } from '../../../store/events/settled-events.js';
import { DATA_BYTES, messageColumns } from '../signing/message.js';

/** The environment of an endpoint may have changed: it gets no deliveries of the previous one. */
const pending = (organization: string): string =>
  `organization_id = ${organization} AND webhook_id = $1 AND environment = $2 AND status = 'pending'`;
const hasEvent = (organization: string): string =>
  `EXISTS (SELECT 1 FROM events WHERE events.id = delivery.event_id AND events.organization_id = ${organization})`;

/** The data of an event comes with the delivery up to this size: it will be sent soon. */
const SMALL_BYTES = 4096;
const COLUMNS = `delivery.id, delivery.attempt, ${DATA_BYTES} AS bytes, ${messageColumns(SMALL_BYTES)}`;

/** Not by id as well: the index would not serve it, and what a replay makes is all due at the same time. */
export const DUE: Statement = {
  name: 'webhook_deliveries.due',
  text: `SELECT ${COLUMNS}
    FROM (
      SELECT id, attempt, event_id, scheduled_at FROM webhook_deliveries
      WHERE ${pending('$6')} AND scheduled_at <= $3 AND id <> ALL ($4::uuid[]) ORDER BY scheduled_at LIMIT $5
    ) delivery
    JOIN events event ON event.id = delivery.event_id AND event.organization_id = $6 ORDER BY delivery.scheduled_at, delivery.id`,
};
export const NEXT_DUE: Statement = {
  name: 'webhook_deliveries.next_due',
  text: `SELECT scheduled_at AS at FROM webhook_deliveries delivery
    WHERE ${pending('$3')} AND ${hasEvent('$3')} ORDER BY scheduled_at LIMIT 1`,
};

/** Those whose event is no longer kept are never sent: they must not hold back the others. */
const inOrder = (organization: string): string => `SELECT id, attempt, event_id, scheduled_at FROM webhook_deliveries delivery
      WHERE ${pending(organization)} AND ${hasEvent(organization)}`;

/** In the order of their events, up to the first that is not due yet. Events from $4 on may still get earlier ones. */
export const DUE_IN_ORDER: Statement = {
  name: 'webhook_deliveries.due_in_order',
  text: `SELECT ${COLUMNS}
    FROM (
      SELECT *, bool_and(scheduled_at <= $3) OVER (ORDER BY event_id, id) AS is_next
      FROM (${inOrder('$6')} AND event_id < $4 ORDER BY event_id, id LIMIT $5) earliest
    ) delivery
    JOIN events event ON event.id = delivery.event_id AND event.organization_id = $6
    WHERE delivery.is_next ORDER BY delivery.event_id, delivery.id`,
};
/** When the earliest event is settled and its delivery is due. */
export const NEXT_IN_ORDER: Statement = {
  name: 'webhook_deliveries.next_in_order',
  text: `SELECT greatest(next.scheduled_at, event.occurred_at + interval '${SETTLED_AFTER_MS} ms') AS at
    FROM (${inOrder('$3')} ORDER BY event_id, id LIMIT 1) next
    JOIN events event ON event.id = next.event_id AND event.organization_id = $3`,
};
