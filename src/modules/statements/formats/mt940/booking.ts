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

export type BookingFault = 'invalid_line' | 'invalid_date' | 'invalid_amount';

/** null if it is not booked yet. */
export function bookingOf(lines: readonly string[]): Booking | BookingFault | null {
  const [, year = '', month, day, entryMonth, entryDay, mark = '', , digits = '', , references = ''] = BOOKING.exec(lines[0] ?? '') ?? [];
  if (!mark) return 'invalid_line';
  if (EXPECTED.has(mark)) return null;
  const valueDate = dayOf(shortYear(year), Number(month), Number(day));
  const bookedOn = entryDay === undefined ? valueDate : entryDateOf(shortYear(year), valueDate, Number(entryMonth), Number(entryDay));
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

/** The entry date has no year. It is the day nearest to the value date, which may be in the previous or the next year. */
function entryDateOf(year: number, valueDate: string | null, month: number, day: number): string | null {
  if (!valueDate) return null;
  const distanceOf = (date: string): number => Math.abs(Date.parse(date) - Date.parse(valueDate));
  const candidates = [year, year - 1, year + 1].map((candidate) => dayOf(candidate, month, day)).filter((date) => date !== null);
  return candidates.sort((one, other) => distanceOf(one) - distanceOf(other))[0] ?? null;
}

function givenOf(text: string | undefined): string | null {
  const given = text?.trim();
  return given && given !== 'NONREF' ? given : null;
}
