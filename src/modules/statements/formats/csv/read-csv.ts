import { unknownFormat } from '../detect-format.js';
import type { DraftReading } from '../statement-line.js';
import type { ReadingOptions } from '../statement-reader.js';
import type { Layout } from './layout.js';
import { TableLayouts } from './layouts/table-layouts.js';
import { readTable } from './read-table.js';
import { type CsvRecord, recordsOf, recordsOfHead } from './records.js';
import { isWiseHistory, plainHeader, plainRecordsOf } from './wise-history.js';

export const DELIMITERS = [';', ',', '\t', '|'];
/** A head of this length may end within a line. */
const LONG_HEAD = 30_000;

interface DelimitedTable {
  readonly delimiter: string;
  readonly layout: Layout;
  /** The records of the head. */
  readonly sample: readonly CsvRecord[];
}

/** The delimiter with which the head of a file is a table, and the layout of that table. */
function tableIn(head: string, fileName: string, layouts: TableLayouts): DelimitedTable {
  const lines = wholeLinesOf(head);
  const candidates = DELIMITERS.map((delimiter) => ({ delimiter, sample: recordsOfHead(lines, delimiter) }));
  const tablesBy = (layoutOf: (sample: readonly CsvRecord[]) => Layout | null): DelimitedTable[] =>
    candidates.flatMap(({ delimiter, sample }) => {
      const layout = layoutOf(sample);
      return layout ? [{ delimiter, layout, sample }] : [];
    });
  const [best] = tablesBy((sample) => layouts.withHeader(sample)).sort((one, other) => rankOf(other) - rankOf(one));
  const table = best ?? tablesBy((sample) => layouts.withoutHeader(sample))[0];
  if (table) return table;
  const isTable = candidates.some(({ sample }) => sample.length > 0 && sample.every(({ cells }) => cells.length > 2));
  const isCsv = isTable || /\.(csv|tsv|txt)$/i.test(fileName);
  throw isCsv ? layouts.notFound(candidates.map(({ sample }) => sample)) : unknownFormat();
}

const wholeLinesOf = (head: string): string => (head.length < LONG_HEAD ? head : head.slice(0, head.lastIndexOf('\n') + 1));

/** A header that somebody has written down is one with certainty. */
const rankOf = ({ layout }: DelimitedTable): number => layout.columns.size + (layout.written ? 1000 : 0);

/** A table with two amounts in each row, which is read as one with one amount; null if the file has no such table. */
function wiseHistoryIn(head: string, texts: AsyncIterable<string>, options: ReadingOptions): DraftReading | null {
  const [delimiter = ''] = DELIMITERS.filter((candidate) => isWiseHistory(recordsOfHead(firstLineOf(head), candidate)[0]?.cells ?? []));
  const [header] = delimiter ? recordsOfHead(firstLineOf(head), delimiter) : [];
  if (!header) return null;
  const records = recordsOfHead(wholeLinesOf(head), delimiter);
  // Somebody has said how to read it.
  if (new TableLayouts(options).withHeader(records)?.written) return null;
  const sample = [plainHeader(header.line), ...plainRecordsOf(records.slice(1), header.cells)];
  const layout = new TableLayouts({}).withHeader(sample);
  return layout && { ...readTable({ sample, records: plainRecords(recordsOf(texts, delimiter), header) }, options, layout), columns: [] };
}

async function* plainRecords(records: AsyncIterable<CsvRecord>, header: CsvRecord): AsyncGenerator<CsvRecord> {
  for await (const record of records)
    yield* record.line === header.line ? [plainHeader(header.line)] : plainRecordsOf([record], header.cells);
}

const firstLineOf = (head: string): string => head.slice(0, head.indexOf('\n') + 1);

export function readCsv(head: string, texts: AsyncIterable<string>, fileName: string, options: ReadingOptions): DraftReading {
  const history = options.layout ? null : wiseHistoryIn(head, texts, options);
  if (history) return history;
  const { delimiter, layout, sample } = tableIn(head, fileName, new TableLayouts(options));
  return readTable({ sample, records: recordsOf(texts, delimiter) }, options, layout);
}
