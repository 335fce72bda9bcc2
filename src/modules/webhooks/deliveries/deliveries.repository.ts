import { Injectable } from '@nestjs/common';
import type { ReadContext, WriteContext } from '../../../store/database/unit-of-work.js';
import { Database } from '../../../store/database/database.js';
import { TenantRepository } from '../../../store/tenant/tenant-repository.js';
import { acrossTenants, ofProjects, TENANT, tenantOf, tenantSql } from '../../../store/tenant/tenant-sql.js';
import { MESSAGE_COLUMNS, type EventMessage } from '../signing/message.js';
import { insertPendingSql } from './pending-deliveries.js';
import type { DeliveryMessage, GiveUpReason } from './webhook-delivery.dto.js';
import type { MissedKindDto } from './replays.dto.js';
import { WebhookDelivery, type HourOfAttempts } from './webhook-delivery.entity.js';
import { newId } from '../../../kernel/ids.js';
import { isOfProjectsSql, PROJECT_ID } from '../endpoints/endpoint-rules.js';
import type { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';

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
      SELECT * FROM webhook_deliveries WHERE id = :id AND webhook_id = :webhookId AND ${TENANT}
        AND EXISTS (SELECT 1 FROM events event WHERE event.id = event_id AND event.organization_id = :organizationId
          ${ofProjects(`(${PROJECT_ID})`)})
    ), pending AS (
      UPDATE webhook_deliveries pending SET scheduled_at = least(pending.scheduled_at, :now),
        updated_at = greatest(pending.updated_at, :now),
        trigger = CASE WHEN pending.scheduled_at > :now THEN 'manual' ELSE pending.trigger END
      FROM delivery WHERE pending.organization_id = :organizationId AND pending.webhook_id = :webhookId
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
    WHERE delivery.id = :id AND delivery.webhook_id = :webhookId AND ${tenantOf('delivery')}${ofProjects(`(${PROJECT_ID})`)}`,
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

const EVENT_PROJECT = `(SELECT ${PROJECT_ID} FROM events event WHERE event.id = event_id
    AND event.organization_id = webhook_deliveries.organization_id)`;

@Injectable()
export class DeliveriesRepository extends TenantRepository<WebhookDelivery> {
  constructor(database: Database) {
    // An endpoint may have been for more projects once than it is now.
    super(database, WebhookDelivery, { within: 'webhookId', projectSql: EVENT_PROJECT });
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
  async redeliver(ctx: WriteContext, which: Readonly<Record<'id' | 'webhookId' | 'newId' | 'now', string>>): Promise<string | undefined> {
    return (await this.database.rows<WebhookDelivery>(...REDELIVER.bind(ctx, which), ctx.unit))[0]?.id;
  }
}

export interface Missed {
  readonly endpoint: WebhookEndpoint;
  readonly since: string;
  readonly kinds: readonly string[];
  /** Also those that have failed since then, whenever they happened; none that were stopped, or refused again and again. */
  readonly failedSince?: string;
  /** At most so many, the oldest. */
  readonly most?: number;
}

/** How far a replay has come: events, each counted once. */
export interface ReplayProgress {
  readonly delivered: number;
  readonly failed: number;
  /** They have failed, and will be tried again. */
  readonly retrying: number;
  readonly waiting: number;
  readonly stopped: number;
}

const STOPPED: GiveUpReason = 'replay_stopped';

/** An event that replays have tried to send so often is not sent by itself any more: endpoints refuse some events whenever they come. */
const CAUGHT_UP = 3;

/** A UUIDv7 with the time of the id `replayId` and a counter: the ids of a replay sort like the events they are for. */
const REPLAY_ID = `(left(:replayId::text, 14) || '7' || lpad(to_hex(number >> 12), 3, '0') || '-8' || lpad(to_hex(number & 4095), 3, '0')
      || '-' || right(gen_random_uuid()::text, 12))::uuid`;

/** The events since a time, of some kinds, that were neither delivered to the endpoint nor are still pending. None is about itself. */
const MISSED = `SELECT event.*, 1 + coalesce(earlier.attempt, 0) AS attempt, row_number() OVER (ORDER BY event.id) AS number
      FROM events event LEFT JOIN (
        SELECT event_id, max(attempt) AS attempt, max(updated_at) AS failed_at,
          bool_or(status <> 'failed') OR (:failedSince::timestamptz IS NOT NULL
            AND (count(replay_id) >= ${CAUGHT_UP} OR bool_or(error_code = '${STOPPED}') IS TRUE)) AS is_done
        FROM webhook_deliveries WHERE organization_id = :organizationId AND webhook_id = :webhookId GROUP BY event_id
      ) earlier ON earlier.event_id = event.id
      WHERE ${tenantOf('event')} AND event.kind = ANY (:kinds::text[])
        AND (event.occurred_at >= :since OR earlier.failed_at >= :failedSince)
        AND earlier.is_done IS NOT TRUE AND event.resource_id <> :webhookId
        AND ${isOfProjectsSql(':projectIds::text[]', PROJECT_ID)}`;

const PREVIEW = tenantSql(
  'webhook_deliveries.missed',
  `SELECT kind, count(*)::int AS deliveries, min(occurred_at) AS "firstAt", max(occurred_at) AS "lastAt"
    FROM (${MISSED}) missed GROUP BY kind ORDER BY kind`,
);

const REPLAY = tenantSql(
  'webhook_deliveries.replay',
  `${insertPendingSql(
    {
      id: REPLAY_ID,
      organizationId: ':organizationId',
      createdAt: ':now',
      webhookId: ':webhookId',
      eventId: 'id',
      eventKind: 'kind',
      attempt: 'attempt',
      trigger: "'manual'",
      scheduledAt: ':now',
      requestId: 'NULL',
      replayId: ':replayId::uuid',
    },
    `FROM (${MISSED} ORDER BY event.id LIMIT :most) missed`,
  )} RETURNING true AS made`,
);

/** The deliveries of a replay have ids from its own time on. */
const PROGRESS = tenantSql(
  'webhook_deliveries.replay_progress',
  `SELECT count(*) FILTER (WHERE delivered)::int AS delivered,
      count(*) FILTER (WHERE NOT delivered AND pending AND NOT tried)::int AS waiting,
      count(*) FILTER (WHERE NOT delivered AND pending AND tried)::int AS retrying,
      count(*) FILTER (WHERE NOT delivered AND NOT pending AND stopped)::int AS stopped,
      count(*) FILTER (WHERE NOT delivered AND NOT pending AND NOT stopped)::int AS failed
    FROM (
      SELECT bool_or(status = 'delivered') AS delivered, bool_or(status = 'pending') AS pending, bool_or(attempted_at IS NOT NULL) AS tried,
        bool_or(error_code IS NOT DISTINCT FROM '${STOPPED}') AS stopped
      FROM webhook_deliveries
      WHERE ${TENANT} AND webhook_id = :webhookId AND replay_id = :replayId::uuid
        AND id >= (left(:replayId::text, 14) || '0000-0000-000000000000')::uuid
      GROUP BY event_id
    ) event`,
);

const STOP = tenantSql(
  'webhook_deliveries.stop_replays',
  `UPDATE webhook_deliveries SET status = 'failed', error_code = '${STOPPED}', updated_at = :now
    WHERE ${TENANT} AND webhook_id = :webhookId AND status = 'pending' AND replay_id IS NOT NULL
      AND (:kinds::text[] IS NULL OR event_kind = ANY (:kinds))
    RETURNING true AS stopped`,
  'Of an endpoint that was read before.',
);

@Injectable()
export class ReplaysRepository {
  constructor(private readonly database: Database) {}

  preview(missed: Missed): Promise<MissedKindDto[]> {
    return this.database.rows<MissedKindDto>(...PREVIEW.bind(missed.endpoint, valuesOf(missed)));
  }

  async start(ctx: WriteContext, missed: Missed, now: string): Promise<{ replayId: string; deliveries: number }> {
    const replayId = newId();
    const made = await this.database.rows(
      ...REPLAY.bind(missed.endpoint, { ...valuesOf(missed), most: missed.most ?? null, now, replayId }),
      ctx.unit,
    );
    return { replayId, deliveries: made.length };
  }

  async progress(endpoint: WebhookEndpoint, replayId: string): Promise<ReplayProgress> {
    return (await this.database.rows<ReplayProgress>(...PROGRESS.bind(endpoint, { webhookId: endpoint.id, replayId })))[0]!;
  }

  async stop(ctx: WriteContext, which: { webhookId: string; kinds: readonly string[] | null; now: string }): Promise<number> {
    return (await this.database.rows(...STOP.bind(ctx, which), ctx.unit)).length;
  }
}

const valuesOf = ({ endpoint: { id: webhookId, projectIds }, since, kinds, failedSince }: Missed) => ({
  ...{ webhookId, projectIds, since, kinds },
  failedSince: failedSince ?? null,
});
