import { balanceIn, type BalanceKind } from './balance-words.js';
import { columnOf, columnsIn, columnsWithoutHeading, type PdfColumn, type Role } from './columns.js';
import type { PdfCell, PdfRow } from './page-rows.js';
import { splitCells, type PlacedAmount } from './pdf-amount.js';
import { leadingDate, type LeadingDate } from './statement-date.js';

/** A row whose dates, texts and amounts are told apart. */
export interface ReadRow {
  readonly row: PdfRow;
  /** At its start: the booking date, and sometimes the value date. */
  readonly dates: readonly LeadingDate[];
  readonly texts: readonly PdfCell[];
  readonly amounts: ReadonlyMap<Role, PlacedAmount>;
  readonly currency: string | null;
  readonly balance: BalanceKind | 'day' | null;
  readonly isHeading: boolean;
  /** Above the first heading there are no columns, and only balances are read. */
  readonly hasColumns: boolean;
}

export const textOf = ({ texts }: Pick<ReadRow, 'texts'>): string => texts.map(({ text }) => text).join(' ');

interface Parts {
  readonly row: PdfRow;
  readonly dates: readonly LeadingDate[];
  readonly texts: readonly PdfCell[];
  readonly amounts: readonly PlacedAmount[];
}

/** Reads all rows by the heading above them; without any heading, by where amounts end. */
export function readRows(rows: readonly PdfRow[]): readonly ReadRow[] {
  const hasHeading = rows.some((row) => columnsIn(row));
  const parts = rows.map(partsOf);
  const bookings = parts.filter(({ dates, amounts }) => dates.length > 0 && amounts.length > 0).map(({ amounts }) => amounts);
  let columns: readonly PdfColumn[] = hasHeading ? [] : (columnsWithoutHeading(bookings) ?? []);
  return parts.map((read) => {
    const heading = columnsIn(read.row);
    if (heading) columns = heading;
    return heading
      ? { ...read, amounts: new Map(), currency: null, balance: null, isHeading: true, hasColumns: true }
      : placed(read, columns);
  });
}

function partsOf(row: PdfRow): Parts {
  const dates: LeadingDate[] = [];
  const cells = [...row.cells];
  while (dates.length < 2 && cells[0]) {
    const date = leadingDate(cells[0].text);
    if (!date) break;
    dates.push(date);
    const [{ text, left, right }] = cells as [PdfCell];
    if (date.rest) cells[0] = { text: date.rest, left: right - ((right - left) * date.rest.length) / text.length, right };
    else cells.shift();
  }
  return { row, dates, ...splitCells(cells) };
}

/** Amounts that stand in no column are part of the text. */
function placed({ row, dates, texts, amounts }: Parts, columns: readonly PdfColumn[]): ReadRow {
  const inColumns = new Map<Role, PlacedAmount>();
  const others: PdfCell[] = [];
  let currency: string | null = null;
  for (const amount of amounts) {
    const column = columnOf(amount, columns);
    if (column?.role && !inColumns.has(column.role)) {
      inColumns.set(column.role, amount);
      currency ??= amount.written.currency ?? column.currency;
    } else if (column?.role !== null) others.push(amount);
  }
  const balance = balanceIn(textOf({ texts }));
  const [only, ...more] = amounts;
  // A balance may stand in a box of its own.
  if (balance && dates.length === 0 && inColumns.size === 0 && only && more.length === 0) {
    inColumns.set('balance', only);
    currency ??= only.written.currency;
  }
  const all = [...texts, ...others].sort((one, other) => one.left - other.left).filter(({ text }) => leadingDate(text)?.rest !== '');
  return { row, dates, texts: all, amounts: inColumns, currency, balance, isHeading: false, hasColumns: columns.length > 0 };
}
