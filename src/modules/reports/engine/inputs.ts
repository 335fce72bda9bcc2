import { RE2JS } from 're2js';
import { JobFailure } from '../../../kernel/failure.js';
import type { FreeForm } from '../../../kernel/json.js';
import type { ReportLimits } from '../../../kernel/report-limits.js';
import { foldText } from '../../../kernel/text.js';
import { CATEGORY_FILTER, OUTPUT_OPTIONS } from '../../rules/index.js';
import type { AllOutputOptions, ClaimForm, Grammar, OutputOptions } from '../../rules/index.js';
import type { AccountBalance, Certainty, RedactedLine } from '../../statements/index.js';

/**
 * The parsed form of a stored document. Requests are checked by the same grammar, so only a document that was stored before a
 * release that made it stricter can fail the run. The message has the first place that is wrong, and never a value.
 */
export function parsed<T>(grammar: Grammar<T>, stored: unknown, { code, name }: { code: string; name: string }): T {
  const { parsed: value, findings } = grammar.read(stored);
  const [first] = findings;
  if (first) throw new JobFailure(code, `${name}${first.path} ${first.message}.`);
  return value!;
}

type CategoryFilter = (category: { readonly code: string; readonly status: string }) => boolean;

export function readCategoryFilter(value: FreeForm): CategoryFilter {
  const { include, exclude, status } = parsed(CATEGORY_FILTER, value, { code: 'invalid_category_filter', name: 'categoryFilter' });
  const included = include === null ? () => true : anyOf(include);
  const excluded = anyOf(exclude);
  const statuses: readonly string[] = status;
  return (category) => {
    const code = foldText(category.code);
    return statuses.includes(category.status) && included(code) && !excluded(code);
  };
}

function anyOf(codes: readonly string[]): (foldedCode: string) => boolean {
  const patterns = codes.map((code) => {
    const parts = foldText(code).split(/\*+/);
    return RE2JS.compile(parts.map((part) => RE2JS.quote(part)).join('.*'), RE2JS.DOTALL);
  });
  return (code) => patterns.some((pattern) => pattern.testExact(code));
}

/** The inputs of a run, as they were when it began. The same inputs give the same result, byte for byte. */
export interface RunInputs {
  /** Runs that an earlier release began have none. */
  readonly organization?: { readonly name: string };
  /** Runs that an earlier release began have no reference. */
  readonly project: (NamedPeriod & { readonly clientReference?: string | null }) | null;
  readonly configuration: RunConfiguration | null;
  readonly categories: readonly RunCategory[];
  readonly statements: readonly RunStatement[];
  /** Only of a project without a statement to read. */
  readonly otherStatements?: OtherStatements;
  /** Only without a statement to read. Runs that an earlier release began have none. */
  readonly unreadStatements?: UnreadStatements;
  /** What people have decided about its lines; absent if nobody has decided anything. */
  readonly decisions?: readonly RunDecision[];
  /** Costs that no bank has, as lines of the last statement; absent if there are none. */
  readonly items?: readonly RedactedLine[];
  /** The files that prove its lines; absent if there are none. */
  readonly receipts?: readonly RunReceipt[];
  /** What one euro was worth on the days of the run; only if `outputOptions.rates` asks for it. */
  readonly quotes?: readonly DayQuotes[];
  /** The form that \`outputOptions.form\` names, as it was when the run began; only if it names one. */
  readonly form?: ClaimForm;
}

/** How many rates a result lists. Files of lines have the rate of every line. */
export const MAX_RATES_LISTED = 1000;

/** What one euro was worth on a day, by currency. */
export interface DayQuotes {
  readonly day: string;
  readonly quotes: Readonly<Record<string, string>>;
}

/** What a person has decided about a line. It stands above all rules. */
export interface RunDecision {
  readonly id: string;
  /** The booking, wherever it was read: its fingerprint, and which of the equal lines of its statement it is: 1 for the first. */
  readonly fingerprint: string;
  readonly occurrence: number;
  /** What makes up the line. None: it is not claimed. */
  readonly parts: readonly DecidedPart[];
  readonly by: string;
  readonly at: string;
  readonly reason: string | null;
}

export interface DecidedPart {
  /** null: this part is not claimed. */
  readonly categoryId: string | null;
  /** With the sign of the line; null for all of the line. */
  readonly amount: string | null;
  readonly claimablePercent: string;
  readonly taxPercent: string | null;
}

/** A receipt, in the order of the run: its place in this list is its name in files. */
export interface RunReceipt {
  readonly id: string;
  /** The booking or item that it is for, as decisions name it; null for the project. */
  readonly fingerprint: string | null;
  readonly occurrence: number | null;
  readonly fileName: string;
  readonly mediaType: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  /** In the currency of its line. */
  readonly taxAmount: string | null;
}

/** How many statements of the organization are in the period, but not of the project. Without names: a client may read the report. */
export interface OtherStatements {
  readonly withoutProject: number;
  readonly ofOtherProjects: number;
}

/** How many statements of the project, or of the organization, the run cannot read. */
export interface UnreadStatements {
  /** Whether the organization has any statement at all. */
  readonly areThereAny: boolean;
  /** Those without a day in the period, and their first and last day. */
  readonly outside: { readonly count: number; readonly days: DateRange } | null;
  readonly failed: number;
  readonly waiting: number;
}

interface NamedPeriod {
  readonly id: string;
  readonly name: string;
  readonly periodStart: string;
  readonly periodEnd: string;
}

export interface RunConfiguration extends NamedPeriod {
  readonly categoryFilter: FreeForm;
  readonly outputOptions: FreeForm;
}

export interface RunCategory {
  readonly id: string;
  /** With a project, the category only claims lines of that project's statements. */
  readonly projectId: string | null;
  readonly code: string;
  readonly name: string;
  readonly status: string;
  readonly sourceMapping: FreeForm;
}

/** The statement whose lines are the items of the run. No bank has it. */
export const ITEMS_STATEMENT = '00000000-0000-7000-8000-000000000000';

export interface RunStatement {
  readonly id: string;
  readonly projectId: string | null;
  readonly sha256: string;
  /** Redacted. Runs that an earlier release began have none. */
  readonly fileName?: string;
  /** The account, masked except for its last characters. Runs that an earlier release began have none. */
  readonly accountLabel?: string | null;
  readonly redactionVersion: string;
  readonly periodStart: string | null;
  readonly periodEnd: string | null;
  /** Opening and closing balances of its accounts. Accounts are tokens, null if the file does not name one. */
  readonly balances: readonly RunBalance[];
  /** Format of its file. Runs that an earlier release began have none. */
  readonly format?: string | null;
  /** The account that its lines are of, if the file does not name it: a token. */
  readonly matchedAccount?: string | null;
  /** How sure its lines are. Runs that an earlier release began have none. */
  readonly certainty?: Certainty | null;
  /** What its reader warned of. Runs that an earlier release began have none. */
  readonly warnings?: readonly { readonly code: string; readonly message: string }[];
}

/** As the statement has it: its days are absent if they are the period of the statement. */
export type RunBalance = AccountBalance;

/** A redacted line. The engine reads the statements in the order of the inputs, and their lines in the order of the file. */
export interface RunLine extends RedactedLine {
  readonly statementId: string;
}

/** The token that replaces a name or an account in redacted lines. */
export type TokenOf = (field: 'counterparty' | 'account', value: string) => string;

/** The order of categories: by code, then by id, since categories of two projects may have the same code. */
export const byCode = (a: RunCategory, b: RunCategory): number => byCodePoints(a.code, b.code) || byCodePoints(a.id, b.id);

/** Order by code points, which is the same on every machine. */
const byCodePoints = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

export type { OutputOptions };

export function readOutputOptions(value: FreeForm): AllOutputOptions {
  return parsed(OUTPUT_OPTIONS, value, { code: 'invalid_output_options', name: 'outputOptions' });
}

const DAY_MS = 86_400_000;

/** A first and a last day, both included. */
export interface DateRange {
  readonly start: string;
  readonly end: string;
}

const dayNumber = (date: string): number => Date.parse(`${date}T00:00:00Z`) / DAY_MS;

export const addDays = (date: string, days: number): string => new Date((dayNumber(date) + days) * DAY_MS).toISOString().slice(0, 10);

/** The number of days in a range; 0 if it ends before it starts. */
export const daysIn = ({ start, end }: DateRange): number => Math.max(0, dayNumber(end) - dayNumber(start) + 1);

/** The days that are in both ranges. ISO dates of four-digit years compare as texts. */
export function overlap(a: DateRange, b: DateRange): DateRange {
  return { start: a.start > b.start ? a.start : b.start, end: a.end < b.end ? a.end : b.end };
}

/** The smallest range that includes all of them; null if there are none. */
export function rangeOver(ranges: readonly DateRange[]): DateRange | null {
  return ranges.reduce<DateRange | null>(
    (all, range) =>
      all === null ? range : { start: all.start < range.start ? all.start : range.start, end: all.end > range.end ? all.end : range.end },
    null,
  );
}

export const monthOf = (date: string): string => date.slice(0, 7);

/** The months of a range, each with its days that are in the range. */
export function monthsOf(range: DateRange): { month: string; days: DateRange }[] {
  const months = [];
  for (let at = monthNumber(range.start); at <= monthNumber(range.end); at += 1) {
    const month = `${String(Math.floor(at / 12)).padStart(4, '0')}-${String((at % 12) + 1).padStart(2, '0')}`;
    const last = new Date(`${month}-01T00:00:00Z`);
    last.setUTCMonth(last.getUTCMonth() + 1, 0);
    months.push({ month, days: overlap(range, { start: `${month}-01`, end: last.toISOString().slice(0, 10) }) });
  }
  return months;
}

const monthNumber = (date: string): number => Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1;

/** Keeps a mistyped date from producing a result of a hundred thousand months. */
const MAX_PERIOD_YEARS = 100;
const MAX_PERIOD_DAYS = MAX_PERIOD_YEARS * 365.25;

export function bounded(period: DateRange | null): DateRange | null {
  if (period && daysIn(period) > MAX_PERIOD_DAYS)
    throw new JobFailure(
      'period_too_long',
      `The period, or the time from the first to the last statement, must be at most ${MAX_PERIOD_YEARS} years.`,
    );
  return period;
}

/** What the limits bound, each with its own code. `measured` and `limit` are in the same unit. */
export function requireWithin(limit: number, measured: number, code: string, subject: string, advice: string): void {
  if (measured > limit) throw new JobFailure(code, `${subject}: ${measured}, at most ${limit}. ${advice}`);
}

/** Compiling patterns takes most of the time of a run that has many. To be called before the rules are read. */
export function requireFewPatterns(categories: readonly RunCategory[], { rulesWithPatterns }: ReportLimits): void {
  const count = categories.reduce((sum, { sourceMapping }) => sum + listOf(sourceMapping.rules).filter(hasPattern).length, 0);
  requireWithin(rulesWithPatterns, count, 'too_many_patterns', 'Rules with patterns (matches)', 'Use fewer categories, or contains.');
}

/** Returned by every call of the run, and sent with its event. */
export function requireSmallResult(computed: object, { resultBytes }: ReportLimits): void {
  const bytes = Buffer.byteLength(JSON.stringify(computed));
  requireWithin(resultBytes, bytes, 'result_too_large', 'Bytes of the result', 'Report fewer categories or a shorter period.');
}

// The rules are not validated yet, so they may be anything.
function hasPattern(rule: unknown): boolean {
  const { all, any, none } = (rule ?? {}) as Readonly<Record<string, unknown>>;
  return [all, any, none].flatMap(listOf).some((condition) => (condition as { op?: unknown } | null)?.op === 'matches');
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
