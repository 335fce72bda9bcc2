import { JobFailure } from '../../../../kernel/failure.js';
import { getOrCreate } from '../../../../kernel/get-or-create.js';
import { wordList } from '../../../../kernel/package-folder.js';
import { withoutFormulas } from '../../../../kernel/formula.js';
import { exactMoneyOf, formatMoney, minorDigitsOf, type Money, moneyOf, roundMoney, unitOf } from '../../../../kernel/money.js';
import type { BookingAccounts, DatevOptions } from '../../../rules/index.js';
import { monthOf } from '../../engine/inputs.js';
import { type DetailLine, type FileSink, referencesOf, type Report } from '../report.js';
import { type Cell, type Column, date, isClaimed, number, someLines, text, writeTable, writeTexts } from '../tables.js';

/**
 * The claims of lines, rounded so that those of a category in a month add up to its claim, which is rounded once. Each claim is
 * rounded down first. The units that are then missing go to the claims with the largest remainders, of equal ones to the first.
 */
function* roundedClaims(lines: Iterable<DetailLine>, digits: number): Iterable<{ readonly line: DetailLine; readonly claim: Money }> {
  const months = new Map<string, CategoryMonthClaims>();
  for (const line of lines) getOrCreate(months, keyOf(line), () => new CategoryMonthClaims(digits)).add(exactMoneyOf(line.claimable!));
  for (const month of months.values()) month.distribute();
  for (const line of lines) yield { line, claim: months.get(keyOf(line))!.rounded(exactMoneyOf(line.claimable!)) };
}

const keyOf = ({ categoryIndex, bookedOn }: DetailLine): string => `${categoryIndex} ${monthOf(bookedOn)}`;

class CategoryMonthClaims {
  private readonly unit: Money;
  private exact: Money = 0n;
  private roundedDown: Money = 0n;
  private remainders: Money[] = [];
  /** Claims with a larger remainder get a unit, and the first ones with an equal remainder. */
  private threshold: Money = 0n;
  private equalOnes = 0;

  constructor(private readonly digits: number) {
    this.unit = unitOf(digits);
  }

  add(claim: Money): void {
    const remainder = this.remainderOf(claim);
    this.exact += claim;
    this.roundedDown += claim - remainder;
    if (remainder > 0n) this.remainders.push(remainder);
  }

  distribute(): void {
    const units = Number((roundMoney(this.exact, this.digits) - this.roundedDown) / this.unit);
    const largest = this.remainders.sort((a, b) => (a > b ? -1 : a < b ? 1 : 0)).slice(0, units);
    this.threshold = largest.at(-1) ?? this.unit;
    this.equalOnes = largest.filter((remainder) => remainder === this.threshold).length;
    this.remainders = [];
  }

  rounded(claim: Money): Money {
    const remainder = this.remainderOf(claim);
    const isEqual = remainder === this.threshold && this.equalOnes > 0;
    if (isEqual) this.equalOnes -= 1;
    return claim - remainder + (isEqual || remainder > this.threshold ? this.unit : 0n);
  }

  /** What rounding down takes away, also from a negative claim. */
  private remainderOf(claim: Money): Money {
    const rest = claim % this.unit;
    return rest < 0n ? rest + this.unit : rest;
  }
}

/** The claim of a line as a booking. A negative amount reverses the two accounts. */
export interface Booking {
  readonly bookedOn: string;
  readonly amount: Money;
  readonly account: string;
  readonly contraAccount: string;
  readonly taxKey: string | null;
  readonly text: string;
  /** Statement and line, such as `S1/12`. */
  readonly reference: string;
  readonly category: string;
}

/** The bookings of a report. They add up to its claim. Lines whose rounded claim is zero have none. */
export function* bookingsOf(report: Report, maxBookings: number): Iterable<Booking> {
  const { result } = report;
  const references = referencesOf(report);
  const lines = someLines(report.lines, (line) => isClaimed(report, line));
  if (lines.length > maxBookings) throw tooMany(lines.length, maxBookings);
  let total: Money = 0n;
  for (const { line, claim } of roundedClaims(lines, minorDigitsOf(result.currency))) {
    if (claim === 0n) continue;
    total += claim;
    const { bookedOn, statementId, lineNumber, category } = line;
    yield {
      bookedOn,
      amount: claim,
      ...accountsOf(report, line),
      text: textOf(line),
      reference: `${references.get(statementId)!}/${lineNumber}`,
      category: category!,
    };
  }
  if (total !== moneyOf(result.totals.claimable)) throw new Error('The bookings do not add up to the claim.');
}

const tooMany = (count: number, most: number): JobFailure =>
  new JobFailure('too_many_bookings', `The report has ${count} claimed lines, at most ${most} can be booked in one file.`);

function accountsOf({ accounts }: Report, { category, categoryIndex }: DetailLine) {
  const { account, contraAccount, taxKey } = accounts[categoryIndex!]!;
  const required = (name: keyof BookingAccounts): never => {
    throw new JobFailure('missing_account', `Category ${category}: sourceMapping.${name} is missing. Bookings need it.`);
  };
  return { account: account ?? required('account'), contraAccount: contraAccount ?? required('contraAccount'), taxKey };
}

const textOf = ({ counterparty, description }: DetailLine): string =>
  counterparty === null ? description : `${counterparty}, ${description}`;

/** DATEV reads the columns by their position. */
const COLUMNS = wordList('datev-columns').split('\n');

const [HEADER_VERSION, BOOKING_BATCH, FORMAT_VERSION] = ['700', '21', '13'];
const [FINANCIAL_ACCOUNTING, NO_ACCOUNTING_PURPOSE, NOT_LOCKED] = ['1', '0', '0'];
const MAX_LABEL_LENGTH = 30;

/** The first line: whose bookings these are, and of which period. */
function headerOf({ about, result: { period, currency }, options }: Report): string {
  const { consultantNumber, clientNumber, fiscalYearStart, accountLength } = options.datev!;
  const { start, end } = periodIn(options.datev!, period);
  return [
    quoted('EXTF'),
    HEADER_VERSION,
    BOOKING_BATCH,
    quoted('Buchungsstapel'),
    FORMAT_VERSION,
    about.startedAt.replace(/\D/g, '').slice(0, 17).padEnd(17, '0'),
    ...['', quoted(''), quoted(''), quoted('')],
    String(consultantNumber),
    String(clientNumber),
    plainDate(fiscalYearStart),
    String(accountLength),
    plainDate(start),
    plainDate(end),
    quoted(about.configuration ?? '', MAX_LABEL_LENGTH),
    quoted(''),
    FINANCIAL_ACCOUNTING,
    NO_ACCOUNTING_PURPOSE,
    NOT_LOCKED,
    quoted(currency ?? notPossible('The report has no currency.')),
    ...['', quoted(''), '', '', quoted(''), '', '', quoted(''), quoted('')],
  ].join(';');
}

/** Bookings have a day and a month only, so the period must not leave its calendar year or the fiscal year. */
function periodIn({ fiscalYearStart }: DatevOptions, period: Report['result']['period']): { start: string; end: string } {
  const { start, end } = period ?? { start: fiscalYearStart, end: fiscalYearStart };
  const nextStart = `${Number(fiscalYearStart.slice(0, 4)) + 1}${fiscalYearStart.slice(4)}`;
  if (start.slice(0, 4) !== end.slice(0, 4)) notPossible('The period of the report is in several calendar years.');
  if (start < fiscalYearStart || end >= nextStart)
    notPossible('The period of the report is not in the fiscal year that begins at outputOptions.datev.fiscalYearStart.');
  return { start, end };
}

const plainDate = (date: string): string => date.replaceAll('-', '');

/** The characters of the bytes 0x80 to 0x9F. Five of these bytes have none. */
const HIGH = '€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ';
const BYTES = new Map([...HIGH].map((character, index) => [character, 0x80 + index]));
BYTES.delete('\0');

const REPLACEMENT = '?'.charCodeAt(0);

/** A character that Windows-1252 does not have becomes a question mark. */
const windows1252 = (text: string): Buffer => Buffer.from(Array.from(text, byteOf));

function byteOf(character: string): number {
  const code = character.codePointAt(0)!;
  return code < 0x80 || (code >= 0xa0 && code <= 0xff) ? code : (BYTES.get(character) ?? REPLACEMENT);
}

const MAX_BOOKINGS = 99_999;
const MAX_TEXT_LENGTH = 60;
const MAX_TAX_KEY_LENGTH = 4;
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

/** Refuses what the format cannot contain. The message names places, never contents. */
function notPossible(message: string): never {
  throw new JobFailure('datev_not_possible', `${message} A datev file cannot be made of it.`);
}

/** A text field. What is too long ends with an ellipsis. */
function quoted(text: string, maxLength = Infinity): string {
  const clean = withoutFormulas(
    text
      .normalize('NFC')
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim(),
  );
  const characters = [...clean];
  const cut = characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join('')}…` : clean;
  return `"${cut.replaceAll('"', '""')}"`;
}

const MAX_JOURNAL_BOOKINGS = 1_000_000;

const TEXTS = ['currency', 'account', 'contra_account', 'tax_key', 'text', 'reference', 'category'];
const JOURNAL_COLUMNS: readonly Column[] = [date('date'), number('amount'), ...TEXTS.map(text)];

/** The bookings of a report as CSV, for programs that do not read the DATEV format. */
export const writeJournal = (report: Report, file: FileSink): Promise<void> =>
  writeTable({ columns: JOURNAL_COLUMNS, rows: journalRowsOf(report) }, file);

function* journalRowsOf(report: Report): Iterable<readonly Cell[]> {
  const { currency } = report.result;
  const digits = minorDigitsOf(currency);
  for (const { bookedOn, amount, account, contraAccount, taxKey, reference, category, ...booking } of bookingsOf(
    report,
    MAX_JOURNAL_BOOKINGS,
  ))
    yield [bookedOn, formatMoney(amount, digits), currency, account, contraAccount, taxKey, booking.text, reference, category];
}
