import { JobFailure } from '../../../../../kernel/failure.js';
import { currencyOf } from '../../line-draft.js';
import type { Column } from '../column-names.js';
import { cellsIn, chooseAmount, completed, put } from '../columns.js';
import { factsAbove, SAMPLE_ROWS, type Layout } from '../layout.js';
import { keyOf, SYMBOLS } from '../named-column.js';
import type { CsvRecord } from '../records.js';
import { writtenAmount } from '../written-amount.js';
import { writtenDate } from '../written-date.js';
import type { LayoutWord, UsedLayout, WrittenLayout } from './written-layout.js';

type Sample = readonly CsvRecord[];

export const doesNotFit = (message: string): JobFailure => new JobFailure('layout_does_not_fit', message);

/** The layout of a table whose header has the names of the written layout. */
export function withHeader(written: WrittenLayout, from: UsedLayout['from'], sample: Sample, headerIndex: number): Layout {
  const header = sample[headerIndex]!.cells;
  const words = new Map(Object.entries(written.columns).map(([name, word]) => [keyOf(name), word]));
  const wordAt = (index: number): LayoutWord | undefined => words.get(keyOf(header[index]!));
  const isUnknown = (index: number): boolean => header[index] !== '' && !wordAt(index);
  return {
    ...readAs(written, from, { header, wordAt, isUnknown, rows: rowsAfter(sample, headerIndex) }),
    ...factsAbove(sample, headerIndex),
    recordsBefore: headerIndex + 1,
  };
}

/** The layout of a table without a header; null if its rows have another number of cells. */
export function withoutHeader(written: WrittenLayout, from: UsedLayout['from'], sample: Sample): Layout | null {
  const { width = 0, headerRow = 0, columns } = written;
  const recordsBefore = sample.filter(({ line }) => line <= headerRow).length;
  const rows = rowsAfter(sample, recordsBefore - 1);
  const fitting = rows.filter(({ cells }) => cells.length === width).length;
  if (fitting === 0 || fitting * 2 < rows.length) return null;
  const wordAt = (index: number): LayoutWord | undefined => columns[index + 1];
  const header = Array<string>(width).fill('');
  return {
    ...readAs(written, from, { header, wordAt, isUnknown: (index) => !wordAt(index), rows }),
    ...{ account: null, currency: null, period: null, unnamed: [] },
    cells: { least: width, most: width },
    recordsBefore,
  };
}

const rowsAfter = (sample: Sample, index: number): Sample => sample.slice(index + 1, index + 1 + SAMPLE_ROWS);

interface Named {
  readonly header: readonly string[];
  readonly wordAt: (index: number) => LayoutWord | undefined;
  /** Whether the layout says nothing of a column. */
  readonly isUnknown: (index: number) => boolean;
  readonly rows: Sample;
}

function readAs(written: WrittenLayout, from: UsedLayout['from'], { header, wordAt, isUnknown, rows }: Named) {
  const columns = new Map<Column, number[]>();
  const unknown: number[] = [];
  for (const index of header.keys()) {
    const word = wordAt(index);
    if (isUnknown(index)) unknown.push(index);
    else put(columns, word === 'ignore' ? 'technical' : word, index);
  }
  chooseAmount(columns, cellsIn(rows));
  for (const [column, indexes] of columns) refuseOtherCells(column, indexes, rows, written);
  return {
    ...completed(columns, header, unknown, cellsIn(rows)),
    unknown,
    isInverted: written.amounts === 'charges-positive',
    written,
    used: { name: written.name, from },
  };
}

const isCurrencyCell = (cell: string): boolean => currencyOf(cell) !== null || cell in SYMBOLS;
const KINDS: Partial<Record<Column, readonly [kind: string, isOne: (cell: string) => unknown]>> = {
  bookingDate: ['date', writtenDate],
  date: ['date', writtenDate],
  valueDate: ['date', writtenDate],
  amount: ['amount', writtenAmount],
  debit: ['amount', writtenAmount],
  credit: ['amount', writtenAmount],
  fee: ['amount', writtenAmount],
  balance: ['amount', writtenAmount],
  currency: ['currency', isCurrencyCell],
};

/** Cells of which none is what the layout says are another column's. */
function refuseOtherCells(column: Column, indexes: readonly number[], rows: Sample, { name }: WrittenLayout): void {
  const [kind, isOne] = KINDS[column] ?? [];
  if (!kind || !isOne) return;
  for (const index of indexes) {
    const filled = rows.filter(({ cells }) => cells[index]);
    if (filled.length === 0 || filled.some(({ cells }) => isOne(cells[index]!))) continue;
    throw doesNotFit(`Column ${index + 1} has no ${kind}, from line ${filled[0]!.line} on, but is ${column} in the layout “${name}”.`);
  }
}
