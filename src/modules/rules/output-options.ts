import { type Money, moneyOf } from '../../kernel/money.js';
import { MAX_LOCALE_LENGTH, MAX_RATE_SOURCE_LENGTH, MAX_RATES } from './bounds.js';
import { checkForm, FORM_OPTION, type FormOptions } from './claim-form.js';
import { converted, currencyCode, DATE, FLAG, Grammar, list, object, oneOf, optional, set, text, wholeNumberFrom } from './shapes.js';
import type { JsonSchema, Place, ReadBy, Shape } from './shapes.js';

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

type RateRow = ReadBy<typeof ROW>;

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
const RATES: Shape<RatesOptions | null> = {
  schema: { oneOf: [{ type: 'null' }, { type: 'string', enum: BY_NAME }, TABLE.schema] },
  read: (value, at) => {
    if (value === null) return value;
    if (typeof value !== 'string') return TABLE.read(value, at);
    const named = BY_NAME.find((name) => name === value);
    return named ?? at.wrong(value, 'not_allowed', `must be ${BY_NAME.join(', ')} or an object with source and table`);
  },
};

/** Rates convert into the currency of the report, so it must be known, and have no rate itself. */
function checkRates({ currency, rates }: { readonly currency: string | null; readonly rates: RatesOptions | null }, at: Place): boolean {
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

const OWN_FORMATS = ['json', 'csv', 'xlsx', 'pdf', 'journal', 'datev', 'form', 'evidence'] as const;
/** One that is added below is one as well. */
export type OutputFormat = (typeof OWN_FORMATS)[number];
const formats: OutputFormat[] = [...OWN_FORMATS];
/** All formats, those of extensions last. Read when asked, not while files are loaded: more may be added until the start. */
export const OUTPUT_FORMATS: readonly OutputFormat[] = formats;
const GROUPS = ['category', 'month'] as const;
const DETAILS = ['none', 'lines'] as const;
const PAPER_SIZES = ['a4', 'letter'] as const;
export type PaperSize = (typeof PAPER_SIZES)[number];

/** The currency of a report, and what its files look like. */
export interface OutputOptions {
  readonly formats: readonly OutputFormat[];
  readonly groupBy: readonly (typeof GROUPS)[number][];
  /** null for the currency that most lines have. */
  readonly currency: string | null;
  readonly includeUncategorised: boolean;
  readonly detail: (typeof DETAILS)[number];
  readonly locale: string;
  /** null for the paper that the locale uses. */
  readonly paperSize: PaperSize | null;
  /** null unless the integrator gives them; never null if a `datev` file is asked for. */
  readonly datev: DatevOptions | null;
  /** null if no line is converted. */
  readonly rates: RatesOptions | null;
  /** The form in which the claim is sent; null without one, never if a `form` file is asked for. */
  readonly form: FormOptions | null;
}

/** With what formats of extensions are told: by format, for those that were asked for. */
export interface AllOutputOptions extends OutputOptions {
  readonly added: Readonly<Record<string, unknown>>;
}

const CURRENCY: Shape<string | null> = converted(
  { type: ['string', 'null'], pattern: '^[A-Za-z]{3}$' },
  'a three-letter currency code, such as EUR, or null',
  (value) => (value === null ? null : typeof value === 'string' && /^[a-z]{3}$/i.test(value) ? value.toUpperCase() : undefined),
);

const PAPER_SIZE: Shape<PaperSize | null> = converted(
  { type: ['string', 'null'], enum: [...PAPER_SIZES, null] },
  `one of ${PAPER_SIZES.join(', ')}, or null`,
  (value) => (value === null ? null : PAPER_SIZES.find((size) => size === value)),
);

const TAG = text(MAX_LOCALE_LENGTH);
const LOCALE: Shape<string> = {
  schema: TAG.schema,
  read: (value, at) => {
    const tag = TAG.read(value, at);
    if (tag === undefined) return undefined;
    return canonicalLocale(tag) ?? at.wrong(value, 'not_allowed', 'must be a language tag, such as en, de or en-GB');
  },
};

function canonicalLocale(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined;
  }
}

const DATEV = object({
  closed: 'datev',
  keys: {
    consultantNumber: { about: 'Beraternummer.', shape: wholeNumberFrom(1001, 9_999_999) },
    clientNumber: { about: 'Mandantennummer.', shape: wholeNumberFrom(1, 99_999) },
    fiscalYearStart: { about: 'First day of the fiscal year (WJ-Beginn).', shape: DATE },
    accountLength: { about: 'Digits of a general ledger account (Sachkontenlänge).', shape: wholeNumberFrom(4, 8), otherwise: 4 },
  },
});

/** What the header of a DATEV booking batch needs. */
export type DatevOptions = ReadBy<typeof DATEV>;

const KEYS = object<OutputOptions>({
  keys: {
    formats: { about: 'The files to make.', shape: set(oneOf(OUTPUT_FORMATS)), otherwise: ['json'] },
    groupBy: { about: 'How tables are grouped.', shape: set(oneOf(GROUPS)), otherwise: [...GROUPS] },
    currency: { about: 'Currency of the report; `null`: the currency of most lines.', shape: CURRENCY, otherwise: null },
    includeUncategorised: { about: 'Whether lines without a category are shown.', shape: FLAG, otherwise: true },
    detail: { about: 'Whether each line is shown.', shape: oneOf(DETAILS), otherwise: 'none' },
    locale: {
      about: 'Language tag of PDF and workbook: English, German, French, Spanish or Dutch; else English, with numbers as the tag says.',
      shape: LOCALE,
      otherwise: 'en',
    },
    paperSize: { about: 'Paper of PDF and workbook; `null`: `letter` for `en-US`, else `a4`.', shape: PAPER_SIZE, otherwise: null },
    datev: {
      about: 'For the header of the `datev` file, which needs it.',
      shape: DATEV,
      otherwise: null,
      // Like `date`, for one.
      looksLikeOthers: true,
    },
    rates: { about: 'Rates for lines in other currencies: `ecb`, `ecb_average`, or a table.', shape: RATES, otherwise: null },
    form: { about: 'The form in which the claim is sent.', shape: FORM_OPTION, otherwise: null, looksLikeOthers: true },
  },
  also: (given, at) => {
    const options = { ...given, currency: given.currency ?? given.form?.definition.currency ?? null };
    if (!checkRates(options, at) || !checkForm(options, at)) return undefined;
    if (!options.form && options.formats.includes('form')) return at.key('form').wrong(undefined, 'required', 'must say which form');
    if (options.datev || !options.formats.includes('datev')) return options;
    return at.key('datev').wrong(undefined, 'required', 'must be an object with consultantNumber, clientNumber and fiscalYearStart');
  },
});

/** A format that an extension adds, and the shape of what it is told under its name. */
export interface AddedFormat {
  readonly format: string;
  readonly about: string;
  readonly options?: Shape<unknown>;
}
const added = new Map<string, AddedFormat>();

/** Adds a format to `formats`, and its options under its own name, such as `outputOptions.ledger`. */
export function addOutputFormat({ format, about, options }: AddedFormat): void {
  const properties = KEYS.schema.properties as Record<string, JsonSchema>;
  if (!/^[a-z][a-z0-9_]{1,29}$/.test(format)) throw new Error(`${format} is no name of a format: 2 to 30 of a-z, 0-9 and _ are expected.`);
  if (format in properties || OUTPUT_FORMATS.some((one) => one === format)) throw new Error(`The format ${format} exists already.`);
  if (options) properties[format] = { ...options.schema, description: `For the file \`${format}\`.` };
  added.set(format, { format, about, ...(options && { options }) });
  formats.push(format as OutputFormat);
}

export const addedFormat = (format: string): AddedFormat | undefined => added.get(format);

/** The options of each added format that is asked for. */
function readAdded(value: object, asked: readonly string[], at: Place): Readonly<Record<string, unknown>> | undefined {
  const given = value as Record<string, unknown>;
  const found = asked.flatMap((format) => {
    const options = added.get(format)?.options;
    return options ? [[format, options.read(given[format], at.key(format))] as const] : [];
  });
  return found.every(([, read]) => read !== undefined) ? Object.fromEntries(found) : undefined;
}

export const OUTPUT_OPTIONS = new Grammar<AllOutputOptions>('OutputOptions', 'What the report and its files contain.', {
  ...KEYS,
  read: (value, at) => {
    const options = KEYS.read(value, at);
    const ofAdded = options && readAdded(value as object, options.formats, at);
    return ofAdded && { ...options, added: ofAdded };
  },
});
