import { formatPercent, type Money, moneyOf, readPercent } from '../../../../kernel/money.js';
import type { DecidedPart, RunCategory, RunDecision, RunInputs } from '../inputs.js';
import type { ClaimResult, ClaimRule } from './matcher.js';

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
    return category ? { winner: { category, rule: ruleOf(decided) }, losers: [] } : null;
  }
}

function ruleOf({ claimablePercent, taxPercent }: Pick<DecidedPart, 'claimablePercent' | 'taxPercent'>): ClaimRule {
  const percent = readPercent(claimablePercent)!;
  return {
    name: null,
    percent,
    claimablePercent: formatPercent(percent),
    tax: taxPercent === null ? null : readPercent(taxPercent)!,
    taxPercent,
  };
}
