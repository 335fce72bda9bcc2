import { isZero, plainDecimalOf } from '../amounts.js';
import { ControlSums } from '../numbered-lines.js';
import { currencyOf, type DraftReading, type ReadingWarning } from '../statement-line.js';
import type { Field } from './booking.js';

/**
 * What an MT942 says about itself: the amount from which bookings are reported (`:34F:`), and how many there are with which sum
 * (`:90C:`, `:90D:`).
 */
export class InterimTotals {
  readonly warnings: ReadingWarning[] = [];
  currency: string | null = null;
  private sums = new ControlSums();
  /** Expected entries are left out here, and banks differ in whether they count them. */
  private hasExpected = false;
  private hasFloor = false;

  startMessage(): void {
    this.sums = new ControlSums();
    this.hasExpected = this.hasFloor = false;
    this.currency = null;
  }

  floor({ lines, lineNumber }: Field): void {
    const [, currency, digits = ''] = /^\s*([A-Z]{3})[CD]?([\d.,]+)\s*$/.exec(lines[0] ?? '') ?? [];
    this.currency = currencyOf(currency) ?? this.currency;
    const amount = plainDecimalOf(digits);
    if (!amount || isZero(amount) || this.hasFloor) return;
    this.hasFloor = true;
    this.warnings.push({
      code: 'floor_limit',
      message: `The report leaves out bookings below an amount that the :34F: in line ${lineNumber} states.`,
    });
  }

  book(amount: string): void {
    this.sums.book(amount, amount.startsWith('-') ? 'out' : 'in');
  }

  expect(): void {
    this.hasExpected = true;
  }

  total({ tag, lines, lineNumber }: Field): void {
    const [, count, digits = ''] = /^\s*(\d{1,6})[A-Z]{3}([\d.,]+)\s*$/.exec(lines[0] ?? '') ?? [];
    const stated = plainDecimalOf(digits);
    if (!stated || this.hasExpected || this.hasFloor) return;
    if (this.sums.agree(tag === '90D' ? 'out' : 'in', stated, count)) return;
    this.warnings.push({
      code: 'totals_do_not_tie',
      message: `The :${tag}: in line ${lineNumber} states another number or sum of bookings than are before it. Bookings may be missing.`,
    });
  }
}

/** A report from before the end of the day or month. The bank may still change what it says, and states it again in the statement. */
export const interimReport = (kind: string): ReadingWarning => ({
  code: 'interim_report',
  message:
    `The file has a ${kind}, which is not a final statement. Its bookings may change, and come again in the statement. ` +
    'Reports count those once that both have.',
});

export const asInterim = (kind: string, reading: DraftReading): DraftReading => ({
  ...reading,
  warnings: () => [interimReport(kind), ...(reading.warnings?.() ?? [])],
});
