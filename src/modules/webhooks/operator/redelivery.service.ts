import { Injectable } from '@nestjs/common';
import { AuditRecorder } from '../../../store/audit/audit-recorder.js';
import { Clock } from '../../../kernel/time.js';
import type { Actor } from '../../../kernel/context.js';
import { isUuid, newId } from '../../../kernel/ids.js';
import { DeliveriesRepository } from '../deliveries/deliveries.repository.js';
import { EndpointOperations, notFound } from './endpoint-operations.js';

/** A delivery that an operator wants to be made again. */
@Injectable()
export class RedeliveryService {
  constructor(
    private readonly endpoints: EndpointOperations,
    private readonly deliveries: DeliveriesRepository,
    private readonly audit: AuditRecorder,
    private readonly clock: Clock,
  ) {}

  /** Sends a delivery again with the same webhook-id. If a retry of its event is pending, that is sent now instead of another one. */
  async redeliver(actor: Actor, deliveryId: string): Promise<{ id: string; webhookId: string }> {
    const delivery = isUuid(deliveryId) ? await this.deliveries.byId(deliveryId) : undefined;
    if (!delivery) notFound(`There is no delivery ${deliveryId}.`);
    const endpoint = await this.endpoints.get(delivery.webhookId);
    const id = await this.endpoints.change(actor, endpoint, async (ctx) => {
      // Before the id: filters by time compare ids, and must find a delivery by its own time.
      const now = this.clock.timestamp();
      const scheduled = await this.deliveries.redeliver(ctx, deliveryId, newId(), now);
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
}
