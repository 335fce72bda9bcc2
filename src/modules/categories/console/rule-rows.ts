import { type FormState, valueIn } from '../../../api/console/page.js';
import type { Choice } from '../../../api/console/parts/fields.js';
import { say } from '../../../api/console/say.js';
import { type FreeForm, parsedJson } from '../../../kernel/json.js';
import { Problem } from '../../../kernel/problems.js';

/** A rule with one condition, as a row of the form. Everything else is written as JSON. */
export interface RuleRow {
  readonly field: string;
  readonly op: string;
  readonly value: string;
  readonly percent: string;
}

const FIELDS = ['description', 'counterparty', 'reference', 'account', 'amount', 'date', 'direction', 'currency'] as const;
const OPS = ['contains', 'startsWith', 'endsWith', 'is', 'isNot', 'matches', 'gte', 'lte'] as const;
export const ruleFields = (): readonly Choice[] => FIELDS.map((field) => [field, say(`console.categories.fields.${field}`)]);
export const ruleOps = (): readonly Choice[] => OPS.map((op) => [op, say(`console.categories.ops.${op}`)]);

const BLANK_ROWS = 3;
const MAX_ROWS = 200;

const blankRow = (): RuleRow => ({ field: 'description', op: 'contains', value: '', percent: '' });

export const withBlanks = (rows: readonly RuleRow[], blanks = BLANK_ROWS): RuleRow[] => [
  ...rows,
  ...Array.from({ length: Math.min(blanks, MAX_ROWS - rows.length) }, blankRow),
];

const NAMES = ['field', 'op', 'value', 'percent'] as const;

/** A row as the inputs of a form have it, which are named after its number. */
export const rowValues = (row: RuleRow, index: number): Record<string, string> =>
  Object.fromEntries(NAMES.map((name) => [`${name}-${index}`, row[name]]));

export function rowsIn(state: FormState): RuleRow[] {
  const rows = Array.from({ length: MAX_ROWS }, (_none, index) => {
    const [field, op, value, percent] = NAMES.map((name) => valueIn(state, `${name}-${index}`)) as [string, string, string, string];
    return { field, op, value, percent: percent.trim() };
  });
  return rows.filter(({ value, percent }) => value !== '' || percent !== '');
}

/** What the form shows of a stored mapping: its rows, or its JSON if it says more than rows can. */
export function mappingValues(mapping: FreeForm): Record<string, string> {
  const rows = rowsOf(mapping);
  if (!rows) return { sourceMapping: JSON.stringify(mapping, null, 2) };
  return Object.fromEntries(rows.flatMap((row, index) => Object.entries(rowValues(row, index))));
}

export function mappingIn(state: FormState): unknown {
  const json = valueIn(state, 'sourceMapping').trim();
  if (json !== '') return parsedJson(json, notJson);
  const rules = rowsIn(state).map(({ field, op, value, percent }) => ({
    ...(percent !== '' && { claimablePercent: Number.isFinite(Number(percent)) ? Number(percent) : percent }),
    all: [{ field, op, value }],
  }));
  return rules.length === 0 ? {} : { rules };
}

function notJson(wrong: string): never {
  throw Problem.invalidField('sourceMapping', 'wrong_type', `must be JSON: ${wrong}`);
}

/** The rows of a stored mapping; undefined if it says more than rows can. */
export function rowsOf(mapping: FreeForm): RuleRow[] | undefined {
  const { rules = [], ...others } = mapping as { rules?: unknown };
  if (Object.keys(others).length > 0 || !Array.isArray(rules) || rules.length > MAX_ROWS) return undefined;
  const rows = rules.map(rowOf);
  return rows.every((row) => row !== undefined) ? rows : undefined;
}

function rowOf(rule: unknown): RuleRow | undefined {
  const { all, claimablePercent = '', ...others } = rule as { all?: unknown; claimablePercent?: unknown };
  if (Object.keys(others).length > 0 || !Array.isArray(all) || all.length !== 1) return undefined;
  const { field, op, value } = all[0] as Record<string, unknown>;
  const isPlain = OPS.some((known) => known === op) && (typeof value === 'string' || typeof value === 'number');
  return isPlain ? { field: String(field), op: String(op), value: String(value), percent: String(claimablePercent) } : undefined;
}
