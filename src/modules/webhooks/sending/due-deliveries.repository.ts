import { Injectable } from '@nestjs/common';
import { AuditRecorder } from '../../../store/audit/audit-recorder.js';
import type { Environment, Actor } from '../../../kernel/context.js';
import { Database, type Statement } from '../../../store/database/database.js';
import { entityColumns, selectList } from '../../../store/database/sql.js';
import { UnitOfWork } from '../../../store/database/unit-of-work.js';
import { WebhookEndpoint, type DisabledReason } from '../endpoints/webhook-endpoint.entity.js';
import { giveUpPending } from '../deliveries/pending-deliveries.js';

/** A delivery that is due, with the event it is of. */
export interface Due {
  readonly id: string;
  readonly attempt: number;
  readonly eventId: string;
  readonly kind: string;
  readonly occurredAt: string;
  readonly environment: Environment;
  readonly organizationId: string;
  readonly requestId: string | null;
  readonly data: object;
  readonly changedFields: string[] | null;
}

/** How an attempt ended, and when the next one follows; `nextId` is null when none does. */
export interface Settled {
  readonly id: string;
  readonly status: 'delivered' | 'failed';
  readonly responseStatus: number | null;
  readonly errorCode: string | null;
  readonly durationMs: number;
  readonly attemptedAt: string;
  readonly nextId: string | null;
  readonly nextAttemptAt: string | null;
}

const DISPATCHER: Actor = { type: 'system', id: null, name: 'webhook dispatcher' };

const ACQUIRE: Statement = {
  name: 'webhook_endpoints.acquire',
  text: `UPDATE webhook_endpoints SET lease = $2, leased_until = $3 WHERE id = $1 AND status = 'active' AND (leased_until IS NULL OR leased_until < now()) RETURNING ${selectList(entityColumns(WebhookEndpoint))}`,
};
const RENEW: Statement = {
  name: 'webhook_endpoints.renew',
  text: `UPDATE webhook_endpoints SET leased_until = $3 WHERE id = $1 AND lease = $2 AND status = 'active' RETURNING ${selectList(entityColumns(WebhookEndpoint))}`,
};
const RELEASE: Statement = {
  name: 'webhook_endpoints.release',
  text: 'UPDATE webhook_endpoints SET lease = NULL, leased_until = NULL WHERE id = $1 AND lease = $2',
};
/** An endpoint may have changed its environment since: nothing of the other one is sent to it. */
const OWN = "webhook_id = $1 AND environment = $2 AND status = 'pending'";
const DUE: Statement = {
  name: 'webhook_deliveries.due',
  text: `SELECT delivery.id, delivery.attempt, delivery.request_id AS "requestId", event.id AS "eventId", event.kind, event.occurred_at AS "occurredAt", event.environment, event.organization_id AS "organizationId", event.data, event.changed_fields AS "changedFields"
    FROM (SELECT id, attempt, request_id, event_id, scheduled_at FROM webhook_deliveries WHERE ${OWN} AND scheduled_at <= $3 AND id <> ALL ($4::uuid[]) ORDER BY scheduled_at, id LIMIT $5) delivery
    JOIN events event ON event.id = delivery.event_id ORDER BY delivery.scheduled_at, delivery.id`,
};
const NEXT_DUE: Statement = {
  name: 'webhook_deliveries.next_due',
  text: `SELECT scheduled_at AS at FROM webhook_deliveries delivery WHERE ${OWN} AND EXISTS (SELECT 1 FROM events WHERE events.id = delivery.event_id) ORDER BY scheduled_at LIMIT 1`,
};
const WAITING: Statement = {
  name: 'webhook_endpoints.waiting',
  text: `SELECT id FROM webhook_endpoints endpoint WHERE status = 'active' AND (leased_until IS NULL OR leased_until < now())
    AND EXISTS (SELECT 1 FROM webhook_deliveries WHERE webhook_id = endpoint.id AND environment = endpoint.environment AND status = 'pending' AND scheduled_at <= $1)`,
};
const SETTLE: Statement = {
  name: 'webhook_deliveries.settle',
  // Who has lost the lease settles nothing: another has taken these deliveries over.
  text: `WITH endpoint AS (
      UPDATE webhook_endpoints SET leased_until = $3, last_delivery_at = greatest(last_delivery_at, $4), failing_since = CASE WHEN $4::timestamptz IS NULL THEN coalesce(failing_since, $5) ELSE NULL END
      WHERE id = $1 AND lease = $2 RETURNING status, environment),
    result AS (SELECT * FROM unnest($6::uuid[], $7::text[], $8::integer[], $9::text[], $10::integer[], $11::timestamptz[], $12::uuid[], $13::timestamptz[])
      AS result (id, status, response_status, error_code, duration_ms, attempted_at, next_id, next_attempt_at)),
    settled AS (
      UPDATE webhook_deliveries delivery SET status = result.status, response_status = result.response_status, error_code = result.error_code, duration_ms = result.duration_ms,
        attempted_at = result.attempted_at, next_attempt_at = CASE WHEN endpoint.status = 'active' AND endpoint.environment = delivery.environment THEN result.next_attempt_at END, updated_at = result.attempted_at
      FROM result, endpoint WHERE delivery.id = result.id AND delivery.attempted_at IS NULL RETURNING delivery.*, result.next_id),
    next AS (
      INSERT INTO webhook_deliveries (id, organization_id, environment, created_at, updated_at, webhook_id, event_id, event_kind, attempt, trigger, status, scheduled_at, request_id)
      SELECT next_id, organization_id, environment, attempted_at, attempted_at, webhook_id, event_id, event_kind, attempt + 1, 'automatic', 'pending', next_attempt_at, request_id FROM settled WHERE next_attempt_at IS NOT NULL)
    SELECT true AS held FROM endpoint`,
};
const DISABLE: Statement = {
  name: 'webhook_endpoints.disable',
  text: "UPDATE webhook_endpoints SET status = 'disabled', disabled_reason = $3, updated_at = $4 WHERE id = $1 AND lease = $2 AND status = 'active' RETURNING true AS disabled",
};

/** What the dispatcher asks of the database. It works for all tenants; that it touches only the endpoint it holds is what the lease is for. */
@Injectable()
export class DispatchRepository {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditRecorder,
  ) {}

  /** Takes an active endpoint for a while, so that no other worker delivers to it; undefined when another has it. */
  async acquire(id: string, lease: string, until: Date): Promise<WebhookEndpoint | undefined> {
    return (await this.database.rows<WebhookEndpoint>(ACQUIRE, [id, lease, until.toISOString()]))[0];
  }

  /** Keeps it for longer, and reads it anew; undefined when it was disabled or deleted, or when another has it. */
  async renew(id: string, lease: string, until: Date): Promise<WebhookEndpoint | undefined> {
    return (await this.database.rows<WebhookEndpoint>(RENEW, [id, lease, until.toISOString()]))[0];
  }

  async release(id: string, lease: string): Promise<void> {
    await this.database.rows(RELEASE, [id, lease]);
  }

  /** The deliveries that are due, the longest first, but for those that are under way. */
  due({ id, environment }: WebhookEndpoint, now: Date, underWay: readonly string[], limit: number): Promise<Due[]> {
    return this.database.rows<Due>(DUE, [id, environment, now.toISOString(), underWay, limit]);
  }

  /** When the next delivery to it is due, or has been since a while; undefined when there is none. */
  async nextDue({ id, environment }: WebhookEndpoint): Promise<Date | undefined> {
    const [next] = await this.database.rows<{ at: string }>(NEXT_DUE, [id, environment]);
    return next && new Date(next.at);
  }

  /** The endpoints that have something due and that nobody is at. */
  async waiting(now: Date): Promise<string[]> {
    return (await this.database.rows<{ id: string }>(WAITING, [now.toISOString()])).map(({ id }) => id);
  }

  /** Notes how attempts ended, makes those that follow, and keeps the lease: one statement for all of them. False when the lease was lost. */
  async settle(id: string, lease: string, until: Date, results: readonly Settled[]): Promise<boolean> {
    const succeeded =
      results
        .filter(({ status }) => status === 'delivered')
        .map(({ attemptedAt }) => attemptedAt)
        .sort()
        .at(-1) ?? null;
    const first = results.map(({ attemptedAt }) => attemptedAt).sort()[0];
    const column = (property: keyof Settled): unknown[] => results.map((result) => result[property]);
    const columns = (['id', 'status', 'responseStatus', 'errorCode', 'durationMs', 'attemptedAt', 'nextId', 'nextAttemptAt'] as const).map(
      column,
    );
    return (await this.database.rows(SETTLE, [id, lease, until.toISOString(), succeeded, first, ...columns])).length > 0;
  }

  /** Disables the endpoint, and tells its organization in the audit log. */
  async disable(endpoint: WebhookEndpoint, lease: string, reason: DisabledReason, now: string): Promise<void> {
    const { id, organizationId, environment } = endpoint;
    await this.unitOfWork.run(
      { organizationId, environment, actor: DISPATCHER, requestId: null, ipAddress: null, emits: [] },
      async (ctx) => {
        const changed = await this.database.rows(DISABLE, [id, lease, reason, now], ctx.unit);
        if (changed.length === 0) return;
        await giveUpPending(this.database, ctx, id, 'endpoint_disabled', now);
        this.audit.record(ctx, {
          action: 'webhook.disabled',
          resourceId: id,
          changes: { status: { from: 'active', to: 'disabled' }, disabledReason: { from: null, to: reason } },
        });
      },
    );
  }
}
