import { AccountSums } from './account-sums.js';
import { FIRST_YEAR, yearAfter } from './likely-years.js';
import type { ReadingWarning, StatementBalance, StatementLine } from './statement-line.js';

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

  /** What balances do not prove is said: the bookings of each account are either complete, or have a warning. */
  private ofBalances(balances: readonly StatementBalance[]): ReadingWarning[] {
    const sums = this.sums.with(balances);
    const count = (wanted: boolean | null): number => sums.filter(({ ties }) => ties === wanted).length;
    const [untied, unproven] = [count(false), count(null)];
    const warnings: ReadingWarning[] = [];
    if (untied > 0) {
      const which = sums.length === 1 ? 'The bookings' : `The bookings of ${untied} of ${sums.length} accounts and currencies`;
      const message = `${which} do not lead from the opening to the closing balance. Some may be missing.`;
      warnings.push({ code: 'balances_do_not_tie', message });
    }
    if (unproven > 0 || sums.length === 0) {
      const where = sums.length <= 1 ? 'The file' : `For ${unproven} of ${sums.length} accounts and currencies, the file`;
      const message = `${where} does not state both an opening and a closing balance, so a missing booking is not noticed.`;
      warnings.push({ code: 'balances_absent', message });
    }
    return warnings;
  }
}

/** The bookings that something is true of. */
class Bookings {
  private count = 0;
  private first = 0;

  add(lineNumber: number): void {
    if (this.count === 0) this.first = lineNumber;
    this.count += 1;
  }

  warning(code: string, what: string): ReadingWarning[] {
    if (this.count === 0) return [];
    const bookings = this.count === 1 ? `Booking ${this.first} has` : `${this.count} bookings, the first number ${this.first}, have`;
    return [{ code, message: `${bookings} ${what}` }];
  }
}
