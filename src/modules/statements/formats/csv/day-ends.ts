import { sumOf } from '../amounts.js';

interface Day {
  sum: string | null;
  readonly printed: Set<string>;
}

/**
 * Balances that are true at the end of each day, whatever the order of the rows: some banks print them once a day, have the bookings
 * of a day in any order, or sort by another date.
 */
export class DayEnds {
  private readonly days = new Map<string, Day>();

  take(bookedOn: string, amount: string, balance: string | null): void {
    const day: Day = this.days.get(bookedOn) ?? { sum: '0.00', printed: new Set() };
    this.days.set(bookedOn, day);
    day.sum &&= sumOf([day.sum, amount]);
    if (balance !== null) day.printed.add(balance);
  }

  get isOne(): boolean {
    return this.days.size === 1;
  }

  /** The balance of the last day if each day leads to one of the balances that are printed for the next; null if they do not. */
  get closing(): string | null {
    const days = [...this.days].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, day]) => day);
    const printed = days.filter((day) => day.printed.size > 0);
    if (printed.length < 2) return null;
    let ends: readonly string[] | null = null;
    for (const day of days) ends = endsAfter(day, ends);
    return ends?.length === 1 ? ends[0]! : null;
  }
}

/** What the balance at the end of the day can be, if it can have been one of these the day before; null if nothing is known of it. */
function endsAfter({ sum, printed }: Day, before: readonly string[] | null): readonly string[] | null {
  const moved = before && before.map((end) => (sum && sumOf([end, sum])) ?? '');
  if (printed.size === 0) return moved;
  return moved ? moved.filter((end) => printed.has(end)) : [...printed];
}
