import { Injectable } from '@nestjs/common';
import { type Actor, changeContext } from '../../../kernel/context.js';
import type { Plans } from '../../../kernel/plans.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { Database } from '../../../store/database/database.js';
import { changedAtSql, entityColumns, selectList } from '../../../store/database/sql.js';
import { UnitOfWork, type WriteContext } from '../../../store/database/unit-of-work.js';
import { SETTLED_AFTER_MS, SETTLED_EVENTS, settledBefore } from '../../../store/events/events.js';
import { acrossTenants, ORGANIZATION, organizationSql, TENANT, tenantSql } from '../../../store/tenant/tenant-sql.js';
import { giveUpPending, insertPendingSql } from '../deliveries/pending-deliveries.js';
import type { SentWith } from '../deliveries/webhook-delivery.dto.js';
import { WebhookDelivery } from '../deliveries/webhook-delivery.entity.js';
import { isDeliveredToSql } from '../endpoints/endpoint-rules.js';
import { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';
import type { DisabledReason } from '../endpoints/webhooks.dto.js';
import { DATA_BYTES, type EventMessage, messageColumns } from '../signing/message.js';
import { HEALTH_EVENTS } from '../webhooks.events.js';
import type { AnswerExcerpt } from './answer-excerpt.js';
import { EndpointHealth, FAILURES_TOLD, healthAfter, isToldFailing } from './endpoint-health.js';
import { EventBodies, type Wanted } from './event-bodies.js';

/** The environment of an endpoint may have changed: it gets no deliveries of the previous one. */
const ANY = acrossTenants(
  'webhook_deliveries.any',
  'A worker asks whether there is anything to send.',
  "SELECT 1 FROM webhook_deliveries WHERE status = 'pending' LIMIT 1",
);
const PENDING = `${TENANT} AND webhook_id = :webhookId AND status = 'pending'` as const;
const HAS_EVENT = 'EXISTS (SELECT 1 FROM events WHERE events.id = delivery.event_id AND events.organization_id = :organizationId)';
/** The data of an event comes with the delivery up to this size: it will be sent soon. */
const SMALL_BYTES = 4096;
const COLUMNS = `delivery.id, delivery.attempt, ${DATA_BYTES} AS bytes, ${messageColumns(SMALL_BYTES)}`;

/**
 * Not by id as well: the index would not serve it, and what a replay makes is all due at the same time. Of an endpoint that was changed
 * since the session has read it, nothing: it ends soon, and the next one knows the endpoint as it is.
 */
const DUE = tenantSql(
  'webhook_deliveries.due',
  `SELECT ${COLUMNS}
    FROM (
      SELECT id, attempt, event_id, scheduled_at FROM webhook_deliveries
      WHERE ${PENDING} AND scheduled_at <= :now AND id <> ALL (:known::uuid[])
        AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE ${ORGANIZATION} AND id = :webhookId AND updated_at = :updatedAt)
      ORDER BY scheduled_at LIMIT :limit
    ) delivery
    JOIN events event ON event.id = delivery.event_id AND event.organization_id = :organizationId
    ORDER BY delivery.scheduled_at, delivery.id`,
);
const NEXT_DUE = tenantSql(
  'webhook_deliveries.next_due',
  `SELECT scheduled_at AS at FROM webhook_deliveries delivery
    WHERE ${PENDING} AND ${HAS_EVENT} ORDER BY scheduled_at LIMIT 1`,
);

/** Those whose event is no longer kept are never sent: they must not hold back the others. */
const IN_ORDER = `SELECT id, attempt, event_id, scheduled_at FROM webhook_deliveries delivery
      WHERE ${PENDING} AND ${HAS_EVENT}` as const;

/** In the order of their events, up to the first that is not due yet. Events from `settled` on may still get earlier ones. */
const DUE_IN_ORDER = tenantSql(
  'webhook_deliveries.due_in_order',
  `SELECT ${COLUMNS}
    FROM (
      SELECT *, bool_and(scheduled_at <= :now) OVER (ORDER BY event_id, id) AS is_next
      FROM (${IN_ORDER} AND event_id < :settled ORDER BY event_id, id LIMIT :limit) earliest
    ) delivery
    JOIN events event ON event.id = delivery.event_id AND event.organization_id = :organizationId
    WHERE delivery.is_next ORDER BY delivery.event_id, delivery.id`,
);
/** When the earliest event is settled and its delivery is due. */
const NEXT_IN_ORDER = tenantSql(
  'webhook_deliveries.next_in_order',
  `SELECT greatest(next.scheduled_at, event.occurred_at + interval '${SETTLED_AFTER_MS} ms') AS at
    FROM (${IN_ORDER} ORDER BY event_id, id LIMIT 1) next
    JOIN events event ON event.id = next.event_id AND event.organization_id = :organizationId`,
);

/** How an attempt ended. `nextId`, `nextCreatedAt` and `nextAttemptAt` are of the retry; null when there is none. */
export interface Settled extends Readonly<Pick<WebhookDelivery, 'id' | 'responseStatus' | 'errorCode' | 'nextAttemptAt'>> {
  readonly status: 'delivered' | 'failed';
  readonly durationMs: number;
  readonly attemptedAt: string;
  readonly nextId: string | null;
  /** The time in its id. */
  readonly nextCreatedAt: string | null;
  readonly sent: SentWith;
  readonly answer: AnswerExcerpt | null;
  /** Whether a failure is one of the endpoint's failures in a row. */
  readonly isCounted?: boolean;
}

const ENDPOINT = `${selectList(entityColumns(WebhookEndpoint))}, next_send_at AS "nextSendAt"`;

const RETRY = insertPendingSql(
  {
    id: 'next_id',
    organizationId: ':organizationId',
    createdAt: 'next_created_at',
    attempt: 'attempt + 1',
    trigger: "'automatic'",
    scheduledAt: 'next_attempt_at',
  },
  'FROM settled WHERE next_attempt_at IS NOT NULL',
);
/** The columns of `result`: one value of JSON takes less time to make and to read than an array for each column. */
const OF_DELIVERY = ['id', 'status', 'responseStatus', 'errorCode', 'durationMs', 'attemptedAt', 'nextAttemptAt', 'sent', 'answer'];
const RESULT_COLUMNS = entityColumns(WebhookDelivery)
  .columns.filter(({ property }) => OF_DELIVERY.includes(property))
  .map(({ property, type }) => `"${property}" ${type}`)
  .concat('"nextId" uuid', '"nextCreatedAt" timestamptz')
  .join(', ');

/** The statements about endpoints that a worker holds or may take: only those of organizations that have webhooks. */
function leaseStatements(plans: Plans) {
  const isActive = `status = 'active' AND ${isDeliveredToSql('organization_id', plans)}`;
  const isFree = `${isActive} AND (leased_until IS NULL OR leased_until < now())`;
  return {
    acquire: acrossTenants(
      'webhook_endpoints.acquire',
      'A worker is woken with the id of an endpoint, and learns here whose it is.',
      `UPDATE webhook_endpoints SET lease = :lease, leased_until = :until WHERE id = :id AND ${isFree} RETURNING ${ENDPOINT}`,
    ),
    renew: organizationSql(
      'webhook_endpoints.renew',
      `UPDATE webhook_endpoints SET leased_until = :until WHERE id = :id AND ${ORGANIZATION} AND lease = :lease AND ${isActive}
    RETURNING ${ENDPOINT}`,
    ),
    /** A lease that ends in time may be that of a lost worker: the endpoint is free then. */
    dueBefore: acrossTenants(
      'webhook_endpoints.due_before',
      'A worker finds the endpoints of all tenants that have due deliveries.',
      `SELECT endpoint.id, greatest(next.scheduled_at, endpoint.leased_until, endpoint.next_send_at) AS "dueAt"
    FROM webhook_endpoints endpoint
    CROSS JOIN LATERAL (
      SELECT scheduled_at FROM webhook_deliveries
      WHERE organization_id = endpoint.organization_id AND webhook_id = endpoint.id AND environment = endpoint.environment
        AND status = 'pending' AND scheduled_at <= :time
      ORDER BY scheduled_at LIMIT 1
    ) next
    WHERE ${isActive} AND (leased_until IS NULL OR leased_until < :time)`,
    ),
    settle: organizationSql(
      'webhook_deliveries.settle',
      // The endpoint is found by its lease: a worker that has lost the lease changes nothing, since another has taken over.
      `WITH endpoint AS (
      UPDATE webhook_endpoints SET leased_until = :until, last_delivery_at = greatest(last_delivery_at, :deliveredAt),
        next_send_at = :nextSendAt,
        failing_since = CASE WHEN :deliveredAt::timestamptz IS NULL THEN coalesce(failing_since, :attemptedAt) ELSE NULL END,
        failing_noticed_at = CASE WHEN :deliveredAt IS NULL THEN failing_noticed_at END,
        failures = CASE WHEN :deliveredAt IS NOT NULL THEN 0 WHEN updated_at <> :updatedAt THEN failures
          WHEN failing_since IS NULL THEN :failures ELSE greatest(failures, :failures) END,
        catch_up_since = CASE WHEN :deliveredAt IS NOT NULL AND failures >= ${FAILURES_TOLD}
          THEN coalesce(catch_up_since, failing_since) ELSE catch_up_since END
      WHERE id = :id AND ${ORGANIZATION} AND lease = :lease RETURNING ${ENDPOINT}, ${isActive} AS "isActive"
    ), result AS (
      SELECT * FROM json_to_recordset(:results) AS result (${RESULT_COLUMNS})
    ), settled AS (
      UPDATE webhook_deliveries delivery SET status = result.status, response_status = result."responseStatus",
        error_code = result."errorCode", duration_ms = result."durationMs", attempted_at = result."attemptedAt",
        next_attempt_at = CASE WHEN endpoint.status = 'active' AND endpoint.environment = delivery.environment
          AND delivery.status = 'pending'
          THEN result."nextAttemptAt" END,
        updated_at = result."attemptedAt", sent = result.sent, answer = result.answer
      FROM result, endpoint WHERE delivery.organization_id = :organizationId AND delivery.id = result.id AND delivery.attempted_at IS NULL
      RETURNING delivery.*, result."nextId" AS next_id, result."nextCreatedAt" AS next_created_at
    ), retry AS (${RETRY})
    SELECT * FROM endpoint`,
    ),
  };
}

export interface DueDelivery extends Wanted {
  readonly id: string;
  readonly attempt: number;
  /** The size of the event's record as it is sent. */
  readonly bytes: number;
}

/** How an endpoint is held on: until when, and with a rate limit when the next delivery may be sent. */
interface Held {
  readonly until: Date;
  readonly nextSendAt: Date | null;
}

/** The name is part of the audit log. */
export const DELIVERY_WORKER: Actor = { type: 'system', id: null, name: 'webhook dispatcher' };

type SettledEndpoint = WebhookEndpoint & { readonly isActive: boolean };
type Write = (ctx: WriteContext) => Promise<SettledEndpoint | undefined>;
type Lease = Pick<Held, 'until'> & { readonly lease: string };

const RELEASE = organizationSql(
  'webhook_endpoints.release',
  `UPDATE webhook_endpoints SET lease = NULL, leased_until = NULL WHERE id = :id AND ${ORGANIZATION} AND lease = :lease`,
);

const DISABLE = organizationSql(
  'webhook_endpoints.disable',
  `UPDATE webhook_endpoints SET status = 'disabled', disabled_reason = :reason, updated_at = ${changedAtSql(':now')}
    WHERE id = :id AND ${ORGANIZATION} AND lease = :lease AND status = 'active' RETURNING ${ENDPOINT}`,
);

/** The leases of endpoints and the deliveries that are due to them, of all tenants: a worker changes only an endpoint that it holds. */
@Injectable()
export class DueDeliveriesRepository {
  private readonly statements: ReturnType<typeof leaseStatements>;

  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly health: EndpointHealth,
    readonly bodies: EventBodies,
    settings: Settings,
  ) {
    this.statements = leaseStatements(settings.plans);
  }

  /** Leases an active endpoint. Returns undefined when another worker holds it, or when deliveries to its organization wait. */
  async acquire(id: string, lease: string, until: Date): Promise<WebhookEndpoint | undefined> {
    return (await this.database.rows<WebhookEndpoint>(...this.statements.acquire.bind({ id, lease, until: until.toISOString() })))[0];
  }

  /** Extends the lease and reads the endpoint again. Returns undefined when nothing more is to be sent to it. */
  async renew(endpoint: WebhookEndpoint, lease: string, until: Date): Promise<WebhookEndpoint | undefined> {
    const renew = this.statements.renew.bind(endpoint, { id: endpoint.id, lease, until: until.toISOString() });
    return (await this.database.rows<WebhookEndpoint>(...renew))[0];
  }

  async release({ id, organizationId }: WebhookEndpoint, lease: string): Promise<void> {
    await this.database.rows(...RELEASE.bind({ organizationId }, { id, lease }));
  }

  /** The due deliveries of an endpoint, the longest overdue first, without those that the worker already has. */
  async due(endpoint: WebhookEndpoint, now: Date, known: readonly string[], limit: number): Promise<DueDelivery[]> {
    const values = { webhookId: endpoint.id, now: now.toISOString(), limit };
    if (!endpoint.ordered)
      return this.keepingSmall(await this.database.rows(...DUE.bind(endpoint, { ...values, known, updatedAt: endpoint.updatedAt })));
    const settled = settledBefore(await this.database.rows<{ at: string | null }>(SETTLED_EVENTS, []));
    return this.keepingSmall(await this.database.rows(...DUE_IN_ORDER.bind(endpoint, { ...values, settled })));
  }

  private keepingSmall(rows: readonly (DueDelivery & EventMessage)[]): DueDelivery[] {
    return rows.map(({ id, attempt, bytes, ...event }) => {
      const isAhead = event.data !== null && this.bodies.keep(event);
      return { id, attempt, bytes, eventId: event.eventId, organizationId: event.organizationId, isAhead };
    });
  }

  /** When the next pending delivery of an endpoint is due, which may be in the past; undefined when there is none. */
  async nextDueAt(endpoint: WebhookEndpoint): Promise<Date | undefined> {
    const [next] = await this.database.rows<{ at: string }>(
      ...(endpoint.ordered ? NEXT_IN_ORDER : NEXT_DUE).bind(endpoint, { webhookId: endpoint.id }),
    );
    return next && new Date(next.at);
  }

  /** The endpoints with deliveries that are due before a time and that no worker holds until then, and when the first is due. */
  async endpointsDueBefore(time: Date): Promise<{ id: string; dueAt: Date }[]> {
    // Asked together with what other jobs ask: mostly nothing is due.
    if ((await this.database.shortRead(...ANY.bind())).length === 0) return [];
    const rows = await this.database.rows<{ id: string; dueAt: string }>(...this.statements.dueBefore.bind({ time: time.toISOString() }));
    return rows.map(({ id, dueAt }) => ({ id, dueAt: new Date(dueAt) }));
  }

  /** In one statement, which also extends the lease. undefined when that was lost or nothing more is to be sent to the endpoint. */
  async settle(
    endpoint: WebhookEndpoint,
    lease: string,
    { until, nextSendAt }: Held,
    results: readonly Settled[],
  ): Promise<WebhookEndpoint | undefined> {
    const attempts = results.map(({ attemptedAt }) => attemptedAt).sort();
    const successes = results.filter(({ status }) => status === 'delivered').map(({ attemptedAt }) => attemptedAt);
    const times = { until: until.toISOString(), nextSendAt: nextSendAt?.toISOString() ?? null, attemptedAt: attempts[0] };
    const after = healthAfter(endpoint, results);
    const settle = this.statements.settle.bind(endpoint, {
      ...{ id: endpoint.id, lease, ...times, deliveredAt: successes.sort().at(-1) ?? null, results: JSON.stringify(results) },
      ...{ updatedAt: endpoint.updatedAt, failures: after.failures },
    });
    const write = async (ctx?: WriteContext): Promise<SettledEndpoint | undefined> =>
      (await this.database.rows<SettledEndpoint>(...settle, ctx?.unit))[0];
    const isTurn = isToldFailing(endpoint) !== isToldFailing(after);
    const held = isTurn ? await this.transact(endpoint, (ctx) => this.turn(ctx, endpoint, { lease, until }, write)) : await write();
    return held?.isActive ? held : undefined;
  }

  /** As it is read here it cannot change before the results are written: each turn is told once. */
  private async turn(
    ctx: WriteContext,
    endpoint: WebhookEndpoint,
    { lease, until }: Lease,
    write: Write,
  ): Promise<SettledEndpoint | undefined> {
    const renew = this.statements.renew.bind(endpoint, { id: endpoint.id, lease, until: until.toISOString() });
    const [before] = await this.database.rows<WebhookEndpoint>(...renew, ctx.unit);
    const after = await write(ctx);
    if (before && after) this.health.tellTurn(ctx, before, after);
    return after;
  }

  async disable(endpoint: WebhookEndpoint, lease: string, reason: DisabledReason, now: string): Promise<void> {
    const { id, organizationId } = endpoint;
    await this.transact(endpoint, async (ctx) => {
      const disable = DISABLE.bind({ organizationId }, { id, lease, reason, now });
      const [disabled] = await this.database.rows<WebhookEndpoint>(...disable, ctx.unit);
      if (!disabled) return;
      await giveUpPending(this.database, ctx, id, 'endpoint_disabled', now);
      await this.health.tellDisabled(ctx, disabled, now);
    });
  }

  private transact<T>({ organizationId, environment }: WebhookEndpoint, work: (ctx: WriteContext) => Promise<T>): Promise<T> {
    return this.unitOfWork.run({ ...changeContext(organizationId, DELIVERY_WORKER), environment, emits: HEALTH_EVENTS }, work);
  }
}
