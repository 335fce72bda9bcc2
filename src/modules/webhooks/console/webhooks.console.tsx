import { Param, Injectable } from '@nestjs/common';
import { orAgain, ConsoleDoor } from '../../../api/console/console-door.js';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { formOf, PageCtx, pathOf, goTo, page, titledPage } from '../../../api/console/page.js';
import type { FormState, PageContext, Answer } from '../../../api/console/page.js';
import { FirstStep, OverviewPanel } from '../../../api/console/overview.js';
import { LinkButton, Time } from '../../../api/console/parts/facts.js';
import { Table } from '../../../api/console/parts/list.js';
import type { Panel } from '../../../api/console/record-panel.js';
import { say, count } from '../../../api/console/say.js';
import { Implements } from '../../../store/discovery/ports.js';
import { DeliveriesService } from '../deliveries/deliveries.service.js';
import { WEBHOOKS_PLAN } from '../endpoints/endpoint-rules.js';
import type { WebhookWithSecretDto } from '../endpoints/webhooks.dto.js';
import { WebhooksService } from '../endpoints/webhooks.service.js';
import { valuesOf, WebhookForm, webhookFieldsOf, Steps, WebhookView } from './webhook.views.js';
import { EndpointStatus, EventCatalogue, NeedsPlan, SecretView, WebhookList, isInTrouble } from './webhooks.views.js';

const SECTION = 'webhooks';
const SHOWN_DELIVERIES = 10;

/** What a form changes; it is checked with the body of the operation. */
type Changed = Readonly<{ targetUrl?: string; status?: string; rotateSecret?: boolean }>;

/** The endpoints of one environment. A live credential of the API may also change those of the other one; pages do not. */
@ConsoleSection({ path: SECTION, label: 'Webhooks', adds: 'New endpoint', group: 'Developers', order: 2, operation: 'webhooks.list' })
export class WebhooksConsole {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly deliveries: DeliveriesService,
    private readonly door: ConsoleDoor,
  ) {}

  /** It names no operation: without the plan it says what the plan is for. */
  @Page({ route: 'GET /', role: 'member' })
  async list(@PageCtx() ctx: PageContext): Promise<Answer> {
    const title = say('console.webhooks.title');
    if (!ctx.organization.includes(WEBHOOKS_PLAN)) return page(title, <NeedsPlan ctx={ctx} />);
    const actions = ctx.can('webhooks.create') && <LinkButton to={pathOf(ctx, SECTION, 'new')}>{say('console.webhooks.new')}</LinkButton>;
    return titledPage(title, { actions }, <WebhookList ctx={ctx} endpoints={await this.webhooks.ofEnvironment(ctx)} />);
  }

  @Page({ route: 'GET /events', operation: 'webhooks.list' })
  events(@PageCtx() ctx: PageContext): Answer {
    return page(say('console.webhooks.events'), <EventCatalogue ctx={ctx} />);
  }

  @Page({ route: 'GET /new', operation: 'webhooks.create' })
  new(@PageCtx() ctx: PageContext): Answer {
    return newPage(ctx, formOf());
  }

  @Action({ route: 'POST /new', operation: 'webhooks.create' })
  create(@PageCtx() ctx: PageContext): Promise<Answer> {
    const create = async (): Promise<Answer> => {
      const fields = { ...webhookFieldsOf(ctx), signature: ctx.form.text('signature') };
      const made = await this.door.call<WebhookWithSecretDto>(ctx, { body: fields });
      return page(say('console.webhooks.created'), <SecretView ctx={ctx} made={made} />);
    };
    return orAgain(ctx, create, (state) => newPage(ctx, state));
  }

  @Page({ route: 'GET /:webhook_id', operation: 'webhooks.get' })
  async show(@PageCtx() ctx: PageContext, @Param('webhook_id') id: string): Promise<Answer> {
    const endpoint = await this.webhooks.oneOfEnvironment(ctx, id);
    const [found, hours] = await Promise.all([
      this.deliveries.list(ctx, id, { page: 1, page_size: SHOWN_DELIVERIES }),
      this.deliveries.lastDay(ctx, id),
    ]);
    const beside = {
      up: [pathOf(ctx, SECTION), say('console.webhooks.title')],
      badge: <EndpointStatus of={endpoint} />,
      actions: <Steps ctx={ctx} endpoint={endpoint} />,
    } as const;
    return titledPage(endpoint.name, beside, <WebhookView ctx={ctx} endpoint={endpoint} found={found} hours={hours} />);
  }

  @Page({ route: 'GET /:webhook_id/edit', operation: 'webhooks.update' })
  async edit(@PageCtx() ctx: PageContext, @Param('webhook_id') id: string): Promise<Answer> {
    return editPage(ctx, formOf(valuesOf(await this.webhooks.oneOfEnvironment(ctx, id))));
  }

  @Action({ route: 'POST /:webhook_id/edit', operation: 'webhooks.update' })
  update(@PageCtx() ctx: PageContext, @Param('webhook_id') id: string): Promise<Answer> {
    const update = async (): Promise<Answer> => {
      const { headerNames: before } = await this.webhooks.oneOfEnvironment(ctx, id);
      const { headerNames } = await this.change(ctx, id, webhookFieldsOf(ctx));
      const headers = before.filter((name) => !headerNames.includes(name)).join(', ');
      const notice = headers === '' ? say('console.webhooks.changed') : say('console.webhooks.changedWithoutHeaders', { headers });
      return goTo(pathOf(ctx, SECTION, id), notice);
    };
    return orAgain(ctx, update, (state) => editPage(ctx, state));
  }

  @Action({ route: 'POST /:webhook_id/status', operation: 'webhooks.update' })
  async setStatus(@PageCtx() ctx: PageContext, @Param('webhook_id') id: string): Promise<Answer> {
    const { status } = await this.change(ctx, id, { status: ctx.form.text('status') });
    const notice = status === 'active' ? say('console.webhooks.resumed') : say('console.webhooks.nowPaused');
    return goTo(pathOf(ctx, SECTION, id), notice);
  }

  @Action({ route: 'POST /:webhook_id/rotate-secret', operation: 'webhooks.update' })
  async rotateSecret(@PageCtx() ctx: PageContext, @Param('webhook_id') id: string): Promise<Answer> {
    return page(say('console.webhooks.newSecret'), <SecretView ctx={ctx} made={await this.change(ctx, id, { rotateSecret: true })} />);
  }

  @Action({ route: 'POST /:webhook_id/delete', operation: 'webhooks.delete' })
  async delete(@PageCtx() ctx: PageContext, @Param('webhook_id') id: string): Promise<Answer> {
    const { name } = await this.webhooks.oneOfEnvironment(ctx, id);
    await this.door.call(ctx, { params: { webhook_id: id } });
    return goTo(pathOf(ctx, SECTION), say('console.webhooks.deleted', { name }));
  }

  private async change(ctx: PageContext, id: string, body: Changed): Promise<WebhookWithSecretDto> {
    await this.webhooks.oneOfEnvironment(ctx, id);
    return this.door.call<WebhookWithSecretDto>(ctx, { params: { webhook_id: id }, body });
  }
}

const newPage = (ctx: PageContext, state: FormState): Answer =>
  page(say('console.webhooks.newTitle'), <WebhookForm ctx={ctx} state={state} isNew />, state.problem?.status);

const editPage = (ctx: PageContext, state: FormState): Answer =>
  page(say('console.webhooks.editTitle'), <WebhookForm ctx={ctx} state={state} />, state.problem?.status);

@Implements(OverviewPanel)
@Injectable()
export class FailingEndpointsPanel implements OverviewPanel {
  readonly order = 20;

  constructor(private readonly webhooks: WebhooksService) {}

  async show(ctx: PageContext): Promise<Panel | null> {
    if (!ctx.organization.includes(WEBHOOKS_PLAN)) return null;
    const failing = (await this.webhooks.ofEnvironment(ctx)).filter(isInTrouble);
    if (failing.length === 0) return null;
    const body = (
      <section>
        <h2 id="failing">{say('console.webhooks.overview.failing')}</h2>
        <Table
          caption={say('console.webhooks.overview.failing')}
          rows={failing}
          empty=""
          columns={[
            [say('console.webhooks.name'), ({ id, name }) => <a href={pathOf(ctx, 'webhooks', id)}>{name}</a>],
            [say('console.webhooks.status'), (endpoint) => <EndpointStatus of={endpoint} />],
            [say('console.webhooks.lastDelivered'), ({ lastDeliveryAt }) => <Time ctx={ctx} at={lastDeliveryAt} />],
          ]}
        />
      </section>
    );
    const which = <a href="#failing">{say('console.webhooks.overview.which')}</a>;
    return { body, figures: [[say('console.webhooks.overview.figure'), count(failing.length), which]] };
  }
}

/** Done with the first delivery that an endpoint accepted. */
@Implements(FirstStep)
@Injectable()
export class FirstDeliveryStep implements FirstStep {
  readonly order = 20;
  readonly title = 'Receive a webhook';
  readonly about = 'Your systems hear at once what happened here. Create an endpoint, and send it a test.';
  readonly path = 'webhooks';

  constructor(private readonly webhooks: WebhooksService) {}

  isFor(ctx: PageContext): boolean {
    return ctx.organization.includes(WEBHOOKS_PLAN) && ctx.can('webhooks.create');
  }

  async isDone(ctx: PageContext): Promise<boolean> {
    return (await this.webhooks.ofEnvironment(ctx)).some(({ lastDeliveryAt }) => lastDeliveryAt !== null);
  }
}
