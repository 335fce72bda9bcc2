import { Param } from '@nestjs/common';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { formOf } from '../../../api/console/form.js';
import { type PageContext, PageCtx, pathOf } from '../../../api/console/page-context.js';
import { type Answer, page } from '../../../api/console/page.js';
import { Badge, Copyable, Facts } from '../../../api/console/parts/facts.js';
import { type Choice, ConsoleForm, SelectField } from '../../../api/console/parts/fields.js';
import { packageFolder } from '../../../api/http/package-folder.js';
import { type EventDeclaration, eventOf } from '../../../kernel/declare-event.js';
import { Problem } from '../../../kernel/problems.js';
import { isAtLeast } from '../../../kernel/roles.js';
import type { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';
import { WebhooksService } from '../endpoints/webhooks.service.js';
import { EXAMPLE_HEADER, ExampleService } from '../operator/example.service.js';
import { SentView } from './replay.views.js';
import { requireWebhooks, SENDING_ROLE } from './sending-access.js';

/** The body of an event, as the AsyncAPI document shows it. */
type ExampleBody = Readonly<Record<string, unknown>> & { readonly type: string };

interface Document {
  readonly components: {
    readonly messages: Readonly<Record<string, { readonly examples?: readonly { readonly payload: ExampleBody }[] }>>;
  };
}

let kept: Promise<Document> | undefined;

/** The example of a kind; undefined for one whose data is not settled. The document is read once. */
async function makeExample(kind: string): Promise<ExampleBody | undefined> {
  kept ??= readFile(join(packageFolder(), 'docs', 'asyncapi.json'), 'utf8').then((text) => JSON.parse(text) as Document);
  const { messages } = (await kept).components;
  return Object.hasOwn(messages, kind) ? messages[kind]!.examples?.[0]?.payload : undefined;
}

interface EventProps {
  readonly ctx: PageContext;
  readonly event: EventDeclaration;
  readonly example: ExampleBody | undefined;
  readonly endpoints: readonly Pick<WebhookEndpoint, 'id' | 'name'>[];
}

const STATES = { emitted: 'Sent', planned: 'Planned: nothing sends it yet', test: 'Sent by a test only' } as const;

function EventView({ ctx, event, example, endpoints }: EventProps) {
  return (
    <>
      <Facts
        facts={[
          ['When it is sent', event.summary],
          ['State', <Badge tone={event.status === 'emitted' ? 'good' : 'plain'}>{STATES[event.status]}</Badge>],
          ['Schema', <a href="/asyncapi.json">AsyncAPI</a>],
        ]}
      />
      <h2>Example</h2>
      {example ? (
        <Copyable label="The body of an example" text={JSON.stringify(example, null, 2)} />
      ) : (
        <p>It is not settled yet what this event contains.</p>
      )}
      {example && isAtLeast(ctx.user.role, SENDING_ROLE) ? <SendForm ctx={ctx} kind={event.kind} endpoints={endpoints} /> : null}
    </>
  );
}

function SendForm({ ctx, kind, endpoints }: Pick<EventProps, 'ctx' | 'endpoints'> & { kind: string }) {
  if (endpoints.length === 0) return null;
  const choices: Choice[] = endpoints.map(({ id, name }) => [id, name]);
  return (
    <>
      <h2>Send it</h2>
      <p>
        The example is signed as the event would be, and has the header <code>{EXAMPLE_HEADER}: true</code>. It is not in the delivery log.
      </p>
      <ConsoleForm ctx={ctx} action={pathOf(ctx, 'webhooks', 'events', kind, 'send')} submit="Send me an example">
        <SelectField state={formOf()} name="endpoint" label="Endpoint" choices={choices} />
      </ConsoleForm>
    </>
  );
}

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
    return page(kind, <EventView ctx={ctx} event={event} example={await makeExample(kind)} endpoints={endpoints} />);
  }

  @Action({ route: 'POST /:kind/send', role: SENDING_ROLE })
  async send(@PageCtx() ctx: PageContext, @Param('kind') kind: string): Promise<Answer> {
    requireWebhooks(ctx);
    const example = await makeExample(declared(kind).kind);
    if (!example) throw unknown();
    const endpoint = await this.webhooks.oneOfEnvironment(ctx, ctx.form.id('endpoint'));
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
