import { Param } from '@nestjs/common';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { formOf, type PageContext, PageCtx, pathOf, type Answer, page } from '../../../api/console/page.js';
import { Badge, Copyable, Facts, Sentence } from '../../../api/console/parts/facts.js';
import { type Choice, ConsoleForm, SelectField } from '../../../api/console/parts/fields.js';
import { say, told } from '../../../api/console/say.js';
import { packageFolder } from '../../../api/http/package-folder.js';
import { FIRST } from '../../../api/wording/page-wording.js';
import { type EventDeclaration, eventOf } from '../../../kernel/declare-event.js';
import { Problem } from '../../../kernel/problems.js';
import { isAtLeast } from '../../../kernel/roles.js';
import type { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';
import { WebhooksService } from '../endpoints/webhooks.service.js';
import { EXAMPLE_HEADER, PingService } from '../operator/endpoint-operations.js';
import { SentView } from './deliveries.views.js';
import { requireWebhooks, SENDING_ROLE } from './deliveries.console.js';

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
      {example && isAtLeast(ctx.user.role, SENDING_ROLE) ? <SendForm ctx={ctx} kind={event.kind} endpoints={endpoints} /> : null}
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
    private readonly pings: PingService,
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
    const outcome = await this.pings.sendExample(endpoint, example);
    return page(say('console.webhooks.kind.example'), <SentView ctx={ctx} endpoint={endpoint} outcome={outcome} kind={kind} />);
  }
}

function declared(kind: string): EventDeclaration {
  const event = eventOf(kind);
  if (!event) throw unknown();
  return event;
}

const unknown = (): Problem => new Problem('not_found', { detail: 'There is no such kind of event, or it has no example.' });
