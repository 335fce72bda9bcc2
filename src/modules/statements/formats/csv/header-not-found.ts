import { JobFailure } from '../../../../kernel/failure.js';
import type { Column } from './column-names.js';
import { type Columns, columnsNamed } from './columns.js';
import { AMOUNTS_OF_HEADER, DATES_OF_HEADER, MAX_PREAMBLE } from './layout.js';
import type { CsvRecord } from './records.js';

const WAY_OUT = 'Without a header its columns are ambiguous. Add a layout that says what they are.';
const NOTHING_KNOWN =
  `None of the first ${MAX_PREAMBLE} lines is a header with a column for the date, such as “Date” or “Datum”, and one for the ` +
  'amount, such as “Amount” or “Betrag”, or one each for debit and credit.';

/** Names what was looked for, and the line that comes nearest to it. Says nothing of its texts but where they are. */
export function headerNotFound(samples: readonly (readonly CsvRecord[])[]): JobFailure {
  const heads = samples.flatMap((sample) => sample.slice(0, MAX_PREAMBLE));
  let [best, place]: [Columns, number] = [new Map(), 0];
  for (const { cells, line } of heads) {
    const columns = columnsNamed(cells);
    if (columns.size > best.size) [best, place] = [columns, line];
  }
  const indexIn = (wanted: readonly Column[]): number | undefined => wanted.flatMap((column) => best.get(column) ?? [])[0];
  const [date, amount] = [indexIn(DATES_OF_HEADER), indexIn(AMOUNTS_OF_HEADER)];
  const index = date ?? amount;
  const [found, missing] = date === undefined ? ['amount', 'the date'] : ['date', 'the amount, or for debit and credit'];
  const nearest = `Line ${place} has a column for the ${found} (column ${(index ?? 0) + 1}), but no name that is known for ${missing}.`;
  return new JobFailure('header_not_found', `${index === undefined ? NOTHING_KNOWN : nearest} ${WAY_OUT}`);
}
