import { isZero, negated, sumOf } from './amounts.js';
import { FIRST_YEAR, yearAfter } from './dates.js';
import { type LineDraft, type Period, type ReadingWarning, type StatementBalance, type StatementLine, widened } from './statement-line.js';

type Account = Pick<StatementBalance, 'account' | 'currency'>;

export interface AccountSum extends StatementBalance {
  readonly lines: number;
  /** null if it has too many digits. */
  readonly sum: string | null;
  /** Whether the lines lead from the opening to the closing balance, without a gap; null if the file does not state both. */
  readonly ties: boolean | null;
}

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

/** What is noticed of the lines of a statement whose format names balances and dates in fields of their own. */
export class LineChecks {
  private readonly sums = new AccountSums();
  private readonly lastYear: string;
  private readonly unlikelyYears = new Bookings();
  private readonly withoutCurrency = new Bookings();

  constructor(today: string) {
    this.lastYear = yearAfter(today);
  }

  take(line: StatementLine): void {
    const { bookedOn, currency, lineNumber } = line;
    this.sums.add(line);
    if (currency === null) this.withoutCurrency.add(lineNumber);
    const year = bookedOn.slice(0, 4);
    if (year < FIRST_YEAR || year > this.lastYear) this.unlikelyYears.add(lineNumber);
  }

  warnings(balances: readonly StatementBalance[]): ReadingWarning[] {
    return [
      ...this.withoutCurrency.warning('currency_unknown', 'no known currency. Import the file with its currency.'),
      ...this.ofBalances(balances),
      ...this.unlikelyYears.warning('unlikely_year', `a year before ${FIRST_YEAR} or after ${this.lastYear}.`),
    ];
  }

  areProvenBy(balances: readonly StatementBalance[]): boolean {
    const sums = this.sums.with(balances);
    return sums.length > 0 && sums.every(({ ties }) => ties);
  }

  private ofBalances(balances: readonly StatementBalance[]): ReadingWarning[] {
    const sums = this.sums.with(balances);
    const untied = sums.filter(({ ties }) => ties === false).length;
    if (untied === 0) return [];
    const which = sums.length === 1 ? 'The bookings' : `The bookings of ${untied} of ${sums.length} accounts and currencies`;
    const message = `${which} do not lead from the opening to the closing balance. Some may be missing.`;
    return [{ code: 'balances_do_not_tie', message }];
  }
}

/** How often something is true in a file, and where first. */
export class Counted<Where> {
  protected count = 0;
  protected first: Where | undefined;

  add(where: Where): void {
    this.first ??= where;
    this.count += 1;
  }
}

/** Payments that a file has but the bank has not booked, such as pending ones: left out, which people should know. */
export class NotBooked extends Counted<string> {
  get warnings(): ReadingWarning[] {
    if (this.count === 0) return [];
    const payments = this.count === 1 ? `1 payment, ${this.first}, is` : `${this.count} payments, the first ${this.first}, are`;
    return [{ code: 'not_booked', message: `${payments} not booked, and left out.` }];
  }
}

class Bookings extends Counted<number> {
  warning(code: string, what: string): ReadingWarning[] {
    if (this.count === 0) return [];
    const bookings = this.count === 1 ? `Booking ${this.first} has` : `${this.count} bookings, the first number ${this.first}, have`;
    return [{ code, message: `${bookings} ${what}` }];
  }
}

const MOST_NAMED = 10;

/** How many lines or bookings something is true of, and the first of them. */
export class Place {
  private count = 0;
  private readonly first: number[] = [];

  constructor(private readonly noun: 'Line' | 'Booking' = 'Line') {}

  add(number: number): void {
    if (this.count < MOST_NAMED) this.first.push(number);
    this.count += 1;
  }

  warning(code: string, what: string): ReadingWarning[] {
    return this.count === 0 ? [] : [{ code, message: `${this.where}: ${what}` }];
  }

  private get where(): string {
    const named = this.first.join(', ');
    if (this.count > MOST_NAMED) return `${this.count} ${this.noun.toLowerCase()}s, the first of them ${named}`;
    return this.count === 1 ? `${this.noun} ${named}` : `${this.noun}s ${named.replace(/, (\d+)$/, ' and $1')}`;
  }
}

/**
 * Finds bookings that a file has twice, by the bank's ids, which are unique within an account. What has the id, the day and the amount of
 * another booking is the same one, unless the file states another balance after it. What differs in the amount or the day is another
 * booking, whose id is wrong.
 */
export class RepeatedIds {
  private readonly known = new Map<string, string>();
  private readonly leftOut = new Place('Booking');
  private readonly kept = new Place('Booking');

  /** Whether the line does not count. */
  isRepeated({ account, bankReference, bookedOn, amount, currency, balance = null }: LineDraft, number: number): boolean {
    if (bankReference === null) return false;
    const id = JSON.stringify([account, currency, bankReference]);
    const said = `${bookedOn} ${amount} `;
    const known = this.known.get(id);
    if (known === undefined) this.known.set(id, said + (balance ?? ''));
    if (known === undefined || (known.startsWith(said) && known !== said + (balance ?? ''))) return false;
    const isSame = known.startsWith(said);
    (isSame ? this.leftOut : this.kept).add(number);
    return isSame;
  }

  get warnings(): ReadingWarning[] {
    return [
      ...this.leftOut.warning('id_repeated', 'the id, day and amount of an earlier booking. It is counted once.'),
      ...this.kept.warning('id_reused', 'the id of an earlier booking with another day or amount. Both are counted.'),
    ];
  }
}

/** The period that the importer says of a file that states none. What is booked on other days contradicts it. */
export class SaidPeriod {
  private days: Period | null = null;
  private readonly outside = new Place('Booking');

  constructor(private readonly said: Period | undefined) {}

  take({ bookedOn, lineNumber }: StatementLine): void {
    if (!this.said) return;
    this.days = widened(this.days, bookedOn, bookedOn);
    if (bookedOn < this.said.start || bookedOn > this.said.end) this.outside.add(lineNumber);
  }

  unless(stated: Period | null): Period | null {
    return stated ?? (this.said ? widened(this.days, this.said.start, this.said.end) : null);
  }

  warnings(stated: Period | null): ReadingWarning[] {
    return stated ? [] : this.outside.warning('outside_period', 'on a day outside the period of the import, and kept.');
  }
}
