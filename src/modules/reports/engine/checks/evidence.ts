import type { ClaimReportEvidenceDto, ClaimReportEvidenceMonthDto } from '../../result.dto.js';
import { getOrCreate } from '../../../../kernel/get-or-create.js';
import { type DateRange, daysIn, monthsOf, overlap, type RunStatement } from '../inputs.js';

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

/** Which tokens of a run are the same account: files write its number in several ways. */
export class AccountIdentities {
  private readonly keys = new Map<string, string>();

  private readonly currencies = new Map<string, Set<string>>();

  constructor(statements: readonly RunStatement[]) {
    const balances = statements.flatMap((statement) => statement.balances);
    for (const { account, key } of balances) if (account !== null && key) this.keys.set(account, key);
    for (const { account, currency } of balances) {
      if (account === null || currency === null) continue;
      getOrCreate(this.currencies, this.find(account), () => new Set<string>()).add(currency);
    }
  }

  /** Equal for the tokens of the same account. */
  find(token: string): string {
    return this.keys.get(token) ?? token;
  }

  /** The account of a line; null if neither the file nor its lines tell it. */
  ofLine({ account: token }: { readonly account: string | null }, { matchedAccount }: RunStatement): string | null {
    const written = token ?? matchedAccount ?? null;
    return written === null ? null : this.find(written);
  }

  /** The currency of a line: what its file says, else that of the account if all other statements have it in one; else null. */
  currencyOf(line: { readonly account: string | null; readonly currency: string | null }, statement: RunStatement): string | null {
    if (line.currency !== null) return line.currency;
    const account = this.ofLine(line, statement);
    const [only, another] = account === null ? [] : (this.currencies.get(account) ?? []);
    return another === undefined ? (only ?? null) : null;
  }

  /** Whether other statements tell the currency of all lines that have none. */
  tellCurrencyOf(statement: RunStatement): boolean {
    const accounts = [...this.ofStatement(statement)];
    return accounts.length > 0 && accounts.every((account) => this.currencies.get(account)?.size === 1);
  }

  /** The accounts that a statement names, or the one that its lines are of. */
  ofStatement({ balances, matchedAccount }: RunStatement): Set<string> {
    const named = balances.flatMap(({ account }) => account ?? []);
    return new Set([...named, ...(named.length === 0 && matchedAccount ? [matchedAccount] : [])].map((token) => this.find(token)));
  }
}
