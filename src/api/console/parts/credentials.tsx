import { Problem } from '../../../kernel/problems.js';
import type { ScopeGroup } from '../../access/scopes.js';
import { type Form, formOf, type FormState, type PageContext } from '../page.js';
import { say } from '../say.js';
import { CheckGroups, type Choice, SelectField } from './fields.js';

// What pages of keys and of applications have.

export const Scopes = ({ scopes }: { scopes: ScopeGroup['scopes'] }) => (
  <ul>
    {scopes.map(({ sentence, scope }) => (
      <li>
        {sentence} <code>{scope}</code>
      </li>
    ))}
  </ul>
);

export const ScopeList = ({ groups }: { groups: readonly ScopeGroup[] }) => (
  <>
    {groups.map(({ title, scopes }) => (
      <section>
        <h3>{title}</h3>
        <Scopes scopes={scopes} />
      </section>
    ))}
  </>
);

interface ScopeChoicesProps {
  readonly state: FormState;
  readonly groups: readonly ScopeGroup[];
  /** The box that stands for all of them. */
  readonly all: { readonly label: string; readonly hint: string };
}

export function ScopeChoices({ state, groups, all }: ScopeChoicesProps) {
  const choices = groups.map(({ title, scopes }) => ({ title, choices: scopes.map(({ scope, sentence }): Choice => [scope, sentence]) }));
  return <CheckGroups state={state} name="scopes" all={{ name: 'allScopes', ...all }} groups={choices} />;
}

/** One that may do nothing is a slip: `none` says what is wrong then. */
export function scopesIn(form: Form, none: string): string[] | 'all' {
  const scopes = form.isChecked('allScopes') ? 'all' : form.list('scopes');
  if (scopes.length === 0) throw Problem.invalidField('scopes', 'required', none);
  return scopes;
}

/** For how long the old credential of a rotation stays valid, in milliseconds. */
const OVERLAPS = ['0', '3600000', '86400000', '604800000'] as const;
const A_DAY = '86400000';

export function OverlapField({ label }: { label: string }) {
  const choices = OVERLAPS.map((ms): Choice => [ms, say(`console.overlap.${ms}`)]);
  return <SelectField state={formOf({ overlap: A_DAY })} name="overlap" label={label} choices={choices} />;
}

/** The overlap that was chosen, in milliseconds. */
export function overlapIn({ form }: PageContext): number {
  const overlap = form.text('overlap');
  if (!OVERLAPS.some((value) => value === overlap)) throw Problem.invalidField('overlap', 'not_allowed', 'must be one of the choices');
  return Number(overlap);
}
