import { Injectable } from '@nestjs/common';
import type { ReadContext } from '../../../store/database/unit-of-work.js';
import type { PageOf } from '../../../store/tenant/page.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import type { ListDeliveriesQuery } from './webhook-delivery.dto.js';
import type { WebhookDelivery } from './webhook-delivery.entity.js';

@Injectable()
export class DeliveriesService {
  constructor(private readonly deliveries: DeliveriesRepository) {}

  list(ctx: ReadContext, webhookId: string, query: ListDeliveriesQuery): Promise<PageOf<WebhookDelivery>> {
    const { status, event_kind: eventKind, event_id: eventId, since, until } = query;
    return this.deliveries.page(ctx, query, { webhookId, status, eventKind, eventId, since, until });
  }
}
