import type { Column } from './column-names.js';
import type { LayoutWord } from './layouts/written-layout.js';
import type { Layout } from './layout.js';
import type { CsvRecord } from './records.js';
import type { ReadColumn } from '../statement-line.js';

/** What each column of a table is read as, in the order of the table and in the words of layouts. */
export function readColumns({ columns, notes, recordsBefore }: Layout, sample: readonly CsvRecord[]): ReadColumn[] {
  const header = recordsBefore > 0 ? (sample[recordsBefore - 1]?.cells ?? []) : [];
  const width = Math.max(0, ...sample.slice(recordsBefore).map(({ cells }) => cells.length), header.length);
  const meanings = new Map<number, LayoutWord>(
    [...columns].flatMap(([column, indexes]) => indexes.map((index) => [index, WORDS[column] ?? (column as LayoutWord)] as const)),
  );
  const noted = new Set(notes.map(({ index }) => index));
  return Array.from({ length: width }, (_value, index) => ({
    column: index + 1,
    name: header[index] ?? '',
    readAs: meanings.get(index) ?? (noted.has(index) ? 'note' : null),
  }));
}

/** For what recognition resolves. */
const WORDS: Partial<Record<Column, LayoutWord>> = { technical: 'ignore', gross: 'note', net: 'note' };
