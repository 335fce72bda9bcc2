import type { LineMonth } from '../../statements/index.js';
import type { ClaimReportEvidenceDto, ClaimReportEvidenceMonthDto } from '../result.dto.js';
import { AccountIdentities, coverageByAccount, evidenceOf, periodOf, statusOf } from '../engine/checks/evidence.js';
import { bounded, type DateRange, daysIn, monthsOf, overlap, rangeOver, type RunStatement } from '../engine/inputs.js';

export interface CalendarOrder {
  readonly statements: readonly RunStatement[];
  /** null for that of the statements. */
  readonly period: DateRange | null;
  /** How many lines a statement has of an account in a month. */
  readonly lines: readonly LineMonth[];
  readonly maxMonths: number;
  readonly maxAccounts: number;
}

export type CalendarMonth = Readonly<Pick<ClaimReportEvidenceMonthDto, 'month' | 'status'> & { lines: number }>;

export interface Calendar {
  /** Of all accounts together, as in the result of a run. */
  readonly evidence: ClaimReportEvidenceDto;
  /** Each account with the last months of the period. */
  readonly accounts: readonly { readonly label: string | null; readonly months: readonly CalendarMonth[] }[];
  readonly moreAccounts: number;
  readonly moreMonths: number;
}

/** Computes which months statements cover, as a run does, and the same for each account. */
export default async function* calendarOf(order: CalendarOrder): AsyncGenerator<never, Calendar> {
  const { statements, maxMonths, maxAccounts } = order;
  const period = bounded(order.period ?? rangeOver(statements.flatMap((statement) => periodOf(statement) ?? [])));
  const identities = new AccountIdentities(statements);
  const coverage = [...coverageByAccount(statements, identities)];
  const months = period ? monthsOf(period) : [];
  const counts = linesByAccount(order, identities);
  const accounts = coverage.slice(0, maxAccounts).map(([account, spans]) => ({
    label: labelOf(account, statements, identities),
    months: months.slice(-maxMonths).map(({ month, days }): CalendarMonth => {
      const covered = spans.reduce((sum, span) => sum + daysIn(overlap(span, days)), 0);
      return { month, status: statusOf(covered, daysIn(days)), lines: counts.get(`${account} ${month}`) ?? 0 };
    }),
  }));
  return Promise.resolve({
    evidence: evidenceOf(statements, period, identities),
    accounts,
    moreAccounts: coverage.length - accounts.length,
    moreMonths: Math.max(0, months.length - maxMonths),
  });
}

/** By account and month. Lines that name no account are of that of their statement, if it has one. */
function linesByAccount({ statements, lines }: CalendarOrder, identities: AccountIdentities): ReadonlyMap<string, number> {
  const byId = new Map(statements.map((statement) => [statement.id, statement]));
  const counts = new Map<string, number>();
  for (const { statementId, account, month, lines: count } of lines) {
    const statement = byId.get(statementId)!;
    const [only, another] = identities.ofStatement(statement);
    const key = `${identities.ofLine({ account }, statement) ?? (another === undefined ? (only ?? null) : null)} ${month}`;
    counts.set(key, (counts.get(key) ?? 0) + count);
  }
  return counts;
}

/** What people know the account by: the end of its number, else its token. */
function labelOf(account: string | null, statements: readonly RunStatement[], identities: AccountIdentities): string | null {
  if (account === null) return null;
  const own = statements.filter((statement) => identities.ofStatement(statement).has(account));
  const alone = own.find((statement) => identities.ofStatement(statement).size === 1 && statement.accountLabel);
  return (
    alone?.accountLabel ??
    own.flatMap(({ balances }) => balances).find((one) => one.account && identities.find(one.account) === account)?.account ??
    null
  );
}
