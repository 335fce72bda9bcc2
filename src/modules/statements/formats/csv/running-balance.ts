import { negated, sumOf } from '../amounts.js';
import type { StatementBalance } from '../statement-line.js';

interface Day {
  sum: string | null;
  balances: number;
  readonly printed: Set<string>;
}

/**
 * Balances that are true at the end of each day, whatever the order of the rows: some banks print them once a day, have the bookings
 * of a day in any order, or sort by another date.
 */
class DayEnds {
  private readonly days = new Map<string, Day>();

  take(bookedOn: string, amount: string, balance: string | null): void {
    const day: Day = this.days.get(bookedOn) ?? { sum: '0.00', balances: 0, printed: new Set() };
    this.days.set(bookedOn, day);
    day.sum &&= sumOf([day.sum, amount]);
    if (balance === null) return;
    day.balances += 1;
    day.printed.add(balance);
  }

  get isOne(): boolean {
    return this.days.size === 1;
  }

  /** The balance of the last day if each day leads to one of the balances that are printed for the next; null if they do not. */
  get closing(): string | null {
    const days = [...this.days].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, day]) => day);
    const printed = days.filter((day) => day.printed.size > 0);
    // A single day with one balance on several rows may be a booking that is there twice.
    if (printed.length < 2 || printed.at(-1) !== days.at(-1) || days.filter(isFlat).length === 1) return null;
    let ends: readonly string[] | null = null;
    for (const day of days) ends = endsAfter(day, ends);
    return ends?.length === 1 ? ends[0]! : null;
  }
}

const isFlat = ({ balances, printed }: Day): boolean => balances > 1 && printed.size === 1;

/** What the balance at the end of the day can be, if it can have been one of these the day before; null if nothing is known of it. */
function endsAfter({ sum, printed }: Day, before: readonly string[] | null): readonly string[] | null {
  const moved = before && before.map((end) => (sum && sumOf([end, sum])) ?? '');
  if (printed.size === 0) return moved;
  return moved ? moved.filter((end) => printed.has(end)) : [...printed];
}

type Ends = Pick<StatementBalance, 'opening' | 'closing'>;

/** A booking, or a row that states a balance without booking anything. */
export interface BalancedRow {
  readonly bookedOn: string;
  readonly amount: string;
  readonly balance: string | null;
  readonly line: number;
  readonly isBooking: boolean;
}

/** One order of the rows: a number that all of its balances lead to, until one of them leads elsewhere. */
interface Order {
  end: string | null;
  brokenAt: number | null;
}

/**
 * Whether the balances of a file follow from its amounts. Banks write the oldest or the newest booking first, or those of a day in
 * any order, and some print the balance once a day. Each of these is proven by itself; one proof is enough.
 */
export class RunningBalance {
  private sum: string | null = '0.00';
  private readonly down: Order = { end: null, brokenAt: null };
  private readonly up: Order = { end: null, brokenAt: null };
  private readonly days = new DayEnds();
  /** The lines of the first and the last booking that have no balance beside them. */
  private readonly bare: { first: number | null; last: number | null } = { first: null, last: null };
  /** How often a balance was reached, less how often a booking began with it. */
  private readonly reached = new Map<string, number>();
  /** Balances of rows that are no bookings, with the first line of each. */
  private readonly stated = new Map<string, number>();
  private firstLine: number | null = null;
  private rows = 0;
  private bookings = 0;
  private balances = 0;

  take({ bookedOn, amount, balance, line, isBooking }: BalancedRow): void {
    const before = this.sum;
    this.sum = before && sumOf([before, amount]);
    this.rows += 1;
    this.firstLine ??= line;
    if (isBooking) this.bookings += 1;
    this.days.take(bookedOn, amount, balance);
    this.bare.last = balance === null ? line : null;
    if (this.rows === 1) this.bare.first = this.bare.last;
    if (balance === null || !before || !this.sum) return;
    this.balances += 1;
    lead(this.down, sumOf([balance, negated(this.sum)]), line);
    lead(this.up, sumOf([balance, before]), line);
    if (!isBooking) this.stated.set(balance, this.stated.get(balance) ?? line);
    else this.follow(sumOf([balance, negated(amount)]) ?? '', balance);
  }

  get hasBookings(): boolean {
    return this.bookings > 0;
  }

  /** A single balance among many bookings proves nothing. */
  get isAbsent(): boolean {
    return this.bookings > 0 && (this.balances === 0 || (this.balances === 1 && this.bookings > 1));
  }

  /** The line from which on the balances do not follow from the amounts; null if they do. */
  get brokenAt(): number | null {
    if (this.isAbsent || this.ends) return null;
    if (this.bookings === 0) return this.firstLine;
    const [down, up] = [this.down.brokenAt ?? this.bare.last, this.up.brokenAt ?? this.bare.first];
    return Math.max(down ?? 0, up ?? 0);
  }

  /** The line of the first stated balance that bookings, those of any of these, never lead to. */
  notReachedBy(all: readonly RunningBalance[]): number | null {
    const [, line] = [...this.stated].find(([balance]) => !all.some(({ reached }) => reached.has(balance))) ?? [];
    return line ?? null;
  }

  /** A balance that is the first has nothing before it that could contradict its amount. */
  get provesAmounts(): boolean {
    return this.balances > 1 && this.ends !== null;
  }

  /** null if the balances do not agree with the amounts. */
  get ends(): Ends | null {
    if (this.isAbsent || !this.sum || this.bookings === 0) return null;
    // What comes after the last balance in time is not proven.
    if (this.down.brokenAt === null && this.bare.last === null) return { opening: this.down.end, closing: this.plusSum(this.down.end) };
    if (this.up.brokenAt === null && this.bare.first === null) return { opening: this.minusSum(this.up.end), closing: this.up.end };
    const closing = this.days.closing ?? this.closingOfOneDay;
    return closing === null ? null : { opening: this.minusSum(closing), closing };
  }

  /** Whatever the order of a day, each balance but the last is the one that another booking begins with. */
  private get closingOfOneDay(): string | null {
    const isProvable = this.days.isOne && this.balances === this.rows;
    if (!isProvable || [...this.stated.keys()].some((balance) => !this.reached.has(balance))) return null;
    const open = [...this.reached].filter(([, times]) => times !== 0);
    const last = open.find(([, times]) => times === 1);
    return open.length === 2 && last && open.some(([, times]) => times === -1) ? last[0] : null;
  }

  private follow(before: string, balance: string): void {
    this.reached.set(before, (this.reached.get(before) ?? 0) - 1);
    this.reached.set(balance, (this.reached.get(balance) ?? 0) + 1);
  }

  private readonly plusSum = (end: string | null): string | null => end && sumOf([end, this.sum!]);
  private readonly minusSum = (end: string | null): string | null => end && sumOf([end, negated(this.sum!)]);
}

function lead(order: Order, end: string | null, line: number): void {
  order.end ??= end;
  if (order.end !== end) order.brokenAt ??= line;
}
