import { pathOf, type PageContext } from '../../../api/console/page-context.js';
import { Badge, Time } from '../../../api/console/parts/facts.js';
import { inWords } from '../../../kernel/durations.js';
import { DISABLED_AFTER_FAILING_MS } from '../endpoints/endpoint-rules.js';
import type { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';

type State = Pick<WebhookEndpoint, 'status' | 'disabledReason' | 'failingSince'>;

/** Whether somebody should look at it. A pause is nobody's mistake. */
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
