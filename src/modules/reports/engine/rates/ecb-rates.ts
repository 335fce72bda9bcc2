import { lastDayUntil, quotientOf, type Rates } from './rate.js';

/** What one euro was worth on a day, by currency. */
export interface DayQuotes {
  readonly day: string;
  readonly quotes: Readonly<Record<string, string>>;
}

/** The currency that the others are quoted for. */
const BASE = 'EUR';
const ONE = '1';
const SOURCE = 'European Central Bank, euro foreign exchange reference rates';

/** Reference rates of the European Central Bank. Between other currencies than the euro, a rate is the quotient of theirs on one day. */
export function ecbRates(quotes: readonly DayQuotes[], target: string): Rates {
  const days = new Map(quotes.map((ofDay) => [ofDay.day, ofDay.quotes]));
  const quote = (day: string, currency: string) => (currency === BASE ? ONE : days.get(day)?.[currency]);
  return {
    source: SOURCE,
    find: (currency, on) => {
      const day = lastDayUntil(on, (candidate) => quote(candidate, currency) !== undefined && quote(candidate, target) !== undefined);
      return day === undefined ? undefined : quotientOf(quote(day, target)!, quote(day, currency)!, day);
    },
  };
}
