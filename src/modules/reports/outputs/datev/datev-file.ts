import { formatMoney, minorDigitsOf } from '../../../../kernel/money.js';
import { bookingsOf, type Booking } from '../bookings/bookings.js';
import { writeTexts } from '../chunks.js';
import type { FileSink } from '../output-file.js';
import type { Report } from '../report.js';
import { COLUMNS } from './columns.js';
import { notPossible, quoted } from './fields.js';
import { headerOf } from './header.js';
import { windows1252 } from './windows-1252.js';

const MAX_BOOKINGS = 99_999;
const MAX_TEXT_LENGTH = 60;
const MAX_TAX_KEY_LENGTH = 4;
/** Of every amount in the file. */
const DECIMALS = 2;
const AMOUNT = /^\d{1,10}\.\d{2}$/;
const UNUSED = ';'.repeat(COLUMNS.length - COLUMNS.indexOf('Buchungstext') - 1);

/** The bookings of a report in the DATEV format: a booking batch (`Buchungsstapel`). */
export const writeDatev = (report: Report, file: FileSink): Promise<void> => writeTexts(file, linesOf(report), windows1252);

function* linesOf(report: Report): Iterable<string> {
  const { result, options } = report;
  if (minorDigitsOf(result.currency) > DECIMALS) notPossible(`Amounts in ${result.currency} have more than ${DECIMALS} decimals.`);
  yield `${headerOf(report)}\r\n${COLUMNS.join(';')}\r\n`;
  for (const booking of bookingsOf(report, MAX_BOOKINGS)) yield rowOf(booking, result.currency!, options.datev!.accountLength);
}

function rowOf({ amount, account, contraAccount, taxKey, category, ...booking }: Booking, currency: string, accountLength: number): string {
  const { bookedOn, reference, text } = booking;
  const [, month, day] = bookedOn.split('-');
  // Accounts of persons have one digit more.
  const accountOf = (name: string, value: string) => digitsOf(value, accountLength + 1, `Category ${category}: sourceMapping.${name}`);
  return [
    decimalOf(amount),
    quoted(amount < 0n ? 'H' : 'S'),
    quoted(currency),
    ...['', '', ''],
    accountOf('account', account),
    accountOf('contraAccount', contraAccount),
    quoted(taxKey === null ? '' : digitsOf(taxKey, MAX_TAX_KEY_LENGTH, `Category ${category}: sourceMapping.taxKey`)),
    `${day}${month}`,
    quoted(reference),
    ...['', ''],
    `${quoted(text, MAX_TEXT_LENGTH)}${UNUSED}\r\n`,
  ].join(';');
}

function decimalOf(amount: bigint): string {
  const decimal = formatMoney(amount < 0n ? -amount : amount, DECIMALS);
  return AMOUNT.test(decimal) ? decimal.replace('.', ',') : notPossible('An amount has more than ten digits before the comma.');
}

function digitsOf(value: string, max: number, place: string): string {
  const isNumber = /^\d+$/.test(value) && value.length <= max && Number(value) > 0;
  return isNumber ? value : notPossible(`${place} is not a number of at most ${max} digits.`);
}
