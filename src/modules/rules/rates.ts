import { moneyOf, type Money } from '../../kernel/money.js';
import { MAX_RATE_SOURCE_LENGTH, MAX_RATES } from './bounds.js';
import type { Place, ReadBy, Shape } from './shape.js';
import { converted, currencyCode, DATE, list, object, text, optional } from './shapes.js';

export const ECB = 'ecb';
/** One rate for the whole period: the mean of those of its days. */
export const ECB_AVERAGE = 'ecb_average';
const BY_NAME = [ECB, ECB_AVERAGE] as const;
/** With ten decimals, a rate times an amount is still exact. */
const RATE_PATTERN = '^(?=.*[1-9])(0|[1-9]\\d{0,8})(\\.\\d{1,10})?$';
const WRITTEN_RATE = new RegExp(RATE_PATTERN);
const RATE: Shape<Money> = converted(
  { type: ['string', 'number'], exclusiveMinimum: 0, exclusiveMaximum: 1e9, pattern: RATE_PATTERN },
  'a positive number below 1000000000 with at most ten decimals; as a text if it is very small',
  (value) => {
    const written = typeof value === 'number' ? String(value) : value;
    return typeof written === 'string' && WRITTEN_RATE.test(written) ? moneyOf(written) : undefined;
  },
);

const MONTH: Shape<string> = converted({ type: 'string', pattern: '^\\d{4}-(0[1-9]|1[0-2])$' }, 'a month, such as 2026-03', (value) =>
  typeof value === 'string' && /^\d{4}-(0[1-9]|1[0-2])$/.test(value) ? value : undefined,
);

const ROW = object({
  closed: 'a rate',
  keys: {
    currency: { about: 'Currency that is converted.', shape: currencyCode('USD') },
    month: { about: 'Month of the rate; or `day`.', shape: optional(MONTH), otherwise: null },
    day: { about: 'Day of the rate; or `month`.', shape: optional(DATE), otherwise: null },
    rate: { about: 'What one unit is worth in the currency of the report.', shape: RATE },
  },
  also: (row, at) => ((row.month === null) === (row.day === null) ? at.wrong(row, 'not_allowed', 'must have either month or day') : row),
});

export type RateRow = ReadBy<typeof ROW>;

export const periodOf = ({ month, day }: RateRow): string => month ?? day!;

const TABLE = object({
  closed: 'rates',
  keys: {
    source: { about: 'Where the rates are from. Files print it.', shape: text(MAX_RATE_SOURCE_LENGTH) },
    table: { about: 'Rates by month or day.', shape: list(ROW, { min: 1, max: MAX_RATES }) },
  },
  also: (rates, at) => (areUnambiguous(rates.table, at.key('table')) ? rates : undefined),
});

/** No day may have two rates: neither the same month or day twice, nor a day and its month. */
function areUnambiguous(table: readonly RateRow[], at: Place): boolean {
  const months = new Set(table.filter(({ month }) => month !== null).map(({ currency, month }) => `${currency} ${month}`));
  const seen = new Set<string>();
  const before = at.reading.findings.length;
  table.forEach((row, index) => {
    const [currency, period] = [row.currency, periodOf(row)];
    if (seen.has(`${currency} ${period}`)) at.item(index).wrong(row, 'repeated', `must be the only rate of ${currency} for ${period}`);
    seen.add(`${currency} ${period}`);
    if (row.day !== null && months.has(`${currency} ${row.day.slice(0, 7)}`))
      at.item(index).wrong(row, 'repeated', `must be left out, or the rate of ${currency} for the whole month`);
  });
  return at.reading.findings.length === before;
}

export type RatesOptions = (typeof BY_NAME)[number] | ReadBy<typeof TABLE>;

/** Rates of one's own, or the name of a source that the operator has imported. */
export const RATES: Shape<RatesOptions | null> = {
  schema: { oneOf: [{ type: 'null' }, { type: 'string', enum: BY_NAME }, TABLE.schema] },
  read: (value, at) => {
    if (value === null) return value;
    if (typeof value !== 'string') return TABLE.read(value, at);
    const named = BY_NAME.find((name) => name === value);
    return named ?? at.wrong(value, 'not_allowed', `must be ${BY_NAME.join(', ')} or an object with source and table`);
  },
};

/** Rates convert into the currency of the report, so it must be known, and have no rate itself. */
export function checkRates(
  { currency, rates }: { readonly currency: string | null; readonly rates: RatesOptions | null },
  at: Place,
): boolean {
  if (rates === null) return true;
  const before = at.reading.findings.length;
  if (currency === null)
    at.key('currency').wrong(undefined, 'required', 'must be a currency code if there are rates: they convert into it');
  const table = typeof rates === 'string' ? [] : rates.table;
  table.forEach((row, index) => {
    if (row.currency !== currency) return;
    const place = at.key('rates').key('table').item(index).key('currency');
    place.wrong(row.currency, 'not_allowed', 'must be another currency than that of the report');
  });
  return at.reading.findings.length === before;
}
