import type { ControlName, Finding } from '../../engine/checks/findings.js';
import type { Outcome } from '../evidence/statement-lines.js';

/** How a locale writes figures and dates. */
export interface Formats {
  /** An exact decimal, such as `-1234.50`, or a count. With a real minus sign, which screen readers say. */
  readonly number: (value: string | number) => string;
  /** A percentage, such as `33.5`. */
  readonly percent: (value: string) => string;
  /** A month such as `2026-03`, in words. */
  readonly month: (month: string) => string;
  /** The name of a month of the year, from 1, as short as the language allows. */
  readonly shortMonth: (month: number) => string;
  /** A day such as `2026-03-31`, short but never to be read in two ways. */
  readonly day: (date: string) => string;
  /** A day with the month in words. */
  readonly longDay: (date: string) => string;
  /** Hour and minute of an instant, in UTC. */
  readonly time: (instant: string) => string;
}

/** Dates follow the language of the words; figures follow the locale. Digits are Latin and the calendar is Gregorian, as in statements. */
export function formatsOf(language: string, locale: string): Formats {
  const dates = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { ...options, calendar: 'gregory', numberingSystem: 'latn', timeZone: 'UTC' });
  const [months, shortMonths] = [dates({ month: 'long', year: 'numeric' }), dates({ month: 'short' })];
  const [days, longDays] = [dates({ dateStyle: 'medium' }), dates({ dateStyle: 'long' })];
  const times = dates({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const whole = new Intl.NumberFormat([locale, language], { numberingSystem: 'latn' });
  const point = whole.formatToParts(1.5).find(({ type }) => type === 'decimal')!.value;
  const number = (value: string | number) => {
    const [, sign, digits, decimals] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(value))!;
    return `${sign ? '\u2212' : ''}${whole.format(BigInt(digits!))}${decimals === undefined ? '' : point + decimals}`;
  };
  const percents = new Intl.NumberFormat(language, { style: 'percent' }).formatToParts(1);
  const space = percents.some(({ type }) => type === 'literal') ? '\u00a0' : '';
  return {
    number,
    percent: (value) => `${number(value)}${space}%`,
    month: (month) => months.format(new Date(`${month}-01`)),
    shortMonth: (month) => shortMonths.format(new Date(Date.UTC(2026, month - 1, 1))).replace(/\.$/, ''),
    day: (date) => days.format(new Date(date)),
    longDay: (date) => longDays.format(new Date(date)),
    time: (instant) => times.format(new Date(instant)),
  };
}

/** A number of things, in a language whose plural is for all numbers but 1. */
export const counted = (f: Formats, count: number, one: string, many: string): string => `${f.number(count)} ${count === 1 ? one : many}`;

export const monthList = (f: Formats, months: readonly { readonly month: string }[]): string =>
  months.map(({ month }) => f.month(month)).join(', ');

/** The numbers of lines that are compared, such as `12 ↔ 15`. */
export const linePairs = (lines: readonly { readonly later: number; readonly earlier: number }[], more: number): string =>
  lines.map(({ later, earlier }) => `${later} ↔ ${earlier}`).join(', ') + (more > 0 ? ` (+${more})` : '');

/** The findings of a kind, with statements and categories as people call them. */
type Said<F> = F extends { readonly kind: infer K extends string }
  ? { readonly [Kind in K]: (f: Formats, about: Naming & Omit<F, 'kind' | keyof Naming | 'statementId' | 'statementIds'>) => string }
  : never;
interface Naming {
  /** `S1 (january.csv)`, or several of them. */
  readonly statement: string;
  /** Two statements that cover the same days of an account. */
  readonly later: string;
  readonly earlier: string;
  /** `Rail travel (TRAVEL-RAIL)`. */
  readonly category: string;
  readonly other: string;
}
type Together<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer I) => void ? I : never;

/** A sentence for each kind of finding. */
export type FindingSentences = Together<Said<Finding>>;

/** All words of a report in one language. A language that lacks one does not compile. */
export interface Words {
  readonly title: string;
  readonly page: (page: number, count: number) => string;
  readonly fields: Readonly<
    Record<
      'organization' | 'project' | 'clientReference' | 'configuration' | 'period' | 'currency' | 'date' | 'run' | 'hash' | 'engine',
      string
    >
  >;
  readonly period: (start: string, end: string) => string;
  readonly sections: Readonly<
    Record<'summary' | 'categories' | 'items' | 'statements' | 'calendar' | 'exceptions' | 'method' | 'signOff', string>
  >;
  readonly columns: Readonly<
    Record<
      | ('category' | 'month' | 'items' | 'expenses' | 'refunds' | 'net' | 'claim')
      | ('item' | 'line' | 'outcome' | 'evidence' | 'date' | 'counterparty' | 'details' | 'amount' | 'share')
      | ('taxRate' | 'tax' | 'withoutTax')
      | ('currency' | 'rate' | 'rateFor' | 'original' | 'converted')
      | ('reference' | 'file' | 'account' | 'period' | 'opening' | 'closing' | 'read' | 'used' | 'repeated')
      | ('coverage' | 'statements' | 'year' | 'control' | 'expected' | 'actual' | 'agrees'),
      string
    >
  >;
  readonly total: string;
  readonly totalOf: (what: string) => string;
  readonly yes: string;
  readonly no: string;
  readonly summary: {
    readonly claimed: string;
    readonly sentence: (f: Formats, amount: string, items: number, categories: number) => string;
    readonly nothing: string;
    readonly byCategory: string;
    readonly furtherCategories: (f: Formats, count: number) => string;
    readonly byMonth: string;
    readonly chart: string;
    readonly derivation: string;
    readonly expenses: string;
    readonly refunds: string;
    readonly net: string;
    readonly notClaimable: string;
    readonly notClaimed: string;
    readonly uncategorised: string;
    readonly otherCurrency: (currency: string | null) => string;
    readonly coverage: (percent: string) => string;
    readonly exceptions: (f: Formats, count: number) => string;
  };
  readonly categories: {
    readonly all: string;
    readonly withoutItems: (names: string) => string;
  };
  readonly items: {
    readonly note: string;
    readonly none: string;
    readonly tooMany: (f: Formats, count: number, most: number) => string;
    readonly sum: (month: string) => string;
    readonly rounded: (month: string) => string;
  };
  readonly statements: { readonly note: string; readonly none: string };
  /** For the documents of the single statements. */
  readonly evidence: {
    readonly title: (reference: string) => string;
    readonly part: (part: number, count: number) => string;
    readonly fileHash: string;
    readonly statementId: string;
    readonly reportPeriod: string;
    readonly note: string;
    readonly lines: string;
    readonly outcomes: Readonly<Record<Outcome, string>>;
    readonly short: Readonly<Record<Exclude<Outcome, 'claimed' | 'unclaimed'>, string>>;
    readonly notShown: (f: Formats, count: number) => string;
    readonly none: string;
  };
  readonly calendar: {
    readonly status: Readonly<Record<'covered' | 'partial' | 'missing' | 'outside', string>>;
    readonly note: string;
  };
  readonly exceptions: { readonly note: string; readonly none: string; readonly findings: FindingSentences };
  readonly method: {
    /** In the order of the document. Those about taxes and conversion are in it if the report has any. */
    readonly paragraphs: {
      readonly ofLines: readonly string[];
      readonly tax: string;
      readonly notConverted: string;
      readonly converted: (source: string) => string;
      readonly ofData: readonly string[];
    };
    readonly rates: string;
    readonly ratesNotListed: (f: Formats, count: number) => string;
    readonly controls: string;
    readonly controlsNote: string;
    readonly control: Readonly<Record<ControlName, string>>;
    readonly balance: (statement: string) => string;
    readonly balances: (f: Formats, agreeing: number, all: number) => string;
  };
  readonly signOff: Readonly<Record<'note' | 'prepared' | 'reviewed' | 'name' | 'signature' | 'date', string>>;
}

/** The codes of readers that have a name in every language. */
export const READING_CODES = [
  'amount_inexact',
  'balances_absent',
  'balances_do_not_tie',
  'column_masked',
  'column_not_used',
  'currency_differs',
  'currency_unknown',
  'direction_unknown',
  'field_not_used',
  'floor_limit',
  'id_repeated',
  'id_reused',
  'interim_report',
  'layout_not_used',
  'more_warnings',
  'not_booked',
  'row_above_header',
  'signs_may_be_inverted',
  'status_unknown',
  'totals_do_not_tie',
  'turnover_left_out',
  'unlikely_year',
] as const;
type ReadingCode = (typeof READING_CODES)[number];

/** What a warning of a reader is about. `other` is said of codes without a name. The English message with the place follows. */
export type ReadingNames = Readonly<Record<ReadingCode | 'other', string>>;

export const readingName = (names: ReadingNames, code: string): string =>
  Object.hasOwn(names, code) ? names[code as ReadingCode] : names.other;
