import { Injectable } from '@nestjs/common';
import type { ReadContext } from '../../../store/database/unit-of-work.js';
import type { PageOf } from '../../../store/tenant/page.js';
import { Problem } from '../../../kernel/problems.js';
import { DeliveriesRepository, type DeliveryMessage } from './deliveries.repository.js';
import type { ListDeliveriesQuery } from './webhook-delivery.dto.js';
import type { WebhookDelivery } from './webhook-delivery.entity.js';

@Injectable()
export class DeliveriesService {
  constructor(private readonly deliveries: DeliveriesRepository) {}

  list(ctx: ReadContext, webhookId: string, query: ListDeliveriesQuery): Promise<PageOf<WebhookDelivery>> {
    const { status, event_kind: eventKind, event_id: eventId, since, until } = query;
    return this.deliveries.page(ctx, query, { webhookId, status, eventKind, eventId, since, until });
  }

  /** One attempt with its message. */
  async get(ctx: ReadContext, webhookId: string, id: string): Promise<{ delivery: WebhookDelivery; message: DeliveryMessage }> {
    const message = await this.deliveries.message(ctx, webhookId, id);
    const delivery = message && (await this.deliveries.get(ctx, id));
    if (!delivery) throw new Problem('not_found', { detail: 'This webhook endpoint has no delivery with this id.' });
    return { delivery, message };
  }
}
