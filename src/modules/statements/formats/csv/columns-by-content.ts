import type { Column } from './column-names.js';
import { isCurrency } from './named-column.js';
import { columnsByBalance } from './columns-by-balance.js';
import type { HeaderColumns } from './columns.js';
import type { CsvRecord } from './records.js';
import { writtenAmount } from './written-amount.js';
import { writtenDate } from './written-date.js';

const SAMPLE_ROWS = 200;
const ACCOUNT = /^(\d{8,}|[A-Z]{2}\d\d[A-Z\d]{10,30})$/;
/** Two letters in a row make a word. */
const WORDS = /\p{L}{2}/u;

/**
 * The columns of a file without a header, if they are certain: the same date columns in all rows, one column of signed amounts,
 * and a text column; otherwise null. The first date column is the booking date, as in all known exports without a header.
 */
export function columnsByContent(sample: readonly CsvRecord[]): Pick<HeaderColumns, 'columns' | 'notes' | 'unusedAmounts'> | null {
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
  return { columns, notes: [], unusedAmounts: [] };
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
