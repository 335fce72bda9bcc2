import { looksLikePerson, mayBeName } from '../../personal-data/names/index.js';
import { DecimalMark, isCurrency, negated, sumOf, writtenAmount, writtenDate } from '../../bank-files/index.js';
import { type Column, columnNamed, isPartyName, MONEY_COLUMNS } from './column-names.js';
import type { CsvRecord } from '../../bank-files/index.js';

export type Columns = ReadonlyMap<Column, readonly number[]>;

export interface HeaderColumns {
  readonly columns: Columns;
  /** Columns whose texts are shown with the description. */
  readonly notes: readonly { readonly index: number; readonly name: string }[];
  readonly unknown: readonly number[];
  /** Columns that may be amounts, but that nothing is known of. */
  readonly unusedAmounts: readonly number[];
  /** Columns that nothing is known of and that have names of people, as it seems. */
  readonly ofPeople: readonly number[];
}

const MAX_NAME = 40;
export const IBAN = /^[A-Z]{2}\d\d[A-Z\d ]{10,40}$/;
/** Only one cell of these is used for the field of the line; others are shown with the description. */
const ONE_OF: readonly Column[] = ['counterpartyAccount', 'reference', 'bankReference'];

export function columnsNamed(header: readonly string[]): Map<Column, number[]> {
  const columns = new Map<Column, number[]>();
  header.forEach((name, index) => put(columns, columnNamed(name)?.column, index));
  return columns;
}

/** The columns by their names and, where a name means one thing in one country and another elsewhere, by their cells. */
export function columnsOf(header: readonly string[], rows: readonly CsvRecord[]): HeaderColumns {
  const cellsOf = cellsIn(rows);
  const columns = new Map<Column, number[]>();
  header.forEach((name, index) => put(columns, byCells(columnNamed(name)?.column, cellsOf(index)), index));
  chooseAmount(columns, cellsOf);
  leaveHolder(columns, header);
  const isNamed = (index: number): boolean => header[index] !== '' && columnNamed(header[index]!) !== null;
  const unknown = header.flatMap((name, index) => (name !== '' && !isNamed(index) ? [index] : []));
  const isNameless = !['counterparty', 'payer', 'payee'].some((column) => columns.has(column as Column));
  const parties = unknown.filter((index) => isNameless && isPartyName(header[index]!) && cellsOf(index).some(isText));
  for (const index of parties) put(columns, 'counterparty', index);
  const left = unknown.filter((index) => !parties.includes(index));
  return { ...completed(columns, header, left, cellsOf), unknown };
}

/** With notes of all that has no place elsewhere. `left` are columns of which nothing is known. */
export function completed(
  columns: Map<Column, number[]>,
  header: readonly string[],
  left: readonly number[],
  cellsOf: (index: number) => readonly string[],
): Omit<HeaderColumns, 'unknown'> {
  const unread = [...left, ...MONEY_COLUMNS.flatMap((column) => leftOf(columns, column, cellsOf))];
  const noted = [
    ...unread,
    ...(['kind', 'note'] as const).flatMap((column) => columns.get(column) ?? []),
    ...header.flatMap((name, index) => (name === '' && !isRead(columns, index) && cellsOf(index).some(isText) ? [index] : [])),
    ...ONE_OF.flatMap((column) => columns.get(column)?.slice(1) ?? []),
  ];
  return {
    columns,
    notes: noted.sort((one, other) => one - other).map((index) => ({ index, name: tidyName(header[index]!) })),
    unusedAmounts: unread.filter((index) => areAmounts(cellsOf(index))),
    ofPeople: left.filter((index) => haveNames(cellsOf(index))),
  };
}

const isRead = (columns: Columns, index: number): boolean => [...columns.values()].some((indexes) => indexes.includes(index));

export const cellsIn =
  (rows: readonly CsvRecord[]) =>
  (index: number): string[] =>
    rows.map(({ cells }) => cells[index] ?? '').filter(Boolean);

export function put(columns: Map<Column, number[]>, column: Column | undefined, index: number): void {
  if (column) columns.set(column, [...(columns.get(column) ?? []), index]);
}

/** `Valuta` is the value date in German and the currency in Danish; `Valor` is the value date or the amount. */
function byCells(column: Column | undefined, cells: readonly string[]): Column | undefined {
  if (cells.length === 0) return column;
  if (column === 'valueDate' && cells.every((cell) => isCurrency(cell.toUpperCase()))) return 'currency';
  if ((column === 'amount' || column === 'currency') && cells.every((cell) => writtenDate(cell))) return 'valueDate';
  if (column === 'counterparty' && cells.every((cell) => IBAN.test(cell))) return 'counterpartyAccount';
  return column;
}

/** Beside the name of the other party, a column called just `name` is the holder of the account. */
function leaveHolder(columns: Map<Column, number[]>, header: readonly string[]): void {
  const named = columns.get('counterparty')?.filter((index) => isPartyName(header[index]!)) ?? [];
  if (named.length > 0) columns.set('counterparty', named);
}

/** What changes the balance: the net amount rather than the gross, and columns for debit and credit rather than one without signs. */
export function chooseAmount(columns: Map<Column, number[]>, cellsOf: (index: number) => readonly string[]): void {
  const [net, gross] = [columns.get('net'), columns.get('gross')];
  if (net) {
    for (const other of ['amount', 'gross', 'fee'] as const) {
      for (const index of columns.get(other) ?? []) put(columns, 'note', index);
      columns.delete(other);
    }
    columns.set('amount', net);
  } else if (gross) {
    if (!columns.has('amount')) columns.set('amount', gross);
    else for (const index of gross) put(columns, 'note', index);
  }
  const [amount] = columns.get('amount') ?? [];
  if (amount === undefined || !columns.has('debit') || !columns.has('credit')) return;
  const hasSigns = cellsOf(amount).some((cell) => writtenAmount(cell)?.sign);
  const isSplit = [...columns.get('debit')!, ...columns.get('credit')!].some((index) => cellsOf(index).length > 0);
  for (const column of hasSigns || !isSplit ? (['debit', 'credit'] as const) : (['amount'] as const)) columns.delete(column);
}

/** Keeps one column of this meaning, the first that has an amount, and returns the others. */
function leftOf(columns: Map<Column, number[]>, column: Column, cellsOf: (index: number) => readonly string[]): number[] {
  const all = columns.get(column) ?? [];
  if (all.length < 2) return [];
  const kept = all.find((index) => cellsOf(index).some((cell) => writtenAmount(cell))) ?? all[0]!;
  columns.set(column, [kept]);
  return column === 'balance' ? [] : all.filter((index) => index !== kept);
}

const isText = (cell: string): boolean => /\p{L}{2}/u.test(cell);

/** A known name of a person, or what may be names in most cells. */
const haveNames = (cells: readonly string[]): boolean => cells.some(looksLikePerson) || cells.filter(mayBeName).length * 2 > cells.length;

function areAmounts(cells: readonly string[]): boolean {
  const areNumbers = cells.length > 0 && cells.every((cell) => /\d/.test(cell) && writtenAmount(cell));
  // `31.10.2026` is a number with two points, too.
  return areNumbers && cells.some((cell) => /[.,]\d\d\b/.test(cell) && /[1-9]/.test(cell) && !writtenDate(cell));
}

function tidyName(name: string): string {
  const plain = name.replace(/\s+/g, ' ').replace(/^[#*\s]+|[:\s]+$/g, '');
  return plain.length > MAX_NAME ? `${plain.slice(0, MAX_NAME - 1)}…` : plain;
}

const MIN_STEPS = 2;

type Row = readonly string[];
type Found = ReadonlyMap<Column, number[]>;
/** The change of the balance that a row books; null if a cell cannot be read. */
type Change = (row: Row) => string | null;

/**
 * Which of several columns of numbers is the amount, or the debit and the credit, and which is the balance: those that tie in all
 * rows. null if none do.
 */
export function columnsByBalance(rows: readonly Row[], numbers: readonly number[]): Found | null {
  const valueOf = reader(rows, numbers);
  const isFilled = (index: number): boolean => rows.every((row) => row[index]);
  const isSigned = (index: number): boolean => rows.some((row) => writtenAmount(row[index]!)?.sign);
  for (const balance of numbers.filter(isFilled)) {
    const others = numbers.filter((index) => index !== balance);
    const ties = (change: Change): boolean => leads(rows, (row) => valueOf(row, balance), change);
    const amount = others.find((index) => isFilled(index) && isSigned(index) && ties((row) => valueOf(row, index)));
    if (amount !== undefined) return found({ amount, balance });
    for (const debit of others)
      for (const credit of others) {
        const isEither = debit !== credit && rows.every((row) => Boolean(row[debit]) !== Boolean(row[credit]));
        const change: Change = (row) => (row[credit] ? valueOf(row, credit) : paidOut(valueOf(row, debit)));
        if (isEither && ties(change)) return found({ debit, credit, balance });
      }
  }
  return null;
}

const found = (columns: Partial<Record<Column, number>>): Found =>
  new Map(Object.entries(columns).map(([column, index]) => [column as Column, [index]]));

const paidOut = (value: string | null): string | null => value && (value.startsWith('-') ? value : negated(value));

function reader(rows: readonly Row[], numbers: readonly number[]): (row: Row, index: number) => string | null {
  const decimals = new DecimalMark();
  for (const row of rows) for (const index of numbers) decimals.learn(writtenAmount(row[index]!)?.digits ?? '');
  return (row, index) => {
    const written = writtenAmount(row[index]!);
    const value = written && decimals.read(written.digits, 0);
    return value && (written.sign === '-' ? negated(value) : value);
  };
}

/** Whether each balance is the one before it and the change of its row, from the top down or from the bottom up. */
function leads(rows: readonly Row[], balanceOf: (row: Row) => string | null, change: Change): boolean {
  if (rows.length <= MIN_STEPS) return false;
  const follows = (row: Row, before: Row): boolean => {
    const [from, step] = [balanceOf(before), change(row)];
    return from !== null && step !== null && sumOf([from, step]) === balanceOf(row);
  };
  const pairs = rows.slice(1).map((row, index) => [row, rows[index]!] as const);
  return pairs.every(([row, above]) => follows(row, above)) || pairs.every(([row, above]) => follows(above, row));
}

export const SAMPLE_ROWS = 200;
const ACCOUNT = /^(\d{8,}|[A-Z]{2}\d\d[A-Z\d]{10,30})$/;

/**
 * The columns of a file without a header, if they are certain: the same date columns in all rows, one column of signed amounts,
 * and a text column; otherwise null. The first date column is the booking date, as in all known exports without a header.
 */
export function columnsByContent(
  sample: readonly CsvRecord[],
): Pick<HeaderColumns, 'columns' | 'notes' | 'unusedAmounts' | 'ofPeople'> | null {
  const rows = rowsOfOneWidth(sample);
  if (rows.length === 0) return null;
  const kinds = rows[0]!.map((_cell, index) => kindOf(rows.map((row) => row[index]!)));
  const indexesOf = (kind: Kind): number[] => kinds.flatMap((candidate, index) => (candidate === kind ? [index] : []));
  const [dates, texts, currencies] = [indexesOf('date'), indexesOf('text'), indexesOf('currency')];
  const amounts = amountsOf(rows, indexesOf('amount'), indexesOf('unclear'));
  if (dates.length === 0 || texts.length === 0 || currencies.length > 1 || !amounts) return null;
  const columns = new Map<Column, readonly number[]>([
    ['bookingDate', dates.slice(0, 1)],
    ['description', texts],
    ['currency', currencies],
    ['ownAccount', indexesOf('account')],
    ...amounts,
  ]);
  return { columns, notes: [], unusedAmounts: [], ofPeople: [] };
}

/** A single column of signed amounts, or those of several that the balances prove. */
function amountsOf(rows: readonly (readonly string[])[], amounts: readonly number[], unclear: readonly number[]) {
  if (amounts.length + unclear.length > 1) return columnsByBalance(rows, [...amounts, ...unclear]);
  const hasSigns = rows.some((row) => amounts.some((index) => writtenAmount(row[index]!)?.sign));
  return hasSigns ? new Map<Column, readonly number[]>([['amount', amounts]]) : null;
}

/** The rows without the notes between them, which have fewer cells. */
function rowsOfOneWidth(sample: readonly CsvRecord[]): readonly (readonly string[])[] {
  const rows = sample.slice(0, SAMPLE_ROWS).map(({ cells }) => cells);
  const width = Math.max(0, ...rows.map((row) => row.length));
  const whole = rows.filter((row) => row.length === width);
  return width < 3 || whole.length * 2 < rows.length ? [] : whole;
}

type Kind = 'empty' | 'account' | 'date' | 'amount' | 'currency' | 'text' | 'unclear';

/** A number without decimals and sign may be a time, a count or an account, so it is not an amount. */
function kindOf(cells: readonly string[]): Kind {
  const filled = cells.filter(Boolean);
  if (filled.length === 0) return 'empty';
  if (ACCOUNT.test(filled[0]!) && !writtenDate(filled[0]!) && cells.every((cell) => cell === filled[0])) return 'account';
  if (filled.every((cell) => writtenDate(cell))) return filled.length === cells.length ? 'date' : 'empty';
  if (filled.every((cell) => isCurrency(cell.toUpperCase()))) return 'currency';
  if (filled.every((cell) => writtenAmount(cell))) {
    const areAmounts = filled.every((cell) => /[.,]\d{2}\b/.test(cell)) || filled.some((cell) => writtenAmount(cell)?.sign);
    return !areAmounts ? 'empty' : filled.length === cells.length ? 'amount' : 'unclear';
  }
  return filled.some(isText) ? 'text' : 'empty';
}
