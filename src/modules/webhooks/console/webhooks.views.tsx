import type { FormState } from '../../../api/console/form.js';
import { pathOf, type PageContext } from '../../../api/console/page-context.js';
import { ActionButton, Badge, Confirm, Copyable, Facts, Time } from '../../../api/console/parts/facts.js';
import { CheckGroup, ConsoleForm, TextField } from '../../../api/console/parts/fields.js';
import { Table } from '../../../api/console/parts/list.js';
import { eventOf, subscribableKinds } from '../../../kernel/declare-event.js';
import { inWords } from '../../../kernel/durations.js';
import { DISABLED_AFTER_FAILING_MS, SECRET_OVERLAP_MS } from '../endpoints/endpoint-rules.js';
import type { DisabledReason, WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';
import type { Outcome } from '../sending/sender.js';

/** Why an endpoint is disabled, and how to get it back. */
const REASONS: Record<DisabledReason, string> = {
  manual: 'Somebody paused it. Resume it to get new events.',
  failing: `All its deliveries failed for ${inWords(DISABLED_AFTER_FAILING_MS)}. Mend the receiver, send a test, resume it, and replay.`,
  gone: 'It answered 410: that it wants nothing more. Resume it if that was a mistake.',
};

export const EndpointStatus = ({ endpoint: { status, failingSince } }: { endpoint: WebhookEndpoint }) => {
  if (status === 'disabled') return <Badge tone="bad">Disabled</Badge>;
  return failingSince === null ? <Badge tone="good">Active</Badge> : <Badge tone="busy">Failing</Badge>;
};

export function EndpointList({ ctx, endpoints }: { ctx: PageContext; endpoints: readonly WebhookEndpoint[] }) {
  return (
    <>
      <p>An endpoint is an address of yours that events are sent to, signed, as they happen.</p>
      <p class="buttons">
        {ctx.can('webhooks.create') ? (
          <a class="button" href={pathOf(ctx, 'webhooks', 'new')}>
            New endpoint
          </a>
        ) : null}
        <a class="button plain" href={pathOf(ctx, 'event-kinds')}>
          What events there are
        </a>
      </p>
      <Table
        caption="Webhook endpoints"
        rows={endpoints}
        empty={<p>No endpoint is here yet.</p>}
        columns={[
          ['Name', (endpoint) => <a href={pathOf(ctx, 'webhooks', endpoint.id)}>{endpoint.name}</a>],
          ['Address', (endpoint) => endpoint.targetUrl],
          ['Status', (endpoint) => <EndpointStatus endpoint={endpoint} />],
          ['Events', (endpoint) => endpoint.subscribedEvents.length, 'number'],
          ['Last success', (endpoint) => <Time ctx={ctx} at={endpoint.lastDeliveryAt} />],
        ]}
      />
    </>
  );
}

export function EndpointView({ ctx, endpoint }: { ctx: PageContext; endpoint: WebhookEndpoint }) {
  const { id, targetUrl, subscribedEvents, description, secretHint, previousSecretExpiresAt, disabledReason, lastDeliveryAt } = endpoint;
  return (
    <>
      {disabledReason === null ? null : <p class="warning">{REASONS[disabledReason]}</p>}
      <Facts
        facts={[
          ['Address', targetUrl],
          ['Status', <EndpointStatus endpoint={endpoint} />],
          ['Failing since', endpoint.failingSince === null ? null : <Time ctx={ctx} at={endpoint.failingSince} />],
          ['Last success', <Time ctx={ctx} at={lastDeliveryAt} />],
          ['Events', subscribedEvents.join(', ')],
          ['Description', description],
          ['Secret', <code>…{secretHint}</code>],
          ['Old secret works until', previousSecretExpiresAt === null ? null : <Time ctx={ctx} at={previousSecretExpiresAt} />],
          ['Id', <code>{id}</code>],
        ]}
      />
      <p>
        <a class="button plain" href={pathOf(ctx, 'webhooks', id, 'deliveries')}>
          Deliveries
        </a>
      </p>
      {ctx.can('webhooks.update') ? <EndpointSteps ctx={ctx} endpoint={endpoint} /> : null}
    </>
  );
}

function EndpointSteps({ ctx, endpoint: { id, status } }: { ctx: PageContext; endpoint: WebhookEndpoint }) {
  const to = (step: string): string => pathOf(ctx, 'webhooks', id, step);
  return (
    <div class="steps">
      <a class="button" href={to('edit')}>
        Edit
      </a>
      <ActionButton ctx={ctx} action={to('ping')} label="Send a test" />
      {status === 'disabled' ? <ActionButton ctx={ctx} action={to('resume')} label="Resume" /> : null}
      {status === 'active' ? (
        <Confirm
          ctx={ctx}
          action={to('pause')}
          label="Pause"
          question="Nothing is sent until it is resumed, and what is pending is given up. It can be replayed."
          submit="Pause it"
        />
      ) : null}
      <Confirm
        ctx={ctx}
        action={to('rotate')}
        label="Rotate the secret"
        question={`A new secret is made, and shown once. Deliveries are signed with the old one, too, for ${inWords(SECRET_OVERLAP_MS)}.`}
        submit="Make a new secret"
      />
      <Confirm
        ctx={ctx}
        action={to('delete')}
        label="Delete"
        question="The endpoint and its delivery log are deleted. What is pending is not sent."
        submit="Delete it"
      />
    </div>
  );
}

interface SecretProps {
  readonly ctx: PageContext;
  readonly id: string;
  readonly secret: string | undefined;
  readonly isRotated?: boolean;
}

export function SecretView({ ctx, id, secret, isRotated = false }: SecretProps) {
  return (
    <>
      {secret === undefined ? (
        <p>Deliveries are signed with a private key. The public key that verifies them is in the record of the endpoint.</p>
      ) : (
        <>
          <p class="warning">Copy the secret now: it is not shown again. Receivers verify deliveries with it.</p>
          <Copyable label="The signing secret" text={secret} />
        </>
      )}
      {isRotated ? <p>Deliveries are signed with the old secret, too, for {inWords(SECRET_OVERLAP_MS)}.</p> : null}
      <p>
        <a class="button" href={pathOf(ctx, 'webhooks', id)}>
          Done
        </a>
      </p>
    </>
  );
}

export function PingView({ ctx, endpoint, outcome }: { ctx: PageContext; endpoint: WebhookEndpoint; outcome: Outcome }) {
  const { status, errorCode, durationMs, start } = outcome;
  return (
    <>
      <p class={errorCode === null ? 'notice' : 'error'} role="status">
        {errorCode === null ? 'The endpoint answered.' : `The endpoint cannot be reached, or refused the test: ${errorCode}.`}
      </p>
      <Facts
        facts={[
          ['Address', endpoint.targetUrl],
          ['Status', status],
          ['Duration', `${durationMs} ms`],
          ['Answer', start === undefined ? null : <pre tabIndex={0}>{start.toString('utf8')}</pre>],
        ]}
      />
      <p>
        <a class="button" href={pathOf(ctx, 'webhooks', endpoint.id)}>
          Back
        </a>
      </p>
    </>
  );
}

export const valuesOf = ({ name, targetUrl, subscribedEvents, description }: WebhookEndpoint) => ({
  name,
  targetUrl,
  subscribedEvents,
  description,
});

interface EndpointFormProps {
  readonly ctx: PageContext;
  readonly state: FormState;
  readonly submit: string;
  readonly cancel: string;
}

export function EndpointForm({ ctx, state, submit, cancel }: EndpointFormProps) {
  const kinds = subscribableKinds().map((kind) => [kind, `${eventOf(kind)!.summary} (${kind})`] as const);
  const hint = ctx.environment === 'live' ? 'https, reachable from the Internet.' : 'http or https, reachable from the Internet.';
  return (
    <ConsoleForm ctx={ctx} state={state} submit={submit} cancel={cancel}>
      <TextField state={state} name="name" label="Name" required maxLength={200} />
      <TextField state={state} name="targetUrl" label="Address" hint={hint} type="url" required maxLength={2048} />
      <CheckGroup state={state} name="subscribedEvents" label="Events" choices={kinds} />
      <TextField state={state} name="description" label="Description" maxLength={1000} />
    </ConsoleForm>
  );
}
