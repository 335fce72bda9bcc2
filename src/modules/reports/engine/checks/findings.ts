import type { EvidenceMonthDto, WarningDto } from '../../result.dto.js';

type NamedCategory = { readonly code: string; readonly name: string };

/** What people should check before the claim is sent, with all that a sentence about it needs. */
export type Finding =
  | { readonly kind: 'no_statements' | 'no_lines_in_period' | 'no_categories' }
  /** A warning of the reader of a statement, in English. */
  | { readonly kind: 'reading'; readonly statementId: string; readonly code: string; readonly message: string }
  | { readonly kind: 'statement_incomplete'; readonly statementId: string }
  | {
      readonly kind: 'statement_gaps';
      readonly coveragePercent: string;
      readonly months: readonly Pick<EvidenceMonthDto, 'month' | 'status'>[];
    }
  | { readonly kind: 'other_currencies'; readonly currency: string | null; readonly count: number }
  | { readonly kind: 'negative_claim' | 'category_without_rules'; readonly category: NamedCategory }
  | { readonly kind: 'claimed_by_several'; readonly count: number; readonly category: NamedCategory; readonly other: NamedCategory }
  | { readonly kind: 'more_warnings'; readonly count: number };

const MAX_MONTHS = 12;

/** A finding as the API returns it. */
export function warningOf(finding: Finding): WarningDto {
  if (finding.kind === 'reading') return { code: finding.code, message: `Statement ${finding.statementId}: ${finding.message}` };
  return { code: finding.kind, message: messageOf(finding) };
}

function messageOf(finding: Exclude<Finding, { kind: 'reading' }>): string {
  switch (finding.kind) {
    case 'no_statements':
      return 'There are no bank statements to make a claim from.';
    case 'no_lines_in_period':
      return 'No bank statement has a line in the period.';
    case 'no_categories':
      return 'No category takes part, so nothing can be claimed.';
    case 'statement_incomplete':
      return `The lines of statement ${finding.statementId} do not add up to the change in its balance. Lines may be missing.`;
    case 'statement_gaps':
      return `Bank statements cover ${finding.coveragePercent} % of the period. Gaps: ${gapsOf(finding.months)}.`;
    case 'other_currencies': {
      const whichCurrency = finding.currency === null ? 'without a currency' : `in ${finding.currency}`;
      return `${linesOf(finding.count)} ${whichCurrency} ${finding.count === 1 ? 'is' : 'are'} not in the totals.`;
    }
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

function gapsOf(months: Extract<Finding, { kind: 'statement_gaps' }>['months']): string {
  const named = months
    .slice(0, MAX_MONTHS)
    .map(({ month, status }) => `${month} (${status})`)
    .join(', ');
  return months.length > MAX_MONTHS ? `${named} and ${months.length - MAX_MONTHS} more months` : named;
}

const linesOf = (count: number): string => `${count} ${count === 1 ? 'line' : 'lines'}`;
