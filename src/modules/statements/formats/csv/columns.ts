import { looksLikePerson, mayBeName } from '../../redaction/names/people.js';
import { type Column, columnNamed, isCurrency, isPartyName, MONEY_COLUMNS } from './column-names.js';
import type { CsvRecord } from './records.js';
import { writtenAmount, writtenDate } from './written-values.js';

export type Columns = ReadonlyMap<Column, readonly number[]>;

/** A column whose texts are shown with the description. */
export interface NoteColumn {
  readonly index: number;
  readonly name: string;
}

export interface HeaderColumns {
  readonly columns: Columns;
  readonly notes: readonly NoteColumn[];
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
