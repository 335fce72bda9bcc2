import { ECB } from '../../../rules/index.js';
import type { RunInputs } from '../inputs.js';
import type { OutputOptions } from '../output-options.js';
import { Conversions } from './conversions.js';
import { ecbRates } from './ecb-rates.js';
import { ownRates } from './own-rates.js';

/** null if the options name no rates. With rates, they name the currency of the report. */
export function conversionsOf({ quotes = [] }: RunInputs, { rates, currency }: OutputOptions): Conversions | null {
  if (rates === null || currency === null) return null;
  return new Conversions(currency, rates === ECB ? ecbRates(quotes, currency) : ownRates(rates));
}
