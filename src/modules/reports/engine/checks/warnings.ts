import type { ClaimReportEvidenceDto, ClaimReportOtherCurrencyDto } from '../../result.dto.js';
import type { Figures } from '../amounts/figures.js';
import { ITEMS_STATEMENT, byCode, type OtherStatements, type RunCategory, type RunStatement, type UnreadStatements } from '../inputs.js';
import { getOrCreate, type CurrencyLedger } from '../amounts/currency-ledger.js';
import { formatMoney, moneyOf } from '../../../../kernel/money.js';
import type { AccountIdentities } from '../accounts/identities.js';
import type { StatementComparison } from '../accounts/overlap-findings.js';
import type { LineAccumulator } from '../line-accumulator.js';
import type { FilledForm } from '../form.js';
import type { Decisions } from '../rules/decisions.js';
import type { Finding } from './findings.js';

const MAX_WARNINGS = 100;

export interface WarningInputs {
  readonly otherStatements: OtherStatements | undefined;
  readonly unreadStatements: UnreadStatements | undefined;
  readonly lines: LineAccumulator;
  readonly comparison: StatementComparison;
  readonly ledger: CurrencyLedger;
  readonly others: readonly ClaimReportOtherCurrencyDto[];
  readonly figures: Figures;
  readonly evidence: ClaimReportEvidenceDto;
  readonly categories: readonly RunCategory[];
  readonly withoutRules: readonly RunCategory[];
  readonly decisions: Decisions;
  readonly filled: FilledForm | null;
  readonly minorDigits: number;
}

/** What to check before the claim is sent. The list is limited, so findings about wrong figures come first. */
export function findingsOf(found: WarningInputs): Finding[] {
  const all = [
    ...ofStatements(found),
    ...found.comparison.findings(),
    ...ofAccounts(found),
    ...ofCurrencies(found),
    ...ofForm(found),
    ...ofCategories(found),
    ...ofReceipts(found),
    ...ofOverlaps(found.ledger),
  ];
  if (all.length <= MAX_WARNINGS) return all;
  return [...all.slice(0, MAX_WARNINGS), { kind: 'more_warnings', count: all.length - MAX_WARNINGS }];
}

function* ofStatements(found: WarningInputs): Generator<Finding> {
  const { lines, evidence, comparison, otherStatements, unreadStatements } = found;
  const { tallies, ledgers } = lines;
  if (tallies.size === 0) yield { kind: 'no_statements', areThereAny: unreadStatements?.areThereAny ?? true };
  else if (ledgers.size === 0) yield { kind: 'no_lines_in_period' };
  if (otherStatements) yield { kind: 'statements_of_other_projects', ...otherStatements };
  const { outside = null, failed = 0, waiting = 0 } = unreadStatements ?? {};
  if (outside) yield { kind: 'statements_outside_period', ...outside };
  if (failed + waiting > 0) yield { kind: 'statements_not_ready', failed, waiting };
  const statements = [...tallies.values()].map(({ statement }) => statement);
  yield* ofReaders(statements, comparison.identities);
  for (const tally of tallies.values()) {
    const { id: statementId, warnings = [] } = tally.statement;
    // Readers of earlier releases did not look at balances.
    const isSaid = warnings.some(({ code }) => code === 'balances_do_not_tie');
    if (!isSaid && tally.balanceDifferences().some(({ money }) => money !== 0n)) yield { kind: 'statement_incomplete', statementId };
  }
  const months = evidence.months.filter(({ status }) => status !== 'covered');
  if (tallies.size === 0 || months.length === 0) return;
  yield { kind: 'statement_gaps', coveragePercent: evidence.coveragePercent, months };
}

/** What readers say of several files is one finding. */
function ofReaders(statements: readonly RunStatement[], identities: AccountIdentities): Iterable<Finding> {
  const found = new Map<string, Extract<Finding, { kind: 'reading' }> & { readonly statementIds: string[] }>();
  for (const statement of statements) {
    const { id, warnings = [] } = statement;
    for (const { code, message } of warnings) {
      if (code === 'currency_unknown' && identities.tellCurrencyOf(statement)) continue;
      getOrCreate(found, `${code} ${message}`, () => ({ kind: 'reading' as const, statementIds: [], code, message })).statementIds.push(id);
    }
  }
  return found.values();
}

function* ofAccounts({ lines: { tallies }, comparison: { identities } }: WarningInputs): Generator<Finding> {
  const statements = [...tallies.values()].map(({ statement }) => statement).filter(({ id }) => id !== ITEMS_STATEMENT);
  const nameless = statements.filter((statement) => identities.ofStatement(statement).size === 0);
  if (nameless.length === 0 || statements.length === 1) return;
  if (nameless.length === statements.length) yield { kind: 'no_account_named' };
  else for (const { id: statementId } of nameless) yield { kind: 'account_unknown', statementId };
}

/** A line without a rate is not in the totals either; one finding says both. */
function* ofCurrencies({ others, lines: { conversions } }: WarningInputs): Generator<Finding> {
  const openUntil = conversions?.openUntil;
  if (openUntil && conversions?.result()) yield { kind: 'rate_period_open', ...openUntil };
  for (const { currency, count } of others) {
    const missing = currency === null ? undefined : conversions?.missing.get(currency);
    if (currency !== null && missing) yield { kind: 'rate_missing', currency, ...missing };
    else yield { kind: 'other_currencies', currency, count };
  }
}

function* ofForm({ filled }: WarningInputs): Generator<Finding> {
  if (!filled) return;
  const { missing, withoutLine } = filled;
  if (withoutLine.length > 0) yield { kind: 'form_line_missing', categories: withoutLine };
  if (missing.length > 0) yield { kind: 'form_entries_missing', entries: missing };
}

function* ofCategories({ figures, categories, withoutRules, decisions }: WarningInputs): Generator<Finding> {
  if (categories.length === 0) yield { kind: 'no_categories' };
  if (decisions.withoutCategory > 0) yield { kind: 'decided_for_other_category', count: decisions.withoutCategory };
  for (const category of figures.categories) {
    if (moneyOf(category.claimable) < 0n) yield { kind: 'negative_claim', category };
  }
  for (const category of withoutRules.filter(({ id }) => !decisions.claimsFor(id))) yield { kind: 'category_without_rules', category };
}

function* ofReceipts({ ledger: { withoutReceipt }, minorDigits }: WarningInputs): Generator<Finding> {
  for (const [category, { count, net }] of [...withoutReceipt].sort(([a], [b]) => byCode(a, b)))
    yield { kind: 'receipt_missing', category, count, sum: formatMoney(net, minorDigits) };
}

function* ofOverlaps({ overlaps: contested }: CurrencyLedger): Generator<Finding> {
  for (const [category, others] of [...contested].sort(([a], [b]) => byCode(a, b))) {
    for (const [other, count] of [...others].sort(([a], [b]) => byCode(a, b))) yield { kind: 'claimed_by_several', count, category, other };
  }
}
