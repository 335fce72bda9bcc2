import { electronicFormatIBAN, isValidIBAN } from 'ibantools';
import { JobFailure } from '../../../../kernel/failure.js';
import type { Column } from './column-names.js';
import { columnsByContent } from './columns-by-content.js';
import { columnsNamed, columnsOf, type Columns, type HeaderColumns } from './columns.js';
import type { UsedLayout, WrittenLayout } from './layouts/written-layout.js';
import { columnNamed } from './named-column.js';
import type { CsvRecord } from './records.js';
import { writtenPeriodIn, type WrittenPeriod } from './stated-period.js';

/** How to read the rows of a file. */
export interface Layout extends HeaderColumns {
  /** How many records come before the first row, including the header. */
  readonly recordsBefore: number;
  /** From the header or the lines before it; for all rows. */
  readonly account: string | null;
  readonly currency: string | null;
  /** From the lines before the header. */
  readonly period: WrittenPeriod | null;
  /** For the rows that name no currency, if the importer says which. */
  readonly otherwiseCurrency?: string;
  /** Whether an amount without a sign is a charge, and one with a minus sign a payment or refund. */
  readonly isInverted: boolean;
  /** Columns without a name, where some banks write `CR` beside a credit. */
  readonly unnamed: readonly number[];
  /** How many cells a row has: the header's, which may end with delimiters. */
  readonly cells: { readonly least: number; readonly most: number };
  /** What people have written down of such files. Without it, all of this was recognised. */
  readonly written?: WrittenLayout;
  readonly used?: UsedLayout;
  /** The name of a layout that was not used, because the header is not quite the same. */
  readonly like?: string;
}

/** The first cell that is not empty in the columns of this meaning. */
export function cellOf({ columns }: Pick<Layout, 'columns'>, { cells }: CsvRecord, column: Column): string {
  const found = columns.get(column)?.find((index) => cells[index]);
  return found === undefined ? '' : cells[found]!;
}

/** How many lines may come before the header. */
export const MAX_PREAMBLE = 60;
/** How many rows show what a column has. */
export const SAMPLE_ROWS = 200;

export const headerNotFound = (): JobFailure =>
  new JobFailure('header_not_found', 'The file has no header with columns for date and amount, and its columns are ambiguous without one.');

export function layoutWithoutHeader(sample: readonly CsvRecord[]): Layout | null {
  const found = columnsByContent(sample);
  const width = Math.max(...sample.map(({ cells }) => cells.length));
  const cells = { least: width, most: width };
  return (
    found && { ...found, unknown: [], recordsBefore: 0, isInverted: false, account: null, currency: null, period: null, unnamed: [], cells }
  );
}

export function layoutWithHeader(sample: readonly CsvRecord[]): Layout | null {
  const headerIndex = sample.slice(0, MAX_PREAMBLE).findIndex(({ cells }) => isHeader(columnsNamed(cells)));
  const header = sample[headerIndex]?.cells;
  if (!header) return null;
  const { columns, ...others } = columnsOf(header, sample.slice(headerIndex + 1, headerIndex + 1 + SAMPLE_ROWS));
  const facts = factsAbove(sample, headerIndex);
  return { ...others, ...facts, columns: withAccounts(columns, facts.account), recordsBefore: headerIndex + 1, isInverted: false };
}

/** What the header and the lines above it say of all rows. */
export function factsAbove(
  sample: readonly CsvRecord[],
  headerIndex: number,
): Pick<Layout, 'account' | 'currency' | 'period' | 'unnamed' | 'cells'> {
  const header = sample[headerIndex]!.cells;
  const above = sample.slice(0, headerIndex);
  return {
    account: accountIn(above),
    currency: currencyIn(header),
    period: writtenPeriodIn(above),
    unnamed: header.flatMap((name, index) => (name === '' ? [index] : [])),
    cells: { least: header.findLastIndex((name) => name !== '') + 1, most: header.length },
  };
}

const isHeader = (columns: Columns): boolean =>
  (['bookingDate', 'date', 'valueDate'] as const).some((column) => columns.has(column)) &&
  (['amount', 'debit', 'credit', 'gross', 'net'] as const).some((column) => columns.has(column));

/** A column called just `account` is the own account. If the file has that elsewhere, the column is the other party's account. */
function withAccounts(named: Columns, accountAbove: string | null): Columns {
  const columns = new Map(named);
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
