import { MAX_LOCALE_LENGTH } from './bounds.js';
import { Grammar } from './grammar.js';
import { checkRates, RATES, type RatesOptions } from './rates.js';
import type { ReadBy, Shape } from './shape.js';
import { converted, DATE, FLAG, object, oneOf, set, text, wholeNumberFrom } from './shapes.js';

export const OUTPUT_FORMATS = ['json', 'csv', 'xlsx', 'pdf', 'journal', 'datev', 'evidence'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];
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

/** What a report contains: `outputOptions`. */
export const OUTPUT_OPTIONS = new Grammar(
  'OutputOptions',
  'What the report and its files contain.',
  object<OutputOptions>({
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
      rates: { about: 'Rates for lines in other currencies: `ecb`, or a table.', shape: RATES, otherwise: null },
    },
    also: (options, at) => {
      if (!checkRates(options, at)) return undefined;
      if (options.datev || !options.formats.includes('datev')) return options;
      return at.key('datev').wrong(undefined, 'required', 'must be an object with consultantNumber, clientNumber and fiscalYearStart');
    },
  }),
);
