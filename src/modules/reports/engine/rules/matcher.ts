import type { ComparableLine } from './comparable-line.js';
import { byCode, type RunCategory, type TokenOf } from '../inputs.js';
import { conditionFields } from './conditions.js';
import { readSourceMapping, type Rule } from './source-mapping.js';

/** A rule that may claim a line for a category. */
export interface CategoryRule {
  readonly category: RunCategory;
  readonly rule: Rule;
}

export interface ClaimResult {
  readonly winner: CategoryRule;
  /** Categories that would have claimed the line, too. */
  readonly losers: readonly RunCategory[];
}

/** Finds for each line the category that claims it: of all rules that hold the first one in the order of rank. */
export class Matcher {
  /** They claim nothing, which is no fault, but worth a word. */
  readonly withoutRules: readonly RunCategory[];
  private readonly rankedRules: readonly CategoryRule[];
  private readonly rulesByProject = new Map<string | null, readonly CategoryRule[]>();

  constructor(categories: readonly RunCategory[], tokenOf: TokenOf) {
    const fields = conditionFields(tokenOf);
    const mapped = categories.map((category) => ({ category, mapping: readSourceMapping(category, fields) }));
    this.withoutRules = mapped.filter(({ mapping }) => mapping.rules.length === 0).map(({ category }) => category);
    const claims = mapped.flatMap(({ category, mapping: { priority, rules } }) => rules.map((rule) => ({ category, rule, priority })));
    // The order is stable, so the rules of a category stay in their places.
    this.rankedRules = claims.sort(
      (a, b) => b.priority - a.priority || b.rule.specificity - a.rule.specificity || byCode(a.category, b.category),
    );
  }

  /** Null when no category claims the line. All rules are asked, since an accountant wants to know of those that lost. */
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

  /** A category of a project claims lines of that project's statements only. */
  private rulesFor(projectId: string | null): readonly CategoryRule[] {
    let claims = this.rulesByProject.get(projectId);
    if (!claims) {
      claims = this.rankedRules.filter(({ category }) => category.projectId === null || category.projectId === projectId);
      this.rulesByProject.set(projectId, claims);
    }
    return claims;
  }
}
