import { negated, sumOf } from '../amounts.js';
import type { Column } from './column-names.js';
import { DecimalMark, writtenAmount } from './written-amount.js';

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
