import { type FormState, type PageContext, pathOf } from '../../../api/console/page.js';
import { CheckGroups } from '../../../api/console/parts/check-groups.js';
import { ActionButton, Band, Confirm, Facts, LinkButton, More, Part, Time } from '../../../api/console/parts/facts.js';
import { AreaField, CheckField, ConsoleForm, SelectField, TextField, type Choice } from '../../../api/console/parts/fields.js';
import { count, duration, percent, say, told } from '../../../api/console/say.js';
import { declaredEvents, subscribableKinds, type EventDeclaration } from '../../../kernel/declare-event.js';
import type { PageOf } from '../../../store/tenant/page.js';
import type { HourOfAttempts, WebhookDelivery } from '../deliveries/webhook-delivery.entity.js';
import { SECRET_OVERLAP_MS, MAX_RATE_LIMIT } from '../endpoints/endpoint-rules.js';
import type { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';
import { PAYLOADS } from '../signing/message.js';
import { SIGNATURES } from '../signing/webhook-secret.js';
import { DeliveryTable } from './deliveries.views.js';
import { StateNote } from './webhooks.views.js';

interface ViewProps {
  readonly ctx: PageContext;
  readonly endpoint: WebhookEndpoint;
  readonly found: PageOf<WebhookDelivery>;
  readonly hours: readonly HourOfAttempts[];
}

export function WebhookView({ ctx, endpoint, found, hours }: ViewProps) {
  const { lastDeliveryAt, subscribedEvents } = endpoint;
  const all = pathOf(ctx, 'webhooks', endpoint.id, 'deliveries');
  const sumOf = (key: 'delivered' | 'failed'): number => hours.reduce((sum, hour) => sum + hour[key], 0);
  const [delivered, failed] = [sumOf('delivered'), sumOf('failed')];
  const attempts = delivered + failed;
  const share = attempts === 0 ? '–' : percent(String(Math.floor((100 * delivered) / attempts)));
  const which = <a href={pathOf(ctx, 'webhooks', 'events')}>{say('console.webhooks.figures.whichEvents')}</a>;
  return (
    <>
      <StateNote ctx={ctx} endpoint={endpoint} />
      <Band
        figures={[
          [say('console.webhooks.figures.delivered'), share, say('console.webhooks.figures.ofAttempts')],
          [say('console.webhooks.figures.failed'), count(failed), say('console.webhooks.figures.ofAll', { attempts })],
          [say('console.webhooks.lastDelivered'), <Time ctx={ctx} at={lastDeliveryAt} />],
          [say('console.webhooks.events'), count(subscribedEvents.length), which],
        ]}
      />
      <div class="record">
        <div>
          <Part title={say('console.webhooks.deliveries')} action={[all, say('console.webhooks.all', { count: found.total })]}>
            <DeliveryTable ctx={ctx} rows={found.rows} of="newest" />
          </Part>
        </div>
        <aside>
          <h2>{say('console.webhooks.details')}</h2>
          <EndpointFacts ctx={ctx} endpoint={endpoint} />
        </aside>
      </div>
    </>
  );
}

function EndpointFacts({ ctx, endpoint }: Pick<ViewProps, 'ctx' | 'endpoint'>) {
  const { id, targetUrl, description, subscribedEvents, previousSecretExpiresAt: until, headerNames, publicKey, secretHint } = endpoint;
  return (
    <Facts
      facts={[
        ['URL', <code>{targetUrl}</code>],
        ...(description ? [[say('console.webhooks.description'), description] as const] : []),
        [say('console.webhooks.events'), subscribedEvents.map((kind) => <code class="block">{kind}</code>)],
        [say('console.webhooks.facts.messages'), say(`console.webhooks.facts.${endpoint.payload}`)],
        [say('console.webhooks.facts.order'), endpoint.ordered ? say('console.webhooks.inOrder') : say('console.webhooks.facts.asSoon')],
        [say('console.webhooks.perMinute'), endpoint.rateLimit ?? say('console.webhooks.facts.noLimit')],
        ...(headerNames.length === 0 ? [] : [[say('console.webhooks.facts.ownHeaders'), headerNames.join(', ')] as const]),
        [say(`console.webhooks.facts.${endpoint.signature}`), publicKey === null ? `…${secretHint}` : <code>{publicKey}</code>],
        ...(until ? [[say('console.webhooks.facts.previous'), <Time ctx={ctx} at={until} />] as const] : []),
        [say('console.webhooks.facts.id'), <code>{id}</code>],
        [say('console.webhooks.facts.created'), <Time ctx={ctx} at={endpoint.createdAt} />],
      ]}
    />
  );
}

export function Steps({ ctx, endpoint: { id, name, status, signature } }: Pick<ViewProps, 'ctx' | 'endpoint'>) {
  const at = (...parts: string[]): string => pathOf(ctx, 'webhooks', id, ...parts);
  if (!ctx.can('webhooks.update')) return null;
  return (
    <>
      <LinkButton plain to={at('edit')}>
        {say('console.webhooks.steps.edit')}
      </LinkButton>
      <More>
        <ActionButton ctx={ctx} action={at('status')} label={say(`console.webhooks.steps.of.${status}`)}>
          <input type="hidden" name="status" value={status === 'active' ? 'disabled' : 'active'} />
        </ActionButton>
        <LinkButton plain to={at('replay')}>
          {say('console.webhooks.steps.replay')}
        </LinkButton>
        <Confirm
          ctx={ctx}
          action={at('rotate-secret')}
          label={say(`console.webhooks.steps.rotating.${signature}`)}
          question={say('console.webhooks.steps.rotateAbout', { duration: duration(SECRET_OVERLAP_MS) })}
          submit={say('console.webhooks.steps.rotate')}
        />
        {ctx.can('webhooks.delete') ? (
          <Confirm
            ctx={ctx}
            action={at('delete')}
            label={say('console.webhooks.steps.delete')}
            question={say('console.webhooks.steps.deleteAbout', { name })}
            submit={say('console.webhooks.steps.deleteNow')}
          />
        ) : null}
      </More>
      <ActionButton ctx={ctx} action={at('ping')} label={say('console.webhooks.sendTest')} isFilled />
    </>
  );
}

interface WebhookFormProps {
  readonly ctx: PageContext;
  readonly state: FormState;
  /** How deliveries are signed is chosen once. */
  readonly isNew?: boolean;
}

export function WebhookForm({ ctx, state, isNew = false }: WebhookFormProps) {
  const payloads = PAYLOADS.map((payload): Choice => [payload, say(`console.webhooks.form.${payload}`)]);
  const signatures = SIGNATURES.map((signature): Choice => [signature, say(`console.webhooks.form.${signature}`)]);
  const submit = isNew ? say('console.webhooks.form.create') : say('console.webhooks.form.save');
  return (
    <ConsoleForm ctx={ctx} state={state} submit={submit} cancel={ctx.path.replace(/\/(new|edit)$/, '')}>
      <TextField state={state} name="name" label={say('console.webhooks.name')} required maxLength={200} />
      <TextField
        state={state}
        name="targetUrl"
        label="URL"
        hint={say('console.webhooks.form.urlHint', { environment: ctx.environment })}
        required
        maxLength={2048}
        placeholder="https://hooks.example.com/claims"
      />
      <AreaField
        state={state}
        name="description"
        label={say('console.webhooks.description')}
        hint={say('console.webhooks.purpose')}
        rows={2}
      />
      <h2>{say('console.webhooks.events')}</h2>
      <CheckGroups
        state={state}
        name="subscribedEvents"
        all={{ name: 'allEvents', label: say('console.webhooks.form.all'), hint: say('console.webhooks.form.allHint') }}
        groups={eventGroups()}
      />
      <h2>{say('console.webhooks.form.sending')}</h2>
      <SelectField state={state} name="payload" label={say('console.webhooks.form.contain')} choices={payloads} />
      {isNew ? <SelectField state={state} name="signature" label={say('console.webhooks.form.signedWith')} choices={signatures} /> : null}
      <TextField
        state={state}
        name="rateLimit"
        label={say('console.webhooks.perMinute')}
        hint={say('console.webhooks.form.rateHint', { most: String(MAX_RATE_LIMIT) })}
        type="number"
      />
      <CheckField state={state} name="ordered" label={say('console.webhooks.inOrder')} hint={say('console.webhooks.form.orderHint')} />
    </ConsoleForm>
  );
}

function eventGroups() {
  const groups = new Map<string, Choice[]>();
  for (const event of declaredEvents()) {
    if (event.status === 'test') continue;
    const title = titleOf(event);
    groups.set(title, [...(groups.get(title) ?? []), [event.kind, labelOf(event)]]);
  }
  return [...groups].map(([title, choices]) => ({ title, choices }));
}

/** "claim_project.created" is about "Claim project". */
function titleOf({ kind }: EventDeclaration): string {
  const words = kind.split('.')[0]!.replaceAll('_', ' ');
  return told(`${words.charAt(0).toUpperCase()}${words.slice(1)}`);
}

const labelOf = ({ summary, status }: EventDeclaration): string =>
  status === 'planned' ? say('console.webhooks.form.planned', { event: told(summary) }) : told(summary);

export const valuesOf = (endpoint: WebhookEndpoint) => ({
  name: endpoint.name,
  targetUrl: endpoint.targetUrl,
  description: endpoint.description,
  subscribedEvents: endpoint.subscribedEvents,
  payload: endpoint.payload,
  rateLimit: endpoint.rateLimit === null ? null : String(endpoint.rateLimit),
  ordered: endpoint.ordered ? 'yes' : null,
});

/** The body of the operation. What is no number is refused by it, at its field. */
export function webhookFieldsOf({ form }: PageContext) {
  const rateLimit = form.given('rateLimit');
  return {
    name: form.text('name'),
    targetUrl: form.text('targetUrl').trim(),
    description: form.given('description') ?? null,
    subscribedEvents: form.isChecked('allEvents') ? subscribableKinds() : form.list('subscribedEvents'),
    payload: form.text('payload'),
    rateLimit: rateLimit === undefined ? null : /^\d{1,9}$/.test(rateLimit) ? Number(rateLimit) : rateLimit,
    ordered: form.isChecked('ordered'),
  };
}
