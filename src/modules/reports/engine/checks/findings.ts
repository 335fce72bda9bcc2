import type { DateRange } from '../calendar-days.js';
import type { OtherStatements } from '../inputs.js';
import type { ClaimReportEvidenceMonthDto, ClaimReportWarningDto } from '../../result.dto.js';

/** Ids of statements that cover the same days of an account. */
interface TwoStatements {
  readonly later: string;
  readonly earlier: string;
}

/** Numbers of lines. */
interface LinePair {
  readonly later: number;
  readonly earlier: number;
}

type NamedCategory = { readonly code: string; readonly name: string };

/** What people should check before the claim is sent, with all that a sentence about it needs. */
export type Finding =
  | { readonly kind: 'no_statements' | 'no_lines_in_period' | 'no_categories' | 'no_account_named' }
  /** A report of a project reads no others: nothing was read, but these are there. */
  | ({ readonly kind: 'statements_of_other_projects' } & OtherStatements)
  /** What the reader of a file warns of, in English, and all statements of which it says just that. */
  | { readonly kind: 'reading'; readonly statementIds: readonly string[]; readonly code: string; readonly message: string }
  | { readonly kind: 'statement_incomplete'; readonly statementId: string }
  /** Lines of two statements that may be one booking: the numbers of the first few, and whether each pair is counted once. */
  | ({
      readonly kind: 'possible_duplicate';
      readonly lines: readonly LinePair[];
      readonly more: number;
      readonly once: boolean;
    } & TwoStatements)
  /** Bookings that only the later statement has, though both cover their days. */
  | ({ readonly kind: 'overlap_differs'; readonly days: DateRange; readonly lines: number; readonly missing: number } & TwoStatements)
  | { readonly kind: 'account_unknown'; readonly statementId: string }
  | {
      readonly kind: 'statement_gaps';
      readonly coveragePercent: string;
      readonly months: readonly Pick<ClaimReportEvidenceMonthDto, 'month' | 'status'>[];
    }
  | { readonly kind: 'other_currencies'; readonly currency: string | null; readonly count: number }
  /** Lines that were to be converted, and the first and last of their days. */
  | { readonly kind: 'rate_missing'; readonly currency: string; readonly count: number; readonly days: DateRange }
  | { readonly kind: 'negative_claim' | 'category_without_rules'; readonly category: NamedCategory }
  | { readonly kind: 'claimed_by_several'; readonly count: number; readonly category: NamedCategory; readonly other: NamedCategory }
  | { readonly kind: 'more_warnings'; readonly count: number };

const MAX_MONTHS = 12;
const MAX_STATEMENTS = 5;

/** A finding as the API returns it. */
export function warningOf(finding: Finding): ClaimReportWarningDto {
  if (finding.kind === 'reading') return { code: finding.code, message: `${statementsOf(finding.statementIds)}: ${finding.message}` };
  return { code: finding.kind, message: messageOf(finding) };
}

function messageOf(finding: Exclude<Finding, { kind: 'reading' }>): string {
  switch (finding.kind) {
    case 'no_statements':
      return 'There are no bank statements to make a claim from.';
    case 'statements_of_other_projects':
      return ofOthers(finding);
    case 'no_lines_in_period':
      return 'No bank statement has a line in the period.';
    case 'no_categories':
      return 'No category takes part, so nothing can be claimed.';
    case 'statement_incomplete':
      return `The lines of statement ${finding.statementId} do not add up to the change in its balance. Lines may be missing.`;
    case 'possible_duplicate':
      return inTwoStatements(finding);
    case 'overlap_differs': {
      const { later, earlier, days, lines, missing } = finding;
      return (
        `The statements ${later} and ${earlier} both cover ${days.start} to ${days.end} of an account, but ${missing} of ${lines} lines ` +
        'of the first are not in the second. They are counted. Check that they are not the same bookings with other dates.'
      );
    }
    case 'no_account_named':
      return 'No statement names its account. All are taken for statements of one account. Import them with their accounts.';
    case 'account_unknown':
      return (
        `Statement ${finding.statementId} names no account, and its lines do not tell which one it is. Bookings that other statements ` +
        'have as well may be counted twice, and its days are not in the evidence. Import it with its account.'
      );
    case 'statement_gaps':
      return `Bank statements cover ${finding.coveragePercent} % of the period. Gaps: ${gapsOf(finding.months)}.`;
    case 'other_currencies':
      return inOtherCurrency(finding);
    case 'rate_missing':
      return withoutRate(finding);
    case 'negative_claim':
      return `${finding.category.code} has more refunds than expenses, so its claim is negative.`;
    case 'category_without_rules':
      return `${finding.category.code} has no rules, so it claims nothing.`;
    case 'claimed_by_several': {
      const { count, category, other } = finding;
      return `${linesOf(count)} of ${category.code} also ${count === 1 ? 'matches' : 'match'} ${other.code}.`;
    }
    case 'more_warnings':
      return `${finding.count} more warnings are not shown.`;
  }
}

function ofOthers({ withoutProject, ofOtherProjects }: OtherStatements): string {
  return (
    'The organization has statements in the period that this project does not: ' +
    `${withoutProject} without a project, ${ofOtherProjects} of other projects. ` +
    'Have their files imported for this project, or make a report without a project.'
  );
}

function inTwoStatements({ later, earlier, lines, more, once }: Extract<Finding, { kind: 'possible_duplicate' }>): string {
  const named = lines.map((pair) => `${pair.later} and ${pair.earlier}`).join(', ') + (more > 0 ? `, and ${more} more` : '');
  const counted = once ? 'They are counted once.' : 'They are counted as different bookings.';
  const statements = `the statements ${later} and ${earlier}`;
  return `Lines of ${statements} have the same account, day and amount, but other texts: ${named}. ${counted}`;
}

function inOtherCurrency({ currency, count }: Extract<Finding, { kind: 'other_currencies' }>): string {
  const which = currency === null ? 'without a currency' : `in ${currency}`;
  return `${linesOf(count)} ${which} ${count === 1 ? 'is' : 'are'} not in the totals.`;
}

function withoutRate({ currency, count, days: { start, end } }: Extract<Finding, { kind: 'rate_missing' }>): string {
  const when = start === end ? `of ${start}` : `from ${start} to ${end}`;
  const [has, is] = count === 1 ? ['has', 'is'] : ['have', 'are'];
  return `${linesOf(count)} in ${currency} ${when} ${has} no rate, and ${is} not in the totals.`;
}

function statementsOf(ids: readonly string[]): string {
  const named = ids.slice(0, MAX_STATEMENTS).join(', ');
  if (ids.length === 1) return `Statement ${named}`;
  return `Statements ${named}${ids.length > MAX_STATEMENTS ? ` and ${ids.length - MAX_STATEMENTS} more` : ''}`;
}

function gapsOf(months: Extract<Finding, { kind: 'statement_gaps' }>['months']): string {
  const named = months
    .slice(0, MAX_MONTHS)
    .map(({ month, status }) => `${month} (${status})`)
    .join(', ');
  return months.length > MAX_MONTHS ? `${named} and ${months.length - MAX_MONTHS} more months` : named;
}

const linesOf = (count: number): string => `${count} ${count === 1 ? 'line' : 'lines'}`;
