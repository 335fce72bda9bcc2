import type { ScopeGroup } from '../../../api/access/scope-groups.js';
import { errorsIn, type FormState } from '../../../api/console/form.js';
import type { PageContext } from '../../../api/console/page-context.js';
import { AreaField, CheckField, CheckGroup, ConsoleForm, SelectField, TextField, type Choice } from '../../../api/console/parts/fields.js';
import { Problem } from '../../../kernel/problems.js';

const DAY_MS = 86_400_000;

/** For how long a new key works, in milliseconds; empty: until it is revoked. */
const EXPIRIES: readonly Choice[] = [
  ['', 'Never'],
  [String(30 * DAY_MS), 'In 30 days'],
  [String(90 * DAY_MS), 'In 90 days'],
  [String(365 * DAY_MS), 'In a year'],
];

interface KeyFormProps {
  readonly ctx: PageContext;
  readonly state: FormState;
  readonly groups: readonly ScopeGroup[];
  readonly submit: string;
  readonly cancel: string;
  /** An expiry is chosen once. */
  readonly isNew?: boolean;
}

export function KeyForm({ ctx, state, groups, submit, cancel, isNew = false }: KeyFormProps) {
  return (
    <ConsoleForm ctx={ctx} state={state} submit={submit} cancel={cancel}>
      <TextField
        state={state}
        name="name"
        label="Name"
        hint="What uses the key, such as the program or the server."
        required
        maxLength={200}
      />
      {isNew ? <SelectField state={state} name="expiresIn" label="Expires" choices={EXPIRIES} /> : null}
      <AreaField
        state={state}
        name="ipAllowlist"
        label="Addresses that it works from"
        hint={
          <>
            One address or network (CIDR) on each line; empty: everywhere. Yours is <code>{ctx.ipAddress}</code>.
          </>
        }
        rows={3}
      />
      <ScopeFields state={state} groups={groups} />
    </ConsoleForm>
  );
}

/** The scopes by their resource. What is wrong with them is said once, above. */
function ScopeFields({ state, groups }: { state: FormState; groups: readonly ScopeGroup[] }) {
  return (
    <>
      <h2>What it may do</h2>
      {errorsIn(state, 'scopes').map(({ message }) => (
        <p class="error">{message}</p>
      ))}
      <CheckField
        state={state}
        name="allScopes"
        label="Everything"
        hint="All that the API can do today. What is added later, the key may not do."
      />
      {groups.map(({ title, scopes }) => (
        <CheckGroup
          state={{ values: state.values }}
          name="scopes"
          label={title}
          choices={scopes.map(({ scope, sentence }) => [scope, sentence])}
        />
      ))}
    </>
  );
}

/** What the form says of a key. A key that may do nothing is a slip. */
export function keyFieldsOf({ form }: PageContext) {
  const scopes = form.isChecked('allScopes') ? ('all' as const) : form.list('scopes');
  if (scopes.length === 0) throw Problem.invalidField('scopes', 'required', 'must have at least one: choose what the key may do');
  return {
    name: form.text('name').trim(),
    scopes,
    ipAllowlist: form
      .text('ipAllowlist')
      .split(/[\s,]+/)
      .filter(Boolean),
  };
}

/** undefined: the key does not expire. */
export function expiryOf({ form }: PageContext): number | undefined {
  const chosen = form.text('expiresIn');
  if (!EXPIRIES.some(([value]) => value === chosen)) throw Problem.invalidField('expiresIn', 'not_allowed', 'must be one of the choices');
  return chosen === '' ? undefined : Number(chosen);
}
