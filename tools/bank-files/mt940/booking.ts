import { plainDecimalOf } from '../amounts.js';
import { dayOf, shortYear } from '../dates.js';
import { linesOf } from '../numbered-lines.js';
import { NO_PARTY, type StatementLine } from '../statement-line.js';

/** The content of a `:61:`. */
export interface Booking extends Pick<StatementLine, 'bookedOn' | 'amount' | 'reference' | 'bankReference'> {
  readonly hasComma: boolean;
  /** Its second line. */
  readonly supplement: string | null;
}

/** Value date, entry date (some banks write four blanks), mark, third letter of the currency, amount, kind of transaction, references. */
const BOOKING =
  /^\s*(\d\d)(\d\d)(\d\d)(?:(\d\d)(\d\d)|\s{4})?\s?([RE]?[CD]|[re]?[cd])([A-Z])?(\d{1,18}(?:[.,]\d{0,17})?)([A-Z][A-Z0-9]{3})?(.*)$/;
const MONEY_IN = new Set(['C', 'RD']);
const EXPECTED = new Set(['EC', 'ED']);

export type BookingFault = 'invalid_line' | 'invalid_date' | 'invalid_amount';

/** null if it is not booked yet. */
export function bookingOf(lines: readonly string[]): Booking | BookingFault | null {
  const [, year = '', month, day, entryMonth, entryDay, written = '', , digits = '', , references = ''] =
    BOOKING.exec(lines[0] ?? '') ?? [];
  if (!written) return 'invalid_line';
  const mark = written.toUpperCase();
  if (EXPECTED.has(mark)) return null;
  const valueDate = { year: shortYear(year), month: Number(month), day: Number(day) };
  const bookedOn =
    entryDay === undefined
      ? dayOf(valueDate.year, valueDate.month, valueDate.day)
      : entryDateOf(valueDate, Number(entryMonth), Number(entryDay));
  if (!bookedOn) return 'invalid_date';
  const amount = plainDecimalOf(digits, !MONEY_IN.has(mark));
  if (!amount) return 'invalid_amount';
  const [reference = '', bankReference] = references.split('//');
  return {
    bookedOn,
    amount,
    reference: givenOf(reference),
    bankReference: givenOf(bankReference),
    hasComma: /[.,]/.test(digits),
    supplement: givenOf(lines.slice(1).join(' ')),
  };
}

/** As it is written: months of 30 days have a 30 February. */
interface ValueDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** Entry and value date are at most this far apart, since the entry date has no year. */
const MAX_DISTANCE_MS = 190 * 86_400_000;

/**
 * The entry date has no year. It is the day nearest to the value date, which may be in the previous or the next year. The value date
 * itself need not exist: German banks write 30 February.
 */
function entryDateOf({ year, month: valueMonth, day: valueDay }: ValueDate, month: number, day: number): string | null {
  if (valueMonth < 1 || valueMonth > 12 || valueDay < 1 || valueDay > 31) return null;
  const value = Date.UTC(year, valueMonth - 1, valueDay);
  const distanceOf = (date: string): number => Math.abs(Date.parse(date) - value);
  const candidates = [year, year - 1, year + 1].map((candidate) => dayOf(candidate, month, day)).filter((date) => date !== null);
  const nearest = candidates.sort((one, other) => distanceOf(one) - distanceOf(other))[0];
  return nearest && distanceOf(nearest) <= MAX_DISTANCE_MS ? nearest : null;
}

function givenOf(text: string | undefined): string | null {
  const given = text?.trim();
  return given && given !== 'NONREF' ? given : null;
}

type Information = Pick<StatementLine, 'description' | 'counterparty' | 'counterpartyAccount' | 'counterpartyAddress' | 'reference'>;

/** What is longer is ignored. */
const MAX_LENGTH = 10_000;

export function informationOf(lines: readonly string[]): Information {
  const dense = joined(lines, '').slice(0, MAX_LENGTH).trim();
  const [, separator] = /^\d{3}\s?([?<>@!#*~^])(?=\d\d)/.exec(dense) ?? [];
  if (separator) return numbered(dense, separator);
  if (SLASHED.test(dense)) return slashed(dense);
  return { ...NOTHING, description: joined(lines, ' ') };
}

const NOTHING: Information = { description: '', ...NO_PARTY, reference: null };

/** German, Austrian and Polish banks: numbered subfields. 20 to 29 and 60 to 63 are the purpose. */
function numbered(text: string, separator: string): Information {
  const subfields = text
    .split(separator)
    .slice(1)
    .filter((subfield) => /^\d\d/.test(subfield))
    .map((subfield) => [subfield.slice(0, 2), subfield.slice(2)] as const);
  const valuesOf = (pattern: RegExp): string[] => subfields.filter(([code]) => pattern.test(code)).map(([, value]) => value);
  const valueOf = (pattern: RegExp): string | null => wholeOf(valuesOf(pattern)).trim() || null;
  const purpose = purposeOf(wholeOf(valuesOf(/^(2\d|6[0-3])$/)));
  return {
    ...NOTHING,
    description: purpose.text || (valueOf(/^00$/) ?? ''),
    counterparty: valueOf(/^3[23]$/),
    counterpartyAccount: valueOf(/^31$/) ?? valueOf(/^38$/),
    reference: purpose.reference,
  };
}

/** Subfields are broken at this length, even within words. */
const FULL_SUBFIELD = 27;
const SEPA_KEY = /\b(EREF|KREF|MREF|CRED|DEBT|COAM|OAMT|SVWZ|ABWA|ABWE|IBAN|BIC|PURP)[+:]/;

/** A shorter subfield ends where the bank ended it, often at the end of a word. */
const wholeOf = (subfields: readonly string[]): string =>
  subfields.reduce((text, subfield, index) => {
    const isCut = (subfields[index - 1]?.length ?? FULL_SUBFIELD) >= FULL_SUBFIELD;
    return `${text}${isCut || subfield.startsWith(' ') ? '' : ' '}${subfield}`;
  }, '');

/** SEPA payments have keys within the purpose, such as `SVWZ+` before the payer's text. */
function purposeOf(whole: string): { text: string; reference: string | null } {
  const [before = '', ...keyed] = whole.split(SEPA_KEY);
  const valueOf = (key: string): string | null => keyed[keyed.indexOf(key) + 1]?.trim() || null;
  const remittance = keyed.includes('SVWZ') ? valueOf('SVWZ') : null;
  return {
    text: remittance ?? (keyed.length > 0 && before.trim() ? before : whole),
    reference: keyed.includes('EREF') ? providedOf(valueOf('EREF')) : null,
  };
}

const providedOf = (reference: string | null): string | null => (reference === null || /^NOTPROVIDED$/i.test(reference) ? null : reference);

/** Dutch banks: keys between slashes. Only known keys count, since texts contain slashes as well. */
const KEYS =
  'TRTP|IBAN|BIC|NAME|REMI|EREF|PREF|KREF|MARF|CSID|ORDP|BENM|CNTP|ISDT|ADDR|PURP|SVCL|RTRN|CREF|ULTD|ULTC|UDTR|UCRD|' +
  'INID|TRCD|OCMT|EXCH|CHGS|ID';
const SLASHED = new RegExp(`^/(?:${KEYS})/`);
const KEY = new RegExp(`/(${KEYS})/`);

function slashed(text: string): Information {
  const [, ...keyed] = text.split(KEY);
  const values = new Map<string, string>();
  for (let index = 0; index < keyed.length; index += 2) {
    const value = keyed[index + 1]!.replace(/\/+$/, '').trim();
    if (value && !values.has(keyed[index]!)) values.set(keyed[index]!, value);
  }
  // Account, bank, name and city of the other party.
  const [account, , name, city] = values.get('CNTP')?.split('/') ?? [];
  const remittance = values.get('REMI')?.replace(/^(USTD|STRD)\/(CUR\/)?\/?/, '');
  return {
    description: remittance ?? values.get('TRTP') ?? '',
    counterparty: values.get('NAME') ?? (name || null),
    counterpartyAccount: values.get('IBAN') ?? (account || null),
    counterpartyAddress: values.get('ADDR') ?? (city || null),
    reference: providedOf(values.get('EREF') ?? null),
  };
}

export interface Field {
  readonly tag: string;
  readonly lines: readonly string[];
  readonly lineNumber: number;
}

const TAG = /^:(\d\d[A-Z]?|NS):/;
const MAX_FIELD_LINES = 100;
/** `-`, `-}` with more blocks after it, or the `-XXX` of some banks. */
const MESSAGE_END = /^-(\}.*|[A-Z]{3})?\s*$/;

/** The fields of the messages. Skips what is between messages, such as envelopes. */
export async function* fieldsOf(texts: AsyncIterable<string>): AsyncGenerator<readonly Field[]> {
  let lineNumber = 0;
  let field: { tag: string; lines: string[]; lineNumber: number } | null = null;
  for await (const lines of linesOf(texts, 'is too long for an MT940')) {
    const whole: Field[] = [];
    for (const line of lines) take(line, whole);
    yield whole;
  }
  if (field) yield [field];

  function take(line: string, whole: Field[]): void {
    lineNumber += 1;
    const [start, tag] = TAG.exec(line) ?? [];
    if (tag !== undefined && start !== undefined) {
      if (field) whole.push(field);
      field = { tag, lines: [line.slice(start.length)], lineNumber };
    } else if (MESSAGE_END.test(line)) {
      if (field) whole.push(field);
      field = null;
    } else if (field && field.lines.length < MAX_FIELD_LINES && line.trim()) {
      field.lines.push(line);
    }
  }
}

/** Lines of a message are broken at this length, even within words. */
const FULL_LINE = 65;

/** A full line was broken, so its trailing blank belongs to the text. A shorter line ends where the bank ended it. */
const joined = (lines: readonly string[], separator: string): string =>
  lines.reduce((text, line, index) => {
    const isCut = (lines[index - 1]?.length ?? FULL_LINE) >= FULL_LINE;
    return `${text}${isCut ? '' : separator}${line.length >= FULL_LINE ? line : line.trimEnd()}`;
  }, '');
