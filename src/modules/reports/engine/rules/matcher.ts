import { formatPercent, type Fraction, type Money, moneyOf, type Percent, readPercent } from '../../../../kernel/money.js';
import { type RuleCondition, type RuleSource, SOURCE_MAPPING } from '../../../rules/index.js';
import { byCode, type DecidedPart, parsed, type RunCategory, type RunDecision, type RunInputs, type TokenOf } from '../inputs.js';
import { type ComparableLine, type Condition, Conditions } from './conditions.js';

interface CategoryRule {
  readonly category: RunCategory;
  readonly rule: ClaimRule;
}

interface RankedRule extends CategoryRule {
  readonly rule: Rule;
}

export interface ClaimResult {
  readonly winner: CategoryRule;
  /** Other categories that would have claimed the line. */
  readonly losers: readonly RunCategory[];
}

/** Finds the category that claims a line: that of the highest-ranked rule that holds. */
export class Matcher {
  /** Categories that cannot claim anything; the report warns about them. */
  readonly withoutRules: readonly RunCategory[];
  /** Whether a rule states the tax that its claims contain. Only then the report has taxes. */
  readonly hasTax: boolean;
  /** The least amount for which a category wants a receipt, if it does. */
  readonly receiptFrom: ReadonlyMap<RunCategory, Money | undefined>;
  private readonly rankedRules: readonly RankedRule[];
  private readonly rulesByProject = new Map<string | null, readonly RankedRule[]>();

  private readonly indexes: ReadonlyMap<RunCategory, number>;

  constructor(categories: readonly RunCategory[], tokenOf: TokenOf) {
    this.indexes = new Map(categories.map((category, index) => [category, index]));
    const conditions = new Conditions(tokenOf);
    const mapped = categories.map((category) => ({ category, mapping: readSourceMapping(category, conditions) }));
    this.withoutRules = mapped.filter(({ mapping }) => mapping.rules.length === 0).map(({ category }) => category);
    this.receiptFrom = new Map(mapped.map(({ category, mapping }) => [category, mapping.receipt?.from]));
    this.hasTax = mapped.some(({ mapping }) => mapping.rules.some(({ tax }) => tax !== null));
    const claims = mapped.flatMap(({ category, mapping: { priority, rules } }) => rules.map((rule) => ({ category, rule, priority })));
    // The sort is stable, so the rules of a category keep their order.
    this.rankedRules = claims.sort(
      (a, b) => b.priority - a.priority || b.rule.specificity - a.rule.specificity || byCode(a.category, b.category),
    );
  }

  indexOf(category: RunCategory): number {
    return this.indexes.get(category)!;
  }

  /** null if no category claims the line. Tests all rules, since the report warns about overlapping categories. */
  claim(line: ComparableLine, projectId: string | null): ClaimResult | null {
    let winner: CategoryRule | null = null;
    let losers: RunCategory[] | undefined;
    for (const claim of this.rulesFor(projectId)) {
      if (winner?.category === claim.category || losers?.includes(claim.category)) continue;
      if (!claim.rule.holds(line)) continue;
      if (winner === null) winner = claim;
      else (losers ??= []).push(claim.category);
    }
    return winner && { winner, losers: losers ?? [] };
  }

  /** A category of a project only claims lines of that project's statements. */
  private rulesFor(projectId: string | null): readonly RankedRule[] {
    let claims = this.rulesByProject.get(projectId);
    if (!claims) {
      claims = this.rankedRules.filter(({ category }) => category.projectId === null || category.projectId === projectId);
      this.rulesByProject.set(projectId, claims);
    }
    return claims;
  }
}

/** What a claim is computed by: a rule, or what a person has decided. */
export interface ClaimRule {
  /** The id of the rule, or `rule 3` if it has none; null for a decision. */
  readonly name: string | null;
  readonly percent: Percent;
  readonly claimablePercent: string;
  /** The tax that its claims contain; null if it states none. That of one claim may be what its receipts state. */
  readonly tax: Percent | Fraction | null;
  readonly taxPercent: string | null;
}

export const isStated = (tax: ClaimRule['tax']): tax is Fraction => typeof tax === 'object' && tax !== null;

interface Rule extends ClaimRule {
  /** How many conditions have to hold. Of two rules that hold, the more specific one wins. */
  readonly specificity: number;
  readonly holds: Condition;
}

interface SourceMapping {
  /** The highest wins. */
  readonly priority: number;
  readonly rules: readonly Rule[];
  readonly receipt: { readonly from: Money } | null;
}

export function readSourceMapping({ code, sourceMapping }: RunCategory, conditions: Conditions): SourceMapping {
  const { priority, rules, receipt } = parsed(SOURCE_MAPPING, sourceMapping, {
    code: 'invalid_source_mapping',
    name: `Category ${code}: sourceMapping`,
  });
  return { priority, receipt, rules: rules.map((rule, index) => ruleOf(rule, `rule ${index + 1}`, conditions)) };
}

function ruleOf(rule: RuleSource, otherwise: string, conditions: Conditions): Rule {
  const [all, any, none] = [rule.all, rule.any, rule.none].map((list) => inOrder(list).map((one) => conditions.compile(one))) as [
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

/** An amount that is claimed for one category, or for none: a line, or a part of one. */
export interface Item {
  readonly amount: Money;
  readonly claim: ClaimResult | null;
}

export class Decisions {
  /** Decided lines whose category takes no part in the run, so that they are not claimed in it. */
  withoutCategory = 0;
  readonly hasTax: boolean;
  private readonly byLine: ReadonlyMap<string, RunDecision>;
  private readonly categories: ReadonlyMap<string, RunCategory>;
  private readonly decidedFor: ReadonlySet<string | null>;

  constructor({ decisions = [] }: Pick<RunInputs, 'decisions'>, categories: readonly RunCategory[]) {
    this.byLine = new Map(decisions.map((decision) => [`${decision.fingerprint} ${decision.occurrence}`, decision]));
    this.categories = new Map(categories.map((category) => [category.id, category]));
    this.decidedFor = new Set(decisions.flatMap(({ parts }) => parts.map(({ categoryId }) => categoryId)));
    this.hasTax = decisions.some(({ parts }) => parts.some(({ taxPercent }) => taxPercent !== null));
  }

  of(fingerprint: string, occurrence: number): RunDecision | undefined {
    return this.byLine.size === 0 ? undefined : this.byLine.get(`${fingerprint} ${occurrence}`);
  }

  /** Whether a category claims something without a rule. */
  claimsFor(categoryId: string): boolean {
    return this.decidedFor.has(categoryId);
  }

  itemsOf({ parts }: RunDecision, line: Money): readonly Item[] {
    if (parts.length === 0) return [{ amount: line, claim: null }];
    const items = parts.map((part) => ({ amount: part.amount === null ? line : moneyOf(part.amount), claim: this.claimOf(part) }));
    if (items.reduce((sum, { amount }) => sum + amount, 0n) !== line)
      throw new Error('The parts of a decided line do not make its amount.');
    if (items.some(({ claim }, index) => claim === null && parts[index]!.categoryId !== null)) this.withoutCategory += 1;
    return items;
  }

  private claimOf({ categoryId, ...decided }: DecidedPart): ClaimResult | null {
    const category = categoryId === null ? undefined : this.categories.get(categoryId);
    return category ? { winner: { category, rule: decidedRule(decided) }, losers: [] } : null;
  }
}

function decidedRule({ claimablePercent, taxPercent }: Pick<DecidedPart, 'claimablePercent' | 'taxPercent'>): ClaimRule {
  const percent = readPercent(claimablePercent)!;
  return {
    name: null,
    percent,
    claimablePercent: formatPercent(percent),
    tax: taxPercent === null ? null : readPercent(taxPercent)!,
    taxPercent,
  };
}
