import { isWordingKey, type WordingKey } from '../../../../api/wording/catalogues.js';
import type { About, Say, Wording } from '../../../../api/wording/wording.js';
import { leadingOf } from '../../../../kernel/empty-claim.js';
import type { DateRange } from '../../engine/inputs.js';
import type { ControlName, Finding } from '../../engine/checks/findings.js';
import type { Report, ReportStatement } from '../report.js';

const MAX_LISTED = 5;
const OF_BALANCE = 'statement_balance:';

export type ColumnName = Extract<WordingKey, `report.columns.${string}`> extends `report.columns.${infer Name}` ? Name : never;

/** A statement as sentences name it, by its id. */
export type NameOfStatement = (statementId: string) => string;

export function namesOf(statements: readonly ReportStatement[]): NameOfStatement {
  const names = new Map(
    statements.map(({ id, reference, fileName }) => [id, fileName === null ? reference : `${reference} (${fileName})`]),
  );
  return (id) => names.get(id)!;
}

export const nameOfCategory = ({ code, name }: { readonly code: string; readonly name: string }): string =>
  name === code ? code : `${name} (${code})`;

type Words = Pick<Wording, 'say' | 'formats'>;

/** A finding as a sentence without codes and ids. */
export const sentenceOf = (words: Words, nameOf: NameOfStatement, finding: Finding): string =>
  words.say(`report.findings.${finding.kind}`, aboutOf(finding, words, nameOf));

/** What the sentence about a finding is told, with statements and categories as people call them. */
function aboutOf(finding: Finding, { say, formats }: Words, nameOf: NameOfStatement): About {
  const between = ({ start, end }: DateRange) => ({ start: formats.day(start), end: formats.day(end) });
  switch (finding.kind) {
    case 'statements_outside_period':
      return { count: finding.count, ...between(finding.days) };
    case 'reading':
      return { statement: listed(finding.statementIds.map(nameOf)), reading: readingName(say, finding.code), message: finding.message };
    case 'statement_incomplete':
    case 'account_unknown':
      return { statement: nameOf(finding.statementId) };
    case 'possible_duplicate':
      return { ...bothOf(finding, nameOf), lines: linePairs(finding.lines, finding.more), once: finding.once };
    case 'overlap_differs':
      return { ...bothOf(finding, nameOf), ...between(finding.days), lines: finding.lines, missing: finding.missing };
    case 'statement_gaps':
      return {
        percent: formats.percent(finding.coveragePercent),
        months: finding.months.map(({ month }) => formats.month(month)).join(', '),
      };
    case 'other_currencies':
      return { currency: orNone(finding.currency), count: finding.count };
    case 'rate_missing':
      return { currency: finding.currency, count: finding.count, ...between(finding.days) };
    case 'form_entries_missing':
      return { entries: finding.entries.join('; ') };
    case 'form_line_missing':
      return { categories: finding.categories.map(nameOfCategory).join(', ') };
    case 'rate_period_open':
      return { until: formats.day(finding.until), end: formats.day(finding.end) };
    case 'negative_claim':
    case 'category_without_rules':
      return { category: nameOfCategory(finding.category) };
    case 'receipt_missing':
      return { count: finding.count, category: nameOfCategory(finding.category), sum: formats.number(finding.sum) };
    case 'claimed_by_several':
      return { count: finding.count, category: nameOfCategory(finding.category), other: nameOfCategory(finding.other) };
    default: {
      const { kind: _kind, ...about } = finding;
      return about;
    }
  }
}

const bothOf = ({ later, earlier }: { readonly later: string; readonly earlier: string }, nameOf: NameOfStatement) => ({
  later: nameOf(later),
  earlier: nameOf(earlier),
});

/** A currency as texts distinguish it from none. */
export const orNone = (currency: string | null): string => currency ?? 'none';

/** The numbers of lines that are compared, such as `12 ↔ 15`. */
const linePairs = (lines: readonly { readonly later: number; readonly earlier: number }[], more: number): string =>
  lines.map(({ later, earlier }) => `${later} ↔ ${earlier}`).join(', ') + (more > 0 ? ` (+${more})` : '');

/** What a warning of a reader is about. The English message with the place follows. */
function readingName(say: Say, code: string): string {
  const key = `report.readings.${code}`;
  return say(isWordingKey(key) ? key : 'report.readings.other');
}

/** What the first page of a file says before any figure, if there was no line to claim from. */
export const leadingFindings = ({ findings, result }: Pick<Report, 'findings' | 'result'>): readonly Finding[] =>
  result.totals.count === 0 ? leadingOf(findings, ({ kind }) => kind) : [];

export function nameOfControl({ say }: Pick<Wording, 'say'>, nameOf: NameOfStatement, name: string): string {
  if (!isOfBalance(name)) return say(`report.method.control.${name as ControlName}`);
  // With several currencies, that of the balance follows the id.
  const [id = '', currency] = name.slice(OF_BALANCE.length).split(':');
  const label = say('report.method.balance', { statement: nameOf(id) });
  return currency === undefined ? label : `${label} (${currency})`;
}

export const isOfBalance = (name: string): boolean => name.startsWith(OF_BALANCE);

const listed = (names: readonly string[]): string =>
  names.slice(0, MAX_LISTED).join(', ') + (names.length > MAX_LISTED ? ` (+${names.length - MAX_LISTED})` : '');
