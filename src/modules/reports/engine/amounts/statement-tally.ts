import type { RunBalance, RunLine, RunStatement } from '../inputs.js';
import { moneyOf, type Money } from '../../../../kernel/money.js';

/** What the lines of a statement lack for the change in its balances; zero if they tie. */
export interface BalanceDifference {
  readonly money: Money;
  readonly currency: string | null;
  /** Whether the statement has other currencies as well. */
  readonly isOneOfSeveral: boolean;
}

/** Counts and sums the lines of one statement. */
export class StatementTally {
  linesRead = 0;
  duplicates = 0;
  private readonly sums = new Map<string | null, Money>();

  constructor(readonly statement: RunStatement) {}

  add({ currency }: RunLine, amount: Money): void {
    this.linesRead += 1;
    this.sums.set(currency, (this.sums.get(currency) ?? 0n) + amount);
  }

  /**
   * The difference between the sum of the lines and the change from the opening to the closing balances, for each currency of which
   * the statement gives all balances. With several currencies, lines without a currency belong to none of them.
   */
  balanceDifferences(): BalanceDifference[] {
    const { balances } = this.statement;
    const named = [...new Set([...balances.map(({ currency }) => currency), ...this.sums.keys()])].filter((currency) => currency !== null);
    if (named.length <= 1) return differenceOf(balances, this.sumOf([...this.sums.keys()]), named[0] ?? null, false);
    if (this.sums.has(null)) return [];
    return named.sort().flatMap((currency) => {
      const own = balances.filter((balance) => balance.currency === currency);
      return differenceOf(own, this.sumOf([currency]), currency, true);
    });
  }

  private sumOf(currencies: readonly (string | null)[]): Money {
    return currencies.reduce((sum, currency) => sum + (this.sums.get(currency) ?? 0n), 0n);
  }
}

/** None if a balance is missing. */
function differenceOf(balances: readonly RunBalance[], sum: Money, currency: string | null, isOneOfSeveral: boolean): BalanceDifference[] {
  if (balances.length === 0) return [];
  let money = sum;
  for (const { opening, closing } of balances) {
    if (opening === null || closing === null) return [];
    money += moneyOf(opening) - moneyOf(closing);
  }
  return [{ money, currency, isOneOfSeveral }];
}
