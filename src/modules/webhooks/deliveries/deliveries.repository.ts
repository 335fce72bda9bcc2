import { Injectable } from '@nestjs/common';
import type { ReadContext, WriteContext } from '../../../store/database/unit-of-work.js';
import { Database } from '../../../store/database/database.js';
import { TenantRepository } from '../../../store/tenant/tenant-repository.js';
import { acrossTenants, TENANT, tenantOf, tenantSql } from '../../../store/tenant/tenant-sql.js';
import { MESSAGE_COLUMNS, type EventMessage } from '../signing/message.js';
import { insertPendingSql } from './pending-deliveries.js';
import type { DeliveryMessage } from './webhook-delivery.dto.js';
import { WebhookDelivery, type HourOfAttempts } from './webhook-delivery.entity.js';

type DeliveryAddress = Pick<WebhookDelivery, 'id' | 'organizationId' | 'environment' | 'webhookId'>;

const BY_ID = acrossTenants(
  'webhook_deliveries.by_id',
  'Operators name a delivery by its id only.',
  `SELECT id, organization_id AS "organizationId", environment, webhook_id AS "webhookId" FROM webhook_deliveries WHERE id = :id`,
);

const REPEAT = insertPendingSql(
  {
    id: ':newId',
    organizationId: ':organizationId',
    createdAt: ':now',
    attempt: `(SELECT max(attempt) + 1 FROM webhook_deliveries earlier
        WHERE earlier.organization_id = :organizationId AND earlier.webhook_id = delivery.webhook_id
          AND earlier.event_id = delivery.event_id)`,
    trigger: "'manual'",
    scheduledAt: ':now',
    replayId: 'NULL',
  },
  'FROM delivery WHERE NOT EXISTS (SELECT 1 FROM pending)',
);

// An attempt that is being sent stays as it is: its scheduled time is past.
const REDELIVER = tenantSql(
  'webhook_deliveries.redeliver',
  `WITH delivery AS (
      SELECT * FROM webhook_deliveries WHERE id = :id AND ${TENANT}
        AND EXISTS (SELECT 1 FROM events WHERE events.id = event_id AND events.organization_id = :organizationId)
    ), pending AS (
      UPDATE webhook_deliveries pending SET scheduled_at = least(pending.scheduled_at, :now),
        updated_at = greatest(pending.updated_at, :now),
        trigger = CASE WHEN pending.scheduled_at > :now THEN 'manual' ELSE pending.trigger END
      FROM delivery WHERE pending.organization_id = :organizationId AND pending.webhook_id = delivery.webhook_id
        AND pending.event_id = delivery.event_id AND pending.status = 'pending'
      RETURNING pending.id
    ), failed AS (
      UPDATE webhook_deliveries failed SET next_attempt_at = :now, updated_at = greatest(failed.updated_at, :now)
      FROM delivery WHERE failed.organization_id = :organizationId AND failed.webhook_id = delivery.webhook_id
        AND failed.event_id = delivery.event_id AND failed.next_attempt_at > :now
    ), made AS (${REPEAT} RETURNING id)
    SELECT id FROM pending UNION ALL SELECT id FROM made`,
);

// The delivery itself is read by the tenant's own statement; this is what the list leaves out.
const MESSAGE = tenantSql(
  'webhook_deliveries.message',
  `SELECT delivery.sent, delivery.answer, ${MESSAGE_COLUMNS} FROM webhook_deliveries delivery
    LEFT JOIN events event ON event.id = delivery.event_id AND event.organization_id = delivery.organization_id
    WHERE delivery.id = :id AND delivery.webhook_id = :webhookId AND ${tenantOf('delivery')}`,
);

/** The attempts of a day that the chart counts at most: the newest. */
const COUNTED_ATTEMPTS = 10_000;

// A retry can be made long after it was written down, which its id tells the time of.
const OUTCOMES = tenantSql(
  'webhook_deliveries.outcomes',
  `SELECT (floor(extract(epoch FROM attempted_at) / 3600) * 3600000)::float8 AS "hourMs",
      count(*) FILTER (WHERE status = 'delivered')::int AS delivered, count(*) FILTER (WHERE status <> 'delivered')::int AS failed
    FROM (
      SELECT attempted_at, status FROM webhook_deliveries
      WHERE ${TENANT} AND webhook_id = :webhookId AND id >= :fromId ORDER BY id DESC LIMIT ${COUNTED_ATTEMPTS}
    ) newest
    WHERE attempted_at >= :since GROUP BY 1`,
);

@Injectable()
export class DeliveriesRepository extends TenantRepository<WebhookDelivery> {
  constructor(database: Database) {
    super(database, WebhookDelivery, { within: 'webhookId' });
  }

  async message(ctx: ReadContext, webhookId: string, id: string): Promise<DeliveryMessage | undefined> {
    const [row] = await this.database.rows<EventMessage & Omit<DeliveryMessage, 'event'>>(
      ...MESSAGE.bind(ctx, { id, webhookId }),
      ctx.unit,
    );
    if (!row) return undefined;
    const { sent, answer, ...event } = row;
    // Without its event, the columns of the event are null.
    return { sent, answer, event: (event.eventId as string | null) === null ? null : event };
  }

  /** Of the hours since a time, those in which attempts were made. `fromId` is older than all of them. */
  outcomes(ctx: ReadContext, webhookId: string, since: string, fromId: string): Promise<HourOfAttempts[]> {
    return this.database.longRead<HourOfAttempts>(...OUTCOMES.bind(ctx, { webhookId, fromId, since }), ctx);
  }

  async byId(id: string): Promise<DeliveryAddress | undefined> {
    return (await this.database.rows<WebhookDelivery>(...BY_ID.bind({ id })))[0];
  }

  /** undefined when the event is no longer kept. The endpoint must be locked, or its worker could schedule a retry at the same moment. */
  async redeliver(ctx: WriteContext, id: string, newId: string, now: string): Promise<string | undefined> {
    const values = { newId, now, id };
    return (await this.database.rows<WebhookDelivery>(...REDELIVER.bind(ctx, values), ctx.unit))[0]?.id;
  }
}
