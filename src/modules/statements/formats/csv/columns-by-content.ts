import { isCurrency, type Column } from './column-names.js';
import type { CsvRecord } from './records.js';
import { writtenAmount } from './written-amount.js';
import { writtenDate } from './written-date.js';

const SAMPLE_ROWS = 200;
/** Words, not numbers: so much of a text are letters. */
const WORDS = /\p{L}{2}/u;

/**
 * The columns of a file without a header, where there is no doubt: all rows have dates in the same places, one column of amounts
 * with signs, and a text. Null otherwise. Of several dates the first is that of booking, as with all banks that leave headers out.
 */
export function columnsByContent(sample: readonly CsvRecord[]): Map<Column, number[]> | null {
  const rows = rowsOfOneWidth(sample);
  if (rows.length === 0) return null;
  const kinds = rows[0]!.map((_cell, index) => kindOf(rows.map((row) => row[index]!)));
  const placesOf = (kind: Kind): number[] => kinds.flatMap((candidate, index) => (candidate === kind ? [index] : []));
  const [dates, amounts, texts, currencies] = [placesOf('date'), placesOf('amount'), placesOf('text'), placesOf('currency')];
  const isCertain =
    dates.length > 0 && amounts.length === 1 && texts.length > 0 && currencies.length <= 1 && placesOf('unclear').length === 0;
  if (!isCertain || !rows.some((row) => writtenAmount(row[amounts[0]!]!)?.sign)) return null;
  return new Map<Column, number[]>([
    ['bookingDate', dates.slice(0, 1)],
    ['amount', amounts],
    ['description', texts],
    ['currency', currencies],
  ]);
}

/** Notes between the rows have fewer cells; all rows have the same number. */
function rowsOfOneWidth(sample: readonly CsvRecord[]): readonly (readonly string[])[] {
  const rows = sample.slice(0, SAMPLE_ROWS).map(({ cells }) => cells);
  const width = Math.max(0, ...rows.map((row) => row.length));
  const whole = rows.filter((row) => row.length === width);
  return width < 3 || whole.length * 2 < rows.length ? [] : whole;
}

type Kind = 'empty' | 'date' | 'amount' | 'currency' | 'text' | 'unclear';

/** A number without decimals may be a time, a count or an account: only with decimals or a sign is it an amount. */
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
