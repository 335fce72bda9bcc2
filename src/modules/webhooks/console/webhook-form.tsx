import type { FormState } from '../../../api/console/form.js';
import type { PageContext } from '../../../api/console/page-context.js';
import { CheckGroups } from '../../../api/console/parts/check-groups.js';
import { AreaField, CheckField, ConsoleForm, SelectField, TextField, type Choice } from '../../../api/console/parts/fields.js';
import { declaredEvents, subscribableKinds, type EventDeclaration } from '../../../kernel/declare-event.js';
import { MAX_RATE_LIMIT } from '../endpoints/endpoint-rules.js';
import type { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';

const PAYLOADS: readonly Choice[] = [
  ['full', 'The record itself'],
  ['thin', 'Where the record is, so that your receiver asks for it'],
];
const SIGNATURES: readonly Choice[] = [
  ['hmac', 'A secret that both sides have (HMAC)'],
  ['ed25519', 'A private key that only this service has (Ed25519)'],
];

interface WebhookFormProps {
  readonly ctx: PageContext;
  readonly state: FormState;
  readonly submit: string;
  readonly cancel: string;
  /** How deliveries are signed is chosen once. */
  readonly isNew?: boolean;
}

export function WebhookForm({ ctx, state, submit, cancel, isNew = false }: WebhookFormProps) {
  const scheme = ctx.environment === 'live' ? 'It begins with https://' : 'It begins with https://, or http:// for test data,';
  return (
    <ConsoleForm ctx={ctx} state={state} submit={submit} cancel={cancel}>
      <TextField state={state} name="name" label="Name" required maxLength={200} />
      <TextField
        state={state}
        name="targetUrl"
        label="URL"
        hint={`Where events are posted to. ${scheme} and can be reached from the Internet.`}
        required
        maxLength={2048}
        placeholder="https://hooks.example.com/claims"
      />
      <AreaField state={state} name="description" label="Description" hint="What the endpoint is for." rows={2} />
      <h2>Events</h2>
      <CheckGroups
        state={state}
        name="subscribedEvents"
        all={{ name: 'allEvents', label: 'All events', hint: 'All that exist today. What is added later is not sent until you choose it.' }}
        groups={eventGroups()}
      />
      <h2>How they are sent</h2>
      <SelectField state={state} name="payload" label="Messages contain" choices={PAYLOADS} />
      {isNew ? <SelectField state={state} name="signature" label="Signed with" choices={SIGNATURES} /> : null}
      <TextField
        state={state}
        name="rateLimit"
        label="Deliveries per minute"
        hint={`1 to ${MAX_RATE_LIMIT}; empty: no limit. Further ones wait.`}
        type="number"
      />
      <CheckField
        state={state}
        name="ordered"
        label="One at a time, in the order of the events"
        hint="A delivery that fails holds back all after it."
      />
    </ConsoleForm>
  );
}

/** By the record that they are about. */
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
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

const labelOf = ({ summary, status }: EventDeclaration): string => (status === 'planned' ? `${summary} (planned)` : summary);

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
