import { formatMoney, type Money, moneyOf, roundFraction } from '../../../../kernel/money.js';
import { addDays, type DateRange } from '../calendar-days.js';

/** What one unit of a currency is worth in the currency of the report: `times` ÷ `per`, exactly. */
export interface Rate {
  readonly times: Money;
  readonly per: Money;
  /** The month or the day that it was quoted for. */
  readonly quotedFor: string;
  /** As files print it. */
  readonly shown: string;
  /** The quotes that it is the quotient of, if it is one. */
  readonly quotes?: readonly [times: string, per: string];
}

export interface Rates {
  readonly source: string;
  /** Where an average has no rates until the end of its period: their last day, and the end. */
  readonly openUntil?: { readonly until: string; readonly end: string };
  /** The rate for a day; undefined if there is none for it or for a day shortly before. */
  readonly find: (currency: string, day: string) => Rate | undefined;
}

/** On days without a rate, such as weekends and holidays, the last one counts, up to so many days. */
export const MAX_DAYS_BACK = 7;

/** The last of some days until another, at most a week before it. `has` says which days there are. */
export function lastDayUntil(day: string, has: (day: string) => boolean): string | undefined {
  for (let back = 0; back <= MAX_DAYS_BACK; back += 1) {
    const candidate = addDays(day, -back);
    if (has(candidate)) return candidate;
  }
  return undefined;
}

export function rateOf(rate: Money, quotedFor: string): Rate {
  return { times: rate, per: moneyOf('1'), quotedFor, shown: formatMoney(rate, 0) };
}

/** Significant digits of a rate that is a quotient. */
const SHOWN_DIGITS = 10;
const MAX_DECIMALS = 20;

export function quotientOf(times: string, per: string, quotedFor: string): Rate {
  const [above, below] = [moneyOf(times), moneyOf(per)];
  let decimals = SHOWN_DIGITS;
  for (let size = above * 10n; size < below && decimals < MAX_DECIMALS; size *= 10n) decimals += 1;
  const shown = formatMoney(roundFraction({ numerator: moneyOf('1') * above, denominator: below }, decimals), 0);
  return { times: above, per: below, quotedFor, shown, quotes: [times, per] };
}

/** An amount in the currency of the report, rounded once, half away from zero. */
export function convert(amount: Money, { times, per }: Rate, digits: number): Money {
  return roundFraction({ numerator: amount * times, denominator: per }, digits);
}

/** How many rates a result lists. Files of lines have the rate of every line. */
export const MAX_RATES_LISTED = 1000;

/** What one euro was worth on a day, by currency. */
export interface DayQuotes {
  readonly day: string;
  readonly quotes: Readonly<Record<string, string>>;
}

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

/** One rate for all lines: the mean of what the euro was worth on each day of the period, and between other currencies their quotient. */
export function ecbAverages(all: readonly DayQuotes[], target: string, period: DateRange | null): Rates {
  const ofPeriod = all.filter(({ day }) => period === null || (day >= period.start && day <= period.end));
  const days = ofPeriod.map(({ day }) => day).sort();
  const [start, until] = [period?.start ?? days[0], days.at(-1)];
  const end = period?.end ?? until;
  const meanOf = (currency: string) => {
    const quotes = currency === BASE ? [ONE] : ofPeriod.flatMap(({ quotes: { [currency]: quote } }) => quote ?? []);
    return { sum: quotes.reduce((sum, quote) => sum + moneyOf(quote), 0n), count: BigInt(quotes.length) };
  };
  const found = (currency: string): Rate | undefined => {
    const [times, per] = [meanOf(target), meanOf(currency)];
    if (times.count === 0n || per.count === 0n) return undefined;
    const [above, below] = [times.sum * per.count, per.sum * times.count].map((sum) => formatMoney(sum, 0));
    return quotientOf(above!, below!, `${start}/${end}`);
  };
  const isOpen = until !== undefined && end !== undefined && until < addDays(end, -MAX_DAYS_BACK);
  return { source: `${SOURCE}, mean of the period`, find: found, ...(isOpen && { openUntil: { until, end } }) };
}
