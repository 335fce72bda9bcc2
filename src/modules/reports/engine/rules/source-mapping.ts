import type { ComparableLine, Condition } from './comparable-line.js';
import { readCondition, type ConditionFields } from './conditions.js';
import type { RunCategory } from '../inputs.js';
import { formatPercent, readPercent, type Percent } from '../amounts/money.js';
import { JsonField } from '../json-field.js';

const MAX_RULES = 1000;
const MAX_CONDITIONS = 100;
const MAX_ID_LENGTH = 200;

export interface Rule {
  /** The id of the rule, or `rule 3` if it has none. */
  readonly name: string;
  readonly percent: Percent;
  /** The percentage as text, for the files. */
  readonly claimablePercent: string;
  /** How many conditions have to hold. Of two rules that hold, the more specific one wins. */
  readonly specificity: number;
  readonly holds: Condition;
}

export interface SourceMapping {
  /** The highest wins. */
  readonly priority: number;
  readonly rules: readonly Rule[];
}

/** Unknown keys belong to the integrator and are ignored. */
export function readSourceMapping({ code, sourceMapping }: RunCategory, fields: ConditionFields): SourceMapping {
  const mapping = new JsonField('invalid_source_mapping', `Category ${code}: sourceMapping`, sourceMapping);
  const rules = mapping
    .key('rules')
    .items({ max: MAX_RULES })
    .map((json, index) => readRule(json, `rule ${index + 1}`, fields));
  return { priority: readPriority(mapping.key('priority')), rules };
}

function readRule(json: JsonField, otherwise: string, fields: ConditionFields): Rule {
  const [all, any, none] = ['all', 'any', 'none'].map((name) => readConditions(json.key(name), fields)) as [
    Condition[],
    Condition[],
    Condition[],
  ];
  if (all.length + any.length === 0) json.fail('have a condition in all or any; without one, it would claim every line');
  if (all.length + any.length + none.length > MAX_CONDITIONS) json.fail(`have at most ${MAX_CONDITIONS} conditions`);
  const id = json.key('id');
  const percent = readClaimable(json.key('claimablePercent'));
  return {
    name: id.isGiven ? id.text(MAX_ID_LENGTH) : otherwise,
    percent,
    claimablePercent: formatPercent(percent),
    specificity: all.length + none.length + (any.length > 0 ? 1 : 0),
    holds: (line) => !anyResultIs(false, all, line) && !anyResultIs(true, none, line) && (any.length === 0 || anyResultIs(true, any, line)),
  };
}

/** A plain loop: it runs for every rule and line, and `some` would need a new closure each time. */
function anyResultIs(wanted: boolean, conditions: readonly Condition[], line: ComparableLine): boolean {
  for (const condition of conditions) if (condition(line) === wanted) return true;
  return false;
}

/** Patterns are the slowest, so they come last: usually another condition has decided by then. */
function readConditions(json: JsonField, fields: ConditionFields): Condition[] {
  const conditions = json.items().map((item) => ({ holds: readCondition(item, fields), cost: item.key('op').value === 'matches' ? 1 : 0 }));
  return conditions.sort((a, b) => a.cost - b.cost).map(({ holds }) => holds);
}

function readClaimable(json: JsonField): Percent {
  const value = json.isGiven ? json.value : 100;
  const percent = typeof value === 'number' || typeof value === 'string' ? readPercent(String(value)) : undefined;
  return percent ?? json.fail('be a number from 0 to 100 with at most four decimals');
}

function readPriority(json: JsonField): number {
  if (!json.isGiven) return 0;
  return Number.isSafeInteger(json.value) ? (json.value as number) : json.fail('be a whole number');
}
