import type { ReadingWarning } from './statement-line.js';

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
