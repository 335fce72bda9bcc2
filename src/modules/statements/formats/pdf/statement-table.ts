import { JobFailure } from '../../../../kernel/failure.js';
import { negated, sumOf } from '../amounts.js';
import { DecimalMark } from '../csv/written-values.js';
import { placeOf } from './page-rows.js';
import { type BalanceKind, isOverdrawn, type ReadRow, textOf } from './row-kinds.js';
import type { LeadingDate } from './statement-date.js';

export interface PdfBooking {
  readonly kind: 'booking';
  /** The row with its amount. */
  readonly row: ReadRow;
  readonly date: LeadingDate;
  readonly texts: string[];
}

/** A balance between bookings. */
export interface PdfBalance {
  readonly kind: 'balance';
  readonly row: ReadRow;
  readonly balance: BalanceKind | 'day';
}

/** The rows between bookings are at most this many heights of letters apart. */
const MAX_GAP = 2.2;
/** How far to the left of the text of a booking its further rows may begin, in points. */
const TOLERANCE = 6;
const TOTAL = /^(total|totals|totaux|sous-total|summe|zwischensumme|gesamt|umsatzsumme|totaal|totale|turnover|mouvements)\b/i;

/** The bookings and balances, in the order of the file. A row between them that is none of both, and no text of one, fails. */
export function tableOf(rows: readonly ReadRow[]): readonly (PdfBooking | PdfBalance)[] {
  const strong = rows.flatMap((row, index) => (isBalance(row) || (row.dates.length > 0 && hasAmount(row)) ? [index] : []));
  const [first, last] = [strong[0] ?? 0, strong.at(-1) ?? -1];
  const table = new Table(strong, rows);
  for (let index = first; index < rows.length; index += 1) {
    if (index > last && !table.goesOn(index)) break;
    table.take(index);
  }
  return table.items;
}

const hasAmount = ({ amounts }: ReadRow): boolean => amounts.has('amount') || amounts.has('debit') || amounts.has('credit');

/** A transfer may be named like a balance. A row with a date is a balance only if it could not be a booking, or says so plainly. */
const isBalance = (row: ReadRow): boolean => {
  if (row.balance === null || row.amounts.size === 0) return false;
  return row.dates.length === 0 || !hasAmount(row) || row.balance === 'opening' || row.balance === 'closing';
};

class Table {
  readonly items: (PdfBooking | PdfBalance)[] = [];
  /** The booking that further rows of text belong to. */
  private booking: PdfBooking | null = null;
  /** A date with a text whose amount stands in a later row. */
  private pending: { readonly date: LeadingDate; readonly texts: string[] } | null = null;
  private textLeft = 0;
  /** The last row that belongs to the table. */
  private lastIndex = -1;
  private readonly onPage = new Map<number, { first: number; last: number }>();

  constructor(
    strong: readonly number[],
    private readonly rows: readonly ReadRow[],
  ) {
    for (const index of strong) {
      const { page } = rows[index]!.row;
      this.onPage.set(page, { first: this.onPage.get(page)?.first ?? index, last: index });
    }
  }

  /** Whether a row directly continues the text of the booking before it. */
  goesOn(index: number): boolean {
    const [before, { row, texts, amounts }] = [this.rows[this.lastIndex]?.row, this.rows[index]!];
    if (!before || before.page !== row.page || index !== this.lastIndex + 1 || amounts.size > 0) return false;
    const isNear = row.top - before.top <= MAX_GAP * Math.max(row.height, before.height);
    return isNear && this.booking !== null && texts[0] !== undefined && texts[0].left >= this.textLeft - TOLERANCE;
  }

  take(index: number): void {
    const row = this.rows[index]!;
    if (row.isHeading || this.isAroundTable(index, row) || !(row.hasColumns || isBalance(row))) {
      if (row.isHeading) this.lastIndex = index;
      return;
    }
    if (isBalance(row)) this.state(row);
    else if (hasAmount(row)) this.book(row, index);
    else this.extend(row);
    this.lastIndex = index;
  }

  /** The head and foot of a page, unless they continue the text of a booking. */
  private isAroundTable(index: number, { row, dates }: ReadRow): boolean {
    const bounds = this.onPage.get(row.page);
    if (bounds && bounds.first <= index && index <= bounds.last) return false;
    return dates.length > 0 || !this.goesOn(index);
  }

  private state(row: ReadRow): void {
    this.refusePending(row);
    this.booking = null;
    this.items.push({ kind: 'balance', row, balance: row.balance! });
  }

  private book(row: ReadRow, index: number): void {
    const text = textOf(row);
    const [date] = row.dates;
    if (date) this.refusePending(row);
    else if (TOTAL.test(text)) {
      this.booking = null;
      return;
    }
    if (date) this.textLeft = row.texts[0]?.left ?? this.textLeft;
    if (date) this.add({ kind: 'booking', row, date, texts: [text] });
    else if (this.pending) this.add({ kind: 'booking', row, ...this.pending, texts: [...this.pending.texts, text] });
    else this.bookOnSameDay(row, index, text);
    this.pending = null;
  }

  /** Some banks write the date of a day once. Texts before the amount would be unclear, so there may be none. */
  private bookOnSameDay(row: ReadRow, index: number, text: string): void {
    if (!this.booking || !text || this.booking.row !== this.rows[index - 1]) throw notUnderstood(row);
    this.add({ kind: 'booking', row, date: this.booking.date, texts: [text] });
  }

  private add(booking: PdfBooking): void {
    this.booking = booking;
    this.items.push(booking);
  }

  private extend(row: ReadRow): void {
    const text = textOf(row);
    const [date] = row.dates;
    if (date) {
      this.refusePending(row);
      this.booking = null;
      this.pending = { date, texts: [text] };
      this.textLeft = row.texts[0]?.left ?? this.textLeft;
      return;
    }
    const texts = this.pending?.texts ?? this.booking?.texts;
    // After a balance there may be notes.
    if (!texts || !text) return;
    if (row.texts[0]!.left < this.textLeft - TOLERANCE) throw notUnderstood(row);
    texts.push(text);
  }

  private refusePending(row: ReadRow): void {
    if (this.pending) throw notUnderstood(row);
  }
}

const notUnderstood = ({ row }: ReadRow): JobFailure =>
  new JobFailure('pdf_line_not_understood', `${placeOf(row)} of the PDF is within the list of bookings, and cannot be understood.`);

/** A booking with its amount, which the balances prove. */
export interface TiedBooking extends PdfBooking {
  readonly amount: string;
}

export interface TiedTable {
  readonly bookings: readonly TiedBooking[];
  readonly opening: string;
  readonly closing: string;
  /** The rows of both. */
  readonly ends: readonly [ReadRow, ReadRow];
}

type Item = PdfBooking | PdfBalance;

/** Signs of amounts and balances. Only if bookings have a direction of their own may balances be amounts that are owed. */
export function tied(items: readonly Item[], isOfCard: boolean): TiedTable {
  const decimals = new DecimalMark();
  for (const { row } of items) for (const { written } of row.amounts.values()) decimals.learn(written.digits);
  const { amounts, isDirected } = new Directions(items, decimals, isOfCard);
  const { opening, closing } = endsOf(items);
  const attempts = (isDirected ? [false, true] : [false]).map((isOwed) => {
    const balanceAt = (row: ReadRow): string => balanceOf(row, decimals, isOwed);
    const broken = firstBreak(items, amounts, opening, closing, balanceAt);
    return { broken, opening: balanceAt(opening), closing: balanceAt(closing) };
  });
  const proven = attempts.find(({ broken }) => broken === null);
  if (!proven) throw doesNotTie(attempts[0]!.broken!);
  const bookings = items.flatMap((item) => (item.kind === 'booking' ? [{ ...item, amount: amounts.get(item)! }] : []));
  return { bookings, opening: proven.opening, closing: proven.closing, ends: [opening, closing] };
}

function doesNotTie({ row }: ReadRow): JobFailure {
  const place = placeOf(row).toLowerCase();
  const message = `The bookings of the PDF do not lead from the opening balance to the one on ${place}.`;
  return new JobFailure('pdf_does_not_tie', `${message} A row is missing or has another form.`);
}

/** The balances before the first and after the last booking. Some statements state both at their head. */
function endsOf(items: readonly Item[]): { opening: ReadRow; closing: ReadRow } {
  const firstBooking = items.findIndex(({ kind }) => kind === 'booking');
  const lastBooking = items.findLastIndex(({ kind }) => kind === 'booking');
  const balances = (from: number, to: number) => items.slice(from, to).filter((item) => item.kind === 'balance');
  const before = balances(0, firstBooking < 0 ? items.length : firstBooking);
  const after = balances(lastBooking + 1, firstBooking < 0 ? 0 : items.length);
  const opening = before.find(({ balance }) => balance === 'opening') ?? before.find(({ balance }) => balance !== 'closing');
  const closing =
    after.find(({ balance }) => balance === 'closing') ??
    after.at(-1) ??
    before.find(({ balance }) => balance === 'closing') ??
    (firstBooking < 0 ? before.at(-1) : undefined);
  if (!opening || !closing || opening === closing) {
    const missing = opening ? 'closing' : 'opening';
    throw new JobFailure('pdf_does_not_tie', `The PDF states no ${missing} balance that its bookings could be checked against.`);
  }
  return { opening: opening.row, closing: closing.row };
}

/** The first balance that the bookings before it do not lead to; null if all tie. */
function firstBreak(
  items: readonly Item[],
  amounts: ReadonlyMap<PdfBooking, string>,
  opening: ReadRow,
  closing: ReadRow,
  balanceAt: (row: ReadRow) => string,
): ReadRow | null {
  let running: string | null = balanceAt(opening);
  const first = items.findIndex(({ kind }) => kind === 'booking');
  const last = items.findLastIndex(({ kind }) => kind === 'booking');
  for (const item of first < 0 ? [] : items.slice(first, last + 1)) {
    if (item.kind === 'booking') running = running && sumOf([running, amounts.get(item)!]);
    const isStated = item.kind === 'balance' || item.row.amounts.has('balance');
    if (isStated && running !== balanceAt(item.row)) return item.row;
  }
  return running === balanceAt(closing) ? null : closing;
}

function balanceOf(row: ReadRow, decimals: DecimalMark, isOwed: boolean): string {
  const role = (['balance', 'amount', 'credit', 'debit'] as const).find((candidate) => row.amounts.has(candidate));
  const { sign, mark, digits } = (role && row.amounts.get(role)?.written) ?? invalid(row);
  const value = decimals.read(digits, row.row.number) ?? invalid(row);
  if (isOwed) return mark === 'in' || sign === '-' ? value : negated(value);
  const isOut = sign === '-' || mark === 'out' || role === 'debit' || (row.balance !== null && isOverdrawn(textOf(row)));
  return isOut ? negated(value) : value;
}

function invalid(row: ReadRow): never {
  throw new JobFailure('invalid_amount', `${placeOf(row.row)} of the PDF has no valid amount.`);
}

/** The amounts of the bookings with their signs. */
class Directions {
  readonly amounts: ReadonlyMap<PdfBooking, string>;
  /** Whether columns or marks say the direction; signs alone may mean either in the statement of a card. */
  readonly isDirected: boolean;

  constructor(
    items: readonly Item[],
    private readonly decimals: DecimalMark,
    isOfCard: boolean,
  ) {
    const bookings = items.filter((item) => item.kind === 'booking');
    const written = bookings.flatMap(({ row }) => row.amounts.get('amount')?.written ?? []);
    const marks = new Set(written.flatMap(({ mark }) => mark ?? []));
    this.isDirected = written.length === 0 || marks.size > 0;
    const areSigned = written.some(({ sign }) => sign);
    if (written.length > 0 && marks.size === 0 && (!areSigned || isOfCard)) throw directionUnknown();
    this.amounts = new Map(bookings.map((booking) => [booking, this.amountOf(booking, marks)]));
  }

  private amountOf({ row }: PdfBooking, marks: ReadonlySet<'in' | 'out'>): string {
    const found = (['amount', 'debit', 'credit'] as const).flatMap((role) => {
      const written = row.amounts.get(role)?.written;
      return written ? [{ role, written }] : [];
    });
    const [only, ...others] = found;
    if (!only || others.length > 0) return invalid(row);
    const { role, written } = only;
    const value = this.decimals.read(written.digits, row.row.number) ?? invalid(row);
    const signed = written.sign === '-' ? negated(value) : value;
    if (role === 'credit') return signed;
    if (role === 'debit') return negated(value);
    if (marks.size === 2 && !written.mark) throw directionUnknown();
    const isOut = written.mark ? written.mark === 'out' : marks.has('in');
    return isOut ? negated(value) : signed;
  }
}

const directionUnknown = (): JobFailure =>
  new JobFailure(
    'direction_unknown',
    'The PDF does not show which of its amounts are money in and which are money out: they have no signs, marks or columns for it.',
  );
