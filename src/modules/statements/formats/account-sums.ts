import { isZero, negated, sumOf } from './amounts.js';
import type { StatementBalance, StatementLine } from './statement-line.js';

type Account = Pick<StatementBalance, 'account' | 'currency'>;

/** The lines of an account in one currency, and whether its balances prove that they are all there. */
export interface AccountSum extends StatementBalance {
  readonly lines: number;
  /** null if it has too many digits. */
  readonly sum: string | null;
  /** Whether the lines lead from the opening to the closing balance, without a gap; null if the file does not state both. */
  readonly ties: boolean | null;
}

/** Adds up the lines of each account. */
export class AccountSums {
  private readonly sums = new Map<string, Account & Pick<AccountSum, 'lines' | 'sum'>>();

  add({ account, currency, amount }: StatementLine): void {
    const key = keyOf({ account, currency });
    const known = this.sums.get(key);
    this.sums.set(key, {
      account,
      currency,
      lines: (known?.lines ?? 0) + 1,
      sum: known ? known.sum && sumOf([known.sum, amount]) : amount,
    });
  }

  /** First the accounts with balances, then the others. */
  with(balances: readonly StatementBalance[]): AccountSum[] {
    const byAccount = new Map<string, StatementBalance[]>();
    for (const balance of balances) {
      const own = byAccount.get(keyOf(balance));
      if (own) own.push(balance);
      else byAccount.set(keyOf(balance), [balance]);
    }
    const stated = [...byAccount].map(([key, own]) => sumWith(own, this.sums.get(key)));
    const others = [...this.sums].filter(([key]) => !byAccount.has(key));
    return [...stated, ...others.map(([, sum]) => ({ ...sum, opening: null, closing: null, ties: null }))];
  }
}

/** A file may have several statements of an account, one after the other. */
function sumWith(
  balances: readonly StatementBalance[],
  { lines, sum }: Pick<AccountSum, 'lines' | 'sum'> = { lines: 0, sum: '0.00' },
): AccountSum {
  const [first, last] = [balances[0]!, balances.at(-1)!];
  return { ...first, closing: last.closing, lines, sum, ties: sum === null ? null : tiesOf(balances, sum) };
}

function tiesOf(balances: readonly StatementBalance[], sum: string): boolean | null {
  const changes = balances.flatMap(({ opening, closing }) => (opening === null || closing === null ? [] : [closing, negated(opening)]));
  const rest = changes.length < 2 * balances.length ? null : sumOf([...changes, negated(sum)]);
  return rest === null ? null : isZero(rest) && areChained(balances);
}

/** Whether each statement but one begins where another ends, in any order. If not, one between them is missing, or there twice. */
function areChained(balances: readonly StatementBalance[]): boolean {
  const ends = new Map<string | null, number>();
  for (const { opening, closing } of balances) {
    ends.set(opening, (ends.get(opening) ?? 0) + 1);
    ends.set(closing, (ends.get(closing) ?? 0) - 1);
  }
  return [...ends.values()].filter((count) => count > 0).reduce((all, count) => all + count, 0) <= 1;
}

const keyOf = ({ account, currency }: Account): string => JSON.stringify([account, currency]);
