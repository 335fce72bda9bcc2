import type { FormState } from '../../../api/console/form.js';
import { pathOf, type PageContext } from '../../../api/console/page-context.js';
import { Bars, type Bar } from '../../../api/console/parts/bars.js';
import { ActionButton, Badge, Facts, Time, type Tone } from '../../../api/console/parts/facts.js';
import { ConsoleForm, TextField, type Choice } from '../../../api/console/parts/fields.js';
import { Filters, Pager, Table } from '../../../api/console/parts/list.js';
import { isAtLeast } from '../../../kernel/roles.js';
import type { PageOf } from '../../../store/tenant/page.js';
import type { WebhookDeliveryDetailsDto } from '../deliveries/delivery-details.dto.js';
import type { DeliveryStatus, WebhookDelivery } from '../deliveries/webhook-delivery.entity.js';
import type { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';

const STATUSES: Record<DeliveryStatus, readonly [label: string, tone: Tone]> = {
  pending: ['Pending', 'busy'],
  delivered: ['Delivered', 'good'],
  failed: ['Failed', 'bad'],
};
const CHOICES: readonly Choice[] = Object.entries(STATUSES).map(([value, [label]]) => [value, label]);

const Status = ({ of: status }: { of: DeliveryStatus }) => <Badge tone={STATUSES[status][1]}>{STATUSES[status][0]}</Badge>;

export function DeliveryList({ ctx, endpoint, found }: { ctx: PageContext; endpoint: WebhookEndpoint; found: PageOf<WebhookDelivery> }) {
  const pathTo = (id: string): string => pathOf(ctx, 'webhooks', endpoint.id, 'deliveries', id);
  return (
    <>
      <p class="buttons">
        <a class="button plain" href={pathOf(ctx, 'webhooks', endpoint.id)}>
          The endpoint
        </a>
        {isAtLeast(ctx.user.role, 'admin') ? (
          <a class="button plain" href={pathTo('replay')}>
            Send again what was missed
          </a>
        ) : null}
      </p>
      {found.rows.length === 0 ? null : <Bars title="Outcomes of the attempts on this page, by hour" bars={outcomesByHour(found.rows)} />}
      <Filters
        ctx={ctx}
        selects={[
          ['status', 'Status', CHOICES],
          ['event_kind', 'Event', endpoint.subscribedEvents.map((kind) => [kind, kind] as const)],
        ]}
      />
      <Table
        caption="Attempts to deliver, newest first"
        rows={found.rows}
        empty={<p>Nothing was sent yet, or nothing that you looked for.</p>}
        columns={[
          ['Event', (delivery) => <a href={pathTo(delivery.id)}>{delivery.eventKind}</a>],
          ['Status', (delivery) => <Status of={delivery.status} />],
          ['Answer', (delivery) => delivery.responseStatus ?? delivery.errorCode ?? ''],
          ['Attempt', (delivery) => delivery.attempt, 'number'],
          ['Duration', (delivery) => (delivery.durationMs === null ? '' : `${delivery.durationMs} ms`), 'number'],
          ['Due', (delivery) => <Time ctx={ctx} at={delivery.scheduledAt} />],
        ]}
      />
      <Pager ctx={ctx} counted={found} />
    </>
  );
}

/** From the oldest to the newest. */
function outcomesByHour(rows: readonly WebhookDelivery[]): Bar[] {
  const hours = new Map<string, Record<DeliveryStatus, number>>();
  for (const { scheduledAt, status } of rows) {
    const hour = `${scheduledAt.slice(0, 13).replace('T', ' ')}:00 UTC`;
    const counts = hours.get(hour) ?? { delivered: 0, failed: 0, pending: 0 };
    counts[status] += 1;
    hours.set(hour, counts);
  }
  return [...hours].reverse().map(([label, { delivered, failed, pending }]) => ({
    label,
    parts: [
      { tone: 'good', value: delivered },
      { tone: 'bad', value: failed },
      { tone: 'plain', value: pending },
    ],
  }));
}

export function DeliveryView({ ctx, delivery }: { ctx: PageContext; delivery: WebhookDeliveryDetailsDto }) {
  const { id, webhookId, request, response } = delivery;
  return (
    <>
      <Facts
        facts={[
          ['Status', <Status of={delivery.status} />],
          ['Answer', delivery.responseStatus ?? delivery.errorCode],
          ['Attempt', `${delivery.attempt}, ${delivery.trigger}`],
          ['Duration', delivery.durationMs === null ? null : `${delivery.durationMs} ms`],
          ['Due', <Time ctx={ctx} at={delivery.scheduledAt} />],
          ['Made', <Time ctx={ctx} at={delivery.attemptedAt} />],
          ['Next attempt', delivery.nextAttemptAt === null ? null : <Time ctx={ctx} at={delivery.nextAttemptAt} />],
          ['Event', <code>{delivery.eventId}</code>],
          ['Request that caused it', delivery.requestId === null ? null : <code>{delivery.requestId}</code>],
        ]}
      />
      <p class="buttons">
        {isAtLeast(ctx.user.role, 'admin') ? (
          <ActionButton ctx={ctx} action={pathOf(ctx, 'webhooks', webhookId, 'deliveries', id, 'again')} label="Send it again" />
        ) : null}
        <a class="button plain" href={pathOf(ctx, 'webhooks', webhookId, 'deliveries')}>
          All deliveries
        </a>
      </p>
      <h2>What was sent</h2>
      {request === null ? <p>This attempt was not made.</p> : <Sent request={request} />}
      <h2>What came back</h2>
      {response === null ? <p>Nothing.</p> : <pre tabIndex={0}>{response.body + (response.truncated ? ' …' : '')}</pre>}
    </>
  );
}

const Sent = ({ request }: { request: NonNullable<WebhookDeliveryDetailsDto['request']> }) => (
  <>
    <pre tabIndex={0} aria-label="Headers">
      {[`POST ${request.url}`, ...Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`)].join('\n')}
    </pre>
    {request.body === null ? (
      <p>The event is no longer kept.</p>
    ) : (
      <pre tabIndex={0} aria-label="Body">
        {JSON.stringify(JSON.parse(request.body), null, 2)}
      </pre>
    )}
  </>
);

export const ReplayForm = ({ ctx, state, cancel }: { ctx: PageContext; state: FormState; cancel: string }) => (
  <>
    <p>Events that the endpoint has refused, and those from while it was disabled, are sent again in their order. What arrived is not.</p>
    <ConsoleForm ctx={ctx} state={state} submit="Send them" cancel={cancel}>
      <TextField state={state} name="since" label="Since the day" hint="From midnight UTC." type="date" required />
    </ConsoleForm>
  </>
);
