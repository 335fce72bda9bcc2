import { Injectable } from '@nestjs/common';
import { EventReaders } from '../../../api/access/event-readers.js';
import { firstIdOf } from '../../../kernel/ids.js';
import type { Caller } from '../../../kernel/permissions.js';
import { Problem } from '../../../kernel/problems.js';
import { Clock } from '../../../kernel/time.js';
import { type PartitionedTable, PartitionRetention, RETENTION_INTERVAL_MS } from '../../../store/database/partitions.js';
import type { ReadContext } from '../../../store/database/unit-of-work.js';
import { Job } from '../../../store/jobs/job.decorator.js';
import type { PageOf } from '../../../store/tenant/page.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import type { DeliveryMessage, ListDeliveriesQuery } from './webhook-delivery.dto.js';
import type { HourOfAttempts, WebhookDelivery } from './webhook-delivery.entity.js';

const HOUR_MS = 3_600_000;
const SHOWN_HOURS = 24;
/** Attempts that were written down earlier are not counted. */
const OLDEST_HOURS = 72;

@Injectable()
export class DeliveriesService {
  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly clock: Clock,
    private readonly readers: EventReaders,
  ) {}

  list(ctx: ReadContext, webhookId: string, query: ListDeliveriesQuery): Promise<PageOf<WebhookDelivery>> {
    const { status, event_kind: eventKind, event_id: eventId, since, until } = query;
    return this.deliveries.page(ctx, query, { webhookId, status, eventKind, eventId, since, until });
  }

  async find(ctx: ReadContext, webhookId: string, id: string): Promise<WebhookDelivery | undefined> {
    const found = await this.deliveries.get(ctx, id);
    return found?.webhookId === webhookId ? found : undefined;
  }

  /** How the attempts of the last day ended, hour by hour, the oldest first. */
  async lastDay(ctx: ReadContext, webhookId: string): Promise<HourOfAttempts[]> {
    const lastMs = Math.floor(this.clock.now().getTime() / HOUR_MS) * HOUR_MS;
    const firstMs = lastMs - (SHOWN_HOURS - 1) * HOUR_MS;
    const fromId = firstIdOf(new Date(lastMs - OLDEST_HOURS * HOUR_MS));
    const found = await this.deliveries.outcomes(ctx, webhookId, new Date(firstMs).toISOString(), fromId);
    return Array.from({ length: SHOWN_HOURS }, (_none, index) => {
      const hourMs = firstMs + index * HOUR_MS;
      return found.find((hour) => hour.hourMs === hourMs) ?? { hourMs, delivered: 0, failed: 0 };
    });
  }

  /** One attempt with its message, for somebody who may read the record in it. */
  async get(
    ctx: ReadContext,
    webhookId: string,
    id: string,
    caller: Caller,
  ): Promise<{ delivery: WebhookDelivery; message: DeliveryMessage }> {
    const message = await this.deliveries.message(ctx, webhookId, id);
    const delivery = message && (await this.deliveries.get(ctx, id));
    if (!delivery) throw new Problem('not_found', { detail: 'This webhook endpoint has no delivery with this id.' });
    this.readers.require(caller, [delivery.eventKind]);
    return { delivery, message };
  }
}

@Injectable()
export class DeliveryRetention extends PartitionRetention {
  protected readonly table: PartitionedTable = { table: 'webhook_deliveries', by: 'id', period: 'week' };

  @Job({
    id: 'webhooks.retain',
    summary: 'Creates partitions for future deliveries and drops those that are older than DELIVERY_RETENTION.',
    everyMs: RETENTION_INTERVAL_MS,
  })
  retain(): Promise<void> {
    return this.apply(this.settings.deliveryRetentionMs);
  }
}
