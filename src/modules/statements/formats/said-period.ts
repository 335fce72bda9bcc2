import { Place } from './line-checks.js';
import { type Period, type ReadingWarning, type StatementLine, widened } from './statement-line.js';

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
