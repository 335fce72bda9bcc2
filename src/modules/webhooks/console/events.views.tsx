import { formOf } from '../../../api/console/form.js';
import { pathOf, type PageContext } from '../../../api/console/page-context.js';
import { Badge, Copyable, Facts } from '../../../api/console/parts/facts.js';
import { ConsoleForm, SelectField, type Choice } from '../../../api/console/parts/fields.js';
import type { EventDeclaration } from '../../../kernel/declare-event.js';
import { isAtLeast } from '../../../kernel/roles.js';
import type { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';
import { EXAMPLE_HEADER } from '../operator/example.service.js';
import type { ExampleBody } from './event-examples.js';
import { SENDING_ROLE } from './sending-access.js';

interface EventProps {
  readonly ctx: PageContext;
  readonly event: EventDeclaration;
  readonly example: ExampleBody | undefined;
  readonly endpoints: readonly Pick<WebhookEndpoint, 'id' | 'name'>[];
}

const STATES = { emitted: 'Sent', planned: 'Planned: nothing sends it yet', test: 'Sent by a test only' } as const;

export function EventView({ ctx, event, example, endpoints }: EventProps) {
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
