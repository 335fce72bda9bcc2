import { Param } from '@nestjs/common';
import { ConsoleDoor } from '../../../api/console/console-door.js';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { formOf, PageCtx, pathOf, goTo, page, titledPage } from '../../../api/console/page.js';
import type { FormState, PageContext, Answer } from '../../../api/console/page.js';
import { Badge, Copyable, Facts, Sentence } from '../../../api/console/parts/facts.js';
import { type Choice, ConsoleForm, SelectField } from '../../../api/console/parts/fields.js';
import { chosenIn, PAGE_SIZE, pageNumberIn } from '../../../api/console/parts/list.js';
import { say, told } from '../../../api/console/say.js';
import { FIRST } from '../../../api/wording/page-wording.js';
import { type EventDeclaration, eventOf, subscribableKinds } from '../../../kernel/declare-event.js';
import { notFound, Problem } from '../../../kernel/problems.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { Clock, utcTime } from '../../../kernel/time.js';
import { DeliveriesService } from '../deliveries/deliveries.service.js';
import { EXAMPLE_HEADER, makeExample, type ExampleBody } from '../deliveries/pings.service.js';
import type { PingDto, RedeliverDto, ReplayDto } from '../deliveries/replays.dto.js';
import { ReplayService } from '../deliveries/replays.service.js';
import { DELIVERY_STATUSES, WebhookDeliveryDetailsDto } from '../deliveries/webhook-delivery.dto.js';
import { WEBHOOKS_PLAN } from '../endpoints/endpoint-rules.js';
import type { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';
import { WebhooksService } from '../endpoints/webhooks.service.js';
import { DeliveryLog, DeliveryView, PingView, ReplayView, SentView } from './deliveries.views.js';

/** The delivery log of an endpoint. It has no place of its own in the navigation. */
@ConsoleSection({ path: 'webhooks/:webhook_id/deliveries', label: 'Deliveries' })
export class DeliveriesConsole {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly deliveries: DeliveriesService,
    private readonly clock: Clock,
    private readonly door: ConsoleDoor,
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

  @Action({ route: 'POST /:delivery_id/redeliver', operation: 'webhooks.redeliver' })
  async redeliver(@PageCtx() ctx: PageContext, @Param('webhook_id') webhookId: string, @Param('delivery_id') id: string): Promise<Answer> {
    await this.webhooks.oneOfEnvironment(ctx, webhookId);
    await this.deliveries.get(ctx, webhookId, id, ctx);
    const made = await this.door.call<RedeliverDto>(ctx, { params: { webhook_id: webhookId }, body: { deliveryId: id } });
    return goTo(pathOf(ctx, 'webhooks', webhookId, 'deliveries', made.deliveryId), say('console.webhooks.delivery.sentAgain'));
  }
}

const HOUR_MS = 3_600_000;
const CHOICES = [
  ['hour', HOUR_MS],
  ['day', 24 * HOUR_MS],
  ['week', 7 * 24 * HOUR_MS],
] as const;

/** A live credential of the API may also test endpoints of the other environment; pages do not, so each handler asks for its own. */
@ConsoleSection({ path: 'webhooks/:webhook_id', label: 'Tests and replays' })
export class ReplayConsole {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly replays: ReplayService,
    private readonly door: ConsoleDoor,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  @Action({ route: 'POST /ping', operation: 'webhooks.ping' })
  async ping(@PageCtx() ctx: PageContext, @Param('webhook_id') id: string): Promise<Answer> {
    const endpoint = await this.ownEndpoint(ctx, id);
    const sent = await this.door.call<PingDto>(ctx, { params: { webhook_id: id }, body: {} });
    return page(say('console.webhooks.test.title'), <PingView ctx={ctx} endpoint={endpoint} sent={sent} />);
  }

  @Page({ route: 'GET /replay', operation: 'webhooks.replay' })
  async preview(@PageCtx() ctx: PageContext, @Param('webhook_id') id: string): Promise<Answer> {
    const endpoint = await this.ownEndpoint(ctx, id);
    const asked = ctx.query.get('since');
    return this.replayPage(ctx, endpoint, asked === null ? undefined : asked.slice(0, 100));
  }

  @Action({ route: 'POST /replay', operation: 'webhooks.replay' })
  async start(@PageCtx() ctx: PageContext, @Param('webhook_id') id: string): Promise<Answer> {
    const endpoint = await this.ownEndpoint(ctx, id);
    const since = utcTime(ctx.form.text('since'));
    if (since === undefined || endpoint.status === 'disabled') return this.replayPage(ctx, endpoint, ctx.form.text('since'));
    const { deliveries: count } = await this.door.call<ReplayDto>(ctx, { params: { webhook_id: id }, body: { since } });
    return goTo(pathOf(ctx, 'webhooks', id, 'deliveries'), say('console.webhooks.replay.onTheWay', { count }));
  }

  @Action({ route: 'POST /replay/stop', operation: 'webhooks.stop_replays' })
  async stop(@PageCtx() ctx: PageContext, @Param('webhook_id') id: string): Promise<Answer> {
    await this.ownEndpoint(ctx, id);
    const { deliveries: count } = await this.door.call<ReplayDto>(ctx, { params: { webhook_id: id } });
    return goTo(pathOf(ctx, 'webhooks', id, 'deliveries'), say('console.webhooks.replay.takenBack', { count }));
  }

  private ownEndpoint(ctx: PageContext, id: string): Promise<WebhookEndpoint> {
    if (!ctx.organization.includes(WEBHOOKS_PLAN)) throw new Problem('plan_required', { detail: `This needs the plan ${WEBHOOKS_PLAN}.` });
    return this.webhooks.oneOfEnvironment(ctx, id);
  }

  /** With what was missed since the time that is asked for, if it is one. */
  private async replayPage(ctx: PageContext, endpoint: WebhookEndpoint, asked: string | undefined): Promise<Answer> {
    const now = this.clock.now().getTime();
    const choices = CHOICES.map(
      ([name, ms]) => [say(`console.webhooks.replay.choices.${name}`), new Date(now - ms).toISOString()] as const,
    );
    const since = asked === undefined ? undefined : utcTime(asked);
    const state: FormState = { ...formOf({ since: asked }), ...(asked !== undefined && since === undefined && { problem: NO_TIME }) };
    const missed = since === undefined ? [] : await this.replays.preview(endpoint, { since });
    const shown = { ctx, endpoint, state, since, missed, choices, keptMs: this.settings.eventRetentionMs };
    return page(say('console.webhooks.replay.title'), <ReplayView {...shown} />, state.problem?.status);
  }
}

const NO_TIME = Problem.invalidField('since', 'invalid_time', 'must be a time with its offset, such as 2026-01-31T08:00:00Z');

interface EventProps {
  readonly ctx: PageContext;
  readonly event: EventDeclaration;
  readonly example: ExampleBody | undefined;
  readonly endpoints: readonly Pick<WebhookEndpoint, 'id' | 'name'>[];
}

function EventView({ ctx, event, example, endpoints }: EventProps) {
  const tone = event.status === 'emitted' ? 'good' : 'plain';
  return (
    <>
      <Facts
        facts={[
          [say('console.webhooks.whenSent'), told(event.summary)],
          [say('console.webhooks.kind.state'), <Badge tone={tone}>{say(`console.webhooks.kind.states.${event.status}`)}</Badge>],
          [say('console.webhooks.kind.schema'), <a href="/asyncapi.json">AsyncAPI</a>],
        ]}
      />
      <h2>{say('console.webhooks.kind.example')}</h2>
      {example ? (
        <Copyable label={say('console.webhooks.kind.exampleBody')} text={JSON.stringify(example, null, 2)} />
      ) : (
        <p>{say('console.webhooks.kind.notSettled')}</p>
      )}
      {example && ctx.can('webhooks.ping') ? <SendForm ctx={ctx} kind={event.kind} endpoints={endpoints} /> : null}
    </>
  );
}

function SendForm({ ctx, kind, endpoints }: Pick<EventProps, 'ctx' | 'endpoints'> & { kind: string }) {
  if (endpoints.length === 0) return null;
  const choices: Choice[] = endpoints.map(({ id, name }) => [id, name]);
  return (
    <>
      <h2>{say('console.webhooks.kind.send')}</h2>
      <Sentence text={say('console.webhooks.kind.sendAbout', { header: FIRST })} parts={[<code>{EXAMPLE_HEADER}: true</code>]} />
      <ConsoleForm ctx={ctx} action={pathOf(ctx, 'webhooks', 'events', kind, 'send')} submit={say('console.webhooks.kind.sendMe')}>
        <SelectField state={formOf()} name="endpoint" label={say('console.webhooks.kind.endpoint')} choices={choices} />
      </ConsoleForm>
    </>
  );
}

@ConsoleSection({ path: 'webhooks/events', label: 'Events' })
export class EventsConsole {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly door: ConsoleDoor,
  ) {}

  @Page({ route: 'GET /:kind', operation: 'webhooks.list' })
  async show(@PageCtx() ctx: PageContext, @Param('kind') kind: string): Promise<Answer> {
    const event = declared(kind);
    const endpoints = await this.webhooks.ofEnvironment(ctx);
    return page(kind, <EventView ctx={ctx} event={event} example={await makeExample(kind)} endpoints={endpoints} />);
  }

  @Action({ route: 'POST /:kind/send', operation: 'webhooks.ping' })
  async send(@PageCtx() ctx: PageContext, @Param('kind') kind: string): Promise<Answer> {
    const { kind: eventKind } = declared(kind);
    const endpoint = await this.webhooks.oneOfEnvironment(ctx, ctx.form.id('endpoint'));
    const sent = await this.door.call<PingDto>(ctx, { params: { webhook_id: endpoint.id }, body: { eventKind } });
    return page(say('console.webhooks.kind.example'), <SentView ctx={ctx} endpoint={endpoint} sent={sent} kind={kind} />);
  }
}

const declared = (kind: string): EventDeclaration => eventOf(kind) ?? notFound('There is no such kind of event, or it has no example.');
