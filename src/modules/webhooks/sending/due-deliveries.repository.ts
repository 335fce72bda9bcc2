import { Injectable } from '@nestjs/common';
import { AuditRecorder } from '../../../store/audit/audit-recorder.js';
import type { Actor } from '../../../kernel/context.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { Database, type Statement } from '../../../store/database/database.js';
import { changedAtSql } from '../../../store/database/sql.js';
import { UnitOfWork } from '../../../store/database/unit-of-work.js';
import { SETTLED_EVENTS, settledBefore } from '../../../store/events/settled-events.js';
import { giveUpPending } from '../deliveries/pending-deliveries.js';
import type { DisabledReason, WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';
import { DUE, DUE_IN_ORDER, NEXT_DUE, NEXT_IN_ORDER } from './due-statements.js';
import { EventBodies } from './event-bodies.js';
import { leaseStatements, type Settled } from './lease-statements.js';
import type { EventMessage } from '../signing/message.js';

export type { Settled };

/** A delivery that is due. */
export interface DueDelivery {
  readonly id: string;
  readonly attempt: number;
  readonly eventId: string;
  readonly organizationId: string;
  /** The size of the event's record as it is sent. */
  readonly bytes: number;
  /** Whether the event came with it and is kept for it. */
  readonly isAhead?: boolean;
}

/** How an endpoint is held on: until when, and with a rate limit when the next delivery may be sent. */
interface Held {
  readonly until: Date;
  readonly nextSendAt: Date | null;
}

/** The name is part of the audit log. */
const DELIVERY_WORKER: Actor = { type: 'system', id: null, name: 'webhook dispatcher' };

const RELEASE: Statement = {
  name: 'webhook_endpoints.release',
  text: 'UPDATE webhook_endpoints SET lease = NULL, leased_until = NULL WHERE id = $1 AND organization_id = $3 AND lease = $2',
};

const DISABLE: Statement = {
  name: 'webhook_endpoints.disable',
  text: `UPDATE webhook_endpoints SET status = 'disabled', disabled_reason = $3, updated_at = ${changedAtSql('$4')}
    WHERE id = $1 AND organization_id = $5 AND lease = $2 AND status = 'active' RETURNING true AS disabled`,
};

/** The leases of endpoints and the deliveries that are due to them, of all tenants: a worker changes only an endpoint that it holds. */
@Injectable()
export class DueDeliveriesRepository {
  private readonly statements: ReturnType<typeof leaseStatements>;

  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditRecorder,
    /** What the deliveries are sent with. */
    readonly bodies: EventBodies,
    settings: Settings,
  ) {
    this.statements = leaseStatements(settings.plans);
  }

  /** Leases an active endpoint. Returns undefined when another worker holds it, or when deliveries to its organization wait. */
  async acquire(id: string, lease: string, until: Date): Promise<WebhookEndpoint | undefined> {
    return (await this.database.rows<WebhookEndpoint>(this.statements.acquire, [id, lease, until.toISOString()]))[0];
  }

  /** Extends the lease and reads the endpoint again. Returns undefined when nothing more is to be sent to it. */
  async renew({ id, organizationId }: WebhookEndpoint, lease: string, until: Date): Promise<WebhookEndpoint | undefined> {
    return (await this.database.rows<WebhookEndpoint>(this.statements.renew, [id, lease, until.toISOString(), organizationId]))[0];
  }

  async release({ id, organizationId }: WebhookEndpoint, lease: string): Promise<void> {
    await this.database.rows(RELEASE, [id, lease, organizationId]);
  }

  /** The due deliveries of an endpoint, the longest overdue first, without those that the worker already has. */
  async due(endpoint: WebhookEndpoint, now: Date, known: readonly string[], limit: number): Promise<DueDelivery[]> {
    const { id, organizationId, environment, ordered } = endpoint;
    const dueAt = now.toISOString();
    if (!ordered) return this.keepingSmall(await this.database.rows(DUE, [id, environment, dueAt, known, limit, organizationId]));
    const settled = settledBefore(await this.database.rows<{ at: string | null }>(SETTLED_EVENTS, []));
    return this.keepingSmall(await this.database.rows(DUE_IN_ORDER, [id, environment, dueAt, settled, limit, organizationId]));
  }

  private keepingSmall(rows: readonly (DueDelivery & EventMessage)[]): DueDelivery[] {
    return rows.map(({ id, attempt, bytes, ...event }) => {
      const isAhead = event.data !== null && this.bodies.keep(event);
      return { id, attempt, bytes, eventId: event.eventId, organizationId: event.organizationId, isAhead };
    });
  }

  /** When the next pending delivery of an endpoint is due, which may be in the past; undefined when there is none. */
  async nextDueAt({ id, organizationId, environment, ordered }: WebhookEndpoint): Promise<Date | undefined> {
    const [next] = await this.database.rows<{ at: string }>(ordered ? NEXT_IN_ORDER : NEXT_DUE, [id, environment, organizationId]);
    return next && new Date(next.at);
  }

  /** The endpoints with deliveries that are due before a time and that no worker holds until then, and when the first is due. */
  async endpointsDueBefore(time: Date): Promise<{ id: string; dueAt: Date }[]> {
    const rows = await this.database.rows<{ id: string; dueAt: string }>(this.statements.dueBefore, [time.toISOString()]);
    return rows.map(({ id, dueAt }) => ({ id, dueAt: new Date(dueAt) }));
  }

  /**
   * Writes how attempts ended, schedules their retries, extends the lease and reads the endpoint again, in one statement. Returns
   * undefined when the lease was lost or nothing more is to be sent to it.
   */
  async settle(
    { id, organizationId }: WebhookEndpoint,
    lease: string,
    { until, nextSendAt }: Held,
    results: readonly Settled[],
  ): Promise<WebhookEndpoint | undefined> {
    const attempts = results.map(({ attemptedAt }) => attemptedAt).sort();
    const successes = results.filter(({ status }) => status === 'delivered').map(({ attemptedAt }) => attemptedAt);
    const at = [until.toISOString(), successes.sort().at(-1) ?? null, attempts[0]];
    const values = [id, lease, ...at, JSON.stringify(results), nextSendAt?.toISOString() ?? null, organizationId];
    const [held] = await this.database.rows<WebhookEndpoint & { readonly isActive: boolean }>(this.statements.settle, values);
    return held?.isActive ? held : undefined;
  }

  /** Disables an endpoint, gives up its pending deliveries and writes an audit entry. */
  async disable(endpoint: WebhookEndpoint, lease: string, reason: DisabledReason, now: string): Promise<void> {
    const { id, organizationId, environment } = endpoint;
    await this.unitOfWork.run(
      { organizationId, environment, actor: DELIVERY_WORKER, requestId: null, ipAddress: null, emits: [] },
      async (ctx) => {
        const changed = await this.database.rows(DISABLE, [id, lease, reason, now, organizationId], ctx.unit);
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
