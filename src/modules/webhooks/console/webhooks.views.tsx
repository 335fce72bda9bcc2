import { type PageContext, pathOf } from '../../../api/console/page-context.js';
import { Badge, Copyable, Time } from '../../../api/console/parts/facts.js';
import { Table } from '../../../api/console/parts/list.js';
import { declaredEvents, type EventDeclaration } from '../../../kernel/declare-event.js';
import { inWords } from '../../../kernel/durations.js';
import { DISABLED_AFTER_FAILING_MS, WEBHOOKS_PLAN } from '../endpoints/endpoint-rules.js';
import type { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';
import type { WebhookWithSecretDto } from '../endpoints/webhooks.dto.js';

type State = Pick<WebhookEndpoint, 'status' | 'disabledReason' | 'failingSince'>;

/** Whether somebody should look at it. A pause is no mistake. */
export const isInTrouble = ({ status, disabledReason, failingSince }: State): boolean =>
  status === 'active' ? failingSince !== null : disabledReason !== 'manual';

export function EndpointStatus({ of: endpoint }: { of: State }) {
  if (endpoint.status === 'active') return isInTrouble(endpoint) ? <Badge tone="busy">Failing</Badge> : <Badge tone="good">Active</Badge>;
  return isInTrouble(endpoint) ? <Badge tone="bad">Disabled</Badge> : <Badge>Paused</Badge>;
}

const disabledAtOf = (failingSince: string): string => new Date(Date.parse(failingSince) + DISABLED_AFTER_FAILING_MS).toISOString();

/** What is wrong with an endpoint, and how it is put right. */
export function StateNote({ ctx, endpoint }: { ctx: PageContext; endpoint: WebhookEndpoint }) {
  const { status, disabledReason, failingSince } = endpoint;
  if (status === 'active' && failingSince === null) return null;
  if (status === 'active')
    return (
      <div class="warning">
        <p>
          No delivery has succeeded since <Time ctx={ctx} at={failingSince} />. If that does not change, the endpoint is disabled after{' '}
          <Time ctx={ctx} at={disabledAtOf(failingSince!)} />.
        </p>
        <p>The deliveries below say what the receiver answered. One delivery that it answers with 2xx is enough.</p>
      </div>
    );
  if (disabledReason === 'manual')
    return <p class="warning">The endpoint is paused: it gets nothing. What it misses can be replayed after it is resumed.</p>;
  return (
    <div class="error">
      <p>
        {disabledReason === 'gone'
          ? 'The service disabled the endpoint because it answered with 410 (Gone), which means that it wants no more deliveries.'
          : `The service disabled the endpoint because no delivery succeeded for ${inWords(DISABLED_AFTER_FAILING_MS)}.`}
      </p>
      <p>To get it back:</p>
      <ol>
        <li>
          See in <a href={pathOf(ctx, 'webhooks', endpoint.id, 'deliveries')}>the deliveries</a> what the receiver answered, and repair it.
        </li>
        <li>Send a test. It also works while the endpoint is disabled.</li>
        <li>Resume the endpoint. It gets what happens from then on.</li>
        <li>
          <a href={pathOf(ctx, 'webhooks', endpoint.id, 'replay')}>Replay</a> what it has missed.
        </li>
      </ol>
    </div>
  );
}

const GUIDE = '/guides/webhooks';

export const NeedsPlan = ({ ctx }: { ctx: PageContext }) => (
  <div class="empty">
    <p>A webhook tells your systems at once what happened here: they need not ask.</p>
    <p>
      Webhooks need the plan {WEBHOOKS_PLAN}. {ctx.organization.name} has the plan {ctx.organization.plan}.
    </p>
  </div>
);

export function WebhookList({ ctx, endpoints }: { ctx: PageContext; endpoints: readonly WebhookEndpoint[] }) {
  return (
    <>
      <p>
        A webhook endpoint is a URL of yours that gets <a href={pathOf(ctx, 'webhooks', 'events')}>events</a> as signed requests.{' '}
        <a href={GUIDE}>How to receive them</a>
      </p>
      <Table
        caption="Webhook endpoints"
        rows={endpoints}
        empty={<p>There is no endpoint for the {ctx.environment} data yet.</p>}
        columns={[
          ['Name', ({ id, name }) => <a href={pathOf(ctx, 'webhooks', id)}>{name}</a>],
          ['URL', ({ targetUrl }) => targetUrl],
          ['Events', ({ subscribedEvents }) => subscribedEvents.length, 'number'],
          ['Status', (endpoint) => <EndpointStatus of={endpoint} />],
          ['Last delivered', ({ lastDeliveryAt }) => <Time ctx={ctx} at={lastDeliveryAt} />],
        ]}
      />
    </>
  );
}

/** The only page that ever shows a signing secret. */
export function SecretView({ ctx, made: { id, secret, publicKey } }: { ctx: PageContext; made: WebhookWithSecretDto }) {
  return (
    <>
      {secret === undefined ? (
        <>
          <p>Your receiver verifies deliveries with this public key. The private key stays here.</p>
          <Copyable label="The public key" text={publicKey ?? ''} />
        </>
      ) : (
        <>
          <p class="warning" role="status">
            Copy the signing secret now and give it to your receiver. It is not shown again.
          </p>
          <Copyable label="The signing secret" text={secret} />
        </>
      )}
      <p>
        A receiver that does not check the signature believes anybody. <a href={GUIDE}>How to check it</a>
      </p>
      <p>
        <a class="button plain" href={pathOf(ctx, 'webhooks', id)}>
          Go to the endpoint
        </a>
      </p>
    </>
  );
}

/** What an endpoint can subscribe to. */
export function EventCatalogue({ ctx }: { ctx: PageContext }) {
  const kinds = (wanted: EventDeclaration['status']) => declaredEvents().filter(({ status }) => status === wanted);
  return (
    <>
      <p>
        An event has the record right after the change. <a href="/asyncapi.json">AsyncAPI</a> has the schema of each kind, and{' '}
        <a href={GUIDE}>the guide</a> shows a message.
      </p>
      <EventTable ctx={ctx} caption="Events that are sent" events={kinds('emitted')} />
      <h2>Sent by a test only</h2>
      <EventTable ctx={ctx} caption="Events that a test sends" events={kinds('test')} />
      <h2>Planned</h2>
      <p>An endpoint can subscribe to these already. Nothing sends them yet.</p>
      <EventTable ctx={ctx} caption="Planned events" events={kinds('planned')} />
    </>
  );
}

const EventTable = ({ ctx, caption, events }: { ctx: PageContext; caption: string; events: readonly EventDeclaration[] }) => (
  <Table
    caption={caption}
    rows={events}
    empty={<p>There are none.</p>}
    columns={[
      [
        'Kind',
        ({ kind }) => (
          <a href={pathOf(ctx, 'webhooks', 'events', kind)}>
            <code>{kind}</code>
          </a>
        ),
      ],
      ['When it is sent', ({ summary }) => summary],
    ]}
  />
);
