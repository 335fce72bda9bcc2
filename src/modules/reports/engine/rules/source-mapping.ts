import { formatPercent, type Percent } from '../../../../kernel/money.js';
import { SOURCE_MAPPING, type RuleCondition, type RuleSource } from '../../../rules/index.js';
import type { RunCategory } from '../inputs.js';
import type { ComparableLine, Condition } from './comparable-line.js';
import type { Conditions } from './conditions.js';
import { parsed } from './parsed.js';

export interface Rule {
  /** The id of the rule, or `rule 3` if it has none. */
  readonly name: string;
  readonly percent: Percent;
  /** The percentage as text, for the files. */
  readonly claimablePercent: string;
  /** The tax that its claims contain; null if it states none. */
  readonly tax: Percent | null;
  /** The same as text. */
  readonly taxPercent: string | null;
  /** How many conditions have to hold. Of two rules that hold, the more specific one wins. */
  readonly specificity: number;
  readonly holds: Condition;
}

export interface SourceMapping {
  /** The highest wins. */
  readonly priority: number;
  readonly rules: readonly Rule[];
}

export function readSourceMapping({ code, sourceMapping }: RunCategory, conditions: Conditions): SourceMapping {
  const { priority, rules } = parsed(SOURCE_MAPPING, sourceMapping, {
    code: 'invalid_source_mapping',
    name: `Category ${code}: sourceMapping`,
  });
  return { priority, rules: rules.map((rule, index) => ruleOf(rule, `rule ${index + 1}`, conditions)) };
}

function ruleOf(rule: RuleSource, otherwise: string, conditions: Conditions): Rule {
  const [all, any, none] = [rule.all, rule.any, rule.none].map((list) => inOrder(list).map((one) => conditions.of(one))) as [
    Condition[],
    Condition[],
    Condition[],
  ];
  return {
    name: rule.id ?? otherwise,
    percent: rule.claimablePercent,
    claimablePercent: formatPercent(rule.claimablePercent),
    tax: rule.taxPercent,
    taxPercent: rule.taxPercent === null ? null : formatPercent(rule.taxPercent),
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
function inOrder(conditions: readonly RuleCondition[]): RuleCondition[] {
  const cost = ({ op }: RuleCondition): number => (op === 'matches' ? 1 : 0);
  return [...conditions].sort((a, b) => cost(a) - cost(b));
}
