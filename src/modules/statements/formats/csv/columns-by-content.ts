import { negated, sumOf } from '../amounts.js';
import { type Column, isCurrency } from './column-names.js';
import type { HeaderColumns } from './columns.js';
import type { CsvRecord } from './records.js';
import { DecimalMark, writtenAmount, writtenDate } from './written-values.js';

/** How many changes of the balance prove what a column is. */
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

const SAMPLE_ROWS = 200;
const ACCOUNT = /^(\d{8,}|[A-Z]{2}\d\d[A-Z\d]{10,30})$/;
/** Two letters in a row make a word. */
const WORDS = /\p{L}{2}/u;

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
  if (filled.every((cell) => writtenAmount(cell))) return kindOfNumbers(filled, filled.length === cells.length);
  return filled.some((cell) => WORDS.test(cell)) ? 'text' : 'empty';
}

function kindOfNumbers(cells: readonly string[], isEverywhere: boolean): Kind {
  const areAmounts = cells.every((cell) => /[.,]\d{2}\b/.test(cell)) || cells.some((cell) => writtenAmount(cell)?.sign);
  if (areAmounts) return isEverywhere ? 'amount' : 'unclear';
  return 'empty';
}
