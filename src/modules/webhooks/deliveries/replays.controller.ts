import { Body, Controller, Param, Query } from '@nestjs/common';
import { EventReaders } from '../../../api/access/event-readers.js';
import { Ahead, Ctx } from '../../../api/call/ctx.decorator.js';
import { Operation } from '../../../api/operation/operation.decorator.js';
import type { RequestContext } from '../../../api/operation/operation.js';
import { Problem } from '../../../kernel/problems.js';
import type { InTransaction } from '../../../store/database/unit-of-work.js';
import { WEBHOOKS_PLAN } from '../endpoints/endpoint-rules.js';
import type { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';
import { WebhooksService } from '../endpoints/webhooks.service.js';
import { DeliveriesService } from './deliveries.service.js';
import { PingService } from './pings.service.js';
import { CreatePingDto, CreateReplayDto, MissedDto, MissedQuery, PingDto, RedeliverDto, ReplayDto, StopReplaysDto } from './replays.dto.js';
import { ReplayService } from './replays.service.js';

const SENDING = { scope: 'webhooks:deliveries:write', role: 'admin', plan: WEBHOOKS_PLAN, status: 200 } as const;
const ALL_KEPT = new Date(0).toISOString();

/** What an endpoint has missed is sent again, and it is tested. */
@Controller('v1/webhooks')
export class ReplaysController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly deliveries: DeliveriesService,
    private readonly replays: ReplayService,
    private readonly pings: PingService,
    private readonly readers: EventReaders,
  ) {}

  @Operation({
    id: 'webhooks.redeliver',
    route: 'POST /:webhook_id/deliveries',
    ...SENDING,
    summary: 'Send a delivery again',
    description:
      'Makes a new attempt with the same `webhook-id`, and answers with its id. If another attempt of its event is due later, that is ' +
      'made now instead. An addition.',
    returns: RedeliverDto,
    problems: ['event_not_allowed', 'related_record_missing'],
  })
  async redeliver(
    @Ctx() ctx: InTransaction<RequestContext>,
    @Param('webhook_id') webhookId: string,
    @Body() { deliveryId }: RedeliverDto,
  ): Promise<RedeliverDto> {
    const own = ofEnvironment(ctx, await this.webhooks.get(ctx, webhookId));
    const { eventKind } = (await this.deliveries.find(own, webhookId, deliveryId)) ?? missing();
    this.readers.require(ctx.principal, [eventKind]);
    return { deliveryId: await this.replays.redeliver(own, webhookId, deliveryId) };
  }

  @Operation({
    id: 'webhooks.get_missed',
    route: 'GET /:webhook_id/missed',
    scope: 'webhooks:deliveries:read',
    plan: WEBHOOKS_PLAN,
    summary: 'Count what an endpoint has missed',
    description:
      'The events that it subscribes to and that were neither delivered to it nor are on their way: it refused them, or was disabled. A ' +
      'replay sends them. An addition.',
    returns: MissedDto,
  })
  async getMissed(
    @Ctx() ctx: RequestContext,
    @Param('webhook_id') webhookId: string,
    @Query() { since = ALL_KEPT }: MissedQuery,
  ): Promise<MissedDto> {
    const kinds = await this.replays.preview(await this.webhooks.get(ctx, webhookId), { since });
    return { deliveries: kinds.reduce((sum, kind) => sum + kind.deliveries, 0), kinds };
  }

  @Operation({
    id: 'webhooks.replay',
    route: 'POST /:webhook_id/replays',
    ...SENDING,
    summary: 'Send what an endpoint has missed',
    description:
      'Sends the events that `GET …/missed` counts, in their order and at the rate that the endpoint allows. For a disabled endpoint ' +
      'they wait until it is active. The delivery log has those that wait as `pending`. An addition.',
    returns: ReplayDto,
    problems: ['event_not_allowed'],
  })
  async replay(
    @Ctx() ctx: InTransaction<RequestContext>,
    @Param('webhook_id') id: string,
    @Body() { since, eventKinds: kinds }: CreateReplayDto,
  ): Promise<ReplayDto> {
    const endpoint = await this.webhooks.get(ctx, id);
    this.readers.require(ctx.principal, kinds ?? endpoint.subscribedEvents);
    const { deliveries } = await this.replays.start(ofEnvironment(ctx, endpoint), endpoint, { since, kinds });
    return { deliveries };
  }

  @Operation({
    id: 'webhooks.stop_replays',
    route: 'POST /:webhook_id/replays/stop',
    ...SENDING,
    summary: 'Stop the replays of an endpoint',
    description: 'Takes back all that they have not sent yet; a few may be on their way. It can be replayed later. An addition.',
    returns: ReplayDto,
  })
  async stopReplays(
    @Ctx() ctx: InTransaction<RequestContext>,
    @Param('webhook_id') id: string,
    @Body() { eventKinds }: StopReplaysDto,
  ): Promise<ReplayDto> {
    return { deliveries: await this.replays.stop(ofEnvironment(ctx, await this.webhooks.get(ctx, id)), id, eventKinds) };
  }

  @Operation({
    id: 'webhooks.ping',
    route: 'POST /:webhook_id/ping',
    ...SENDING,
    summary: 'Test a webhook endpoint',
    description:
      'Sends a `webhook.test` or the example of a kind at once, and answers with what came back. An example has the signature and the ' +
      'headers of a delivery, and `X-Service-Example: true`: nothing happened. Neither is in the delivery log. An addition.',
    returns: PingDto,
    ahead: 'send',
    effects: 'afterClaim',
  })
  async ping(
    @Ctx() ctx: InTransaction<RequestContext>,
    @Param('webhook_id') id: string,
    @Body() { eventKind }: CreatePingDto,
    @Ahead() sent: PingDto | undefined,
  ): Promise<PingDto> {
    const endpoint = await this.webhooks.get(ctx, id);
    if (!sent) throw Problem.invalidField('eventKind', 'not_allowed', `has no example yet: ${eventKind}`);
    this.pings.note(ofEnvironment(ctx, endpoint), id, sent);
    return sent;
  }

  /** An open transaction would occupy a connection for as long as the endpoint takes. What is missing is refused by the handler. */
  async send(
    ctx: RequestContext,
    { eventKind }: CreatePingDto,
    _headers: unknown,
    { webhook_id: id }: { readonly webhook_id: string },
  ): Promise<PingDto | undefined> {
    const endpoint = await this.webhooks.find(ctx, id);
    return endpoint && this.pings.send(endpoint, eventKind);
  }
}

/** A live credential sees the endpoints of both environments; what is written is of the endpoint's own. */
const ofEnvironment = (ctx: InTransaction<RequestContext>, { environment }: WebhookEndpoint) => ({ ...ctx, environment });

const missing = (): never => {
  throw Problem.relatedMissing('deliveryId', 'delivery of this webhook endpoint');
};
