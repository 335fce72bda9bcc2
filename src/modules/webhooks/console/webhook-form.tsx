import type { FormState } from '../../../api/console/form.js';
import type { PageContext } from '../../../api/console/page-context.js';
import { CheckGroups } from '../../../api/console/parts/check-groups.js';
import { AreaField, CheckField, ConsoleForm, SelectField, TextField, type Choice } from '../../../api/console/parts/fields.js';
import { say, told } from '../../../api/console/say.js';
import { declaredEvents, subscribableKinds, type EventDeclaration } from '../../../kernel/declare-event.js';
import { MAX_RATE_LIMIT } from '../endpoints/endpoint-rules.js';
import type { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';
import { PAYLOADS } from '../signing/message.js';
import { SIGNATURES } from '../signing/webhook-secret.js';

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
