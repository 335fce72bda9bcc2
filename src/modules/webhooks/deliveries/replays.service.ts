import { Injectable } from '@nestjs/common';
import { changesBetween } from '../../../kernel/changes.js';
import type { Tenant } from '../../../kernel/context.js';
import { newId } from '../../../kernel/ids.js';
import { notFound, Problem } from '../../../kernel/problems.js';
import { Clock } from '../../../kernel/time.js';
import { AuditRecorder } from '../../../store/audit/audit-recorder.js';
import type { WriteContext } from '../../../store/database/unit-of-work.js';
import { WakeUps } from '../../../store/jobs/wake-ups.js';
import type { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';
import { WebhooksRepository } from '../endpoints/webhooks.repository.js';
import { DELIVER_JOB } from '../sending/delivery.processor.js';
import { DeliveriesRepository, ReplaysRepository, type Missed, type ReplayProgress } from './deliveries.repository.js';
import type { MissedKindDto } from './replays.dto.js';

export interface WantedReplay {
  readonly since: string;
  /** Without kinds, all that the endpoint subscribes to. */
  readonly kinds?: readonly string[] | undefined;
}

export interface Replay {
  readonly replayId: string;
  readonly deliveries: number;
}

/** How many deliveries a transaction makes for an endpoint that works again. */
const PORTION = 10_000;

/** Sends again: a delivery, or all that an endpoint has missed, which are events that it refused and those from while it was disabled. */
@Injectable()
export class ReplayService {
  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly replays: ReplaysRepository,
    private readonly audit: AuditRecorder,
    private readonly clock: Clock,
    private readonly wakeUps: WakeUps,
  ) {}

  /** Sends a delivery again with the same webhook-id. If a retry of its event is pending, that is sent now instead of another one. */
  async redeliver(ctx: WriteContext, webhookId: string, deliveryId: string): Promise<string> {
    await this.take(ctx, webhookId);
    // Before the id: filters by time compare ids, and must find a delivery by its own time.
    const now = this.clock.timestamp();
    const id = await this.deliveries.redeliver(ctx, { id: deliveryId, webhookId, newId: newId(), now });
    if (id === undefined) notFound(`The event of delivery ${deliveryId} is no longer kept.`);
    const changes = { deliveryId: { from: deliveryId, to: id } };
    this.audit.record(ctx, { action: 'webhook.redelivered', resourceId: webhookId, changes });
    return id;
  }

  preview(endpoint: WebhookEndpoint, wanted: WantedReplay): Promise<MissedKindDto[]> {
    return this.replays.preview(missedBy(endpoint, wanted));
  }

  async start(ctx: WriteContext, endpoint: WebhookEndpoint, { since, kinds }: WantedReplay): Promise<Replay> {
    const missed = missedBy(endpoint, { since, kinds });
    await this.take(ctx, endpoint.id);
    const started = await this.replays.start(ctx, missed, this.clock.timestamp());
    const changes = changesBetween(null, { since, ...(kinds && { kinds }), deliveries: started.deliveries });
    this.audit.record(ctx, { action: 'webhook.replayed', resourceId: endpoint.id, changes });
    return started;
  }

  /** Sends an endpoint that works again what it has missed, in portions. Returns whether there is more. */
  async catchUp(ctx: WriteContext, id: string): Promise<boolean> {
    const endpoint = await this.webhooks.lock(ctx, id);
    if (endpoint?.status !== 'active' || endpoint.catchUpSince === null) return false;
    const since = endpoint.catchUpSince;
    const missed = { ...missedBy(endpoint, { since }), failedSince: since, most: PORTION };
    const { deliveries } = await this.replays.start(ctx, missed, this.clock.timestamp());
    const isMore = deliveries === PORTION;
    if (!isMore) await this.webhooks.update(ctx, { ...endpoint, catchUpSince: null });
    if (deliveries === 0) return false;
    ctx.unit.afterCommit.push(() => this.wakeUps.wake(DELIVER_JOB, id));
    this.audit.record(ctx, { action: 'webhook.replayed', resourceId: id, changes: changesBetween(null, { since, deliveries }) });
    return isMore;
  }

  progress(endpoint: WebhookEndpoint, replayId: string): Promise<ReplayProgress> {
    return this.replays.progress(endpoint, replayId);
  }

  /** Takes back all that replays of an endpoint have not sent yet; a worker may have some deliveries in hand already. Returns how many. */
  async stop(ctx: WriteContext, id: string, kinds?: readonly string[]): Promise<number> {
    await this.take(ctx, id);
    const deliveries = await this.replays.stop(ctx, { webhookId: id, kinds: kinds ?? null, now: this.clock.timestamp() });
    const changes = { ...(kinds && { kinds: { from: null, to: kinds } }), deliveries: { from: deliveries, to: 0 } };
    this.audit.record(ctx, { action: 'webhook.replay_stopped', resourceId: id, changes });
    return deliveries;
  }

  /** Results and retries are written under this lock as well, so an event never has two pending attempts. */
  private async take(ctx: WriteContext, id: string): Promise<void> {
    await this.webhooks.lock(ctx, id);
    ctx.unit.afterCommit.push(() => this.wakeUps.wake(DELIVER_JOB, id));
  }
}

function missedBy(endpoint: WebhookEndpoint & Tenant, { since, kinds = endpoint.subscribedEvents }: WantedReplay): Missed {
  const unknown = kinds.find((kind) => !endpoint.subscribedEvents.includes(kind));
  if (unknown === undefined) return { endpoint, since, kinds };
  const detail = `The endpoint does not subscribe to ${unknown}, but to ${endpoint.subscribedEvents.join(', ')}.`;
  throw new Problem('validation_failed', { detail });
}
