import type { ComparableLine, Condition } from './comparable-line.js';
import { readCondition, type ConditionFields } from './conditions.js';
import type { RunCategory } from '../inputs.js';
import { formatPercent, readPercent, type Percent } from '../amounts/money.js';
import { JsonField } from '../json-field.js';

const RULES_MAX = 1000;
const CONDITIONS_MAX = 100;
const ID_MAX = 200;

export interface Rule {
  /** Its id, or which one it is when it has none. */
  readonly name: string;
  readonly percent: Percent;
  /** As it is shown. */
  readonly claimablePercent: string;
  /** How many conditions have to hold: the more, the more it is meant for just these lines. */
  readonly specificity: number;
  readonly holds: Condition;
}

export interface SourceMapping {
  /** Higher goes first. */
  readonly priority: number;
  readonly rules: readonly Rule[];
}

/** Keys that the mapping does not know are the integrator's own, and are left alone. */
export function readSourceMapping({ code, sourceMapping }: RunCategory, fields: ConditionFields): SourceMapping {
  const mapping = new JsonField('invalid_source_mapping', `Category ${code}: sourceMapping`, sourceMapping);
  const rules = mapping
    .key('rules')
    .items({ max: RULES_MAX })
    .map((place, index) => readRule(place, `rule ${index + 1}`, fields));
  return { priority: readPriority(mapping.key('priority')), rules };
}

function readRule(place: JsonField, otherwise: string, fields: ConditionFields): Rule {
  const [all, any, none] = ['all', 'any', 'none'].map((name) => readConditions(place.key(name), fields)) as [
    Condition[],
    Condition[],
    Condition[],
  ];
  if (all.length + any.length === 0) place.fail('have a condition in all or any: without one it would claim every line');
  if (all.length + any.length + none.length > CONDITIONS_MAX) place.fail(`have at most ${CONDITIONS_MAX} conditions`);
  const id = place.key('id');
  const percent = readClaimable(place.key('claimablePercent'));
  return {
    name: id.isGiven ? id.text(ID_MAX) : otherwise,
    percent,
    claimablePercent: formatPercent(percent),
    specificity: all.length + none.length + (any.length > 0 ? 1 : 0),
    holds: (line) => !someIs(false, all, line) && !someIs(true, none, line) && (any.length === 0 || someIs(true, any, line)),
  };
}

/** A loop of its own, since it runs for every rule and line: `some` would be given a new function each time. */
function someIs(wanted: boolean, conditions: readonly Condition[], line: ComparableLine): boolean {
  for (const condition of conditions) if (condition(line) === wanted) return true;
  return false;
}

/** Patterns cost most, so they are asked last: mostly something else has decided by then. */
function readConditions(place: JsonField, fields: ConditionFields): Condition[] {
  const conditions = place
    .items()
    .map((item) => ({ holds: readCondition(item, fields), cost: item.key('op').value === 'matches' ? 1 : 0 }));
  return conditions.sort((a, b) => a.cost - b.cost).map(({ holds }) => holds);
}

function readClaimable(place: JsonField): Percent {
  const value = place.isGiven ? place.value : 100;
  const percent = typeof value === 'number' || typeof value === 'string' ? readPercent(String(value)) : undefined;
  return percent ?? place.fail('be a number from 0 to 100 with at most four decimals');
}

function readPriority(place: JsonField): number {
  if (!place.isGiven) return 0;
  return Number.isSafeInteger(place.value) ? (place.value as number) : place.fail('be a whole number');
}
