import type { ScopeGroup } from '../../../api/access/scope-groups.js';
import { formOf, type FormState } from '../../../api/console/form.js';
import { type PageContext, pathOf } from '../../../api/console/page-context.js';
import { CheckGroups } from '../../../api/console/parts/check-groups.js';
import { ActionButton, Confirm } from '../../../api/console/parts/facts.js';
import { AreaField, CheckField, CheckGroup, type Choice, ConsoleForm, SelectField, TextField } from '../../../api/console/parts/fields.js';
import { OverlapField } from '../../../api/console/parts/overlap-field.js';
import { Problem } from '../../../kernel/problems.js';
import { type Application, GRANT_TYPES, type GrantType } from '../applications/application.entity.js';
import { REDIRECTS_MAX } from '../applications/redirect-addresses.js';

/** How an application gets access, for people. */
export const GRANT_WORDS: Record<GrantType, string> = {
  authorization_code: 'A user allows it in the browser (authorization code)',
  client_credentials: 'It acts for itself, without a user (client credentials)',
  device_code: 'A user allows it by a code that a device or a command line shows (device code)',
};

const KINDS: readonly Choice[] = [
  ['confidential', 'Confidential: it runs on a server, and keeps a secret or a key'],
  ['public', 'Public: it cannot keep a secret, such as an app on a phone or a page in a browser'],
];

interface ApplicationFormProps {
  readonly ctx: PageContext;
  readonly state: FormState;
  readonly groups: readonly ScopeGroup[];
  readonly submit: string;
  readonly cancel: string;
  /** How it authenticates is chosen once. */
  readonly isNew?: boolean;
}

export function ApplicationForm({ ctx, state, groups, submit, cancel, isNew = false }: ApplicationFormProps) {
  const plain = ctx.environment === 'live' ? 'for localhost' : 'for localhost and test data';
  return (
    <ConsoleForm ctx={ctx} state={state} submit={submit} cancel={cancel}>
      <TextField state={state} name="name" label="Name" hint="Users see it when they are asked." required maxLength={200} />
      {isNew ? <SelectField state={state} name="kind" label="Kind" choices={KINDS} /> : null}
      <CheckGroup
        state={state}
        name="grants"
        label="How it gets access"
        choices={GRANT_TYPES.map((grant): Choice => [grant, GRANT_WORDS[grant]])}
      />
      <AreaField
        state={state}
        name="redirectUris"
        label="Redirect addresses"
        hint={`Where users come back to: one on each line, at most ${REDIRECTS_MAX}. They are https; http is allowed ${plain}.`}
        rows={4}
      />
      {isNew ? <NewFields state={state} /> : null}
      <h2>Permissions</h2>
      <CheckGroups
        state={state}
        name="scopes"
        all={{ name: 'allScopes', label: 'Everything', hint: 'All that the API can do today. What is added later, it may not do.' }}
        groups={groups.map(choicesOf)}
      />
    </ConsoleForm>
  );
}

const NewFields = ({ state }: { state: FormState }) => (
  <>
    <KeysField state={state} label="Public key instead of a secret" />
    <CheckField
      state={state}
      name="isPending"
      label="Approve it later"
      hint="Until an owner or admin approves it here, it gets no access."
    />
  </>
);

export const KeysField = ({ state, label }: { state: FormState; label: string }) => (
  <AreaField
    state={state}
    name="publicKeys"
    label={label}
    hint="A public key in PEM, a JWK, or a set of up to five JWKs: the application then signs its requests. Never the private key."
    rows={4}
  />
);

/** Where keys that were refused are corrected. */
export const KeysForm = ({ ctx, state, cancel }: { ctx: PageContext; state: FormState; cancel: string }) => (
  <ConsoleForm ctx={ctx} state={state} submit="Use the keys" cancel={cancel}>
    <KeysField state={state} label="Public keys" />
  </ConsoleForm>
);

const choicesOf = ({ title, scopes }: ScopeGroup) => ({
  title,
  choices: scopes.map(({ scope, sentence }): Choice => [scope, sentence]),
});

export const valuesOf = ({ name, grants, redirectUris, scopes }: Application) => ({
  name,
  grants,
  redirectUris: redirectUris.join('\n'),
  scopes,
});

/** What the form says of an application. One that may do nothing is a slip. The service checks the rest, such as which grants exist. */
export function applicationFieldsOf({ form }: PageContext) {
  const scopes = form.isChecked('allScopes') ? ('all' as const) : form.list('scopes');
  if (scopes.length === 0) throw Problem.invalidField('scopes', 'required', 'must have at least one: choose what the application may do');
  return {
    name: form.text('name').trim(),
    grants: form.list('grants') as GrantType[],
    redirectUris: form.text('redirectUris').split(/\s+/).filter(Boolean),
    scopes,
  };
}

/** What is chosen once. */
export function newFieldsOf({ form }: PageContext) {
  const kind = form.text('kind');
  if (!KINDS.some(([value]) => value === kind)) throw Problem.invalidField('kind', 'not_allowed', 'must be one of the choices');
  const publicKeys = form.text('publicKeys').trim();
  return { isPublic: kind === 'public', isPending: form.isChecked('isPending'), ...(publicKeys !== '' && { publicKeys }) };
}

interface StepsProps {
  readonly ctx: PageContext;
  readonly application: Application;
  readonly now: Date;
}

/** What can be done with an application now. A connection is only suspended and approved: the rest is said by its application. */
export function ApplicationSteps({ ctx, application, now }: StepsProps) {
  const at = (...parts: string[]): string => pathOf(ctx, 'applications', application.id, ...parts);
  const { name, status, heldByOperator, sharedClientId, isPublic, publicKeys } = application;
  const isOwn = sharedClientId === null;
  return (
    <div class="steps">
      {isOwn ? (
        <a class="button" href={at('edit')}>
          Edit
        </a>
      ) : null}
      {status !== 'approved' && !heldByOperator ? <ActionButton ctx={ctx} action={at('approve')} label="Approve" /> : null}
      {isOwn && !isPublic && !publicKeys ? <Rotate ctx={ctx} application={application} now={now} /> : null}
      {isOwn && !isPublic ? <ReplaceKeys ctx={ctx} application={application} /> : null}
      {status === 'approved' ? (
        <Confirm
          ctx={ctx}
          action={at('suspend')}
          label="Suspend"
          question={`${name} gets no access, and its tokens stop working within a second. They work again once it is approved.`}
          submit="Suspend the application"
        />
      ) : null}
    </div>
  );
}

function Rotate({ ctx, application: { id, previousSecretExpiresAt }, now }: StepsProps) {
  const isOverlap = previousSecretExpiresAt !== null && Date.parse(previousSecretExpiresAt) > now.getTime();
  return (
    <Confirm
      ctx={ctx}
      action={pathOf(ctx, 'applications', id, 'rotate-secret')}
      label="Rotate the secret"
      question={
        <>
          You get a new secret. The present one works for as long as you choose here.
          {isOverlap ? <strong> The one before it, which still works, ends at once.</strong> : null}
        </>
      }
      submit="Make the new secret"
    >
      <OverlapField label="The old secret still works for" />
    </Confirm>
  );
}

function ReplaceKeys({ ctx, application: { id, publicKeys } }: Omit<StepsProps, 'now'>) {
  const [label, question, field, submit] = publicKeys
    ? [
        'Replace the keys',
        'The present keys stop working at once. For an overlap, give the old and the new key.',
        'Public keys',
        'Replace the keys',
      ]
    : ['Use a key', 'The key replaces the secret, which stops working at once.', 'Public key', 'Replace the secret by the key'];
  return (
    <Confirm ctx={ctx} action={pathOf(ctx, 'applications', id, 'keys')} label={label} question={question} submit={submit}>
      <KeysField state={formOf()} label={field} />
    </Confirm>
  );
}
