import { JobFailure } from '../../../../kernel/failure.js';
import { withoutFormulas } from '../../../../kernel/formula.js';
import { formatMoney, minorDigitsOf } from '../../../../kernel/money.js';
import type { DatevOptions } from '../../../rules/index.js';
import { type Booking, bookingsOf } from '../bookings/bookings.js';
import type { FileSink, Report } from '../report.js';
import { writeTexts } from '../text-files.js';

const numbered = (count: number, ...names: string[]): string[] =>
  Array.from({ length: count }, (_value, index) => names.map((name) => `${name} ${index + 1}`)).flat();

/** The headings of a booking batch, format version 13. DATEV reads the columns by their position. */
// oxfmt-ignore
const COLUMNS: readonly string[] = [
  'Umsatz (ohne Soll/Haben-Kz)', 'Soll/Haben-Kennzeichen', 'WKZ Umsatz', 'Kurs', 'Basis-Umsatz', 'WKZ Basis-Umsatz', 'Konto',
  'Gegenkonto (ohne BU-Schlüssel)', 'BU-Schlüssel', 'Belegdatum', 'Belegfeld 1', 'Belegfeld 2', 'Skonto', 'Buchungstext', 'Postensperre',
  'Diverse Adressnummer', 'Geschäftspartnerbank', 'Sachverhalt', 'Zinssperre', 'Beleglink',
  ...numbered(8, 'Beleginfo - Art', 'Beleginfo - Inhalt'), 'KOST1 - Kostenstelle', 'KOST2 - Kostenstelle', 'Kost-Menge',
  'EU-Land u. UStID (Bestimmung)', 'EU-Steuersatz (Bestimmung)', 'Abw. Versteuerungsart', 'Sachverhalt L+L', 'Funktionsergänzung L+L',
  'BU 49 Hauptfunktionstyp', 'BU 49 Hauptfunktionsnummer', 'BU 49 Funktionsergänzung',
  ...numbered(20, 'Zusatzinformation - Art', 'Zusatzinformation- Inhalt'), 'Stück', 'Gewicht', 'Zahlweise', 'Forderungsart',
  'Veranlagungsjahr', 'Zugeordnete Fälligkeit', 'Skontotyp', 'Auftragsnummer', 'Buchungstyp', 'USt-Schlüssel (Anzahlungen)',
  'EU-Land (Anzahlungen)', 'Sachverhalt L+L (Anzahlungen)', 'EU-Steuersatz (Anzahlungen)', 'Erlöskonto (Anzahlungen)', 'Herkunft-Kz',
  'Buchungs GUID', 'KOST-Datum', 'SEPA-Mandatsreferenz', 'Skontosperre', 'Gesellschaftername', 'Beteiligtennummer', 'Identifikationsnummer',
  'Zeichnernummer', 'Postensperre bis', 'Bezeichnung SoBil-Sachverhalt', 'Kennzeichen SoBil-Buchung', 'Festschreibung', 'Leistungsdatum',
  'Datum Zuord. Steuerperiode', 'Fälligkeit', 'Generalumkehr (GU)', 'Steuersatz', 'Land', 'Abrechnungsreferenz', 'BVV-Position',
  'EU-Land u. UStID (Ursprung)', 'EU-Steuersatz (Ursprung)', 'Abw. Skontokonto',
];

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
