import type { Column } from './column-names.js';
import { isCurrency } from './named-column.js';
import type { HeaderColumns } from './columns.js';
import type { CsvRecord } from './records.js';
import { writtenAmount } from './written-amount.js';
import { writtenDate } from './written-date.js';

const SAMPLE_ROWS = 200;
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
  const [dates, amounts, texts, currencies] = [indexesOf('date'), indexesOf('amount'), indexesOf('text'), indexesOf('currency')];
  const isCertain =
    dates.length > 0 && amounts.length === 1 && texts.length > 0 && currencies.length <= 1 && indexesOf('unclear').length === 0;
  if (!isCertain || !rows.some((row) => writtenAmount(row[amounts[0]!]!)?.sign)) return null;
  const columns = new Map<Column, number[]>([
    ['bookingDate', dates.slice(0, 1)],
    ['amount', amounts],
    ['description', texts],
    ['currency', currencies],
  ]);
  return { columns, notes: [], unusedAmounts: [] };
}

/** The rows without the notes between them, which have fewer cells. */
function rowsOfOneWidth(sample: readonly CsvRecord[]): readonly (readonly string[])[] {
  const rows = sample.slice(0, SAMPLE_ROWS).map(({ cells }) => cells);
  const width = Math.max(0, ...rows.map((row) => row.length));
  const whole = rows.filter((row) => row.length === width);
  return width < 3 || whole.length * 2 < rows.length ? [] : whole;
}

type Kind = 'empty' | 'date' | 'amount' | 'currency' | 'text' | 'unclear';

/** A number without decimals and sign may be a time, a count or an account, so it is not an amount. */
function kindOf(cells: readonly string[]): Kind {
  const filled = cells.filter(Boolean);
  if (filled.length === 0) return 'empty';
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
