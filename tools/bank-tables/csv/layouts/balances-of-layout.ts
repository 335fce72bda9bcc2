import { negated, sumOf, type LineDraft, type StatementBalance } from '../../../bank-files/index.js';
import { doesNotFit } from '../layout.js';
import type { BalanceRow, Row } from '../row-reader.js';
import { StatedBalances } from '../stated-balances.js';
import type { WrittenLayout } from '../../written-layout.js';

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

/** One order of the rows: a number that all of its balances lead to, until one of them leads elsewhere. */
interface Order {
  end: string | null;
  brokenAt: number | null;
}

/**
 * Whether the balances of a file follow from its amounts. Banks write the oldest or the newest booking first, or those of a day in
 * any order, and some print the balance once a day. Each of these is proven by itself; one proof is enough.
 */
class RunningBalance {
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

  /** A booking, or a row that states a balance without booking anything. */
  take(row: Row | BalanceRow, bookedOn: string): void {
    const { balance, line } = row;
    const isBooking = row.kind === 'booking';
    const amount = isBooking ? row.draft.amount : '0.00';
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

type Owner = Pick<LineDraft, 'account' | 'currency'>;

interface Balances extends Owner {
  /** From the column of balances. */
  readonly running: RunningBalance;
  /** From rows of their own. */
  readonly stated: StatedBalances;
}

/** Balances by account and currency: a file may have several of both. */
class AccountBalances {
  private readonly accounts = new Map<string, Balances>();

  state(statement: 'opening' | 'closing', { amount, ...owner }: Owner & { readonly amount: string }, line: number): void {
    this.balancesFor(owner).stated.state(statement, amount, line);
  }

  take(row: Row | BalanceRow, bookedOn: string): void {
    const { running, stated } = this.balancesFor(row.kind === 'booking' ? row.draft : row);
    running.take(row, bookedOn);
    if (row.kind === 'booking') stated.book(row.draft.amount);
  }

  /** What is proven to be read wrong is not a statement. */
  refuseContradiction(): void {
    for (const { stated } of this.accounts.values()) stated.refuseContradiction();
  }

  get balances(): StatementBalance[] {
    return [...this.accounts.values()].flatMap(({ account, currency, stated, running }) => {
      const ends = stated.ends ?? running.ends;
      return ends ? [{ account, currency, ...ends }] : [];
    });
  }

  get proof() {
    const all = [...this.accounts.values()];
    const unstated = all.filter(({ stated }) => !stated.ends);
    return {
      /** Where the balances of an account stop to follow from its amounts. */
      brokenAt: [...unstated.filter(isNamed).map(({ running }) => running.brokenAt), this.strayAt].filter((line) => line !== null),
      hasBalances: unstated.every(({ running }) => !running.isAbsent),
      isProven: all.some(({ running }) => running.hasBookings) && unstated.every(({ running }) => running.provesAmounts),
    };
  }

  /** Where a row that names no owner states a balance that no booking leads to: it may be a booking whose cells have moved. */
  private get strayAt(): number | null {
    const all = [...this.accounts.values()];
    const booked = all.map(({ running }) => running).filter((running) => running.hasBookings);
    const unnamed = all.find((balances) => !isNamed(balances));
    if (!unnamed || booked.length === 0 || booked.some((running) => running.isAbsent)) return null;
    return unnamed.running.notReachedBy(booked);
  }

  private balancesFor({ account, currency }: Owner): Balances {
    const key = `${account} ${currency}`;
    const known = this.accounts.get(key) ?? { account, currency, running: new RunningBalance(), stated: new StatedBalances() };
    this.accounts.set(key, known);
    return known;
  }
}

/** A row may state a balance without naming the account and currency that bookings name. */
const isNamed = ({ account, currency, running }: Balances): boolean => running.hasBookings || account !== null || currency !== null;

/** The balances of a file, which contradict its layout if they follow from its amounts with the other sign alone. */
export class BalancesOfLayout extends AccountBalances {
  /** As if the layout said the opposite. */
  private readonly opposite: AccountBalances | null;

  constructor(private readonly layout: WrittenLayout | undefined) {
    super();
    this.opposite = layout?.amounts || layout?.direction ? new AccountBalances() : null;
  }

  override take(row: Row | BalanceRow, bookedOn: string): void {
    super.take(row, bookedOn);
    this.opposite?.take(row.kind === 'balance' ? row : { ...row, draft: { ...row.draft, amount: negated(row.draft.amount) } }, bookedOn);
  }

  override refuseContradiction(): void {
    super.refuseContradiction();
    const [brokenAt] = this.proof.brokenAt;
    const opposite = this.opposite?.proof;
    if (brokenAt === undefined || !opposite?.isProven || !opposite.hasBalances || opposite.brokenAt.length > 0) return;
    throw doesNotFit(
      `From line ${brokenAt} on, the balances follow from the amounts with the other sign than the layout “${this.layout!.name}” says.`,
    );
  }
}
