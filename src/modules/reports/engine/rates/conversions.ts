import { getOrCreate } from '../../../../kernel/get-or-create.js';
import { formatMoney, minorDigitsOf, type Money, moneyOf, roundFraction } from '../../../../kernel/money.js';
import { ECB, ECB_AVERAGE, periodOf, type RatesOptions } from '../../../rules/index.js';
import type { ClaimReportConversionsDto } from '../../result.dto.js';
import { byKey, Sums } from '../amounts/currency-ledger.js';
import { addDays, MAX_RATES_LISTED, monthOf } from '../inputs.js';
import type { DateRange, DayQuotes, OutputOptions, RunInputs, RunLine } from '../inputs.js';

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

interface Rates {
  readonly source: string;
  /** Where an average has no rates until the end of its period: their last day, and the end. */
  readonly openUntil?: { readonly until: string; readonly end: string };
  /** The rate for a day; undefined if there is none for it or for a day shortly before. */
  readonly find: (currency: string, day: string) => Rate | undefined;
}

/** On days without a rate, such as weekends and holidays, the last one counts, up to so many days. */
export const MAX_DAYS_BACK = 7;

/** The last of some days until another, at most a week before it. `has` says which days there are. */
function lastDayUntil(day: string, has: (day: string) => boolean): string | undefined {
  for (let back = 0; back <= MAX_DAYS_BACK; back += 1) {
    const candidate = addDays(day, -back);
    if (has(candidate)) return candidate;
  }
  return undefined;
}

export const rateOf = (rate: Money, quotedFor: string): Rate => ({
  times: rate,
  per: moneyOf('1'),
  quotedFor,
  shown: formatMoney(rate, 0),
});

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
export const convert = (amount: Money, { times, per }: Rate, digits: number): Money =>
  roundFraction({ numerator: amount * times, denominator: per }, digits);

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

/** A line in the currency of the report, and how it came to be that. */
export interface LineConversion {
  readonly amount: string;
  readonly rate: string;
  /** The month or the day of the rate. */
  readonly rateFor: string;
  readonly quotes?: Rate['quotes'];
}

class ConvertedCurrency {
  readonly sums = new Sums();
  converted: Money = 0n;
  readonly rates = new Map<string, { readonly rate: Rate; count: number }>();
}

/** Converts lines in other currencies, and counts what it has done. */
export class Conversions {
  /** Of the lines that are in the currency of the report already. */
  readonly own = new Sums();
  /** Lines of a currency that have no rate, and the first and last of their days. */
  readonly missing = new Map<string, { count: number; days: DateRange }>();
  private readonly currencies = new Map<string, ConvertedCurrency>();
  /** By currency and day: a run of millions of lines has few of them. */
  private readonly found = new Map<string, Rate | undefined>();
  private readonly digits: number;

  constructor(
    readonly target: string,
    private readonly rates: Rates,
  ) {
    this.digits = minorDigitsOf(target);
  }

  /** Undefined for a line that needs no conversion, or has no rate or no currency. */
  convert({ currency, bookedOn }: RunLine, amount: Money): { readonly amount: Money; readonly rate: Rate } | undefined {
    if (currency === this.target) this.own.add(amount);
    if (currency === this.target || currency === null) return undefined;
    const rate = this.rateFor(currency, bookedOn);
    if (!rate) return this.miss(currency, bookedOn);
    const converted = convert(amount, rate, this.digits);
    const ofCurrency = getOrCreate(this.currencies, currency, () => new ConvertedCurrency());
    ofCurrency.sums.add(amount);
    ofCurrency.converted -= converted;
    getOrCreate(ofCurrency.rates, rate.quotedFor, () => ({ rate, count: 0 })).count += 1;
    return { amount: converted, rate };
  }

  get openUntil(): Rates['openUntil'] {
    return this.rates.openUntil;
  }

  /** The net of the lines in the currency of the report and of the converted ones, each added up on its own. */
  get net(): Money {
    return [...this.currencies.values()].reduce((sum, { converted }) => sum + converted, this.own.net);
  }

  /** Undefined if no line was converted. */
  result(): ClaimReportConversionsDto | undefined {
    if (this.currencies.size === 0) return undefined;
    const sorted = [...this.currencies].sort(byKey);
    const all = sorted.flatMap(([currency, { rates }]) =>
      [...rates].sort(byKey).map(([rateFor, { rate, count }]) => ({ currency, rateFor, rate: rate.shown, count })),
    );
    return {
      source: this.rates.source,
      currencies: sorted.map(([currency, { sums, converted }]) => ({
        currency,
        count: sums.count,
        net: formatMoney(sums.net, minorDigitsOf(currency)),
        converted: formatMoney(converted, this.digits),
      })),
      rates: all.slice(0, MAX_RATES_LISTED),
      ratesNotListed: Math.max(0, all.length - MAX_RATES_LISTED),
    };
  }

  private rateFor(currency: string, day: string): Rate | undefined {
    const key = `${currency} ${day}`;
    if (!this.found.has(key)) this.found.set(key, this.rates.find(currency, day));
    return this.found.get(key);
  }

  private miss(currency: string, day: string): undefined {
    const missing = getOrCreate(this.missing, currency, () => ({ count: 0, days: { start: day, end: day } }));
    missing.count += 1;
    const { start, end } = missing.days;
    missing.days = { start: day < start ? day : start, end: day > end ? day : end };
    return undefined;
  }
}

function ownRates({ source, table }: Exclude<RatesOptions, string>): Rates {
  const rates = new Map(table.map((row): [string, Rate] => [`${row.currency} ${periodOf(row)}`, rateOf(row.rate, periodOf(row))]));
  const of = (currency: string, period: string | undefined) => rates.get(`${currency} ${period}`);
  return {
    source,
    find: (currency, day) => {
      const last = lastDayUntil(day, (candidate) => rates.has(`${currency} ${candidate}`));
      return of(currency, monthOf(day)) ?? of(currency, last);
    },
  };
}

/** null if the options name no rates. With rates, they name the currency of the report. */
export function conversionsOf(
  { quotes = [] }: RunInputs,
  { rates, currency }: OutputOptions,
  period: DateRange | null,
): Conversions | null {
  if (rates === null || currency === null) return null;
  if (rates === ECB_AVERAGE) return new Conversions(currency, ecbAverages(quotes, currency, period));
  return new Conversions(currency, rates === ECB ? ecbRates(quotes, currency) : ownRates(rates));
}
