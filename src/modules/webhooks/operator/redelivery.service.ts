import { Injectable } from '@nestjs/common';
import { AuditRecorder } from '../../../store/audit/audit-recorder.js';
import { Clock } from '../../../kernel/time.js';
import { type WriteContext, UnitOfWork } from '../../../store/database/unit-of-work.js';
import { changeContext, type Actor } from '../../../kernel/context.js';
import { isUuid, newId } from '../../../kernel/ids.js';
import { Problem } from '../../../kernel/problems.js';
import { WakeUps } from '../../../store/jobs/wake-ups.js';
import { DeliveriesRepository } from '../deliveries/deliveries.repository.js';
import type { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';
import { WebhooksRepository } from '../endpoints/webhooks.repository.js';
import { DELIVER_JOB } from '../sending/delivery.processor.js';

/** Deliveries that an operator asks for: one delivery again, or everything that an endpoint has missed. */
@Injectable()
export class RedeliveryService {
  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditRecorder,
    private readonly wakeUps: WakeUps,
    private readonly clock: Clock,
  ) {}

  /** Sends a delivery again with the same webhook-id. If a retry of its event is pending, that is sent now instead of another one. */
  async redeliver(actor: Actor, deliveryId: string): Promise<{ id: string; webhookId: string }> {
    const delivery = isUuid(deliveryId) ? await this.deliveries.byId(deliveryId) : undefined;
    if (!delivery) notFound(`There is no delivery ${deliveryId}.`);
    const endpoint = await this.endpoint(delivery.webhookId);
    const id = await this.change(actor, endpoint, async (ctx) => {
      const scheduled = await this.deliveries.redeliver(ctx, deliveryId, newId(), this.clock.timestamp());
      if (scheduled === undefined) notFound(`The event of delivery ${deliveryId} is no longer kept.`);
      this.audit.record(ctx, {
        action: 'webhook.redelivered',
        resourceId: endpoint.id,
        changes: { deliveryId: { from: deliveryId, to: scheduled } },
      });
      return scheduled;
    });
    return { id, webhookId: endpoint.id };
  }

  /** Schedules every event since a time that the endpoint has not received, including those from while it was disabled. */
  async replay(actor: Actor, webhookId: string, since: string): Promise<number> {
    const endpoint = await this.endpoint(webhookId);
    return this.change(actor, endpoint, async (ctx) => {
      const deliveries = await this.deliveries.replay(ctx, endpoint, since, this.clock.timestamp());
      this.audit.record(ctx, {
        action: 'webhook.replayed',
        resourceId: webhookId,
        changes: { since: { from: null, to: since }, deliveries: { from: null, to: deliveries } },
      });
      return deliveries;
    });
  }

  private async change<T>(
    actor: Actor,
    { id, organizationId, environment }: WebhookEndpoint,
    write: (ctx: WriteContext) => Promise<T>,
  ): Promise<T> {
    const result = await this.unitOfWork.run({ ...changeContext(organizationId, actor, environment), environment }, async (ctx) => {
      // Results and retries are written under this lock as well, so an event never has two pending attempts.
      await this.webhooks.lock(ctx, id);
      return write(ctx);
    });
    this.wakeUps.wake(DELIVER_JOB, id);
    return result;
  }

  private async endpoint(id: string): Promise<WebhookEndpoint> {
    const endpoint = isUuid(id) ? await this.webhooks.byId(id) : undefined;
    return endpoint ?? notFound(`There is no webhook endpoint ${id}.`);
  }
}

function notFound(detail: string): never {
  throw new Problem('not_found', { detail });
}
