import { Injectable } from '@nestjs/common';
import { newId } from '../../../kernel/ids.js';
import { Database } from '../../../store/database/database.js';
import type { WriteContext } from '../../../store/database/unit-of-work.js';
import { TENANT, tenantOf, tenantSql } from '../../../store/tenant/tenant-sql.js';
import type { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';
import { insertPendingSql } from './pending-deliveries.js';
import type { GiveUpReason } from './webhook-delivery.dto.js';
import type { MissedKind } from './webhook-delivery.entity.js';

export interface Missed {
  readonly endpoint: WebhookEndpoint;
  readonly since: string;
  readonly kinds: readonly string[];
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

/** A UUIDv7 with the time of the id `replayId` and a counter: the ids of a replay sort like the events they are for. */
const REPLAY_ID = `(left(:replayId::text, 14) || '7' || lpad(to_hex(number >> 12), 3, '0') || '-8' || lpad(to_hex(number & 4095), 3, '0')
      || '-' || right(gen_random_uuid()::text, 12))::uuid`;

/** The events since a time, of some kinds, that were neither delivered to the endpoint nor are still pending. */
const MISSED = `SELECT event.*, 1 + coalesce(earlier.attempt, 0) AS attempt, row_number() OVER (ORDER BY event.id) AS number
      FROM events event LEFT JOIN (
        SELECT event_id, max(attempt) AS attempt, bool_or(status <> 'failed') AS is_done
        FROM webhook_deliveries WHERE organization_id = :organizationId AND webhook_id = :webhookId GROUP BY event_id
      ) earlier ON earlier.event_id = event.id
      WHERE ${tenantOf('event')} AND event.kind = ANY (:kinds::text[]) AND event.occurred_at >= :since
        AND earlier.is_done IS NOT TRUE`;

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
    `FROM (${MISSED}) missed`,
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
    RETURNING true AS stopped`,
);

@Injectable()
export class ReplaysRepository {
  constructor(private readonly database: Database) {}

  preview(missed: Missed): Promise<MissedKind[]> {
    return this.database.rows<MissedKind>(...PREVIEW.bind(missed.endpoint, valuesOf(missed)));
  }

  async start(ctx: WriteContext, missed: Missed, now: string): Promise<{ replayId: string; deliveries: number }> {
    const replayId = newId();
    const made = await this.database.rows(...REPLAY.bind(missed.endpoint, { ...valuesOf(missed), now, replayId }), ctx.unit);
    return { replayId, deliveries: made.length };
  }

  async progress(endpoint: WebhookEndpoint, replayId: string): Promise<ReplayProgress> {
    return (await this.database.rows<ReplayProgress>(...PROGRESS.bind(endpoint, { webhookId: endpoint.id, replayId })))[0]!;
  }

  async stop(ctx: WriteContext, webhookId: string, now: string): Promise<number> {
    return (await this.database.rows(...STOP.bind(ctx, { webhookId, now }), ctx.unit)).length;
  }
}

const valuesOf = ({ endpoint, since, kinds }: Missed) => ({ webhookId: endpoint.id, since, kinds });
