import { JobFailure } from '../../../kernel/failure.js';
import { DateOrder, type WrittenDate } from './csv/written-values.js';
import type { ReadingWarning } from './statement-line.js';

export interface DatedLine {
  /** Where it is in the file, for messages, such as `Line 7`. */
  readonly place: string;
  readonly date: WrittenDate;
}

/** How many lines are held back until one of them proves the order of day and month. */
const MAX_WAITING = 20_000;

/** Lines whose dates may be ambiguous until a later date proves the order of day and month. */
export class WaitingLines<Line extends DatedLine> {
  private readonly order = new DateOrder();
  private waiting: Line[] = [];

  get count(): number {
    return this.waiting.length;
  }

  add(line: Line): void {
    this.order.learn(line.date);
    this.waiting.push(line);
    if (this.waiting.length > MAX_WAITING) this.refuseAmbiguous();
  }

  /** The lines whose dates can be read: all of them if the order is known, else those before the first ambiguous date. */
  release(): (Line & { readonly bookedOn: string })[] {
    const first = this.waiting.findIndex(({ date }) => this.order.isAmbiguous(date));
    const ready = this.waiting.splice(0, first < 0 ? this.waiting.length : first);
    return ready.map((line) => ({ ...line, bookedOn: this.dayOf(line) }));
  }

  finish(): (Line & { readonly bookedOn: string })[] {
    this.refuseAmbiguous();
    return this.release();
  }

  private dayOf({ date, place }: Line): string {
    const day = this.order.read(date);
    if (!day) throw new JobFailure('invalid_date', `${place} has a date that is invalid in the day and month order of the other lines.`);
    return day;
  }

  private refuseAmbiguous(): void {
    const first = this.waiting.find(({ date }) => this.order.isAmbiguous(date));
    if (!first) return;
    const message = `${first.place} has a date that can be read as day/month or month/day, and no other date shows the order.`;
    throw new JobFailure('ambiguous_dates', `${message} Export a longer period, or another format.`);
  }
}

/** Payments that a file has but the bank has not booked, such as pending ones. They are left out, which people should know. */
export class NotBooked {
  private count = 0;
  private first = '';

  /** `place` is where it stands in the file, such as `entry 7`. */
  leaveOut(place: string): void {
    if (this.count === 0) this.first = place;
    this.count += 1;
  }

  get warnings(): ReadingWarning[] {
    if (this.count === 0) return [];
    const payments = this.count === 1 ? `1 payment, ${this.first}, is` : `${this.count} payments, the first ${this.first}, are`;
    return [{ code: 'not_booked', message: `${payments} not booked, and left out.` }];
  }
}
