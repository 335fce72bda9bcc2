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

/** Value date, entry date (some banks write four blanks), mark, third letter of the currency, amount, kind of transaction, references. */
const BOOKING = /^\s*(\d\d)(\d\d)(\d\d)(?:(\d\d)(\d\d)|\s{4})?\s?([RE]?[CD])([A-Z])?(\d{1,18}(?:[.,]\d{0,17})?)([A-Z][A-Z0-9]{3})?(.*)$/;
/** Credits and reversed debits. */
const MONEY_IN = new Set(['C', 'RD']);
/** Expected, but not booked. */
const EXPECTED = new Set(['EC', 'ED']);

export type BookingFault = 'invalid_line' | 'invalid_date' | 'invalid_amount';

/** null if it is not booked yet. */
export function bookingOf(lines: readonly string[]): Booking | BookingFault | null {
  const [, year = '', month, day, entryMonth, entryDay, mark = '', , digits = '', , references = ''] = BOOKING.exec(lines[0] ?? '') ?? [];
  if (!mark) return 'invalid_line';
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
