import type { JSX } from 'preact';
import { Problem } from '../../../kernel/problems.js';
import { snakeCase } from '../../../kernel/text.js';
import type { FieldDeclaration } from '../../validation/field.js';
import type { ConsoleDoor } from '../console-door.js';
import { formOf, type FormState, type PageContext } from '../page.js';
import { say } from '../say.js';
import { TextField } from './fields.js';
import { labelOf } from './record.js';

type Offered = readonly (readonly [name: string, declaration: FieldDeclaration])[];

export interface AskedRanges {
  readonly offered: Offered;
  readonly state: FormState;
  /** Conditions for the list. */
  readonly asked: Readonly<Record<string, unknown>>;
}

const ENDS = ['from', 'to'] as const;
const TYPES: Readonly<Record<string, 'date'>> = { date: 'date' };
const EXAMPLES: Readonly<Record<string, string>> = { 'date-time': '2026-01-31T09:30:00Z' };
const formatOf = ({ schema }: FieldDeclaration): string => (schema as { readonly format?: string }).format ?? '';
/** Further ones are folded away. */
const MOST_OPEN = 1;

interface Fields {
  readonly answers: Parameters<NonNullable<PageContext['hidden']>['namesIn']>[0];
  readonly ranges: ReadonlyMap<string, FieldDeclaration>;
}

/** What an address asks for by ranges. What is wrong with it is said at the inputs, and not asked for. */
export async function readRanges(ctx: PageContext, door: ConsoleDoor, fields: Fields): Promise<AskedRanges> {
  const hidden = ctx.hidden?.namesIn(fields.answers).map(snakeCase) ?? [];
  const offered = [...fields.ranges].filter(([name]) => !hidden.some((one) => name.startsWith(one)));
  const ends = offered.flatMap(([name]) => ENDS.map((end) => `${name}_${end}`));
  const given = Object.fromEntries(ends.map((end) => [end, ctx.query.get(end)?.trim() ?? ''] as const).filter(([, value]) => value));
  const state = formOf(given);
  try {
    const query = await door.checkedQuery<Record<string, unknown>>(ctx, given);
    return { offered, state, asked: Object.fromEntries(Object.keys(given).map((end) => [end, query[end]])) };
  } catch (error) {
    if (error instanceof Problem && error.status === 400) return { offered, state: { ...state, problem: error }, asked: {} };
    throw error;
  }
}

export function RangeInputs({ offered, state }: Pick<AskedRanges, 'offered' | 'state'>): JSX.Element {
  const inputs = offered.flatMap(([name, declaration]) =>
    ENDS.map((end) => (
      <TextField
        state={state}
        name={`${name}_${end}`}
        label={say(`console.list.${end}`, { label: labelOf([name, declaration]) })}
        type={TYPES[formatOf(declaration)] ?? 'text'}
        placeholder={EXAMPLES[formatOf(declaration)]}
      />
    )),
  );
  if (offered.length <= MOST_OPEN) return <>{inputs}</>;
  const isOpen = offered.some(([name]) => ENDS.some((end) => state.values(`${name}_${end}`).length > 0));
  return (
    <details open={isOpen}>
      <summary>{say('console.list.ranges')}</summary>
      <div class="filters">{inputs}</div>
    </details>
  );
}
