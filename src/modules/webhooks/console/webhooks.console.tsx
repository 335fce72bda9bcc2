import { Param } from '@nestjs/common';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { formOf, type FormState } from '../../../api/console/form.js';
import { goTo, page, type Answer } from '../../../api/console/page.js';
import { PageCtx, pathOf, type PageContext } from '../../../api/console/page-context.js';
import { orAgain, Performer } from '../../../api/console/performer.js';
import { LookUps } from '../../../api/outbound/look-ups.js';
import type { CreateWebhookDto, UpdateWebhookDto, WebhookWithSecretDto } from '../endpoints/webhooks.dto.js';
import { EndpointPages } from './endpoint-pages.js';
import { EndpointForm, EndpointList, EndpointView, PingView, SecretView, valuesOf } from './webhooks.views.js';

const SECTION = 'webhooks';

@ConsoleSection({ path: SECTION, label: 'Webhooks', group: 'Developers', order: 2, operation: 'webhooks.list' })
export class WebhooksConsole {
  constructor(
    private readonly endpoints: EndpointPages,
    private readonly lookUps: LookUps,
    private readonly performer: Performer,
  ) {}

  @Page({ route: 'GET /', operation: 'webhooks.list' })
  async list(@PageCtx() ctx: PageContext): Promise<Answer> {
    return page('Webhooks', <EndpointList ctx={ctx} endpoints={await this.endpoints.list(ctx)} />);
  }

  @Page({ route: 'GET /new', operation: 'webhooks.create' })
  new(@PageCtx() ctx: PageContext): Answer {
    return newPage(ctx, formOf());
  }

  @Action({ route: 'POST /new', operation: 'webhooks.create' })
  create(@PageCtx() ctx: PageContext): Promise<Answer> {
    const create = async (): Promise<Answer> => {
      const body = { ...fieldsOf(ctx), environment: ctx.environment };
      const target = await this.lookUps.resolve(body.targetUrl, ctx.organizationId);
      const made = await this.performer.perform<CreateWebhookDto, WebhookWithSecretDto>(ctx, { body }, (inner, input) =>
        this.endpoints.webhooks.create(inner, input, target),
      );
      return page('Your new endpoint', <SecretView ctx={ctx} id={made.id} secret={made.secret} />);
    };
    return orAgain(ctx, create, (state) => newPage(ctx, state));
  }

  @Page({ route: 'GET /:webhook_id', operation: 'webhooks.get' })
  async show(@PageCtx() ctx: PageContext, @Param('webhook_id') id: string): Promise<Answer> {
    const endpoint = await this.endpoints.own(ctx, id);
    return page(endpoint.name, <EndpointView ctx={ctx} endpoint={endpoint} />);
  }

  @Page({ route: 'GET /:webhook_id/edit', operation: 'webhooks.update' })
  async edit(@PageCtx() ctx: PageContext, @Param('webhook_id') id: string): Promise<Answer> {
    return editPage(ctx, formOf(valuesOf(await this.endpoints.own(ctx, id))));
  }

  @Action({ route: 'POST /:webhook_id/edit', operation: 'webhooks.update' })
  update(@PageCtx() ctx: PageContext, @Param('webhook_id') id: string): Promise<Answer> {
    const update = async (): Promise<Answer> => {
      await this.change(ctx, id, fieldsOf(ctx));
      return goTo(pathOf(ctx, SECTION, id), 'The endpoint was changed.');
    };
    return orAgain(ctx, update, (state) => editPage(ctx, state));
  }

  @Action({ route: 'POST /:webhook_id/pause', operation: 'webhooks.update' })
  async pause(@PageCtx() ctx: PageContext, @Param('webhook_id') id: string): Promise<Answer> {
    await this.change(ctx, id, { status: 'disabled' });
    return goTo(pathOf(ctx, SECTION, id), 'Nothing is sent to the endpoint any more.');
  }

  @Action({ route: 'POST /:webhook_id/resume', operation: 'webhooks.update' })
  async resume(@PageCtx() ctx: PageContext, @Param('webhook_id') id: string): Promise<Answer> {
    await this.change(ctx, id, { status: 'active' });
    return goTo(pathOf(ctx, SECTION, id), 'New events are sent to the endpoint. Replay those that it has missed.');
  }

  @Action({ route: 'POST /:webhook_id/rotate', operation: 'webhooks.update' })
  async rotate(@PageCtx() ctx: PageContext, @Param('webhook_id') id: string): Promise<Answer> {
    const { secret } = await this.change(ctx, id, { rotateSecret: true });
    return page('Your new secret', <SecretView ctx={ctx} id={id} secret={secret} isRotated />);
  }

  @Action({ route: 'POST /:webhook_id/delete', operation: 'webhooks.delete' })
  async delete(@PageCtx() ctx: PageContext, @Param('webhook_id') id: string): Promise<Answer> {
    await this.endpoints.own(ctx, id);
    await this.performer.perform(ctx, { params: { webhook_id: id } }, (inner) => this.endpoints.webhooks.delete(inner, id));
    return goTo(pathOf(ctx, SECTION), 'The endpoint was deleted.');
  }

  /** A test of the connection: unsigned, and not in the delivery log. */
  @Action({ route: 'POST /:webhook_id/ping', role: 'admin' })
  async ping(@PageCtx() ctx: PageContext, @Param('webhook_id') id: string): Promise<Answer> {
    const endpoint = await this.endpoints.own(ctx, id);
    return page('Test', <PingView ctx={ctx} endpoint={endpoint} outcome={await this.endpoints.pings.ping(id)} />);
  }

  private async change(ctx: PageContext, id: string, body: Partial<UpdateWebhookDto>): Promise<WebhookWithSecretDto> {
    await this.endpoints.own(ctx, id);
    const target = body.targetUrl === undefined ? undefined : await this.lookUps.resolve(body.targetUrl, ctx.organizationId);
    const given = { params: { webhook_id: id }, body };
    return this.performer.perform<UpdateWebhookDto, WebhookWithSecretDto>(ctx, given, (inner, input) =>
      this.endpoints.webhooks.update(inner, id, input, target),
    );
  }
}

function newPage(ctx: PageContext, state: FormState): Answer {
  const form = <EndpointForm ctx={ctx} state={state} submit="Create the endpoint" cancel={pathOf(ctx, SECTION)} />;
  return page('New endpoint', form, state.problem?.status);
}

function editPage(ctx: PageContext, state: FormState): Answer {
  const form = <EndpointForm ctx={ctx} state={state} submit="Save" cancel={ctx.path.replace(/\/edit$/, '')} />;
  return page('Edit endpoint', form, state.problem?.status);
}

const fieldsOf = ({ form }: PageContext) => ({
  name: form.text('name'),
  targetUrl: form.text('targetUrl'),
  subscribedEvents: form.list('subscribedEvents'),
  description: form.given('description') ?? null,
});
