import { formatMoney, minorDigitsOf } from '../../../../kernel/money.js';
import { writeTable } from '../csv-file.js';
import type { FileSink, Report } from '../report.js';
import type { Cell, Column } from '../tables.js';
import { bookingsOf } from './bookings.js';

const MAX_BOOKINGS = 1_000_000;

const COLUMNS: readonly Column[] = [
  { name: 'date', is: 'date' },
  { name: 'amount', is: 'number' },
  { name: 'currency', is: 'text' },
  { name: 'account', is: 'text' },
  { name: 'contra_account', is: 'text' },
  { name: 'tax_key', is: 'text' },
  { name: 'text', is: 'text' },
  { name: 'reference', is: 'text' },
  { name: 'category', is: 'text' },
];

/** The bookings of a report as CSV, for programs that do not read the DATEV format. */
export const writeJournal = (report: Report, file: FileSink): Promise<void> => writeTable({ columns: COLUMNS, rows: rowsOf(report) }, file);

function* rowsOf(report: Report): Iterable<readonly Cell[]> {
  const { currency } = report.result;
  const digits = minorDigitsOf(currency);
  for (const { bookedOn, amount, account, contraAccount, taxKey, text, reference, category } of bookingsOf(report, MAX_BOOKINGS))
    yield [bookedOn, formatMoney(amount, digits), currency, account, contraAccount, taxKey, text, reference, category];
}
