import { AccountSums } from './account-sums.js';
import { FIRST_YEAR, yearAfter } from './likely-years.js';
import type { ReadingWarning, StatementBalance, StatementLine } from './statement-line.js';

/** What is noticed of the lines of a statement whose format names balances and dates in fields of their own. */
export class LineChecks {
  private readonly sums = new AccountSums();
  private readonly lastYear: string;
  private unlikely = 0;
  private firstUnlikely = 0;

  constructor(today: string) {
    this.lastYear = yearAfter(today);
  }

  take(line: StatementLine): void {
    const { bookedOn, lineNumber } = line;
    this.sums.add(line);
    const year = bookedOn.slice(0, 4);
    if (year >= FIRST_YEAR && year <= this.lastYear) return;
    if (this.unlikely === 0) this.firstUnlikely = lineNumber;
    this.unlikely += 1;
  }

  warnings(balances: readonly StatementBalance[]): ReadingWarning[] {
    return [...this.ofBalances(balances), ...this.ofYears()];
  }

  private ofBalances(balances: readonly StatementBalance[]): ReadingWarning[] {
    const sums = this.sums.with(balances);
    const untied = sums.filter(({ ties }) => ties === false).length;
    if (untied === 0) return [];
    const which = sums.length === 1 ? 'The bookings' : `The bookings of ${untied} of ${sums.length} accounts and currencies`;
    const message = `${which} do not lead from the opening to the closing balance. Some may be missing.`;
    return [{ code: 'balances_do_not_tie', message }];
  }

  private ofYears(): ReadingWarning[] {
    if (this.unlikely === 0) return [];
    const lines =
      this.unlikely === 1 ? `Booking ${this.firstUnlikely} has` : `${this.unlikely} bookings, the first number ${this.firstUnlikely}, have`;
    return [{ code: 'unlikely_year', message: `${lines} a year before ${FIRST_YEAR} or after ${this.lastYear}.` }];
  }
}
