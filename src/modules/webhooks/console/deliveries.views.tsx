import type { ComponentChildren } from 'preact';
import { type PageContext, pathOf, type FormState } from '../../../api/console/page.js';
import { Bars } from '../../../api/console/parts/bars.js';
import { ActionButton, Badge, Copyable, Facts, Time, type Tone, Confirm, PlainLink, Way } from '../../../api/console/parts/facts.js';
import { TextField } from '../../../api/console/parts/fields.js';
import { Filters, Pager, Table } from '../../../api/console/parts/list.js';
import type { Columns } from '../../../api/console/record-pages.js';
import { count, say, wordingNow, duration } from '../../../api/console/say.js';
import { isWordingKey, type WordingKey } from '../../../api/wording/catalogues.js';
import { Filled, FIRST } from '../../../api/wording/page-wording.js';
import { subscribableKinds } from '../../../kernel/declare-event.js';
import type { PageOf } from '../../../store/tenant/page.js';
import type { DeliveryStatus, GiveUpReason, WebhookDeliveryDetailsDto } from '../deliveries/webhook-delivery.dto.js';
import type { MissedKindDto } from '../deliveries/replays.dto.js';
import type { HourOfAttempts, WebhookDelivery } from '../deliveries/webhook-delivery.entity.js';
import type { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';
import type { PingDto } from '../deliveries/replays.dto.js';
import type { Outcome } from '../sending/sender.js';
import { StateNote } from './webhooks.views.js';

type ErrorCode = NonNullable<Outcome['errorCode']> | GiveUpReason;

const TONES: Record<DeliveryStatus, Tone> = { pending: 'busy', delivered: 'good', failed: 'bad' };
const STATUSES = Object.keys(TONES) as DeliveryStatus[];
const labelOf = (status: DeliveryStatus): string => say(`console.webhooks.statuses.${status}`);
const DeliveryStatusBadge = ({ of: status }: { of: DeliveryStatus }) => <Badge tone={TONES[status]}>{labelOf(status)}</Badge>;

export function resultInWords({ responseStatus, errorCode }: { responseStatus: number | null; errorCode: string | null }): string {
  if (responseStatus !== null) return `HTTP ${responseStatus}`;
  if (errorCode === null) return '';
  const key: WordingKey = `console.webhooks.errors.${errorCode as ErrorCode}`;
  return isWordingKey(key) ? say(key) : errorCode;
}

export const inMilliseconds = (ms: number | null): string => (ms === null ? '' : `${count(ms)} ms`);

const NEWS_SECONDS = '5';
const SOON_MS = 60_000;

/** Asks for the page again while something is about to be sent; undefined: there will be no news soon. */
function newsFor({ status }: WebhookEndpoint, now: Date, rows: readonly Pick<WebhookDelivery, 'status' | 'scheduledAt'>[]) {
  const isDue = rows.some((row) => row.status === 'pending' && Date.parse(row.scheduledAt) < now.getTime() + SOON_MS);
  return isDue && status === 'active' ? NEWS_SECONDS : undefined;
}

export interface LogProps {
  readonly ctx: PageContext;
  readonly now: Date;
  readonly endpoint: WebhookEndpoint;
  readonly found: PageOf<WebhookDelivery>;
  readonly hours: readonly HourOfAttempts[];
}

export function DeliveryLog({ ctx, now, endpoint, found, hours }: LogProps) {
  return (
    <>
      <StateNote ctx={ctx} endpoint={endpoint} />
      <LastDay ctx={ctx} hours={hours} />
      <Filters
        ctx={ctx}
        selects={[
          ['status', say('console.webhooks.status'), STATUSES.map((status) => [status, labelOf(status)])],
          ['event_kind', say('console.webhooks.event'), subscribableKinds().map((kind) => [kind, kind])],
        ]}
      />
      <div id="deliveries" data-news={newsFor(endpoint, now, found.rows)}>
        <DeliveryTable ctx={ctx} rows={found.rows} of="log" />
        <Pager ctx={ctx} counted={found} />
      </div>
    </>
  );
}

function LastDay({ ctx, hours }: { ctx: PageContext; hours: readonly HourOfAttempts[] }) {
  const sumOf = (key: 'delivered' | 'failed'): number => hours.reduce((sum, hour) => sum + hour[key], 0);
  const [delivered, failed] = [sumOf('delivered'), sumOf('failed')];
  if (delivered + failed === 0) return null;
  const { timeZone } = ctx.organization;
  const time = new Intl.DateTimeFormat(wordingNow().language, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone });
  return (
    <Bars
      title={say('console.webhooks.log.lastDay')}
      legend={[
        ['good', say('console.webhooks.log.delivered', { count: delivered })],
        ['bad', say('console.webhooks.log.failed', { count: failed })],
      ]}
      bars={hours.map((hour) => ({
        label: time.format(hour.hourMs),
        parts: [
          { tone: 'good', value: hour.delivered },
          { tone: 'bad', value: hour.failed },
        ],
      }))}
    />
  );
}

interface DeliveryTableProps {
  readonly ctx: PageContext;
  readonly rows: readonly WebhookDelivery[];
  /** The newest are shown without what one looks at when something is wrong. */
  readonly of: 'log' | 'newest' | 'event';
}

const attemptIn = ({ attempt, trigger }: WebhookDelivery) =>
  trigger === 'manual' ? say('console.webhooks.askedFor', { attempt }) : attempt;

export function DeliveryTable({ ctx, rows, of }: DeliveryTableProps) {
  const details: Columns<WebhookDelivery> = [
    [say('console.webhooks.attempt'), attemptIn, 'number'],
    [say('console.webhooks.result'), resultInWords],
    [say('console.webhooks.took'), ({ durationMs }) => inMilliseconds(durationMs), 'number'],
  ];
  return (
    <Table
      caption={say(`console.webhooks.deliveriesOf.${of}`)}
      rows={rows}
      empty={<p>{say(`console.webhooks.noneOf.${of}`)}</p>}
      columns={[
        [
          say('console.webhooks.event'),
          ({ id, webhookId, eventKind }) => (
            <a href={pathOf(ctx, 'webhooks', webhookId, 'deliveries', id)}>
              <code>{eventKind}</code>
            </a>
          ),
        ],
        [say('console.webhooks.status'), ({ status }) => <DeliveryStatusBadge of={status} />],
        ...(of === 'newest' ? [] : details),
        [say('console.webhooks.log.when'), ({ attemptedAt, scheduledAt }) => <Time ctx={ctx} at={attemptedAt ?? scheduledAt} />],
      ]}
    />
  );
}

interface DeliveryProps extends Pick<LogProps, 'ctx' | 'now' | 'endpoint'> {
  readonly delivery: WebhookDeliveryDetailsDto;
  /** All attempts of the event, this one among them. */
  readonly attempts: readonly WebhookDelivery[];
}

export function DeliveryView({ ctx, now, endpoint, delivery, attempts }: DeliveryProps) {
  const { id, eventKind, eventId, attempt, status, durationMs, scheduledAt, attemptedAt, nextAttemptAt, requestId } = delivery;
  return (
    <div id="delivery" data-news={newsFor(endpoint, now, [delivery])}>
      <Way to={pathOf(ctx, 'webhooks', endpoint.id, 'deliveries')} label={say('console.webhooks.delivery.of', { name: endpoint.name })} />
      <Redeliver ctx={ctx} endpoint={endpoint} deliveryId={id} />
      <Facts
        facts={[
          [say('console.webhooks.event'), <code>{eventKind}</code>],
          [say('console.webhooks.delivery.eventId'), <code>{eventId}</code>],
          [say('console.webhooks.attempt'), attempt],
          [say('console.webhooks.status'), <DeliveryStatusBadge of={status} />],
          [say('console.webhooks.result'), resultInWords(delivery) || null],
          [say('console.webhooks.took'), inMilliseconds(durationMs) || null],
          [say('console.webhooks.delivery.due'), <Time ctx={ctx} at={scheduledAt} />],
          [say('console.webhooks.delivery.sent'), <Time ctx={ctx} at={attemptedAt} />],
          ...(nextAttemptAt ? [[say('console.webhooks.delivery.next'), <Time ctx={ctx} at={nextAttemptAt} />] as const] : []),
          [say('console.webhooks.delivery.request'), requestId === null ? null : <code>{requestId}</code>],
        ]}
      />
      <Sent request={delivery.request} />
      <Answered response={delivery.response} />
      <h2>{say('console.webhooks.delivery.all')}</h2>
      <DeliveryTable ctx={ctx} rows={attempts} of="event" />
    </div>
  );
}

function Redeliver({ ctx, endpoint, deliveryId }: { ctx: PageContext; endpoint: WebhookEndpoint; deliveryId: string }) {
  if (!ctx.can('webhooks.update')) return null;
  if (endpoint.status === 'disabled') return <p class="hint">{say('console.webhooks.delivery.resumeFirst')}</p>;
  const action = pathOf(ctx, 'webhooks', endpoint.id, 'deliveries', deliveryId, 'redeliver');
  return (
    <div class="steps">
      <ActionButton ctx={ctx} action={action} label={say('console.webhooks.delivery.again')} />
    </div>
  );
}

const Sent = ({ request }: { request: WebhookDeliveryDetailsDto['request'] }) => (
  <>
    <h2>{say('console.webhooks.delivery.whatSent')}</h2>
    {request === null ? (
      <p>{say('console.webhooks.delivery.notMade')}</p>
    ) : (
      <>
        <p>
          POST <code>{request.url}</code>
        </p>
        <Copyable label={say('console.webhooks.delivery.headers')} text={linesOf(request.headers)} />
        {request.body === null ? <p>{say('console.webhooks.delivery.notKept')}</p> : null}
        {request.body === null ? null : <Copyable label={say('console.webhooks.delivery.body')} text={request.body} />}
      </>
    )}
  </>
);

const linesOf = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

const Answered = ({ response }: { response: WebhookDeliveryDetailsDto['response'] }) => (
  <>
    <h2>{say('console.webhooks.delivery.answered')}</h2>
    {response === null ? <p>{say('console.webhooks.delivery.nothing')}</p> : null}
    {response?.body === '' ? <p>{say('console.webhooks.delivery.noBody')}</p> : null}
    {response?.body ? <Copyable label={say('console.webhooks.answerStart')} text={response.body} /> : null}
    {response?.truncated ? <p class="hint">{say('console.webhooks.delivery.longer')}</p> : null}
  </>
);

interface ReplayProps extends Pick<LogProps, 'ctx' | 'endpoint'> {
  readonly state: FormState;
  /** The time that was asked for, if it is one. */
  readonly since: string | undefined;
  readonly missed: readonly MissedKindDto[];
  readonly choices: readonly (readonly [label: string, since: string])[];
  readonly keptMs: number;
}

export function ReplayView({ ctx, endpoint, state, since, missed, choices, keptMs }: ReplayProps) {
  const action = pathOf(ctx, 'webhooks', endpoint.id, 'replay');
  return (
    <>
      <Way to={pathOf(ctx, 'webhooks', endpoint.id)} label={endpoint.name} />
      <p>{say('console.webhooks.replay.about', { duration: duration(keptMs) })}</p>
      <form method="get" action={action} class="filters">
        <TextField state={state} name="since" label={say('console.webhooks.since')} hint={say('console.webhooks.sinceHint')} required />
        <button class="plain">{say('console.webhooks.replay.show')}</button>
      </form>
      <p>
        {choices.map(([label, time]) => (
          <>
            <a href={`${action}?since=${encodeURIComponent(time)}`}>{label}</a>{' '}
          </>
        ))}
      </p>
      {since === undefined ? null : <Missed ctx={ctx} endpoint={endpoint} since={since} missed={missed} action={action} />}
      <h2>{say('console.webhooks.replay.stop')}</h2>
      <Confirm
        ctx={ctx}
        action={`${action}/stop`}
        label={say('console.webhooks.replay.stop')}
        question={say('console.webhooks.replay.stopAbout')}
        submit={say('console.webhooks.replay.stopNow')}
      />
    </>
  );
}

type MissedProps = Pick<ReplayProps, 'ctx' | 'endpoint' | 'missed'> & Record<'since' | 'action', string>;

function Missed({ ctx, endpoint, since, missed, action }: MissedProps) {
  const total = missed.reduce((sum, { deliveries }) => sum + deliveries, 0);
  return (
    <>
      <h2>
        <Filled text={say('console.webhooks.replay.missedSince', { time: FIRST })} parts={[<Time ctx={ctx} at={since} />]} />
      </h2>
      <Table
        caption={say('console.webhooks.replay.missed')}
        rows={missed}
        empty={<p>{say('console.webhooks.replay.missedNothing')}</p>}
        columns={[
          [say('console.webhooks.event'), ({ kind }) => <code>{kind}</code>],
          [say('console.webhooks.deliveries'), ({ deliveries }) => count(deliveries), 'number'],
          [say('console.webhooks.replay.first'), ({ firstAt }) => <Time ctx={ctx} at={firstAt} />],
          [say('console.webhooks.replay.last'), ({ lastAt }) => <Time ctx={ctx} at={lastAt} />],
        ]}
      />
      {endpoint.status === 'disabled' ? <p class="hint">{say('console.webhooks.replay.resumeFirst')}</p> : null}
      {endpoint.status === 'active' && total > 0 ? (
        <div class="steps">
          <ActionButton ctx={ctx} action={action} label={say('console.webhooks.replay.send', { count: total })}>
            <input type="hidden" name="since" value={since} />
          </ActionButton>
        </div>
      ) : null}
    </>
  );
}

interface SentProps extends Pick<LogProps, 'ctx' | 'endpoint'> {
  readonly sent: PingDto;
  /** Whose example was sent; `none`: a test was. */
  readonly kind: string;
  readonly children?: ComponentChildren;
}

/** What an endpoint answered to something that is not in the delivery log. */
export function SentView({ ctx, endpoint, sent, kind, children }: SentProps) {
  const { errorCode, durationMs, response } = sent;
  return (
    <>
      <p class={errorCode === null ? 'notice' : 'error'} role="status">
        {errorCode === null ? say('console.webhooks.test.accepted', { kind }) : say('console.webhooks.test.refused', { kind })}
      </p>
      <Facts
        facts={[
          ['URL', <code>{endpoint.targetUrl}</code>],
          [say('console.webhooks.result'), resultInWords(sent)],
          [say('console.webhooks.took'), inMilliseconds(durationMs)],
        ]}
      />
      {response?.body ? <Copyable label={say('console.webhooks.answerStart')} text={response.body} /> : null}
      {children}
      <p>
        <PlainLink to={pathOf(ctx, 'webhooks', endpoint.id)} label={say('console.webhooks.toEndpoint')} />
      </p>
    </>
  );
}

export const PingView = (props: Omit<SentProps, 'kind' | 'children'>) => (
  <SentView {...props} kind="none">
    <p class="hint">{say('console.webhooks.test.about')}</p>
    <div class="steps">
      <ActionButton ctx={props.ctx} action={props.ctx.path} label={say('console.webhooks.test.again')} />
    </div>
  </SentView>
);
