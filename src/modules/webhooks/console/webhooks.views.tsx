import { type PageContext, pathOf } from '../../../api/console/page.js';
import { Badge, Copyable, Time, Note, PlainLink, Sentence } from '../../../api/console/parts/facts.js';
import { Table } from '../../../api/console/parts/list.js';
import { duration, say, told } from '../../../api/console/say.js';
import { Filled, FIRST, SECOND } from '../../../api/wording/page-wording.js';
import { declaredEvents, type EventDeclaration } from '../../../kernel/declare-event.js';
import { DISABLED_AFTER_FAILING_MS, disabledAtOf, WEBHOOKS_PLAN } from '../endpoints/endpoint-rules.js';
import type { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';
import type { WebhookWithSecretDto } from '../endpoints/webhooks.dto.js';

type State = Pick<WebhookEndpoint, 'status' | 'disabledReason' | 'failingSince'>;

/** Whether somebody should look at it. A pause is no mistake. */
export const isInTrouble = ({ status, disabledReason, failingSince }: State): boolean =>
  status === 'active' ? failingSince !== null : disabledReason !== 'manual';

const TONES = { active: 'good', failing: 'busy', disabled: 'bad', paused: 'plain' } as const;

export function EndpointStatus({ of: endpoint }: { of: State }) {
  const [bad, good] = endpoint.status === 'active' ? (['failing', 'active'] as const) : (['disabled', 'paused'] as const);
  const state = isInTrouble(endpoint) ? bad : good;
  return <Badge tone={TONES[state]}>{say(`console.webhooks.states.${state}`)}</Badge>;
}

export function StateNote({ ctx, endpoint }: { ctx: PageContext; endpoint: WebhookEndpoint }) {
  const { status, disabledReason, failingSince } = endpoint;
  const linkTo = (page: 'deliveries' | 'replay') => (
    <a href={pathOf(ctx, 'webhooks', endpoint.id, page)}>{say(`console.webhooks.state.links.${page}`)}</a>
  );
  if (status === 'active' && failingSince === null) return null;
  if (status === 'active')
    return (
      <div class="warning">
        <Sentence
          text={say('console.webhooks.state.failing', { since: FIRST, end: SECOND })}
          parts={[<Time ctx={ctx} at={failingSince} />, <Time ctx={ctx} at={disabledAtOf(failingSince!)} />]}
        />
        <p>{say('console.webhooks.state.enough')}</p>
      </div>
    );
  if (disabledReason === 'manual') return <p class="warning">{say('console.webhooks.state.paused')}</p>;
  return (
    <div class="error">
      <p>
        {disabledReason === 'gone'
          ? say('console.webhooks.state.gone')
          : say('console.webhooks.state.failed', { duration: duration(DISABLED_AFTER_FAILING_MS) })}
      </p>
      <p>{say('console.webhooks.state.toReturn')}</p>
      <ol>
        <li>
          <Filled text={say('console.webhooks.state.repair', { deliveries: FIRST })} parts={[linkTo('deliveries')]} />
        </li>
        <li>{say('console.webhooks.state.test')}</li>
        <li>{disabledReason === 'gone' ? say('console.webhooks.state.resume') : say('console.webhooks.state.resumeFailed')}</li>
        {disabledReason === 'gone' ? (
          <li>
            <Filled text={say('console.webhooks.state.replay', { replay: FIRST })} parts={[linkTo('replay')]} />
          </li>
        ) : null}
      </ol>
    </div>
  );
}

const GUIDE = '/guides/webhooks';

export const NeedsPlan = ({ ctx: { organization } }: { ctx: PageContext }) => (
  <div class="empty">
    <p>{say('console.webhooks.planAbout')}</p>
    <p>
      {say('console.webhooks.needPlan', { plan: told(WEBHOOKS_PLAN), organization: organization.name, current: told(organization.plan) })}
    </p>
  </div>
);

export function WebhookList({ ctx, endpoints }: { ctx: PageContext; endpoints: readonly WebhookEndpoint[] }) {
  return (
    <>
      <p>
        <Filled
          text={say('console.webhooks.about', { events: FIRST })}
          parts={[<a href={pathOf(ctx, 'webhooks', 'events')}>{say('console.webhooks.aboutEvents')}</a>]}
        />{' '}
        <a href={GUIDE}>{say('console.webhooks.howToReceive')}</a>
      </p>
      <Table
        caption={say('console.webhooks.list')}
        rows={endpoints}
        empty={<p>{say('console.webhooks.none', { environment: ctx.environment })}</p>}
        columns={[
          [say('console.webhooks.name'), ({ id, name }) => <a href={pathOf(ctx, 'webhooks', id)}>{name}</a>],
          ['URL', ({ targetUrl }) => targetUrl],
          [say('console.webhooks.events'), ({ subscribedEvents }) => subscribedEvents.length, 'number'],
          [say('console.webhooks.status'), (endpoint) => <EndpointStatus of={endpoint} />],
          [say('console.webhooks.lastDelivered'), ({ lastDeliveryAt }) => <Time ctx={ctx} at={lastDeliveryAt} />],
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
          <p>{say('console.webhooks.secret.publicAbout')}</p>
          <Copyable label={say('console.webhooks.secret.public')} text={publicKey ?? ''} />
        </>
      ) : (
        <>
          <Note tone="warning">{say('console.webhooks.secret.copyNow')}</Note>
          <Copyable label={say('console.webhooks.secret.signing')} text={secret} />
        </>
      )}
      <p>
        {say('console.webhooks.secret.check')} <a href={GUIDE}>{say('console.webhooks.secret.howToCheck')}</a>
      </p>
      <p>
        <PlainLink to={pathOf(ctx, 'webhooks', id)} label={say('console.webhooks.toEndpoint')} />
      </p>
    </>
  );
}

export const EventCatalogue = ({ ctx }: { ctx: PageContext }) => (
  <>
    <Sentence
      text={say('console.webhooks.catalogue.about', { asyncapi: FIRST, guide: SECOND })}
      parts={[<a href="/asyncapi.json">AsyncAPI</a>, <a href={GUIDE}>{say('console.webhooks.catalogue.guide')}</a>]}
    />
    <EventTable ctx={ctx} of="emitted" />
    <h2>{say('console.webhooks.catalogue.testOnly')}</h2>
    <EventTable ctx={ctx} of="test" />
    <h2>{say('console.webhooks.catalogue.plannedTitle')}</h2>
    <p>{say('console.webhooks.catalogue.plannedAbout')}</p>
    <EventTable ctx={ctx} of="planned" />
  </>
);

const EventTable = ({ ctx, of }: { ctx: PageContext; of: EventDeclaration['status'] }) => (
  <Table
    caption={say(`console.webhooks.catalogue.${of}`)}
    rows={declaredEvents().filter(({ status }) => status === of)}
    empty={<p>{say('console.webhooks.catalogue.none')}</p>}
    columns={[
      [
        say('console.webhooks.catalogue.kind'),
        ({ kind }) => (
          <a href={pathOf(ctx, 'webhooks', 'events', kind)}>
            <code>{kind}</code>
          </a>
        ),
      ],
      [say('console.webhooks.whenSent'), ({ summary }) => told(summary)],
    ]}
  />
);
