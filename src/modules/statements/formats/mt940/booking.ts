import { plainDecimalOf } from '../amounts.js';
import { dayOf, shortYear } from '../dates.js';

/** The content of a `:61:`. */
export interface Booking {
  readonly bookedOn: string;
  readonly amount: string;
  readonly reference: string | null;
  readonly bankReference: string | null;
  /** Its second line. */
  readonly supplement: string | null;
}

/** Value date, entry date, mark, third letter of the currency, amount, kind of transaction, references. */
const BOOKING = /^\s*(\d\d)(\d\d)(\d\d)(?:(\d\d)(\d\d))?\s?([RE]?[CD])([A-Z])?(\d{1,18}(?:[.,]\d{0,17})?)([A-Z][A-Z0-9]{3})?(.*)$/;
/** Credits and reversed debits. */
const MONEY_IN = new Set(['C', 'RD']);
/** Expected, but not booked. */
const EXPECTED = new Set(['EC', 'ED']);

interface EntryDate {
  readonly month: number;
  readonly day: number;
}

interface ValueDate extends EntryDate {
  readonly year: number;
}

export type BookingFault = 'invalid_line' | 'invalid_date' | 'invalid_amount';

/** null if it is not booked yet. */
export function bookingOf(lines: readonly string[]): Booking | BookingFault | null {
  const [, year = '', month, day, entryMonth, entryDay, mark = '', , digits = '', , references = ''] = BOOKING.exec(lines[0] ?? '') ?? [];
  if (!mark) return 'invalid_line';
  if (EXPECTED.has(mark)) return null;
  const valued = { year: shortYear(year), month: Number(month), day: Number(day) };
  const bookedOn =
    entryDay === undefined
      ? dayOf(valued.year, valued.month, valued.day)
      : entryDateOf({ month: Number(entryMonth), day: Number(entryDay) }, valued);
  if (!bookedOn) return 'invalid_date';
  const amount = plainDecimalOf(digits, !MONEY_IN.has(mark));
  if (!amount) return 'invalid_amount';
  const [reference = '', bankReference] = references.split('//');
  return {
    bookedOn,
    amount,
    reference: givenOf(reference),
    bankReference: givenOf(bankReference),
    supplement: givenOf(lines.slice(1).join(' ')),
  };
}

/**
 * The entry date has no year. It is the day nearest to the value date, which may be in the previous or the next year. Some banks
 * have value dates such as 30 February, so only the entry date has to exist.
 */
function entryDateOf(entered: EntryDate, valued: ValueDate): string | null {
  if (valued.month < 1 || valued.month > 12 || valued.day < 1 || valued.day > 31) return null;
  const value = Date.UTC(valued.year, valued.month - 1, valued.day);
  const distanceOf = (date: string): number => Math.abs(Date.parse(date) - value);
  const candidates = [0, -1, 1].map((years) => dayOf(valued.year + years, entered.month, entered.day)).filter((date) => date !== null);
  return candidates.sort((one, other) => distanceOf(one) - distanceOf(other))[0] ?? null;
}

function givenOf(text: string | undefined): string | null {
  const given = text?.trim();
  return given && given !== 'NONREF' ? given : null;
}
