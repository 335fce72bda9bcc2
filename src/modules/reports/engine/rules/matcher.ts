import type { ComparableLine } from './comparable-line.js';
import { byCode, type RunCategory, type TokenOf } from '../inputs.js';
import { Conditions } from './conditions.js';
import { readSourceMapping, type Rule } from './source-mapping.js';

/** A rule with the category that it claims lines for. */
export interface CategoryRule {
  readonly category: RunCategory;
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
  private readonly rankedRules: readonly CategoryRule[];
  private readonly rulesByProject = new Map<string | null, readonly CategoryRule[]>();

  private readonly indexes: ReadonlyMap<RunCategory, number>;

  constructor(categories: readonly RunCategory[], tokenOf: TokenOf) {
    this.indexes = new Map(categories.map((category, index) => [category, index]));
    const conditions = new Conditions(tokenOf);
    const mapped = categories.map((category) => ({ category, mapping: readSourceMapping(category, conditions) }));
    this.withoutRules = mapped.filter(({ mapping }) => mapping.rules.length === 0).map(({ category }) => category);
    this.hasTax = mapped.some(({ mapping }) => mapping.rules.some(({ tax }) => tax !== null));
    const claims = mapped.flatMap(({ category, mapping: { priority, rules } }) => rules.map((rule) => ({ category, rule, priority })));
    // The sort is stable, so the rules of a category keep their order.
    this.rankedRules = claims.sort(
      (a, b) => b.priority - a.priority || b.rule.specificity - a.rule.specificity || byCode(a.category, b.category),
    );
  }

  /** The position of a category among those that it was made with. */
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
  private rulesFor(projectId: string | null): readonly CategoryRule[] {
    let claims = this.rulesByProject.get(projectId);
    if (!claims) {
      claims = this.rankedRules.filter(({ category }) => category.projectId === null || category.projectId === projectId);
      this.rulesByProject.set(projectId, claims);
    }
    return claims;
  }
}
