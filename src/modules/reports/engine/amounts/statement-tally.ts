import type { RunLine, RunStatement } from '../inputs.js';
import { moneyOf, type Money } from '../../../../kernel/money.js';

/** Counts and sums the lines of one statement. */
export class StatementTally {
  linesRead = 0;
  duplicates = 0;
  private sum: Money = 0n;
  private readonly currencies: Set<string>;

  constructor(readonly statement: RunStatement) {
    this.currencies = new Set(statement.balances.flatMap(({ currency }) => currency ?? []));
  }

  add({ currency }: RunLine, amount: Money): void {
    this.linesRead += 1;
    this.sum += amount;
    if (currency !== null) this.currencies.add(currency);
  }

  /**
   * The difference between the sum of the lines and the change from the opening to the closing balances. null if the statement
   * does not give all balances or has more than one currency.
   */
  balanceDifference(): { money: Money; currency: string | null } | null {
    const { balances } = this.statement;
    if (balances.length === 0 || this.currencies.size > 1) return null;
    let money = this.sum;
    for (const { opening, closing } of balances) {
      if (opening === null || closing === null) return null;
      money += moneyOf(opening) - moneyOf(closing);
    }
    const [currency = null] = this.currencies;
    return { money, currency };
  }
}
