import { Param } from '@nestjs/common';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { goTo, page, titledPage, type Answer } from '../../../api/console/page.js';
import { PageCtx, pathOf, type PageContext } from '../../../api/console/page-context.js';
import { chosenIn, PAGE_SIZE, pageNumberIn } from '../../../api/console/parts/list.js';
import { say } from '../../../api/console/say.js';
import { subscribableKinds } from '../../../kernel/declare-event.js';
import { Clock } from '../../../kernel/time.js';
import { DeliveriesService } from '../deliveries/deliveries.service.js';
import { WebhookDeliveryDetailsDto } from '../deliveries/webhook-delivery.dto.js';
import { DELIVERY_STATUSES } from '../deliveries/webhook-delivery.entity.js';
import { WebhooksService } from '../endpoints/webhooks.service.js';
import { RedeliveryService } from '../operator/redelivery.service.js';
import { DeliveryLog, DeliveryView } from './deliveries.views.js';
import { requireWebhooks, SENDING_ROLE } from './sending-access.js';

/** The delivery log of an endpoint. It has no place of its own in the navigation. */
@ConsoleSection({ path: 'webhooks/:webhook_id/deliveries', label: 'Deliveries' })
export class DeliveriesConsole {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly deliveries: DeliveriesService,
    private readonly redeliveries: RedeliveryService,
    private readonly clock: Clock,
  ) {}

  @Page({ route: 'GET /', operation: 'webhooks.list_deliveries' })
  async list(@PageCtx() ctx: PageContext, @Param('webhook_id') webhookId: string): Promise<Answer> {
    const endpoint = await this.webhooks.oneOfEnvironment(ctx, webhookId);
    const wanted = { status: chosenIn(ctx, 'status', DELIVERY_STATUSES), event_kind: chosenIn(ctx, 'event_kind', subscribableKinds()) };
    const [found, hours] = await Promise.all([
      this.deliveries.list(ctx, webhookId, { page: pageNumberIn(ctx), page_size: PAGE_SIZE, ...wanted }),
      this.deliveries.lastDay(ctx, webhookId),
    ]);
    const beside = { up: [pathOf(ctx, 'webhooks', webhookId), endpoint.name] } as const;
    const log = <DeliveryLog ctx={ctx} now={this.clock.now()} endpoint={endpoint} found={found} hours={hours} />;
    return titledPage(say('console.webhooks.deliveries'), beside, log);
  }

  @Page({ route: 'GET /:delivery_id', operation: 'webhooks.get_delivery' })
  async show(@PageCtx() ctx: PageContext, @Param('webhook_id') webhookId: string, @Param('delivery_id') id: string): Promise<Answer> {
    const endpoint = await this.webhooks.oneOfEnvironment(ctx, webhookId);
    const { delivery, message } = await this.deliveries.get(ctx, webhookId, id, ctx);
    const ofEvent = { page: 1, page_size: PAGE_SIZE, event_id: delivery.eventId };
    const { rows: attempts } = await this.deliveries.list(ctx, webhookId, ofEvent);
    const details = WebhookDeliveryDetailsDto.fromParts(delivery, message);
    const shown = { ctx, now: this.clock.now(), endpoint, delivery: details, attempts };
    return page(say('console.webhooks.delivery.title'), <DeliveryView {...shown} />);
  }

  @Action({ route: 'POST /:delivery_id/redeliver', role: SENDING_ROLE, records: ['webhook.redelivered'] })
  async redeliver(@PageCtx() ctx: PageContext, @Param('webhook_id') webhookId: string, @Param('delivery_id') id: string): Promise<Answer> {
    requireWebhooks(ctx);
    await this.webhooks.oneOfEnvironment(ctx, webhookId);
    // The service finds a delivery by its id alone, for operators; this one finds only those of the endpoint.
    await this.deliveries.get(ctx, webhookId, id, ctx);
    const made = await this.redeliveries.redeliver(ctx.actor, id);
    return goTo(pathOf(ctx, 'webhooks', webhookId, 'deliveries', made.id), say('console.webhooks.delivery.sentAgain'));
  }
}
