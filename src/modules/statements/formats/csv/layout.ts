import { electronicFormatIBAN, isValidIBAN } from 'ibantools';
import { JobFailure } from '../../../../kernel/failure.js';
import { columnNamed, type Column } from './column-names.js';
import { columnsByContent } from './columns-by-content.js';
import type { CsvRecord } from './records.js';

type Columns = ReadonlyMap<Column, readonly number[]>;

/** How to read the rows of a file. */
export interface Layout {
  /** How many records come before the first row, including the header. */
  readonly recordsBefore: number;
  readonly columns: Columns;
  /** From the header or the lines before it; for all rows. */
  readonly account: string | null;
  readonly currency: string | null;
  /** Columns without a name, where some banks write `CR` beside a credit. */
  readonly unnamed: readonly number[];
  /** Columns with a name that is not known. */
  readonly unknown: readonly number[];
  /** How many cells a row has: the header's, which may end with delimiters. */
  readonly cells: { readonly least: number; readonly most: number };
}

/** The first cell that is not empty in the columns of this meaning. */
export function cellOf({ columns }: Layout, { cells }: CsvRecord, column: Column): string {
  const found = columns.get(column)?.find((index) => cells[index]);
  return found === undefined ? '' : cells[found]!;
}

/** How many lines may come before the header. */
const MAX_PREAMBLE = 60;

/** The layout of a table by its first records: by its header, or if it has none, by its cells. */
export const layoutOf = (sample: readonly CsvRecord[]): Layout | null => layoutWithHeader(sample) ?? layoutWithoutHeader(sample);

export const headerNotFound = (): JobFailure =>
  new JobFailure('header_not_found', 'The file has no header with columns for date and amount, and its columns are ambiguous without one.');

export function layoutWithoutHeader(sample: readonly CsvRecord[]): Layout | null {
  const columns = columnsByContent(sample);
  const width = Math.max(...sample.map(({ cells }) => cells.length));
  const cells = { least: width, most: width };
  return columns && { columns, recordsBefore: 0, account: null, currency: null, unnamed: [], unknown: [], cells };
}

export function layoutWithHeader(sample: readonly CsvRecord[]): Layout | null {
  const headerIndex = sample.slice(0, MAX_PREAMBLE).findIndex(({ cells }) => isHeader(columnsOf(cells)));
  const header = sample[headerIndex]?.cells;
  if (!header) return null;
  const columns = columnsOf(header);
  const account = accountIn(sample.slice(0, headerIndex));
  const indexesOf = (isWanted: (name: string) => boolean) => header.flatMap((name, index) => (isWanted(name) ? [index] : []));
  return {
    recordsBefore: headerIndex + 1,
    columns: withAccounts(columns, account),
    account,
    currency: currencyIn(header),
    unnamed: indexesOf((name) => name === ''),
    unknown: indexesOf((name) => name !== '' && !columnNamed(name)),
    cells: { least: header.findLastIndex((name) => name !== '') + 1, most: header.length },
  };
}

const isHeader = (columns: Columns): boolean =>
  (['bookingDate', 'date', 'valueDate'] as const).some((column) => columns.has(column)) &&
  (columns.has('amount') || columns.has('debit') || columns.has('credit'));

function columnsOf(header: readonly string[]): Map<Column, number[]> {
  const columns = new Map<Column, number[]>();
  header.forEach((name, index) => {
    const column = columnNamed(name)?.column;
    if (column) columns.set(column, [...(columns.get(column) ?? []), index]);
  });
  return columns;
}

/** A column called just `account` is the own account. If the file has that elsewhere, the column is the other party's account. */
function withAccounts(columns: Map<Column, number[]>, accountAbove: string | null): Columns {
  const account = columns.get('account');
  if (!account) return columns;
  columns.delete('account');
  if (!columns.has('ownAccount') && !accountAbove) return columns.set('ownAccount', account);
  return columns.has('counterpartyAccount') ? columns : columns.set('counterpartyAccount', account);
}

/** Lines above the header may name the account: by an IBAN, or by a number after a word for account. */
function accountIn(preamble: readonly CsvRecord[]): string | null {
  const words = preamble.flatMap(({ cells }) => cells.flatMap((cell) => cell.split(/[:/]/))).map((word) => word.trim());
  const iban = words.find((word) => isValidIBAN(electronicFormatIBAN(word) ?? ''));
  if (iban) return iban;
  const named = words.findIndex((word) => ['account', 'ownAccount'].includes(columnNamed(word)?.column ?? ''));
  const number = named < 0 ? undefined : words.slice(named + 1).find(Boolean);
  return number && /^[\d\s.-]{5,34}$/.test(number) ? number : null;
}

function currencyIn(header: readonly string[]): string | null {
  const named = header.map((name) => columnNamed(name)).filter((name) => name !== null);
  return named.find(({ column, currency }) => currency && ['amount', 'debit', 'credit'].includes(column))?.currency ?? null;
}
