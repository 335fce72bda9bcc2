import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { DateOrder, writtenAmount, writtenDate } from '../../tools/bank-files/index.js';
import type { Read } from '../../src/modules/statements/formats/fixtures/reading.js';
import { samples, textOf } from './corpus.js';
import { isNeverWrongSilently, readOrRefused, type Mutant } from './mutants.js';

type Rows = readonly (readonly string[])[];

const isBooking = (cells: readonly string[]): boolean =>
  !cells.some((cell) => /^(pending|ausstehend)$/i.test(cell)) &&
  cells.some((cell) => writtenDate(cell)) &&
  cells.some((cell) => /\d[.,]\d/.test(cell) && !writtenDate(cell) && writtenAmount(cell));

const dayOf = (cells: readonly string[]): string => {
  const order = new DateOrder();
  for (const cell of cells) order.learn(writtenDate(cell));
  const date = writtenDate(cells.find((cell) => writtenDate(cell))!)!;
  return order.read(date) ?? '';
};

const currencyOf = (cells: readonly string[]): string => cells.find((cell) => /^[A-Z]{3}$/.test(cell)) ?? '';

/** The file with one booking missing or twice, or with one of its cells missing, twice, or moved into the place of the next. */
function* mutantsOf(rows: Rows): Generator<Mutant<Rows>> {
  const all = rows.flatMap((row, index) => (isBooking(row) ? [index] : []));
  // Nothing is known of the balance before the first booking, so it can be another one.
  const first = dayOf(rows[all[0]!]!) < dayOf(rows[all.at(-1)!]!) ? all[0] : all.at(-1);
  const bookings = all.filter((at) => at !== first);
  for (const at of bookings) {
    const row = rows[at]!;
    const put = (how: string, ...changed: (readonly string[])[]): Mutant<Rows> => ({ how, content: rows.toSpliced(at, 1, ...changed) });
    // A statement that begins later or ends earlier is a statement, too.
    const same = all.filter((other) => currencyOf(rows[other]!) === currencyOf(row));
    if (at !== same[0] && at !== same.at(-1)) yield put(`row ${at} missing`);
    yield put(`row ${at} twice`, row, row);
    for (const [index, cell] of row.entries()) {
      yield put(`cell ${index} of row ${at} missing`, row.toSpliced(index, 1));
      yield put(`cell ${index} of row ${at} twice`, row.toSpliced(index, 0, cell));
      yield put(`cells from ${index} of row ${at} moved`, [...row.slice(0, index), '', ...row.slice(index, -1)]);
      if (index > 0) yield put(`cells up to ${index} of row ${at} moved`, [...row.slice(1, index + 1), '', ...row.slice(index + 1)]);
    }
  }
}

const read = (rows: Rows, delimiter: string): Promise<Read | null> =>
  readOrRefused(rows.map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(delimiter)).join('\n'), 'a.csv');

/** Files of several accounts have several first bookings; other encodings are not read here. */
const NOT_HERE = /two-accounts|encoding/;

const all = await samples();

describe('a row or a cell that is missing, doubled or moved never leads to another sum without a warning', () => {
  it.each(all.filter(({ name, expected }) => name.endsWith('.csv') && expected.lines && !NOT_HERE.test(name)))('$name', async (sample) => {
    const text = textOf(sample);
    const delimiter = [';', ',', '\t', '|'].sort((one, other) => text.split(other).length - text.split(one).length)[0]!;
    const rows = parse(text, { delimiter, relax_column_count: true, relax_quotes: true, ltrim: true });
    const whole = await read(rows, delimiter);
    if (!whole) throw new Error(`${sample.name} is not read once all of its cells are quoted.`);
    for (const mutant of mutantsOf(rows)) {
      const found = await read(mutant.content, delimiter);
      expect(isNeverWrongSilently(found, whole), mutant.how).toBe(true);
    }
  });
});
