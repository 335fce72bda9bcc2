import { type PageContext, pathOf } from '../../../api/console/page-context.js';
import { Bars } from '../../../api/console/parts/bars.js';
import { ActionButton, Badge, Copyable, Facts, Time, type Tone } from '../../../api/console/parts/facts.js';
import type { Choice } from '../../../api/console/parts/fields.js';
import { Filters, Pager, Table } from '../../../api/console/parts/list.js';
import { count } from '../../../api/console/say.js';
import { subscribableKinds } from '../../../kernel/declare-event.js';
import type { Columns } from '../../../api/console/record-pages.js';
import type { PageOf } from '../../../store/tenant/page.js';
import type { WebhookDeliveryDetailsDto } from '../deliveries/webhook-delivery.dto.js';
import type { GiveUpReason } from '../deliveries/pending-deliveries.js';
import type { DeliveryStatus, HourOfAttempts, WebhookDelivery } from '../deliveries/webhook-delivery.entity.js';
import type { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';
import type { Outcome } from '../sending/sender.js';
import { StateNote } from './webhooks.views.js';

type ErrorCode = NonNullable<Outcome['errorCode']> | GiveUpReason;

/** The codes of the delivery log, for people. */
const ERRORS: Record<ErrorCode, string> = {
  http_error: 'The receiver did not answer with 2xx',
  timeout: 'The receiver took too long',
  connection_failed: 'No connection, or it broke off',
  malformed_answer: 'The answer is not HTTP',
  name_not_resolved: 'The host name was not found',
  tls_failed: 'The certificate or the TLS connection is wrong',
  target_not_allowed: 'The URL leads to an address that is not allowed',
  endpoint_disabled: 'Not sent: the endpoint was paused or disabled',
  environment_changed: 'Not sent: the endpoint moved to the other environment',
  replay_stopped: 'Not sent: the replay was stopped',
};

const STATUSES: Record<DeliveryStatus, readonly [label: string, tone: Tone]> = {
  pending: ['Waiting', 'busy'],
  delivered: ['Delivered', 'good'],
  failed: ['Failed', 'bad'],
};
const STATUS_CHOICES: readonly Choice[] = Object.entries(STATUSES).map(([value, [label]]) => [value, label]);

const DeliveryStatusBadge = ({ of: status }: { of: DeliveryStatus }) => <Badge tone={STATUSES[status][1]}>{STATUSES[status][0]}</Badge>;

/** What came back, or why nothing did. */
export function resultInWords({ responseStatus, errorCode }: { responseStatus: number | null; errorCode: string | null }): string {
  if (responseStatus !== null) return `HTTP ${responseStatus}`;
  return errorCode === null ? '' : (ERRORS[errorCode as ErrorCode] ?? errorCode);
}

export const inMilliseconds = (ms: number | null): string => (ms === null ? '' : `${count(ms)} ms`);

const NEWS_SECONDS = '5';
const SOON_MS = 60_000;

/** Asks for the page again while something is about to be sent; undefined: there will be no news soon. */
function newsFor({ status }: WebhookEndpoint, now: Date, rows: readonly Pick<WebhookDelivery, 'status' | 'scheduledAt'>[]) {
  const isDue = rows.some((row) => row.status === 'pending' && Date.parse(row.scheduledAt) < now.getTime() + SOON_MS);
  return isDue && status === 'active' ? NEWS_SECONDS : undefined;
}

interface LogProps {
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
          ['status', 'Status', STATUS_CHOICES],
          ['event_kind', 'Event', subscribableKinds().map((kind) => [kind, kind])],
        ]}
      />
      <div id="deliveries" data-news={newsFor(endpoint, now, found.rows)}>
        <DeliveryTable ctx={ctx} rows={found.rows} caption="Deliveries" empty="There is no delivery yet, or none that you asked for." />
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
  const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone });
  return (
    <Bars
      title="Attempts of the last 24 hours"
      legend={[
        ['good', `${count(delivered)} delivered`],
        ['bad', `${count(failed)} failed`],
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
  readonly caption: string;
  readonly empty: string;
  /** Without what one looks at when something is wrong. */
  readonly isShort?: boolean;
}

export function DeliveryTable({ ctx, rows, caption, empty, isShort = false }: DeliveryTableProps) {
  const details: Columns<WebhookDelivery> = [
    ['Attempt', ({ attempt, trigger }) => (trigger === 'manual' ? `${attempt} (asked for)` : attempt), 'number'],
    ['Result', resultInWords],
    ['Took', ({ durationMs }) => inMilliseconds(durationMs), 'number'],
  ];
  return (
    <Table
      caption={caption}
      rows={rows}
      empty={<p>{empty}</p>}
      columns={[
        [
          'Event',
          ({ id, webhookId, eventKind }) => (
            <a href={pathOf(ctx, 'webhooks', webhookId, 'deliveries', id)}>
              <code>{eventKind}</code>
            </a>
          ),
        ],
        ['Status', ({ status }) => <DeliveryStatusBadge of={status} />],
        ...(isShort ? [] : details),
        ['When', ({ attemptedAt, scheduledAt }) => <Time ctx={ctx} at={attemptedAt ?? scheduledAt} />],
      ]}
    />
  );
}

interface DeliveryProps {
  readonly ctx: PageContext;
  readonly now: Date;
  readonly endpoint: WebhookEndpoint;
  readonly delivery: WebhookDeliveryDetailsDto;
  /** All attempts of the event, this one among them. */
  readonly attempts: readonly WebhookDelivery[];
}

export function DeliveryView({ ctx, now, endpoint, delivery, attempts }: DeliveryProps) {
  const { id, eventKind, eventId, attempt, status, durationMs, scheduledAt, attemptedAt, nextAttemptAt, requestId } = delivery;
  return (
    <div id="delivery" data-news={newsFor(endpoint, now, [delivery])}>
      <p>
        <a href={pathOf(ctx, 'webhooks', endpoint.id, 'deliveries')}>Deliveries of {endpoint.name}</a>
      </p>
      <Redeliver ctx={ctx} endpoint={endpoint} deliveryId={id} />
      <Facts
        facts={[
          ['Event', <code>{eventKind}</code>],
          ['Event id (webhook-id)', <code>{eventId}</code>],
          ['Attempt', attempt],
          ['Status', <DeliveryStatusBadge of={status} />],
          ['Result', resultInWords(delivery) || null],
          ['Took', inMilliseconds(durationMs) || null],
          ['Due', <Time ctx={ctx} at={scheduledAt} />],
          ['Sent', <Time ctx={ctx} at={attemptedAt} />],
          ...(nextAttemptAt ? [['Next attempt', <Time ctx={ctx} at={nextAttemptAt} />] as const] : []),
          ['Caused by the request', requestId === null ? null : <code>{requestId}</code>],
        ]}
      />
      <Sent request={delivery.request} />
      <Answered response={delivery.response} />
      <h2>All attempts of this event</h2>
      <DeliveryTable ctx={ctx} rows={attempts} caption="Attempts of this event" empty="It has not been attempted yet." />
    </div>
  );
}

function Redeliver({ ctx, endpoint, deliveryId }: { ctx: PageContext; endpoint: WebhookEndpoint; deliveryId: string }) {
  if (!ctx.can('webhooks.update')) return null;
  if (endpoint.status === 'disabled') return <p class="hint">To send it again, resume the endpoint first.</p>;
  return (
    <div class="steps">
      <ActionButton ctx={ctx} action={pathOf(ctx, 'webhooks', endpoint.id, 'deliveries', deliveryId, 'redeliver')} label="Send again" />
    </div>
  );
}

const Sent = ({ request }: { request: WebhookDeliveryDetailsDto['request'] }) => (
  <>
    <h2>What was sent</h2>
    {request === null ? (
      <p>Nothing: this attempt was not made.</p>
    ) : (
      <>
        <p>
          POST <code>{request.url}</code>
        </p>
        <Copyable label="Headers that were sent" text={linesOf(request.headers)} />
        {request.body === null ? <p>The event is no longer kept.</p> : <Copyable label="The body that was sent" text={request.body} />}
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
    <h2>What the receiver answered</h2>
    {response === null ? <p>Nothing.</p> : null}
    {response?.body === '' ? <p>An answer without a body.</p> : null}
    {response?.body ? <Copyable label="The beginning of the answer" text={response.body} /> : null}
    {response?.truncated ? <p class="hint">The answer was longer. This is its beginning.</p> : null}
  </>
);
