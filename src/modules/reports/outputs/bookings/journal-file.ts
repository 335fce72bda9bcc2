import { formatMoney, minorDigitsOf } from '../../../../kernel/money.js';
import type { FileSink, Report } from '../report.js';
import { type Cell, type Column, date, number, text } from '../tables.js';
import { writeTable } from '../text-files.js';
import { bookingsOf } from './bookings.js';

const MAX_BOOKINGS = 1_000_000;

const TEXTS = ['currency', 'account', 'contra_account', 'tax_key', 'text', 'reference', 'category'];
const JOURNAL_COLUMNS: readonly Column[] = [date('date'), number('amount'), ...TEXTS.map(text)];

/** The bookings of a report as CSV, for programs that do not read the DATEV format. */
export const writeJournal = (report: Report, file: FileSink): Promise<void> => writeTable({ columns: JOURNAL_COLUMNS, rows: journalRowsOf(report) }, file);

function* journalRowsOf(report: Report): Iterable<readonly Cell[]> {
  const { currency } = report.result;
  const digits = minorDigitsOf(currency);
  for (const { bookedOn, amount, account, contraAccount, taxKey, reference, category, ...booking } of bookingsOf(report, MAX_BOOKINGS))
    yield [bookedOn, formatMoney(amount, digits), currency, account, contraAccount, taxKey, booking.text, reference, category];
}
