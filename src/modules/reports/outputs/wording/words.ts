import type { ControlName } from '../../engine/checks/controls.js';
import type { Finding } from '../../engine/checks/findings.js';
import type { Outcome } from '../evidence/statement-lines.js';
import type { Formats } from './formats.js';

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
