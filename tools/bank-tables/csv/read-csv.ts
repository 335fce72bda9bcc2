import { UnreadableFile } from '../../bank-files/index.js';
import { isZero, negated, plainDecimalOf, sumOf, type CsvRecord, recordsOf, recordsOfHead } from '../../bank-files/index.js';
import type { DraftReading, TableOptions } from '../reading.js';
import { keyOf } from './column-names.js';
import type { Layout } from './layout.js';
import { TableLayouts } from './layouts/table-layouts.js';
import { invalid } from './money.js';
import { readTable } from './read-table.js';

/** What a row of the transaction history of Wise has, by the names of its columns. */
const NAMES = {
  id: 'ID',
  status: 'Status',
  direction: 'Direction',
  created: 'Created on',
  finished: 'Finished on',
  fee: 'Source fee amount',
  feeCurrency: 'Source fee currency',
  sourceName: 'Source name',
  source: 'Source amount (after fees)',
  sourceCurrency: 'Source currency',
  targetName: 'Target name',
  target: 'Target amount (after fees)',
  targetCurrency: 'Target currency',
} as const;
/** Some exports lack them. */
const OPTIONAL = { reference: 'Reference', category: 'Category', note: 'Note' } as const;

type Cells = Readonly<Record<keyof typeof NAMES | keyof typeof OPTIONAL, string>>;

const HEADER = ['Booking date', 'Status', 'Amount', 'Currency', 'Counterparty', 'Description', 'Reference', 'Category', 'Transaction ID'];

/** Whether a table is such a history. Each of its rows has two amounts, of which the direction says which one is meant. */
const isWiseHistory = (header: readonly string[]): boolean => {
  const keys = new Set(header.map(keyOf));
  return Object.values(NAMES).every((name) => keys.has(keyOf(name)));
};

/** The records as a table with one amount in a row: a conversion, and a fee in another currency, have a row of their own. */
function* plainRecordsOf(records: Iterable<CsvRecord>, header: readonly string[]): Generator<CsvRecord> {
  const keys = header.map(keyOf);
  const places = Object.entries({ ...NAMES, ...OPTIONAL }).map(([field, name]) => [field, keys.indexOf(keyOf(name))] as const);
  for (const { cells, line } of records) {
    if (cells.length < header.length || cells.slice(header.length).some(Boolean))
      throw new UnreadableFile('row_does_not_fit', `Line ${line} has ${cells.length} cells, but the header has ${header.length}.`);
    const row = Object.fromEntries(places.map(([field, index]) => [field, cells[index] ?? ''])) as Cells;
    for (const [leg, { amount, currency }] of legsOf(row, line).entries()) yield { line, cells: plain(row, amount, currency, leg) };
  }
}

const plainHeader = (line: number): CsvRecord => ({ cells: HEADER, line });

const plain = (row: Cells, amount: string, currency: string, leg: number): string[] => [
  (row.finished || row.created).slice(0, '2026-02-28'.length),
  row.status,
  amount,
  currency,
  row.direction === 'IN' ? row.sourceName : row.direction === 'OUT' ? row.targetName : '',
  [row.reference, row.note].filter(Boolean).join(' '),
  '',
  row.category,
  leg === 0 ? row.id : `${row.id}/${leg + 1}`,
];

type Leg = Readonly<Record<'amount' | 'currency', string>>;

/** What a row moves: the fee comes on top of the amount that was sent, and is not part of what was received. */
function legsOf(row: Cells, line: number): Leg[] {
  // It is left out, whatever its amounts.
  if (row.status !== 'COMPLETED') return [{ amount: row.source || '0.00', currency: row.sourceCurrency }];
  const received: Leg = { amount: amountOf(row.target, line), currency: row.targetCurrency };
  if (row.direction === 'IN') return [received];
  if (row.direction !== 'OUT' && row.direction !== 'NEUTRAL')
    throw new UnreadableFile('direction_unknown', `Line ${line} has a direction that is none of IN, OUT and NEUTRAL.`);
  const fee = row.fee === '' ? '0.00' : amountOf(row.fee, line);
  const isSame = row.feeCurrency === '' || row.feeCurrency === row.sourceCurrency;
  const sent = sumOf([amountOf(row.source, line), isSame ? fee : '0.00']) ?? invalid(line);
  return [
    { amount: negated(sent), currency: row.sourceCurrency },
    ...(isSame || isZero(fee) ? [] : [{ amount: negated(fee), currency: row.feeCurrency }]),
    ...(row.direction === 'NEUTRAL' ? [received] : []),
  ];
}

const amountOf = (cell: string, line: number): string => (/^\d+(\.\d+)?$/.test(cell) && plainDecimalOf(cell)) || invalid(line);

export const DELIMITERS = [';', ',', '\t', '|'];
/** A head of this length may end within a line. */
const LONG_HEAD = 30_000;

interface DelimitedTable {
  readonly delimiter: string;
  readonly layout: Layout;
  readonly sample: readonly CsvRecord[];
}

/** The delimiter with which the head of a file is a table, and the layout of that table; null if it does not look like one. */
function tableIn(head: string, fileName: string, layouts: TableLayouts): DelimitedTable | null {
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
  if (isCsv) throw layouts.notFound(candidates.map(({ sample }) => sample));
  return null;
}

const wholeLinesOf = (head: string): string => (head.length < LONG_HEAD ? head : head.slice(0, head.lastIndexOf('\n') + 1));

/** A header that somebody has written down is one with certainty. */
const rankOf = ({ layout }: DelimitedTable): number => layout.columns.size + (layout.written ? 1000 : 0);

/** A table with two amounts in each row, which is read as one with one amount; null if the file has no such table. */
function wiseHistoryIn(head: string, texts: AsyncIterable<string>, options: TableOptions): DraftReading | null {
  const [delimiter = ''] = DELIMITERS.filter((candidate) => isWiseHistory(recordsOfHead(firstLineOf(head), candidate)[0]?.cells ?? []));
  const [header] = delimiter ? recordsOfHead(firstLineOf(head), delimiter) : [];
  if (!header) return null;
  const records = recordsOfHead(wholeLinesOf(head), delimiter);
  // Somebody has said how to read it.
  if (new TableLayouts(options).withHeader(records)?.written) return null;
  const sample = [plainHeader(header.line), ...plainRecordsOf(records.slice(1), header.cells)];
  const layout = new TableLayouts({ shipped: options.shipped }).withHeader(sample);
  return layout && { ...readTable({ sample, records: plainRecords(recordsOf(texts, delimiter), header) }, options, layout), columns: [] };
}

async function* plainRecords(records: AsyncIterable<CsvRecord>, header: CsvRecord): AsyncGenerator<CsvRecord> {
  for await (const record of records)
    yield* record.line === header.line ? [plainHeader(header.line)] : plainRecordsOf([record], header.cells);
}

const firstLineOf = (head: string): string => head.slice(0, head.indexOf('\n') + 1);

/** null if the file does not look like a table. */
export function readCsv(head: string, texts: AsyncIterable<string>, fileName: string, options: TableOptions): DraftReading | null {
  const history = options.layout ? null : wiseHistoryIn(head, texts, options);
  if (history) return history;
  const table = tableIn(head, fileName, new TableLayouts(options));
  if (!table) return null;
  const { delimiter, layout, sample } = table;
  return readTable({ sample, records: recordsOf(texts, delimiter) }, options, layout);
}
