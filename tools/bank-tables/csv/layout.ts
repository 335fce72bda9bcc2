import { electronicFormatIBAN, isValidIBAN } from 'ibantools';
import { UnreadableFile, currencyOf, SYMBOLS, writtenAmount, writtenDate } from '../../bank-files/index.js';
import type { CsvRecord, DateOrder, Period, WrittenDate } from '../../bank-files/index.js';
import { type Column, columnNamed, DATE_COLUMNS, keyOf, MONEY_COLUMNS } from './column-names.js';
import { cellsIn, chooseAmount, columnsByContent, columnsNamed, columnsOf, completed, put, SAMPLE_ROWS } from './columns.js';
import type { Columns, HeaderColumns } from './columns.js';
import type { LayoutWord, UsedLayout, WrittenLayout } from '../written-layout.js';

interface RowWidth {
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

/** First and last day as the lines above the header write them. */
interface WrittenPeriod {
  readonly start: WrittenDate;
  readonly end: WrittenDate;
}

const PERIOD =
  /(?<!\p{L})(?:period|zeitraum|periode|période|periodo|período|okres|období|ajanjakso|период|період|תקופה|περίοδος)(?!\p{L})/iu;
const DATES = /\d{4}-\d{1,2}-\d{1,2}|\d{1,2}([./-])\d{1,2}\1(?:\d{4}|\d\d)/g;
/** A cell that says nothing but that the next one is the first or the last day. */
const START = /^(?:from|von|vom|du|van|dal|desde|od|с|з|від|од|από|מתאריך)\W*$/iu;
const END = /^(?:to|bis|au|tot|al|hasta|do|по|до|έως|עד תאריך)\W*$/iu;

/** null if no line names a period. */
function writtenPeriodIn(preamble: readonly CsvRecord[]): WrittenPeriod | null {
  for (const { cells } of preamble) {
    const text = cells.join(' ');
    const word = PERIOD.exec(text);
    // A third date may say when the file was made.
    const [first, last] = word ? (text.slice(word.index).match(DATES) ?? []) : [];
    const period = periodOf(first, last);
    if (period) return period;
  }
  return periodOf(cellAfter(preamble, START), cellAfter(preamble, END));
}

/**
 * The period in the order of day and month that the file's dates prove. null if it is not proven, or if the file has bookings outside.
 * Days after `today` are no evidence yet.
 */
export function statedPeriod(written: WrittenPeriod, order: DateOrder, lines: Period | null, today: string): Period | null {
  if (order.isAmbiguous(written.start) || order.isAmbiguous(written.end)) return null;
  const [start, stated] = [order.read(written.start), order.read(written.end)];
  if (start === null || stated === null) return null;
  const end = stated > today ? today : stated;
  const contains = lines === null || (start <= lines.start && lines.end <= end);
  return start <= end && contains ? { start, end } : null;
}

function periodOf(first: string | undefined, last: string | undefined): WrittenPeriod | null {
  const [start, end] = [writtenDate(first ?? ''), writtenDate(last ?? '')];
  return start && end && { start, end };
}

function cellAfter(preamble: readonly CsvRecord[], word: RegExp): string | undefined {
  const record = preamble.find(({ cells }) => cells.some((cell) => word.test(cell)));
  return record?.cells.slice(record.cells.findIndex((cell) => word.test(cell)) + 1).find(Boolean);
}

export interface Layout extends HeaderColumns {
  /** How many records come before the first row, including the header. */
  readonly recordsBefore: number;
  readonly header: ReadonlySet<string>;
  /** From the header or the lines before it; for all rows. */
  readonly account: string | null;
  readonly currency: string | null;
  /** That in the names of the columns of the amounts. A column for the currency beside them is that of something else. */
  readonly amountCurrency?: string;
  /** From the lines before the header. */
  readonly period: WrittenPeriod | null;
  /** For the rows that name no currency, if the importer says which. */
  readonly otherwiseCurrency?: string;
  /** Whether an amount without a sign is a charge, and one with a minus sign a payment or refund. */
  readonly isInverted: boolean;
  /** Columns without a name, where some banks write `CR` beside a credit. */
  readonly unnamed: readonly number[];
  readonly cells: RowWidth;
  /** Whether bookings have the day on which they were booked beside that of the payment: what lacks it is not booked. */
  readonly hasBookingDays?: boolean;
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

export const MAX_PREAMBLE = 60;

export function layoutWithoutHeader(sample: readonly CsvRecord[]): Layout | null {
  const found = columnsByContent(sample);
  const cells = exactly(Math.max(...sample.map((record) => record.cells.length)));
  return found && { ...found, ...NOTHING_ABOVE, unknown: [], recordsBefore: 0, isInverted: false, cells };
}

const NOTHING_ABOVE: FactsAbove = { account: null, currency: null, period: null, unnamed: [], header: new Set() };
const exactly = (width: number): RowWidth => ({ least: width, most: width, whole: width, filled: [] });

export function layoutWithHeader(sample: readonly CsvRecord[]): Layout | null {
  const headerIndex = sample.slice(0, MAX_PREAMBLE).findIndex(({ cells }) => isHeader(columnsNamed(cells)));
  const header = sample[headerIndex]?.cells;
  if (!header) return null;
  refuseOtherUnits(sample.slice(0, headerIndex + 1));
  const rows = rowsAfter(sample, headerIndex);
  const { columns, ...others } = columnsOf(header, rows);
  const facts = factsAbove(sample, headerIndex);
  const amountCurrency = currencyOfAmounts(columns, header);
  return {
    ...others,
    ...facts,
    ...(amountCurrency && { amountCurrency }),
    columns: withAccounts(columns, facts.account),
    cells: widthOf(columns, header, rows),
    hasBookingDays: hasBookingDays(columns, rows),
    recordsBefore: headerIndex + 1,
    isInverted: false,
  };
}

/** Some banks print the day once for several bookings, so most rows must have it. */
function hasBookingDays(columns: Columns, rows: Sample): boolean {
  const dated = rows.filter((row) => writtenDate(cellOf({ columns }, row, 'date')));
  return dated.filter((row) => writtenDate(cellOf({ columns }, row, 'bookingDate'))).length * 2 > dated.length;
}

/** null if the names of the columns that are read as amounts do not name one currency. */
function currencyOfAmounts(columns: Columns, header: readonly string[]): string | null {
  const indexes = (['amount', 'debit', 'credit'] as const).flatMap((column) => columns.get(column) ?? []);
  const named = new Set(indexes.map((index) => columnNamed(header[index]!)?.currency ?? null));
  return named.size === 1 ? [...named][0]! : null;
}

/** Of amounts: parts of the unit of a currency, or thousands of it. */
const OTHER_UNIT = new RegExp(
  '(?<!\\p{L})(?:minor units?|cents?|pence|pennies|centimes?|céntimos?|centavos?|centesimi|rappen|groszy|haléřů?|öre|øre|fillér|' +
    'in thousands?|thousands of|in tausend|in tsd\\.?|en milliers|en miles|in migliaia|in duizenden|' +
    '[tk](?:eur|€|usd|gbp|chf)|tsd\\.?)(?!\\p{L})|' +
    '[(\\[](?:000s?|0\\.01|1/100|x ?1\\.?000|1\\.?000s?)[)\\]]',
  'iu',
);

/** An amount that is read in another unit than it was written in is wrong by a factor that nothing shows. */
function refuseOtherUnits(records: readonly CsvRecord[]): void {
  for (const { cells, line } of records) {
    const column = cells.findIndex((cell) => OTHER_UNIT.test(cell));
    if (column < 0) continue;
    const message = `Line ${line} says in column ${column + 1} that amounts are in cents or in thousands.`;
    throw new UnreadableFile('unit_not_supported', `${message} Export them in the unit of the currency.`);
  }
}

type FactsAbove = Pick<Layout, 'account' | 'currency' | 'period' | 'unnamed' | 'header'>;

function factsAbove(sample: readonly CsvRecord[], headerIndex: number): FactsAbove {
  const header = sample[headerIndex]!.cells;
  const above = sample.slice(0, headerIndex);
  return {
    header: new Set(header.map(keyOf).filter(Boolean)),
    account: accountIn(above),
    currency: currencyIn(header),
    period: writtenPeriodIn(above),
    unnamed: header.flatMap((name, index) => (name === '' ? [index] : [])),
  };
}

/** Whether a row names columns, so that another table begins with it, of which nobody knows whose account and currency it has. */
export function beginsTable({ cells }: CsvRecord, { header }: Layout): boolean {
  const filled = cells.filter(Boolean);
  if (filled.length < 2) return false;
  const known = filled.filter((cell) => header.has(keyOf(cell))).length;
  return (known >= 2 && known * 2 > filled.length) || isHeader(columnsNamed(cells));
}

export const AMOUNTS_OF_HEADER: readonly Column[] = ['amount', 'debit', 'credit', 'gross', 'net'];
const isHeader = (columns: Columns): boolean =>
  DATE_COLUMNS.some((column) => columns.has(column)) && AMOUNTS_OF_HEADER.some((column) => columns.has(column));

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

type Sample = readonly CsvRecord[];

export const doesNotFit = (message: string): UnreadableFile => new UnreadableFile('layout_does_not_fit', message);

/** The layout of a table whose header has the names of the written layout. */
export function withHeader(written: WrittenLayout, from: UsedLayout['from'], sample: Sample, headerIndex: number): Layout {
  const header = sample[headerIndex]!.cells;
  const words = new Map(Object.entries(written.columns).map(([name, word]) => [keyOf(name), word]));
  const wordAt = (index: number): LayoutWord | undefined => words.get(keyOf(header[index]!));
  const isUnknown = (index: number): boolean => header[index] !== '' && !wordAt(index);
  const rows = rowsAfter(sample, headerIndex);
  const read = readAs(written, from, { header, wordAt, isUnknown, rows });
  return {
    ...read,
    ...factsAbove(sample, headerIndex),
    cells: widthOf(read.columns, header, rows, written.shortRows),
    hasBookingDays: hasBookingDays(read.columns, rows),
    recordsBefore: headerIndex + 1,
  };
}

/** The layout of a table without a header; null if its rows have another number of cells. */
export function withoutHeader(written: WrittenLayout, from: UsedLayout['from'], sample: Sample): Layout | null {
  const { width = 0, headerRow = 0, columns, shortRows = false } = written;
  const recordsBefore = sample.filter(({ line }) => line <= headerRow).length;
  const rows = rowsAfter(sample, recordsBefore - 1);
  const fitting = rows.filter(({ cells }) => cells.length === width || (shortRows && cells.length < width)).length;
  if (fitting === 0 || fitting * 2 < rows.length) return null;
  const wordAt = (index: number): LayoutWord | undefined => columns[index + 1];
  const header = Array<string>(width).fill('');
  const read = readAs(written, from, { header, wordAt, isUnknown: (index) => !wordAt(index), rows });
  return {
    ...read,
    ...NOTHING_ABOVE,
    cells: shortRows ? { ...exactly(width), least: widthOf(read.columns, header, rows, shortRows).least } : exactly(width),
    recordsBefore,
  };
}

const rowsAfter = (sample: Sample, index: number): Sample => sample.slice(index + 1, index + 1 + SAMPLE_ROWS);

interface Named {
  readonly header: readonly string[];
  readonly wordAt: (index: number) => LayoutWord | undefined;
  /** Whether the layout says nothing of a column. */
  readonly isUnknown: (index: number) => boolean;
  readonly rows: Sample;
}

function readAs(written: WrittenLayout, from: UsedLayout['from'], { header, wordAt, isUnknown, rows }: Named) {
  const columns = new Map<Column, number[]>();
  const unknown: number[] = [];
  for (const index of header.keys()) {
    const word = wordAt(index);
    if (isUnknown(index)) unknown.push(index);
    else put(columns, word === 'ignore' ? 'technical' : word, index);
  }
  chooseAmount(columns, cellsIn(rows));
  for (const [column, indexes] of columns) refuseOtherCells(column, indexes, rows, written);
  return {
    ...completed(columns, header, unknown, cellsIn(rows)),
    unknown,
    isInverted: written.amounts === 'charges-positive',
    written,
    used: { name: written.name, from },
  };
}

const isCurrencyCell = (cell: string): boolean => currencyOf(cell) !== null || cell in SYMBOLS;
const KINDS: readonly (readonly [kind: string, columns: readonly Column[], isOne: (cell: string) => unknown])[] = [
  ['date', DATE_COLUMNS, writtenDate],
  ['amount', MONEY_COLUMNS, writtenAmount],
  ['currency', ['currency'], isCurrencyCell],
];

/** Cells of which none is what the layout says are another column's. */
function refuseOtherCells(column: Column, indexes: readonly number[], rows: Sample, { name }: WrittenLayout): void {
  const [kind, , isOne] = KINDS.find(([, columns]) => columns.includes(column)) ?? [];
  if (!kind || !isOne) return;
  for (const index of indexes) {
    const filled = rows.filter(({ cells }) => cells[index]);
    if (filled.length === 0 || filled.some(({ cells }) => isOne(cells[index]!))) continue;
    throw doesNotFit(`Column ${index + 1} has no ${kind}, from line ${filled[0]!.line} on, but is ${column} in the layout “${name}”.`);
  }
}
