import { type PageContext, pathOf } from '../../../api/console/page-context.js';
import { ActionButton, Band, Confirm, Facts, LinkButton, More, Part, Time } from '../../../api/console/parts/facts.js';
import { count, plural } from '../../../api/console/say.js';
import { inWords } from '../../../kernel/durations.js';
import type { PageOf } from '../../../store/tenant/page.js';
import type { HourOfAttempts, WebhookDelivery } from '../deliveries/webhook-delivery.entity.js';
import { SECRET_OVERLAP_MS } from '../endpoints/endpoint-rules.js';
import type { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';
import { DeliveryTable } from './deliveries.views.js';
import { StateNote } from './webhooks.views.js';

interface ViewProps {
  readonly ctx: PageContext;
  readonly endpoint: WebhookEndpoint;
  /** The newest deliveries. */
  readonly found: PageOf<WebhookDelivery>;
  readonly hours: readonly HourOfAttempts[];
}

export function WebhookView({ ctx, endpoint, found, hours }: ViewProps) {
  const { id, lastDeliveryAt, subscribedEvents } = endpoint;
  const sumOf = (key: 'delivered' | 'failed'): number => hours.reduce((sum, hour) => sum + hour[key], 0);
  const [delivered, failed] = [sumOf('delivered'), sumOf('failed')];
  const attempts = delivered + failed;
  return (
    <>
      <StateNote ctx={ctx} endpoint={endpoint} />
      <Band
        figures={[
          ['Delivered', attempts === 0 ? '–' : `${Math.floor((100 * delivered) / attempts)} %`, 'of the attempts in 24 hours'],
          ['Failed attempts', count(failed), `of ${count(attempts)}`],
          ['Last delivered', <Time ctx={ctx} at={lastDeliveryAt} />],
          ['Events', count(subscribedEvents.length), <a href={pathOf(ctx, 'webhooks', 'events')}>what they are</a>],
        ]}
      />
      <div class="record">
        <div>
          <Part
            title="Deliveries"
            action={[pathOf(ctx, 'webhooks', id, 'deliveries'), `All ${plural(found.total, 'delivery', 'deliveries')}`]}
          >
            <DeliveryTable ctx={ctx} rows={found.rows} caption="The newest deliveries" empty="Nothing was sent yet. Send a test." isShort />
          </Part>
        </div>
        <aside>
          <h2>Details</h2>
          <EndpointFacts ctx={ctx} endpoint={endpoint} />
        </aside>
      </div>
    </>
  );
}

function EndpointFacts({ ctx, endpoint }: Pick<ViewProps, 'ctx' | 'endpoint'>) {
  const { id, targetUrl, description, subscribedEvents, previousSecretExpiresAt, headerNames, publicKey, secretHint } = endpoint;
  return (
    <Facts
      facts={[
        ['URL', <code>{targetUrl}</code>],
        ...(description ? [['Description', description] as const] : []),
        ['Events', subscribedEvents.map((kind) => <code class="block">{kind}</code>)],
        ['Messages', endpoint.payload === 'full' ? 'With the record' : 'Without the record: they say where it is'],
        ['Order', endpoint.ordered ? 'One at a time, in the order of the events' : 'As soon as possible'],
        ['Deliveries per minute', endpoint.rateLimit ?? 'No limit'],
        ...(headerNames.length === 0 ? [] : [['Own headers', headerNames.join(', ')] as const]),
        [publicKey === null ? 'Secret' : 'Public key', publicKey === null ? `…${secretHint}` : <code>{publicKey}</code>],
        ...(previousSecretExpiresAt ? [['Previous secret signs until', <Time ctx={ctx} at={previousSecretExpiresAt} />] as const] : []),
        ['Id', <code>{id}</code>],
        ['Created', <Time ctx={ctx} at={endpoint.createdAt} />],
      ]}
    />
  );
}

/** The buttons beside the title: a test is what one does most, also after a change. */
export function Steps({ ctx, endpoint: { id, name, status, signature } }: Pick<ViewProps, 'ctx' | 'endpoint'>) {
  const at = (...parts: string[]): string => pathOf(ctx, 'webhooks', id, ...parts);
  if (!ctx.can('webhooks.update')) return null;
  return (
    <>
      <LinkButton plain to={at('edit')}>
        Edit
      </LinkButton>
      <More>
        <ActionButton ctx={ctx} action={at('status')} label={status === 'active' ? 'Pause' : 'Resume'}>
          <input type="hidden" name="status" value={status === 'active' ? 'disabled' : 'active'} />
        </ActionButton>
        <LinkButton plain to={at('replay')}>
          Replay
        </LinkButton>
        <Confirm
          ctx={ctx}
          action={at('rotate-secret')}
          label={signature === 'hmac' ? 'Rotate the secret' : 'Rotate the keys'}
          question={<RotationNotice />}
          submit="Rotate"
        />
        {ctx.can('webhooks.delete') ? (
          <Confirm
            ctx={ctx}
            action={at('delete')}
            label="Delete"
            question={`${name} gets nothing more, and its log of deliveries is deleted. This cannot be undone; a pause can.`}
            submit="Delete the endpoint"
          />
        ) : null}
      </More>
      <ActionButton ctx={ctx} action={at('ping')} label="Send a test" isFilled />
    </>
  );
}

const RotationNotice = () => (
  <>For {inWords(SECRET_OVERLAP_MS)}, deliveries are signed with the old one as well. Give your receiver the new one by then.</>
);
