import type { FormState } from '../../../api/console/form.js';
import { pathOf, type PageContext } from '../../../api/console/page-context.js';
import { AreaField, CheckGroup, ConsoleForm, SelectField, TextField, type Choice } from '../../../api/console/parts/fields.js';
import type { Registry } from '../../../api/operation/registry.js';

/** Days until a key expires. */
export const EXPIRIES: readonly Choice[] = [
  ['', 'Never'],
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In a year'],
];

/** The scopes of one kind of record, each in the words of what it allows. */
export interface ScopeGroup {
  readonly title: string;
  readonly choices: readonly Choice[];
}

/** Made from the operations: what a scope allows is what they do. */
export function scopeGroups({ scopes, operations }: Registry): ScopeGroup[] {
  const groups = new Map<string, Choice[]>();
  for (const scope of scopes) {
    const title = inWords(scope.split(':')[0]!);
    const does = operations.filter((operation) => operation.scope === scope).map(({ summary }) => summary);
    groups.set(title, [...(groups.get(title) ?? []), [scope, `${does.join('; ')} (${scope})`]]);
  }
  return [...groups].map(([title, choices]) => ({ title, choices }));
}

const inWords = (name: string): string => name[0]!.toUpperCase() + name.slice(1).replaceAll('_', ' ');

interface KeyFormProps {
  readonly ctx: PageContext;
  readonly state: FormState;
  readonly groups: readonly ScopeGroup[];
  readonly submit: string;
  readonly isNew?: boolean;
}

export function KeyForm({ ctx, state, groups, submit, isNew = false }: KeyFormProps) {
  const hint = (
    <>
      Addresses or networks that may use the key, one per line. Empty: all. Yours is <code>{ctx.ipAddress}</code>.
    </>
  );
  return (
    <ConsoleForm ctx={ctx} state={state} submit={submit} cancel={isNew ? pathOf(ctx, 'keys') : ctx.path.replace(/\/edit$/, '')}>
      <TextField state={state} name="name" label="Name" hint="What uses the key." required maxLength={200} />
      {groups.map(({ title, choices }) => (
        <CheckGroup state={state} name="scopes" label={title} choices={choices} />
      ))}
      <AreaField state={state} name="ipAllowlist" label="Allowed addresses" hint={hint} rows={3} />
      {isNew ? <SelectField state={state} name="expires" label="Expires" choices={EXPIRIES} /> : null}
    </ConsoleForm>
  );
}
