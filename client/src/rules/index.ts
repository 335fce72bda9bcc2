import type { OutputOptions, SourceMappingCondition } from '../generated-types.js';

// Objects of the generated types are the plain way to write rules. These functions are for what types do not check.

type TextField = 'description' | 'counterparty' | 'account' | 'reference';

const EDGE = '[[:space:][:punct:]]';
const quoted = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** The field is one of these texts. Of people and accounts, which are redacted, state the plain text. */
export function isOneOf(field: TextField, ...texts: string[]): SourceMappingCondition {
  return { field, op: 'oneOf', value: texts };
}

/**
 * The field has one of these texts as whole words: `hotel` is found in "Hotel Adler", and not in "Hotelbetten". Characters that mean
 * something in patterns stand for themselves.
 */
export function containsWord(field: TextField, ...texts: string[]): SourceMappingCondition {
  if (texts.length === 0) throw new TypeError('containsWord needs a text.');
  return { field, op: 'matches', value: `(?:^|${EDGE})(?:${texts.map(quoted).join('|')})(?:$|${EDGE})` };
}

/** The amount, without its sign, is from one bound to the other, both included. State an amount that a number cannot hold as text. */
export function amountBetween(least: number | string, most: number | string): SourceMappingCondition {
  const [from, to] = [decimal(least), decimal(most)];
  if (Number(from) > Number(to)) throw new RangeError(`${from} is more than ${to}.`);
  return { field: 'amount', op: 'between', value: [from, to] };
}

/** What a sum of doubles has behind its cents is not meant. */
function decimal(amount: number | string): string {
  const text = String(amount);
  if (/^\d+(\.\d+)?$/.test(text) && (typeof amount === 'string' || /^\d+(\.\d{1,4})?$/.test(text))) return text;
  throw new RangeError(`${text} is not an amount with at most four decimals. State it as text.`);
}

/** The day of booking is in a month (`2026-03`), or in one of the months up to another. */
export function inMonth(month: string, last = month): SourceMappingCondition {
  for (const one of [month, last]) if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(one)) throw new RangeError(`${one} is not a month, like 2026-03.`);
  if (last < month) throw new RangeError(`${last} is before ${month}.`);
  const [year, number] = last.split('-').map(Number) as [number, number];
  // The day before the first of the next month.
  const lastDay = new Date(Date.UTC(year, number, 0)).getUTCDate();
  return { field: 'date', op: 'between', value: [`${month}-01`, `${last}-${lastDay}`] };
}

type Rates = Exclude<OutputOptions['rates'], string | null | undefined>;

/** The `rates` of output options: `exchangeRates('Our bank', { USD: { '2026-03': '0.9213', '2026-04-01': '0.93' } })`. */
export function exchangeRates(source: string, rates: Readonly<Record<string, Readonly<Record<string, number | string>>>>): Rates {
  const table = Object.entries(rates).flatMap(([currency, times]) =>
    Object.entries(times).map(([time, rate]) => ({
      currency,
      ...(time.length > '2026-03'.length ? { day: time } : { month: time }),
      rate,
    })),
  );
  return { source, table };
}
