import type { ClaimReportEvidenceDto, ClaimReportEvidenceMonthDto } from '../../result.dto.js';
import { daysIn, monthsOf, overlap, type DateRange } from '../calendar-days.js';
import type { AccountIdentities } from '../accounts/identities.js';
import type { RunStatement } from '../inputs.js';
import { getOrCreate } from '../amounts/currency-ledger.js';

/** How much of the period the statements cover. Every account in them should have every day. */
export function evidenceOf(
  statements: readonly RunStatement[],
  period: DateRange | null,
  identities: AccountIdentities,
): ClaimReportEvidenceDto {
  if (period === null) return { coveragePercent: '0.0', months: [] };
  const accounts = [...coverageByAccount(statements, identities).values()];
  let [covered, expected] = [0, 0];
  const months = monthsOf(period).map(({ month, days }): ClaimReportEvidenceMonthDto => {
    const coveredDays = accounts.flat().reduce((sum, span) => sum + daysIn(overlap(span, days)), 0);
    // Without statements there is no account, but the days still count as not covered.
    const allDays = daysIn(days) * Math.max(1, accounts.length);
    covered += coveredDays;
    expected += allDays;
    const statementIds = statements.filter((statement) => daysIn(overlap(periodOf(statement) ?? NEVER, days)) > 0).map(({ id }) => id);
    return { month, status: statusOf(coveredDays, allDays), statementIds };
  });
  // Rounded down: with a day missing it is never 100.0.
  return { coveragePercent: (Math.floor((covered * 1000) / expected) / 10).toFixed(1), months };
}

export const statusOf = (coveredDays: number, allDays: number): ClaimReportEvidenceMonthDto['status'] =>
  coveredDays === allDays ? 'covered' : coveredDays === 0 ? 'missing' : 'partial';

/** The days that statements cover of each account, as ranges that do not overlap. */
export const coverageByAccount = (statements: readonly RunStatement[], identities: AccountIdentities): Map<string | null, DateRange[]> =>
  new Map([...periodsByAccount(statements, identities)].map(([account, spans]) => [account, merged(spans)]));

const NEVER: DateRange = { start: '9999-12-31', end: '0001-01-01' };

export function periodOf({ periodStart, periodEnd }: RunStatement): DateRange | null {
  return periodStart === null || periodEnd === null ? null : { start: periodStart, end: periodEnd };
}

/** The days that a statement covers of an account: what it states of this one, else its own period. */
function spansOf(statement: RunStatement, account: string | null, identities: AccountIdentities): DateRange[] {
  const stated = statement.balances.filter((balance) => balance.account !== null && identities.find(balance.account) === account);
  const periods = stated.flatMap(({ period }) => period ?? []);
  const whole = periodOf(statement);
  return periods.length > 0 ? periods : whole ? [whole] : [];
}

/** Statements whose account is unknown count only if all of them are such; then they are taken for statements of one account. */
function periodsByAccount(statements: readonly RunStatement[], identities: AccountIdentities): Map<string | null, DateRange[]> {
  const spans = new Map<string | null, DateRange[]>();
  for (const statement of statements) {
    const accounts = identities.ofStatement(statement);
    for (const account of accounts.size > 0 ? accounts : [null])
      getOrCreate(spans, account, () => []).push(...spansOf(statement, account, identities));
  }
  if (spans.size > 1) spans.delete(null);
  return spans;
}

/** The same days, merged into ranges that do not overlap. */
function merged(spans: readonly DateRange[]): DateRange[] {
  const found: DateRange[] = [];
  for (const span of [...spans].sort((a, b) => (a.start < b.start ? -1 : 1))) {
    const last = found.at(-1);
    if (last && span.start <= last.end) found[found.length - 1] = { start: last.start, end: last.end > span.end ? last.end : span.end };
    else found.push(span);
  }
  return found;
}
