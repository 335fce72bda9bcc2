import { periodOf, type RatesOptions } from '../../../rules/index.js';
import { monthOf } from '../calendar-days.js';
import { lastDayUntil, rateOf, type Rate, type Rates } from './rate.js';

/** The rates of `outputOptions.rates.table`. */
export function ownRates({ source, table }: Exclude<RatesOptions, string>): Rates {
  const rates = new Map(table.map((row): [string, Rate] => [`${row.currency} ${periodOf(row)}`, rateOf(row.rate, periodOf(row))]));
  const of = (currency: string, period: string | undefined) => rates.get(`${currency} ${period}`);
  return {
    source,
    find: (currency, day) =>
      of(currency, monthOf(day)) ??
      of(
        currency,
        lastDayUntil(day, (candidate) => rates.has(`${currency} ${candidate}`)),
      ),
  };
}
