import { getOrCreate } from '../../../../kernel/get-or-create.js';
import { formatMoney, minorDigitsOf, moneyOf } from '../../../../kernel/money.js';
import type { ClaimReportControlDto, ClaimReportEvidenceDto, ClaimReportEvidenceMonthDto, ClaimReportFormDto } from '../../result.dto.js';
import type { ClaimReportOtherCurrencyDto, ClaimReportWarningDto } from '../../result.dto.js';
import type { AccountIdentities } from './evidence.js';
import { type CurrencyLedger, type Figures, sumOf } from '../amounts/currency-ledger.js';
import { byCode, ITEMS_STATEMENT } from '../inputs.js';
import type { DateRange, OtherStatements, RunCategory, RunStatement, UnreadStatements } from '../inputs.js';
import type { LineAccumulator } from '../line-accumulator.js';
import type { Decisions } from '../rules/matcher.js';

/** Ids of statements that cover the same days of an account. */
interface TwoStatements {
  readonly later: string;
  readonly earlier: string;
}

type NamedCategory = { readonly code: string; readonly name: string };

/** What people should check before the claim is sent, with all that a sentence about it needs. */
export type Finding =
  | { readonly kind: 'no_lines_in_period' | 'no_categories' | 'no_account_named' }
  /** Nothing was read, so the claim of zero says nothing. */
  | { readonly kind: 'no_statements'; readonly areThereAny: boolean }
  /** A report of a project reads no others: nothing was read, but these are there. */
  | ({ readonly kind: 'statements_of_other_projects' } & OtherStatements)
  | { readonly kind: 'statements_outside_period'; readonly count: number; readonly days: DateRange }
  | { readonly kind: 'statements_not_ready'; readonly failed: number; readonly waiting: number }
  /** What the reader of a file warns of, in English, and all statements of which it says just that. */
  | { readonly kind: 'reading'; readonly statementIds: readonly string[]; readonly code: string; readonly message: string }
  | { readonly kind: 'statement_incomplete'; readonly statementId: string }
  /** Lines of two statements that may be one booking: the numbers of the first few, and whether each pair is counted once. */
  | ({
      readonly kind: 'possible_duplicate';
      readonly lines: readonly { readonly later: number; readonly earlier: number }[];
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
  /** An average of a period that the rates do not reach the end of. */
  | { readonly kind: 'rate_period_open'; readonly until: string; readonly end: string }
  /** What the claimant has to state on the form. */
  | { readonly kind: 'form_entries_missing'; readonly entries: readonly string[] }
  | { readonly kind: 'form_line_missing'; readonly categories: readonly NamedCategory[] }
  | { readonly kind: 'negative_claim' | 'category_without_rules'; readonly category: NamedCategory }
  /** Lines from an amount on that have no receipt. */
  | { readonly kind: 'receipt_missing'; readonly category: NamedCategory; readonly count: number; readonly sum: string }
  | { readonly kind: 'claimed_by_several'; readonly count: number; readonly category: NamedCategory; readonly other: NamedCategory }
  /** Lines that people have decided for categories that take no part in the report. */
  | { readonly kind: 'decided_for_other_category' | 'more_warnings'; readonly count: number };

const MAX_MONTHS = 12;
const MAX_STATEMENTS = 5;

export function warningOf(finding: Finding): ClaimReportWarningDto {
  if (finding.kind === 'reading') return { code: finding.code, message: `${statementsOf(finding.statementIds)}: ${finding.message}` };
  const messageOf = MESSAGES[finding.kind] as (finding: Finding) => string;
  return { code: finding.kind, message: messageOf(finding) };
}

const MESSAGES: { readonly [Kind in Exclude<Finding['kind'], 'reading'>]: (finding: Finding & { readonly kind: Kind }) => string } = {
  no_statements: ({ areThereAny }) =>
    'No bank statement was read. The claim of zero says that statements are missing, not that there is nothing to claim.' +
    (areThereAny ? '' : ' There are no statements yet: upload files in the console, or ask the client for them with an upload link.'),
  statements_of_other_projects: ({ withoutProject, ofOtherProjects }) =>
    'The organization has statements in the period that this project does not: ' +
    `${withoutProject} without a project, ${ofOtherProjects} of other projects. ` +
    'Have their files imported for this project, or make a report without a project.',
  statements_outside_period: ({ count, days: { start, end } }) =>
    `${count} ${count === 1 ? 'statement has' : 'statements have'} no day in the period: ${count === 1 ? 'it is' : 'they are'} ` +
    `of ${start} to ${end}. Make the report for their period, or add the statements of this one.`,
  statements_not_ready: ({ failed, waiting }) => {
    const ofFailed = `${failed} ${failed === 1 ? 'statement' : 'statements'} could not be read: their pages say why.`;
    const ofWaiting = `${waiting} ${waiting === 1 ? 'statement is' : 'statements are'} not read yet: make the report again when they are.`;
    return [failed === 0 ? '' : ofFailed, waiting === 0 ? '' : ofWaiting].filter(Boolean).join(' ');
  },
  no_lines_in_period: () => 'No bank statement has a line in the period.',
  no_categories: () => 'No category takes part, so nothing can be claimed.',
  statement_incomplete: ({ statementId }) =>
    `The lines of statement ${statementId} do not add up to the change in its balance. Lines may be missing.`,
  possible_duplicate: ({ later, earlier, lines, more, once }) => {
    const named = lines.map((pair) => `${pair.later} and ${pair.earlier}`).join(', ') + (more > 0 ? `, and ${more} more` : '');
    const counted = once ? 'They are counted once.' : 'They are counted as different bookings.';
    const statements = `the statements ${later} and ${earlier}`;
    return `Lines of ${statements} have the same account, day and amount, but other texts: ${named}. ${counted}`;
  },
  overlap_differs: ({ later, earlier, days, lines, missing }) =>
    `The statements ${later} and ${earlier} both cover ${days.start} to ${days.end} of an account, but ${missing} of ${lines} lines ` +
    'of the first are not in the second. They are counted. Check that they are not the same bookings with other dates.',
  no_account_named: () => 'No statement names its account. All are taken for statements of one account. Import them with their accounts.',
  account_unknown: ({ statementId }) =>
    `Statement ${statementId} names no account, and its lines do not tell which one it is. Bookings that other statements ` +
    'have as well may be counted twice, and its days are not in the evidence. Import it with its account.',
  statement_gaps: ({ coveragePercent, months }) => `Bank statements cover ${coveragePercent} % of the period. Gaps: ${gapsOf(months)}.`,
  other_currencies: ({ currency, count }) =>
    `${linesOf(count)} ${currency === null ? 'without a currency' : `in ${currency}`} ${count === 1 ? 'is' : 'are'} not in the totals.`,
  rate_missing: ({ currency, count, days: { start, end } }) => {
    const when = start === end ? `of ${start}` : `from ${start} to ${end}`;
    const [has, is] = count === 1 ? ['has', 'is'] : ['have', 'are'];
    return `${linesOf(count)} in ${currency} ${when} ${has} no rate, and ${is} not in the totals.`;
  },
  rate_period_open: ({ until, end }) => `The average rates have days until ${until} only, but the period ends on ${end}.`,
  form_entries_missing: ({ entries }) => `The form asks for what is not stated: ${entries.join('; ')}.`,
  form_line_missing: ({ categories }) =>
    `Categories have claims, but no line of the form, so these are not on it: ${categories.map(({ code }) => code).join(', ')}.`,
  negative_claim: ({ category }) => `${category.code} has more refunds than expenses, so its claim is negative.`,
  category_without_rules: ({ category }) => `${category.code} has no rules, so it claims nothing.`,
  receipt_missing: ({ category, count, sum }) =>
    `${linesOf(count)} of ${category.code} ${count === 1 ? 'has' : 'have'} no receipt: ${sum} in all.`,
  claimed_by_several: ({ count, category, other }) =>
    `${linesOf(count)} of ${category.code} also ${count === 1 ? 'matches' : 'match'} ${other.code}.`,
  decided_for_other_category: ({ count }) => {
    const [is, it] = count === 1 ? ['is', 'It is'] : ['are', 'They are'];
    return `${linesOf(count)} ${is} decided for a category that takes no part in this report. ${it} not claimed here.`;
  },
  more_warnings: ({ count }) => `${count} more warnings are not shown.`,
};

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

/** The controls of every result. Those of balances follow: `statement_balance:` with the id of a statement. */
export type ControlName =
  | 'lines_used_and_left_out_make_lines_read'
  | 'categories_and_uncategorised_make_net'
  | 'months_make_net'
  | 'category_months_make_claimable'
  | 'months_make_claimable'
  | 'tax_and_net_make_claimable'
  | 'own_and_converted_make_net'
  | 'form_lines_and_others_make_claimable';
type BalanceName = `statement_balance:${string}`;
/** A figure, and the parts that have to make it. */
type ControlOfSum = readonly [name: ControlName, expected: string, parts: readonly string[]];

/**
 * Sums that are computed in two ways and must be equal. They use the figures of the result, so that anyone can check them. All of
 * them always hold, except those of balances, which show whether lines are missing.
 */
export function controlsOf(
  lines: LineAccumulator,
  currency: string | null,
  figures: Figures,
  ofForm?: readonly string[],
): ClaimReportControlDto[] {
  const { totals, categories, months, uncategorised } = figures;
  const sums: readonly ControlOfSum[] = [
    ['categories_and_uncategorised_make_net', totals.net, [...categories.map(({ net }) => net), uncategorised.net]],
    ['months_make_net', totals.net, months.map(({ net }) => net)],
    ['category_months_make_claimable', totals.claimable, categories.flatMap((one) => one.months.map(({ claimable }) => claimable))],
    ['months_make_claimable', totals.claimable, months.map(({ claimable }) => claimable)],
    ...taxes(figures),
    ...(ofForm ? [['form_lines_and_others_make_claimable', totals.claimable, ofForm] as const] : []),
  ];
  return [
    linesRead(lines),
    ...sums.map(([name, expected, parts]) => control(name, expected, sumOf(parts, currency))),
    ...conversions(lines, currency, totals.net),
    ...balances(lines),
  ];
}

function conversions({ conversions: made }: LineAccumulator, currency: string | null, net: string): ClaimReportControlDto[] {
  if (!made?.result()) return [];
  return [control('own_and_converted_make_net', net, formatMoney(made.net, minorDigitsOf(currency)))];
}

function taxes({ totals, categories }: Figures): ControlOfSum[] {
  if (totals.claimableTax === undefined) return [];
  const parts = categories.flatMap(({ months }) => months.flatMap(({ claimableTax, claimableNet }) => [claimableTax!, claimableNet!]));
  return [['tax_and_net_make_claimable', totals.claimable, parts]];
}

/** Every line is in some total, or it is a duplicate or outside the period. */
function linesRead({ tallies, ledgers, outsidePeriod: outside }: LineAccumulator): ClaimReportControlDto {
  const statements = [...tallies.values()];
  const read = statements.reduce((sum, tally) => sum + tally.linesRead, 0);
  const repeated = statements.reduce((sum, tally) => sum + tally.duplicates, 0);
  const counted = [...ledgers.values()].reduce((sum, { totals }) => sum + totals.count, 0);
  return control('lines_used_and_left_out_make_lines_read', String(read), String(counted + repeated + outside));
}

/** The difference between lines and balances. The balances themselves are private. */
function balances({ tallies }: LineAccumulator): ClaimReportControlDto[] {
  return [...tallies.values()].flatMap((tally) =>
    tally.balanceDifferences().map(({ money, currency, isOneOfSeveral }) => {
      const digits = minorDigitsOf(currency);
      const name: BalanceName = `statement_balance:${tally.statement.id}${isOneOfSeveral ? `:${currency}` : ''}`;
      return control(name, formatMoney(0n, digits), formatMoney(money, digits));
    }),
  );
}

function control(name: ControlName | BalanceName, expected: string, actual: string): ClaimReportControlDto {
  return { name, expected, actual, ok: expected === actual };
}

const MAX_WARNINGS = 100;

/** A claim on its form, and what somebody has to look at before it is sent. */
export interface FilledForm {
  readonly form: ClaimReportFormDto;
  /** Words of the lines that the claimant has to state, and has not. */
  readonly missing: readonly string[];
  /** Categories that claim something, but have no line. */
  readonly withoutLine: readonly Figures['categories'][number][];
  /** What the lines for claims have before they are rounded, and the claims without a line. */
  readonly parts: readonly string[];
}

interface WarningInputs {
  readonly otherStatements: OtherStatements | undefined;
  readonly unreadStatements: UnreadStatements | undefined;
  readonly lines: LineAccumulator;
  readonly comparison: { readonly identities: AccountIdentities; findings(): Iterable<Finding> };
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
