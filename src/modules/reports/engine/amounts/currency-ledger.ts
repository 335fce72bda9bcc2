import type { RunCategory } from '../inputs.js';
import type { ClaimResult } from '../rules/matcher.js';
import { roundMoney, shareOf, type Money } from './money.js';

/** Sums of lines. */
export class Sums {
  count = 0;
  gross: Money = 0n;
  refunds: Money = 0n;

  /** Negative amounts are money out. */
  add(amount: Money): void {
    this.count += 1;
    if (amount < 0n) this.gross -= amount;
    else this.refunds += amount;
  }

  include(other: Sums): void {
    this.count += other.count;
    this.gross += other.gross;
    this.refunds += other.refunds;
  }

  get net(): Money {
    return this.gross - this.refunds;
  }
}

/** What a category has in a month: here, and nowhere else, a claim is rounded. */
export class CategoryMonth extends Sums {
  private share: Money = 0n;

  claim(share: Money): void {
    this.share += share;
  }

  claimable(digits: number): Money {
    return roundMoney(this.share, digits);
  }
}

/** The part of a line that may be claimed, exactly: positive for money out. */
export function claimableOf(amount: Money, { winner }: ClaimResult): Money {
  return shareOf(-amount, winner.rule.percent);
}

/** The lines of one currency. Totals, months and cells are each summed up from the lines, so that they can be held against each other. */
export class CurrencyLedger {
  readonly totals = new Sums();
  readonly months = new Map<string, Sums>();
  readonly uncategorised = new Sums();
  /** By id of the category and by month. */
  readonly categoryMonths = new Map<string, Map<string, CategoryMonth>>();
  /** How many lines each category won of which others would have claimed, too. */
  readonly overlaps = new Map<RunCategory, Map<RunCategory, number>>();
  /** How many lines each statement gave. */
  readonly linesByStatement = new Map<string, number>();

  add(statementId: string, month: string, amount: Money, contest: ClaimResult | null): void {
    this.linesByStatement.set(statementId, (this.linesByStatement.get(statementId) ?? 0) + 1);
    this.totals.add(amount);
    getOrCreate(this.months, month, () => new Sums()).add(amount);
    if (contest === null) return this.uncategorised.add(amount);
    const { winner, losers } = contest;
    const cell = getOrCreate(
      getOrCreate(this.categoryMonths, winner.category.id, () => new Map<string, CategoryMonth>()),
      month,
      () => new CategoryMonth(),
    );
    cell.add(amount);
    cell.claim(claimableOf(amount, contest));
    if (losers.length > 0) this.countOverlaps(winner.category, losers);
  }

  private countOverlaps(winner: RunCategory, losers: readonly RunCategory[]): void {
    const counts = getOrCreate(this.overlaps, winner, () => new Map<RunCategory, number>());
    for (const loser of losers) counts.set(loser, (counts.get(loser) ?? 0) + 1);
  }
}

/** The value of a key; created if there is none yet. */
export function getOrCreate<K, V>(map: Map<K, V>, key: K, create: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = create();
    map.set(key, value);
  }
  return value;
}
