import { type Column, DATE_COLUMNS } from './column-names.js';
import type { Columns } from './columns.js';
import type { CsvRecord } from './records.js';
import { writtenAmount, writtenDate } from './written-values.js';

export interface RowWidth {
  /** Fewer refuse the file. */
  readonly least: number;
  /** More refuse the file, unless they are empty. */
  readonly most: number;
  /** A row with fewer than these ends early, after its last cell that is not empty. */
  readonly whole: number;
  /** What has to be filled in a row that ends early: its cells could have moved. */
  readonly filled: readonly number[];
}

/** Without these, a row is no booking, or another one. */
// oxfmt-ignore
const NEEDED: readonly Column[] = [
  'bookingDate', 'date', 'valueDate', 'amount', 'debit', 'credit', 'net', 'direction', 'fee', 'currency', 'balance', 'status', 'ownAccount',
];

/**
 * Some banks write no delimiters for empty cells at the end of a row. That is believed if most bookings end early, all end with a filled
 * cell or all at the same column, and only texts are missing. Otherwise a cell is missing somewhere, and all after it mean something else.
 */
export function widthOf(columns: Columns, header: readonly string[], rows: readonly CsvRecord[], mayBeShort = false): RowWidth {
  const whole = header.findLastIndex((name) => name !== '') + 1;
  const exact = { least: whole, most: header.length, whole, filled: [] };
  const needed = [...new Set(NEEDED.flatMap((column) => columns.get(column) ?? []))];
  const least = Math.max(0, ...needed) + 1;
  if (mayBeShort) return { ...exact, least };
  const bookings = rows.filter(({ cells }) => isBooking(cells, columns));
  const early = bookings.filter(({ cells }) => cells.length < whole);
  if (early.length * 2 <= bookings.length || early.some(({ cells }) => cells.length < least)) return exact;
  const isTrimmed = bookings.every(({ cells }) => cells.at(-1) !== '') || new Set(bookings.map(({ cells }) => cells.length)).size === 1;
  if (!isTrimmed) return exact;
  const isEither = (index: number): boolean => (['debit', 'credit'] as const).some((column) => columns.get(column)?.includes(index));
  const isMostlyFilled = (index: number): boolean => bookings.filter(({ cells }) => cells[index]).length * 2 > bookings.length;
  return { ...exact, least, filled: needed.filter((index) => !isEither(index) && isMostlyFilled(index)) };
}

function isBooking(cells: readonly string[], columns: Columns): boolean {
  const is = (column: Column, test: (cell: string) => unknown): boolean =>
    columns.get(column)?.some((index) => test(cells[index] ?? '')) ?? false;
  const dates = DATE_COLUMNS.some((column) => is(column, writtenDate));
  return dates && (['amount', 'debit', 'credit'] as const).some((column) => is(column, writtenAmount));
}
