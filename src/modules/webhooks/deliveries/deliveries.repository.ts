import { Injectable } from '@nestjs/common';
import type { ReadContext, WriteContext } from '../../../store/database/unit-of-work.js';
import { Database, prepared } from '../../../store/database/database.js';
import { TenantRepository } from '../../../store/tenant/tenant-repository.js';
import type { AnswerExcerpt } from '../sending/answer-excerpt.js';
import { MESSAGE_COLUMNS, type EventMessage } from '../signing/message.js';
import { insertPendingSql } from './pending-deliveries.js';
import { WebhookDelivery, type HourOfAttempts, type SentWith } from './webhook-delivery.entity.js';

type DeliveryAddress = Pick<WebhookDelivery, 'id' | 'organizationId' | 'environment' | 'webhookId'>;

// Operators know a delivery by its id alone, so this statement names no tenant.
const BY_ID = prepared({
  name: 'webhook_deliveries.by_id',
  text: `SELECT id, organization_id AS "organizationId", environment, webhook_id AS "webhookId" FROM webhook_deliveries WHERE id = $1`,
});

const REPEAT = insertPendingSql(
  {
    id: '$1',
    organizationId: '$4',
    environment: 'environment',
    createdAt: '$2',
    webhookId: 'webhook_id',
    eventId: 'event_id',
    eventKind: 'event_kind',
    attempt: `(SELECT max(attempt) + 1 FROM webhook_deliveries earlier
        WHERE earlier.organization_id = $4 AND earlier.webhook_id = delivery.webhook_id AND earlier.event_id = delivery.event_id)`,
    trigger: "'manual'",
    scheduledAt: '$2',
    requestId: 'request_id',
    replayId: 'NULL',
  },
  'FROM delivery WHERE NOT EXISTS (SELECT 1 FROM pending)',
);

// An attempt that is being sent stays as it is: its scheduled time is past.
const REDELIVER = prepared({
  name: 'webhook_deliveries.redeliver',
  text: `WITH delivery AS (
      SELECT * FROM webhook_deliveries WHERE id = $3 AND organization_id = $4 AND environment = $5
        AND EXISTS (SELECT 1 FROM events WHERE events.id = event_id AND events.organization_id = $4)
    ), pending AS (
      UPDATE webhook_deliveries pending SET scheduled_at = least(pending.scheduled_at, $2), updated_at = greatest(pending.updated_at, $2),
        trigger = CASE WHEN pending.scheduled_at > $2 THEN 'manual' ELSE pending.trigger END
      FROM delivery WHERE pending.organization_id = $4 AND pending.webhook_id = delivery.webhook_id
        AND pending.event_id = delivery.event_id AND pending.status = 'pending'
      RETURNING pending.id
    ), failed AS (
      UPDATE webhook_deliveries failed SET next_attempt_at = $2, updated_at = greatest(failed.updated_at, $2)
      FROM delivery WHERE failed.organization_id = $4 AND failed.webhook_id = delivery.webhook_id
        AND failed.event_id = delivery.event_id AND failed.next_attempt_at > $2
    ), made AS (${REPEAT} RETURNING id)
    SELECT id FROM pending UNION ALL SELECT id FROM made`,
});

// The delivery itself is read by the tenant's own statement; this is what the list leaves out.
const MESSAGE = prepared({
  name: 'webhook_deliveries.message',
  text: `SELECT delivery.sent, delivery.answer, ${MESSAGE_COLUMNS} FROM webhook_deliveries delivery
    LEFT JOIN events event ON event.id = delivery.event_id AND event.organization_id = delivery.organization_id
    WHERE delivery.id = $1 AND delivery.webhook_id = $2 AND delivery.organization_id = $3 AND delivery.environment = $4`,
});

/** The attempts of a day that the chart counts at most: the newest. */
const COUNTED_ATTEMPTS = 10_000;

// A retry can be made long after it was written down, which its id tells the time of.
const OUTCOMES = prepared({
  name: 'webhook_deliveries.outcomes',
  text: `SELECT (floor(extract(epoch FROM attempted_at) / 3600) * 3600000)::float8 AS "hourMs",
      count(*) FILTER (WHERE status = 'delivered')::int AS delivered, count(*) FILTER (WHERE status <> 'delivered')::int AS failed
    FROM (
      SELECT attempted_at, status FROM webhook_deliveries
      WHERE organization_id = $1 AND environment = $2 AND webhook_id = $3 AND id >= $4 ORDER BY id DESC LIMIT ${COUNTED_ATTEMPTS}
    ) newest
    WHERE attempted_at >= $5 GROUP BY 1`,
});

/** What was sent in an attempt, and what came back. The event is null when it is no longer kept. */
export interface DeliveryMessage {
  readonly sent: SentWith | null;
  readonly answer: AnswerExcerpt | null;
  readonly event: EventMessage | null;
}

/** The delivery log as a tenant reads it, and the deliveries that an operator asks for. */
@Injectable()
export class DeliveriesRepository extends TenantRepository<WebhookDelivery> {
  constructor(database: Database) {
    super(database, WebhookDelivery, { within: 'webhookId' });
  }

  /** What an attempt of an endpoint was sent with; undefined if the endpoint has no such delivery. */
  async message(ctx: ReadContext, webhookId: string, id: string): Promise<DeliveryMessage | undefined> {
    const values = [id, webhookId, ctx.organizationId, ctx.environment];
    const [row] = await this.database.rows<EventMessage & Omit<DeliveryMessage, 'event'>>(MESSAGE, values, ctx.unit);
    if (!row) return undefined;
    const { sent, answer, ...event } = row;
    // Without its event, the columns of the event are null.
    return { sent, answer, event: (event.eventId as string | null) === null ? null : event };
  }

  /** Of the hours since a time, those in which attempts were made. `fromId` is older than all of them. */
  outcomes(ctx: ReadContext, webhookId: string, since: string, fromId: string): Promise<HourOfAttempts[]> {
    return this.database.longRead<HourOfAttempts>(OUTCOMES, [ctx.organizationId, ctx.environment, webhookId, fromId, since], ctx);
  }

  async byId(id: string): Promise<DeliveryAddress | undefined> {
    return (await this.database.rows<WebhookDelivery>(BY_ID, [id]))[0];
  }

  /**
   * Makes the pending attempt of a delivery's event due now, or schedules another one if none is pending. Returns its id; undefined when
   * the event is no longer kept. The endpoint must be locked, or its worker could schedule a retry at the same moment.
   */
  async redeliver(ctx: WriteContext, id: string, newId: string, now: string): Promise<string | undefined> {
    return (await this.database.rows<WebhookDelivery>(REDELIVER, [newId, now, id, ctx.organizationId, ctx.environment], ctx.unit))[0]?.id;
  }
}
