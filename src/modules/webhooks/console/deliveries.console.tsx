import { Param } from '@nestjs/common';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { formOf, type FormState } from '../../../api/console/form.js';
import { goTo, page, type Answer } from '../../../api/console/page.js';
import { PageCtx, pathOf, type PageContext } from '../../../api/console/page-context.js';
import { chosenIn, pageNumberIn, PAGE_SIZE } from '../../../api/console/parts/list.js';
import { orAgain } from '../../../api/console/performer.js';
import { subscribableKinds } from '../../../kernel/declare-event.js';
import { Problem } from '../../../kernel/problems.js';
import { DeliveriesService } from '../deliveries/deliveries.service.js';
import { WebhookDeliveryDetailsDto } from '../deliveries/delivery-details.dto.js';
import { DELIVERY_STATUSES } from '../deliveries/webhook-delivery.entity.js';
import { EndpointPages } from './endpoint-pages.js';
import { DeliveryList, DeliveryView, ReplayForm } from './deliveries.views.js';

/** The delivery log of an endpoint. It is reached from the endpoint. */
@ConsoleSection({ path: 'webhooks/:webhook_id/deliveries', label: 'Deliveries' })
export class DeliveriesConsole {
  constructor(
    private readonly endpoints: EndpointPages,
    private readonly deliveries: DeliveriesService,
  ) {}

  @Page({ route: 'GET /', operation: 'webhooks.list_deliveries' })
  async list(@PageCtx() ctx: PageContext, @Param('webhook_id') webhookId: string): Promise<Answer> {
    const endpoint = await this.endpoints.own(ctx, webhookId);
    const found = await this.deliveries.list(ctx, webhookId, {
      page: pageNumberIn(ctx),
      page_size: PAGE_SIZE,
      status: chosenIn(ctx, 'status', DELIVERY_STATUSES),
      event_kind: chosenIn(ctx, 'event_kind', subscribableKinds()),
    });
    return page(`Deliveries to ${endpoint.name}`, <DeliveryList ctx={ctx} endpoint={endpoint} found={found} />);
  }

  @Page({ route: 'GET /replay', role: 'admin' })
  async askReplay(@PageCtx() ctx: PageContext, @Param('webhook_id') webhookId: string): Promise<Answer> {
    await this.endpoints.own(ctx, webhookId);
    return replayPage(ctx, webhookId, formOf());
  }

  @Action({ route: 'POST /replay', role: 'admin', records: ['webhook.replayed'] })
  async replay(@PageCtx() ctx: PageContext, @Param('webhook_id') webhookId: string): Promise<Answer> {
    await this.endpoints.own(ctx, webhookId);
    const replay = async (): Promise<Answer> => {
      const day = ctx.form.text('since');
      if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) throw Problem.invalidField('since', 'invalid_date', 'must be a day');
      const { deliveries } = await this.endpoints.replays.start(ctx.actor, { webhookId, since: `${day}T00:00:00.000Z` });
      return goTo(listPath(ctx, webhookId), deliveries === 1 ? 'One event is sent again.' : `${deliveries} events are sent again.`);
    };
    return orAgain(ctx, replay, (state) => replayPage(ctx, webhookId, state));
  }

  @Page({ route: 'GET /:delivery_id', operation: 'webhooks.get_delivery' })
  async show(@PageCtx() ctx: PageContext, @Param('webhook_id') webhookId: string, @Param('delivery_id') id: string): Promise<Answer> {
    await this.endpoints.own(ctx, webhookId);
    const { delivery, message } = await this.deliveries.get(ctx, webhookId, id);
    const details = WebhookDeliveryDetailsDto.of(delivery, message);
    return page(`Delivery of ${delivery.eventKind}`, <DeliveryView ctx={ctx} delivery={details} />);
  }

  @Action({ route: 'POST /:delivery_id/again', role: 'admin', records: ['webhook.redelivered'] })
  async again(@PageCtx() ctx: PageContext, @Param('webhook_id') webhookId: string, @Param('delivery_id') id: string): Promise<Answer> {
    await this.endpoints.own(ctx, webhookId);
    await this.deliveries.get(ctx, webhookId, id);
    const scheduled = await this.endpoints.redeliveries.redeliver(ctx.actor, id);
    return goTo(pathOf(ctx, 'webhooks', webhookId, 'deliveries', scheduled.id), 'The event is sent again.');
  }
}

const listPath = (ctx: PageContext, webhookId: string): string => pathOf(ctx, 'webhooks', webhookId, 'deliveries');

function replayPage(ctx: PageContext, webhookId: string, state: FormState): Answer {
  return page(
    'Send again what was missed',
    <ReplayForm ctx={ctx} state={state} cancel={listPath(ctx, webhookId)} />,
    state.problem?.status,
  );
}
