import { StartError } from '../../../kernel/start-error.js';
import { isCalendarDate } from '../../../kernel/time.js';

/** What one euro was worth on a day. */
export interface Quote {
  readonly day: string;
  readonly currency: string;
  readonly rate: string;
}

/** More than the bank publishes in a century. */
export const MAX_QUOTES = 1_000_000;

const RATE = /^(?=.*[1-9])\d{1,9}(\.\d{1,10})?$/;

/** The quotes of a file. None is there twice, unless it says the same. */
export class Quotes {
  private readonly found = new Map<string, Quote>();

  /** `place` is where it stands in the file: `Line 3`. */
  add({ day, currency, rate }: Quote, place: string): void {
    if (!isCalendarDate(day)) throw new StartError(`${place}: ${shown(day)} is not an existing date such as 2026-03-31.`);
    if (!/^[A-Z]{3}$/.test(currency) || currency === 'EUR')
      throw new StartError(`${place}: ${shown(currency)} is not the code of another currency than the euro, such as USD.`);
    if (!RATE.test(rate)) throw new StartError(`${place}: ${shown(rate)} is not a rate such as 1.0855.`);
    const known = this.found.get(`${day} ${currency}`);
    if (known && known.rate !== rate) throw new StartError(`${place}: ${currency} has two rates for ${day}, ${known.rate} and ${rate}.`);
    this.found.set(`${day} ${currency}`, { day, currency, rate });
    if (this.found.size > MAX_QUOTES) throw new StartError(`The file has more than ${MAX_QUOTES} rates.`);
  }

  all(): Quote[] {
    if (this.found.size === 0) throw new StartError('The file has no rates.');
    return [...this.found.values()];
  }
}

/** Of what the file says, an error has a short part. */
export const shown = (text: string): string => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
