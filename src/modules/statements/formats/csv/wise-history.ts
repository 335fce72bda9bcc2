import { JobFailure } from '../../../../kernel/failure.js';
import { isZero, negated, plainDecimalOf, sumOf } from '../amounts.js';
import { keyOf } from './column-names.js';
import type { CsvRecord } from './records.js';

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

/** The columns of the rows that it is read as. */
const HEADER = ['Booking date', 'Status', 'Amount', 'Currency', 'Counterparty', 'Description', 'Reference', 'Category', 'Transaction ID'];

/** Whether a table is such a history. Each of its rows has two amounts, of which the direction says which one is meant. */
export const isWiseHistory = (header: readonly string[]): boolean => {
  const keys = new Set(header.map(keyOf));
  return Object.values(NAMES).every((name) => keys.has(keyOf(name)));
};

/** The records as a table with one amount in a row: a conversion, and a fee in another currency, have a row of their own. */
export function* plainRecordsOf(records: Iterable<CsvRecord>, header: readonly string[]): Generator<CsvRecord> {
  const keys = header.map(keyOf);
  const places = Object.entries({ ...NAMES, ...OPTIONAL }).map(([field, name]) => [field, keys.indexOf(keyOf(name))] as const);
  for (const { cells, line } of records) {
    if (cells.length < header.length || cells.slice(header.length).some(Boolean))
      throw new JobFailure('row_does_not_fit', `Line ${line} has ${cells.length} cells, but the header has ${header.length}.`);
    const row = Object.fromEntries(places.map(([field, index]) => [field, cells[index] ?? ''])) as Cells;
    for (const [leg, { amount, currency }] of legsOf(row, line).entries()) yield { line, cells: plain(row, amount, currency, leg) };
  }
}

export const plainHeader = (line: number): CsvRecord => ({ cells: HEADER, line });

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

interface Leg {
  readonly amount: string;
  readonly currency: string;
}

/** What a row moves: the fee comes on top of the amount that was sent, and is not part of what was received. */
function legsOf(row: Cells, line: number): Leg[] {
  // It is left out, whatever its amounts.
  if (row.status !== 'COMPLETED') return [{ amount: row.source || '0.00', currency: row.sourceCurrency }];
  const received: Leg = { amount: amountOf(row.target, line), currency: row.targetCurrency };
  if (row.direction === 'IN') return [received];
  if (row.direction !== 'OUT' && row.direction !== 'NEUTRAL') {
    const message = `Line ${line} has a direction that is none of IN, OUT and NEUTRAL.`;
    throw new JobFailure('direction_unknown', message);
  }
  const fee = row.fee === '' ? '0.00' : amountOf(row.fee, line);
  const isSame = row.feeCurrency === '' || row.feeCurrency === row.sourceCurrency;
  const sent = sumOf([amountOf(row.source, line), isSame ? fee : '0.00']);
  if (sent === null) throw new JobFailure('invalid_amount', `Line ${line} has no valid amount.`);
  return [
    { amount: negated(sent), currency: row.sourceCurrency },
    ...(isSame || isZero(fee) ? [] : [{ amount: negated(fee), currency: row.feeCurrency }]),
    ...(row.direction === 'NEUTRAL' ? [received] : []),
  ];
}

function amountOf(cell: string, line: number): string {
  const amount = /^\d+(\.\d+)?$/.test(cell) ? plainDecimalOf(cell) : null;
  if (!amount) throw new JobFailure('invalid_amount', `Line ${line} has no valid amount.`);
  return amount;
}
