import { JobFailure } from '../../../kernel/failure.js';
import { DateOrder, type WrittenDate } from './csv/written-values.js';

/** How many lines are held back until one of them proves the order of day and month. */
const MAX_WAITING = 20_000;

/** Lines whose dates may be ambiguous until a later date proves the order of day and month. */
export class WaitingLines<Line extends { readonly date: WrittenDate }> {
  private waiting: Line[] = [];

  /** `placeOf` says where a line is in the file, such as `Line 7`; `advice` is what helps if its order is not proven. */
  constructor(
    private readonly placeOf: (line: Line) => string,
    private readonly advice = 'another format',
    private readonly order = new DateOrder(),
  ) {}

  get count(): number {
    return this.waiting.length;
  }

  /** Each of `dates` may prove the order. */
  add(line: Line, dates: readonly WrittenDate[] = [line.date]): void {
    for (const date of dates) this.order.learn(date);
    this.waiting.push(line);
    if (this.waiting.length > MAX_WAITING) this.refuseAmbiguous();
  }

  changeLast(change: (last: Line) => Line): void {
    const last = this.waiting.pop();
    if (last) this.waiting.push(change(last));
  }

  /** The first lines whose dates can be read: all of them if the order is known, else those before the first ambiguous date. */
  release(most = this.waiting.length): (Line & { readonly bookedOn: string })[] {
    const ambiguous = this.waiting.findIndex(({ date }) => this.order.isAmbiguous(date));
    const ready = this.waiting.splice(0, Math.min(most, ambiguous < 0 ? most : ambiguous));
    return ready.map((line) => ({ ...line, bookedOn: this.dayOf(line) }));
  }

  finish(): (Line & { readonly bookedOn: string })[] {
    this.refuseAmbiguous();
    return this.release();
  }

  private dayOf(line: Line): string {
    const day = this.order.read(line.date);
    if (!day)
      throw new JobFailure(
        'invalid_date',
        `${this.placeOf(line)} has a date that is invalid in the day and month order of the other lines.`,
      );
    return day;
  }

  private refuseAmbiguous(): void {
    const first = this.waiting.find(({ date }) => this.order.isAmbiguous(date));
    if (!first) return;
    const message = `${this.placeOf(first)} has a date that can be read as day/month or month/day, and no other date shows the order.`;
    throw new JobFailure('ambiguous_dates', `${message} Export a longer period, or ${this.advice}.`);
  }
}
