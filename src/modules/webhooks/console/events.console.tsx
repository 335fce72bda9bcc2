import { Param } from '@nestjs/common';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { page, type Answer } from '../../../api/console/page.js';
import { PageCtx, type PageContext } from '../../../api/console/page-context.js';
import { eventOf, type EventDeclaration } from '../../../kernel/declare-event.js';
import { Problem } from '../../../kernel/problems.js';
import { WebhooksService } from '../endpoints/webhooks.service.js';
import { ExampleService } from '../operator/example.service.js';
import { exampleOf } from './event-examples.js';
import { EventView } from './events.views.js';
import { SentView } from './replay.views.js';
import { requireWebhooks, SENDING_ROLE } from './sending-access.js';

/** One kind of event: when it is sent, what it looks like, and an example for an endpoint. */
@ConsoleSection({ path: 'webhooks/events', label: 'Events' })
export class EventsConsole {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly examples: ExampleService,
  ) {}

  @Page({ route: 'GET /:kind', operation: 'webhooks.list' })
  async show(@PageCtx() ctx: PageContext, @Param('kind') kind: string): Promise<Answer> {
    const event = declared(kind);
    const endpoints = await this.webhooks.ofEnvironment(ctx);
    return page(kind, <EventView ctx={ctx} event={event} example={await exampleOf(kind)} endpoints={endpoints} />);
  }

  @Action({ route: 'POST /:kind/send', role: SENDING_ROLE })
  async send(@PageCtx() ctx: PageContext, @Param('kind') kind: string): Promise<Answer> {
    requireWebhooks(ctx);
    const example = await exampleOf(declared(kind).kind);
    if (!example) throw unknown();
    const endpoint = await this.webhooks.oneOfEnvironment(ctx, ctx.form.text('endpoint'));
    const outcome = await this.examples.send(endpoint, example);
    return page('Example', <SentView ctx={ctx} endpoint={endpoint} outcome={outcome} about={`the example of ${kind}`} />);
  }
}

function declared(kind: string): EventDeclaration {
  const event = eventOf(kind);
  if (!event) throw unknown();
  return event;
}

const unknown = (): Problem => new Problem('not_found', { detail: 'There is no such kind of event, or it has no example.' });
