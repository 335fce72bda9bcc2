import { isZero, negated, sumOf } from './amounts.js';
import { FIRST_YEAR, yearAfter } from './likely-years.js';
import type { ReadingWarning, StatementBalance, StatementLine } from './statement-line.js';

/** What is noticed of the lines of a statement whose format names balances and dates in fields of their own. */
export class LineChecks {
  private readonly sums = new Map<string | null, string | null>();
  private readonly lastYear: string;
  private unlikely = 0;
  private firstUnlikely = 0;

  constructor(today: string) {
    this.lastYear = yearAfter(today);
  }

  take({ bookedOn, amount, currency, lineNumber }: StatementLine): void {
    const sum = this.sums.get(currency) ?? '0.00';
    this.sums.set(currency, sumOf([sum, amount]));
    const year = bookedOn.slice(0, 4);
    if (year >= FIRST_YEAR && year <= this.lastYear) return;
    if (this.unlikely === 0) this.firstUnlikely = lineNumber;
    this.unlikely += 1;
  }

  warnings(balances: readonly StatementBalance[]): ReadingWarning[] {
    return [...this.ofBalances(balances), ...this.ofYears()];
  }

  private ofBalances(balances: readonly StatementBalance[]): ReadingWarning[] {
    const currencies = new Set(balances.map(({ currency }) => currency));
    const broken = [...currencies].some((currency) => {
      const own = balances.filter((balance) => balance.currency === currency);
      const parts = own.flatMap(({ opening, closing }) => (opening === null || closing === null ? [] : [opening, negated(closing)]));
      if (parts.length < own.length * 2) return false;
      const rest = sumOf([...parts, this.sums.get(currency) ?? '0.00']);
      return rest !== null && !isZero(rest);
    });
    if (!broken) return [];
    const message = 'The bookings do not lead from the opening to the closing balance. Some may be missing.';
    return [{ code: 'balances_do_not_tie', message }];
  }

  private ofYears(): ReadingWarning[] {
    if (this.unlikely === 0) return [];
    const lines =
      this.unlikely === 1 ? `Booking ${this.firstUnlikely} has` : `${this.unlikely} bookings, the first number ${this.firstUnlikely}, have`;
    return [{ code: 'unlikely_year', message: `${lines} a year before ${FIRST_YEAR} or after ${this.lastYear}.` }];
  }
}
