import { negated, sumOf } from '../amounts.js';

/** Balances that are true at the end of each day: some banks print them once a day, or have the bookings of a day in any order. */
export class DayEnds {
  private readonly down = new OrderOfDays(1);
  private readonly up = new OrderOfDays(-1);
  private day: string | null = null;
  private sum: string | null = '0.00';
  private printed = new Set<string>();

  take(day: string, amount: string, balance: string | null): void {
    if (this.day !== null && day !== this.day) this.endDay();
    this.day = day;
    this.sum &&= sumOf([this.sum, amount]);
    if (balance !== null) this.printed.add(balance);
  }

  /** The last balance in time if all days lead from one to the next; null if they do not, or if there is only one day. */
  get closing(): string | null {
    if (this.day !== null) this.endDay();
    this.day = null;
    return this.down.last ?? this.up.first;
  }

  private endDay(): void {
    for (const order of [this.down, this.up]) order.takeDay(this.sum, this.printed);
    this.sum = '0.00';
    this.printed = new Set();
  }
}

/** Which balances a day can have ended with, of those that were printed. */
class OrderOfDays {
  private ends: ReadonlyMap<string, string> | null = null;
  private days = 0;
  private sumBefore: string | null = null;

  constructor(private readonly step: 1 | -1) {}

  takeDay(sum: string | null, printed: ReadonlySet<string>): void {
    const change = this.step === 1 ? sum : this.sumBefore && negated(this.sumBefore);
    this.sumBefore = sum;
    if (this.ends === null) {
      if (printed.size > 0) this.ends = new Map([...printed].map((end) => [end, end]));
      this.days = this.ends ? 1 : 0;
      return;
    }
    const moved = [...this.ends].map(([end, first]) => [(change && sumOf([end, change])) ?? '', first] as const);
    this.ends = new Map(printed.size === 0 ? moved : moved.filter(([end]) => printed.has(end)));
    if (printed.size > 0) this.days += 1;
  }

  get last(): string | null {
    return this.only?.[0] ?? null;
  }

  get first(): string | null {
    return this.only?.[1] ?? null;
  }

  private get only(): readonly [string, string] | null {
    const all = [...(this.ends ?? [])];
    return this.days > 1 && all.length === 1 ? all[0]! : null;
  }
}
