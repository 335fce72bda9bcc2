import type { ScopeGroup } from '../../../api/access/scope-groups.js';
import type { FormState } from '../../../api/console/form.js';
import type { PageContext } from '../../../api/console/page-context.js';
import { CheckGroups } from '../../../api/console/parts/check-groups.js';
import { AreaField, ConsoleForm, SelectField, TextField, type Choice } from '../../../api/console/parts/fields.js';
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
      <h2>What it may do</h2>
      <CheckGroups
        state={state}
        name="scopes"
        all={{ name: 'allScopes', label: 'Everything', hint: 'All that the API can do today. What is added later, the key may not do.' }}
        groups={groups.map(choicesOf)}
      />
    </ConsoleForm>
  );
}

const choicesOf = ({ title, scopes }: ScopeGroup) => ({
  title,
  choices: scopes.map(({ scope, sentence }): Choice => [scope, sentence]),
});

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
