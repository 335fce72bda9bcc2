import { UnreadableFile, placeOf } from '../../bank-files/index.js';
import { type BalanceKind, type LeadingDate, type ReadRow, textOf } from './row-kinds.js';

export interface PdfBooking {
  readonly kind: 'booking';
  readonly row: ReadRow;
  readonly date: LeadingDate;
  readonly texts: string[];
}

export interface PdfBalance {
  readonly kind: 'balance';
  readonly row: ReadRow;
  readonly balance: BalanceKind | 'day';
}

/** The rows between bookings are at most this many heights of letters apart. */
const MAX_GAP = 2.2;
/** How far to the left of the text of a booking its further rows may begin, in points. */
const TOLERANCE = 6;
export const TOTAL = /^((sous-|sub-?)?total|totals|totaux|(zwischen|umsatz)?summe|gesamt|totaal|totale|turnover|mouvements)\b/i;

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

const notUnderstood = ({ row }: ReadRow): UnreadableFile =>
  new UnreadableFile('pdf_line_not_understood', `${placeOf(row)} of the PDF is within the list of bookings, and cannot be understood.`);
