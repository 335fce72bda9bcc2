import { formatMoney, minorDigitsOf, type Money } from '../../../../kernel/money.js';
import { ECB, ECB_AVERAGE, periodOf, type RatesOptions } from '../../../rules/index.js';
import type { ClaimReportConversionsDto } from '../../result.dto.js';
import { byKey, getOrCreate, Sums } from '../amounts/currency-ledger.js';
import { type DateRange, monthOf } from '../calendar-days.js';
import type { OutputOptions, RunInputs, RunLine } from '../inputs.js';
import { convert, ecbAverages, ecbRates, lastDayUntil, MAX_RATES_LISTED, type Rate, rateOf, type Rates } from './rate.js';

/** A line in the currency of the report, and how it came to be that. */
export interface LineConversion {
  readonly amount: string;
  readonly rate: string;
  /** The month or the day of the rate. */
  readonly rateFor: string;
  readonly quotes?: Rate['quotes'];
}

/** Lines of a currency that have no rate, and the first and last of their days. */
export interface MissingRates {
  count: number;
  days: DateRange;
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
  readonly missing = new Map<string, MissingRates>();
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
