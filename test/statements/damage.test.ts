import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { writtenAmount, writtenDate } from '../../tools/bank-files/index.js';
import type { Read } from '../../src/modules/statements/formats/fixtures/reading.js';
import { samples, textOf } from './corpus.js';
import { readOrRefused } from './mutants.js';

type Rows = readonly (readonly string[])[];

/** A table with its header, its bookings and what their columns are. */
interface Table {
  readonly rows: Rows;
  readonly header: number;
  /** The rows of the bookings, in their order. */
  readonly bookings: readonly number[];
  /** The columns with an amount in each booking, and with a date in each. */
  readonly amounts: readonly number[];
  readonly dates: readonly number[];
}

const isAmount = (cell: string): boolean => /\d[.,]\d\d$/.test(cell) && !writtenDate(cell) && writtenAmount(cell) !== null;

/** null without a header above at least two bookings. */
function tableOf(rows: Rows): Table | null {
  const bookings = rows.flatMap((cells, index) => (cells.some((cell) => writtenDate(cell)) && cells.some(isAmount) ? [index] : []));
  const header = (bookings[0] ?? 0) - 1;
  if (bookings.length < 2 || header < 0 || rows[header]!.filter(Boolean).length < 3) return null;
  const columnsOf = (is: (cell: string) => unknown): number[] =>
    rows[header]!.map((_name, index) => index).filter((index) => bookings.every((row) => is(rows[row]![index] ?? '')));
  return { rows, header, bookings, amounts: columnsOf(isAmount), dates: columnsOf(writtenDate) };
}

const withRow = ({ rows }: Table, at: number, change: (cells: readonly string[]) => readonly string[]): Rows =>
  rows.map((cells, index) => (index === at ? change(cells) : cells));
const withCell = (table: Table, row: number, column: number, change: (cell: string) => string): Rows =>
  withRow(table, row, (cells) => cells.map((cell, index) => (index === column ? change(cell) : cell)));
const withCells = ({ rows, bookings }: Table, column: number, change: (cell: string, at: number) => string): Rows =>
  rows.map((cells, row) => {
    const at = bookings.indexOf(row);
    return at < 0 ? cells : cells.map((cell, index) => (index === column ? change(cell, at) : cell));
  });
const swapped = <T>(items: readonly T[], one: number, other: number): T[] =>
  items.map((item, index) => items[index === one ? other : index === other ? one : index] ?? item);
const flipped = (cell: string): string => (/^[-−]/.test(cell) ? cell.slice(1) : `-${cell.replace(/^\+/, '')}`);

/** The column of a name in the header; -1 without it. */
const named = ({ rows, header }: Table, name: RegExp): number => rows[header]!.findIndex((cell) => name.test(cell.trim()));

type Damage = (table: Table, middle: number) => Rows | string | null;

const unless = (column: number | undefined, then: (column: number) => Rows): Rows | null =>
  column === undefined || column < 0 ? null : then(column);

/** What nothing but balances can show: each is a statement of its own right. */
const ONLY_BALANCES_SHOW: Readonly<Record<string, Damage>> = {
  'a row missing': ({ rows }, middle) => rows.toSpliced(middle, 1),
  'a row twice': ({ rows }, middle) => rows.toSpliced(middle, 0, rows[middle]!),
  'the sign of an amount flipped': (table, middle) => unless(table.amounts[0], (column) => withCell(table, middle, column, flipped)),
  'a digit of an amount exchanged': (table, middle) =>
    unless(table.amounts[0], (column) =>
      withCell(table, middle, column, (cell) => cell.replace(/\d/, (digit) => String((Number(digit) + 3) % 10))),
    ),
  'two amounts exchanged': (table, middle) =>
    unless(table.amounts[0], (column) => {
      const [first] = table.bookings;
      const [one, other] = [table.rows[first!]![column]!, table.rows[middle]![column]!];
      return table.rows.map((cells, row) =>
        cells.map((cell, index) => (index !== column ? cell : row === first ? other : row === middle ? one : cell)),
      );
    }),
  'the mark of decimals gone from an amount': (table, middle) =>
    unless(table.amounts[0], (column) => withCell(table, middle, column, (cell) => `${cell.replace(/[.,](\d\d)$/, '$1')}`)),
  'the day of a booking changed': (table, middle) =>
    unless(table.dates[0], (column) => withCell(table, middle, column, () => table.rows[table.bookings[0]!]![column]!)),
  'the names of debit and credit exchanged': (table) => {
    const [debit, credit] = [
      named(table, /^(debit|paid out|money out|soll|withdrawals?)$/i),
      named(table, /^(credit|paid in|money in|haben|deposits?)$/i),
    ];
    return debit < 0 || credit < 0 ? null : withRow(table, table.header, (cells) => swapped(cells, debit, credit));
  },
  'days and months exchanged where they can be': (table) =>
    unless(table.dates[0], (column) =>
      withCells(table, column, (cell) =>
        cell.replace(/^(\d\d)([./-])(\d\d)(?=\2\d{4}$)/, (all, day: string, mark: string, month: string) =>
          Number(day) <= 12 ? `${month}${mark}${day}` : all,
        ),
      ),
    ),
  'another currency in one row': (table, middle) =>
    unless(
      table.rows[middle]!.findIndex((cell) => /^(EUR|GBP|USD|SEK|CHF|PLN|DKK|NOK|CAD|AUD|CZK)$/.test(cell)),
      (column) => withCell(table, middle, column, () => 'JPY'),
    ),
};

const PENDING = 'all bookings below a row that says they are pending';

const DAMAGE: Readonly<Record<string, Damage>> = {
  'the header twice': ({ rows, header }, middle) => rows.toSpliced(middle, 0, rows[header]!),
  'the file twice, one after the other': ({ rows, header }) => [...rows, ...rows.slice(header)],
  'a second table, whose columns are in another order': ({ rows, header, bookings }) => [
    ...rows.slice(0, bookings.at(-1)! + 1),
    ...rows.slice(header, bookings.at(-1)! + 1).map((cells) => [...cells].reverse()),
  ],
  'the unit in the name of the amount': (table) =>
    unless(table.amounts[0], (column) => withCell(table, table.header, column, (cell) => `${cell} (cents)`)),
  'amounts in thousands': (table) =>
    unless(table.amounts[0], (column) => withCell(table, table.header, column, (cell) => `${cell} in thousands`)),
  'status words that nobody has seen': (table) =>
    unless(named(table, /^(status|state|zustand|estado|stato|etat|état|transaction status)$/i), (column) =>
      withCells(table, column, (cell) => cell && 'Quux'),
    ),
  'one id for all bookings': (table) =>
    unless(named(table, /^(transaction id|id|reference number|bank reference|transaction reference)$/i), (column) =>
      withCells(table, column, () => 'A1'),
    ),
  'the cells of two columns exchanged': (table) =>
    unless(table.amounts[0], (column) => {
      const other = table.rows[table.header]!.findIndex((_name, index) => index !== column && !table.amounts.includes(index));
      return table.rows.map((cells, row) => (row > table.header ? swapped(cells, column, other) : cells));
    }),
  'a row cut in its middle': ({ rows, bookings }) => {
    const cells = rows[bookings.at(-1)!]!;
    return [...rows.slice(0, bookings.at(-1)), cells.slice(0, Math.ceil(cells.length / 2))];
  },
  'the file cut within its last number': (table) => {
    const last = table.rows[table.bookings.at(-1)!]!;
    const at = last.findLastIndex(isAmount);
    return [...table.rows.slice(0, table.bookings.at(-1)), [...last.slice(0, at), last[at]!.slice(0, -1)]];
  },
  'an amount missing': (table, middle) => unless(table.amounts[0], (column) => withCell(table, middle, column, () => '')),
  'an amount that is no number': (table, middle) =>
    unless(table.amounts[0], (column) => withCell(table, middle, column, (cell) => `${cell}x`)),
  'another mark of decimals in one amount': (table, middle) =>
    unless(table.amounts[0], (column) =>
      withCell(table, middle, column, (cell) => cell.replace(/[.,](?=\d\d$)/, (mark) => (mark === '.' ? ',' : '.'))),
    ),
  'a date that does not exist': (table, middle) =>
    unless(table.dates[0], (column) => withCell(table, middle, column, (cell) => cell.replace(/\d\d(?=\D|$)/, '99'))),
  'a total with a date among the bookings': (table, middle) =>
    unless(table.amounts[0], (column) =>
      table.rows.toSpliced(
        middle,
        0,
        table.rows[middle]!.map((cell, index) =>
          index === column
            ? '999.99'
            : table.dates.includes(index)
              ? cell
              : index === table.rows[middle]!.findIndex((text) => /[a-z]{3}/i.test(text) && !writtenDate(text))
                ? 'Total'
                : '',
        ),
      ),
    ),
  'a cell too many in one row': ({ rows, bookings }, middle) =>
    rows.map((cells, index) => (index === middle && bookings.length > 1 ? ['', ...cells] : cells)),
  [PENDING]: ({ rows }, middle) => rows.toSpliced(middle, 0, ['Pending transactions']),
};

const written = (rows: Rows, delimiter: string): string =>
  rows.map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(delimiter)).join('\n');

/** A booking in the middle, but not the oldest: of a column of balances nothing says what was before it. */
function middleOf({ bookings }: Table, { lines }: Read): number {
  const isNewestFirst = lines[0]!.bookedOn > lines.at(-1)!.bookedOn;
  return bookings[isNewestFirst ? Math.floor((bookings.length - 1) / 2) : Math.ceil((bookings.length - 1) / 2)]!;
}

const bookingsOf = ({ lines }: Read, withDays = true): string =>
  lines
    .map(({ bookedOn, amount, currency }) => `${withDays ? bookedOn : ''} ${amount} ${currency}`)
    .sort()
    .join('\n');

const all = (await samples()).filter(
  ({ name, expected }) => name.endsWith('.csv') && expected.lines && !/encoding|two-accounts/.test(name),
);

describe('a damaged table is refused, or doubtful, or read as before', () => {
  it.each(all)('$name', async (sample) => {
    const text = textOf(sample);
    const delimiter = [';', ',', '\t', '|'].sort((one, other) => text.split(other).length - text.split(one).length)[0]!;
    const table = tableOf(parse(text, { delimiter, relax_column_count: true, relax_quotes: true, ltrim: true }));
    if (!table) return;
    const whole = await readOrRefused(written(table.rows, delimiter), 'a.csv');
    expect(whole, 'quoted').not.toBeNull();
    const middle = middleOf(table, whole!);
    const wrong: string[] = [];
    for (const [kind, damage] of Object.entries({ ...DAMAGE, ...ONLY_BALANCES_SHOW })) {
      const damaged = damage(table, middle);
      if (!damaged) continue;
      const found = await readOrRefused(typeof damaged === 'string' ? damaged : written(damaged, delimiter), 'a.csv');
      if (!found || found.certainty === 'doubtful' || bookingsOf(found) === bookingsOf(whole!)) continue;
      // What is left out is told.
      if (kind === PENDING && found.warnings.some(({ code }) => code === 'not_booked')) continue;
      // Balances prove amounts, and no days.
      if (found.certainty === 'proven' && bookingsOf(found, false) === bookingsOf(whole!, false)) continue;
      if (found.certainty === 'plausible' && kind in ONLY_BALANCES_SHOW) continue;
      wrong.push(`${kind}: ${found.certainty} ${found.warnings.map(({ code }) => code).join(' ')}`);
    }
    expect(wrong).toEqual([]);
  });
});
