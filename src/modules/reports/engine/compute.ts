import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { pick } from '../../../kernel/changes.js';
import { canonicalJson } from '../../../kernel/json.js';
import { formatMoney, minorDigitsOf, type Money, moneyOf, readPercent, roundMoney, shareOf, unitOf } from '../../../kernel/money.js';
import { type ClaimForm, type FormOptions, hasAmount, linesOfForm } from '../../rules/index.js';
import type { ClaimReportFormLineDto, ClaimReportPeriodDto, ClaimReportStatementDto, Computed } from '../result.dto.js';
import { StatementComparison } from './accounts/overlap-findings.js';
import { type Figures, figuresOf, otherCurrencies } from './amounts/currency-ledger.js';
import { evidenceOf } from './checks/evidence.js';
import { controlsOf, type FilledForm, type Finding, findingsOf, warningOf } from './checks/findings.js';
import { bounded, byCode, readCategoryFilter, readOutputOptions } from './inputs.js';
import type { DateRange, OutputOptions, RunCategory, RunInputs, RunLine, TokenOf } from './inputs.js';
import { LineAccumulator, type LineListeners } from './line-accumulator.js';
import { Decisions, Matcher } from './rules/matcher.js';
import { receiptReference } from './rules/receipts.js';

type FormLine = ReturnType<typeof linesOfForm>[number];
type Category = Figures['categories'][number];

interface Known {
  readonly figures: Figures;
  readonly currency: string | null;
  readonly period: ClaimReportPeriodDto | null;
  readonly inputs: RunInputs;
}

/** Fills in a form from the figures of a report, line by line, in its own order. */
function fillForm(definition: ClaimForm, { entries, lines }: Pick<FormOptions, 'entries' | 'lines'>, known: Known): FilledForm {
  const { figures, currency } = known;
  const digits = minorDigitsOf(currency);
  const format = (money: Money): string => formatMoney(money, digits);
  const amounts = new Map<string, Money>();
  const parts: string[] = [];
  const amountIn = (written: string): Money | undefined => (/^[a-z]/.test(written) ? amounts.get(written) : moneyOf(written));
  const sumOf = (ids: readonly string[]): Money => ids.reduce((sum, id) => sum + (amounts.get(id) ?? 0n), 0n);

  const computed = (line: FormLine, categories: readonly Category[]): Money => {
    if (line.from === 'categories') return categories.reduce((sum, { claimable }) => sum + moneyOf(claimable), 0n);
    const sum = sumOf(line.of) - sumOf(line.less);
    return line.from === 'sum' ? sum : shareOf(sum, readPercent(percentOf(line, entries) ?? '0')!);
  };
  const fill = (line: FormLine): ClaimReportFormLineDto => {
    const { id, number, label, evidence } = line;
    const named = { id, number, label };
    const stated = entries[id] ?? null;
    if (!hasAmount(line)) return { ...named, value: line.from === 'report' ? factOf(line, known) : stated, amount: null, evidence };
    if (line.from === 'entry') {
      if (stated !== null) amounts.set(id, moneyOf(stated));
      return { ...named, value: null, amount: stated === null ? null : format(moneyOf(stated)), evidence };
    }
    const categories = line.from === 'categories' ? figures.categories.filter(({ code }) => lineOf(lines, code) === id) : [];
    const exact = computed(line, categories);
    if (line.from === 'categories') parts.push(format(exact));
    const cap = line.atMost === null ? undefined : amountIn(line.atMost);
    const rounded = round(exact, definition, digits);
    const amount = cap !== undefined && cap < rounded ? cap : rounded;
    amounts.set(id, amount);
    const percent = line.from === 'share' ? percentOf(line, entries) : undefined;
    return {
      ...{ ...named, value: null, amount: format(amount) },
      ...(amount !== exact && { computed: format(exact) }),
      ...(cap !== undefined && { atMost: format(cap) }),
      ...(percent !== undefined && { percent }),
      ...(line.from === 'categories' && { categories: categories.map(({ code }) => code) }),
      evidence,
    };
  };

  const sections = definition.sections.map(({ title, lines: ofSection }) => ({ title, lines: ofSection.map(fill) }));
  const withoutLine = figures.categories.filter(({ code, claimable }) => lineOf(lines, code) === undefined && moneyOf(claimable) !== 0n);
  const notOnForm = format(withoutLine.reduce((sum, { claimable }) => sum + moneyOf(claimable), 0n));
  const { name, edition, source, total } = definition;
  return {
    form: { name, edition, source, total: format(amounts.get(total) ?? 0n), notOnForm, sections },
    missing: linesOfForm(definition).flatMap(({ id, label, required }) => (required && entries[id] === undefined ? label : [])),
    withoutLine,
    parts: [...parts, notOnForm],
  };
}

const lineOf = (lines: FormOptions['lines'], code: string): string | undefined => (Object.hasOwn(lines, code) ? lines[code] : undefined);

/** That of the form, or what the claimant has stated; undefined if nothing was. */
const percentOf = ({ percent }: FormLine, entries: FormOptions['entries']): string | undefined =>
  percent === null || !/^[a-z]/.test(percent) ? (percent ?? undefined) : entries[percent];

function round(money: Money, { rounding }: ClaimForm, digits: number): Money {
  if (rounding === null) return roundMoney(money, digits);
  const decimals = rounding.to === '1' ? 0 : 2;
  const unit = unitOf(decimals);
  const rest = ((money % unit) + unit) % unit;
  if (rest === 0n || rounding.mode === 'half_up') return roundMoney(money, decimals);
  return money - rest + (rounding.mode === 'up' ? unit : 0n);
}

function factOf({ fact }: FormLine, { currency, period, inputs: { organization, project } }: Known): string | null {
  const facts = {
    organization: organization?.name,
    project: project?.name,
    client_reference: project?.clientReference,
    period_start: period?.start,
    period_end: period?.end,
    currency,
  };
  return facts[fact!] ?? null;
}

/** The period that was asked for; null for that of the statements and lines. */
function periodAsked({ configuration, project }: RunInputs): DateRange | null {
  const asked = configuration ?? project;
  return asked && bounded({ start: asked.periodStart, end: asked.periodEnd });
}

/** Must change whenever the engine computes another result from the same inputs. */
const ENGINE_VERSION = '1.1.0';

/**
 * Equal for equal inputs. The hash of the file and the redaction version stand for the lines. The order of statements matters,
 * since a line in two statements counts for the first one; the order of categories does not.
 */
export function inputsHashOf(inputs: RunInputs, engineVersion = ENGINE_VERSION): string {
  const all = { engineVersion, ...inputs, categories: [...inputs.categories].sort(byCode) };
  return createHash('sha256').update(canonicalJson(all)).digest('hex');
}

export interface Tools extends LineListeners {
  readonly tokenOf: TokenOf;
  /** Called for every warning of the result, in its order. */
  readonly onFinding?: (finding: Finding) => void;
}

const MAX_BLOCKING_MS = 20;
const SHOWN_OF_RECEIPT = ['fileName', 'mediaType', 'sizeBytes', 'sha256'] as const;

/** Computes the result from inputs and lines alone, without clock or randomness: the same inputs give the same result. */
export async function computeReport(
  inputs: RunInputs,
  lines: AsyncIterable<readonly RunLine[]>,
  { tokenOf, onFinding, ...listeners }: Tools,
): Promise<Computed> {
  const options = readOutputOptions(inputs.configuration?.outputOptions ?? {});
  const categories = categoriesOf(inputs);
  const matcher = new Matcher(categories, tokenOf);
  const decisions = new Decisions(inputs, categories);
  const accumulator = new LineAccumulator(inputs, options, periodAsked(inputs), matcher, decisions, listeners);
  const comparison = new StatementComparison(inputs.statements);
  let since = performance.now();
  for await (const batch of comparison.compare(lines)) {
    for (const line of batch.lines) {
      accumulator.add(line, batch.repeated.has(line));
      if (performance.now() - since < MAX_BLOCKING_MS) continue;
      // Lets requests, leases and deliveries of the same process go on.
      await setImmediate();
      since = performance.now();
    }
  }
  return {
    ...{ schema: 'claim-report/1', engineVersion: ENGINE_VERSION, inputsHash: inputsHashOf(inputs) },
    ...resultOf(inputs, options, categories, { matcher, accumulator, decisions, comparison, tokenOf, onFinding }),
  };
}

export function categoriesOf({ categories, configuration }: RunInputs): RunCategory[] {
  return categories.filter(readCategoryFilter(configuration?.categoryFilter ?? {})).sort(byCode);
}

interface Computation extends Tools {
  readonly matcher: Matcher;
  readonly accumulator: LineAccumulator;
  readonly decisions: Decisions;
  readonly comparison: StatementComparison;
}

function resultOf(
  inputs: RunInputs,
  options: OutputOptions,
  categories: readonly RunCategory[],
  { matcher, accumulator, decisions, comparison, tokenOf, onFinding }: Computation,
): Omit<Computed, 'schema' | 'engineVersion' | 'inputsHash'> {
  const { statements, receipts = [], otherStatements, unreadStatements } = inputs;
  const period = bounded(accumulator.effectivePeriod());
  const currency = options.currency ?? accumulator.mainCurrency();
  const ledger = accumulator.ledgerOf(currency);
  const hasTax = matcher.hasTax || decisions.hasTax || accumulator.receipts.hasTax;
  const figures = figuresOf(ledger, categories, { currency, hasTax, tokenOf });
  const others = otherCurrencies(accumulator.ledgers, currency);
  const evidence = evidenceOf(statements, period, comparison.identities);
  const { withoutRules } = matcher;
  const conversions = accumulator.conversions?.result();
  const read = { otherStatements, unreadStatements, lines: accumulator, comparison, categories, withoutRules, decisions };
  const filled = options.form && fillForm(inputs.form ?? options.form.definition, options.form, { figures, currency, period, inputs });
  const minorDigits = minorDigitsOf(currency);
  const findings = findingsOf({ ...read, filled, minorDigits, ledger, others, figures, evidence });
  if (onFinding) findings.forEach(onFinding);
  return {
    // First, since they may say that the figures mean nothing.
    warnings: findings.map(warningOf),
    period,
    currency,
    ...figures,
    otherCurrencies: others,
    ...(conversions && { conversions }),
    ...(filled && { form: filled.form }),
    evidence,
    controls: controlsOf(accumulator, currency, figures, filled?.parts),
    ...(receipts.length > 0 && {
      receipts: receipts.map((receipt, index) => ({ reference: receiptReference(index), ...pick(receipt, SHOWN_OF_RECEIPT) })),
    }),
    statements: [...accumulator.tallies.values()].map(
      ({ statement: { id, sha256, certainty }, linesRead, duplicates }): ClaimReportStatementDto => ({
        id,
        sha256,
        ...(certainty !== undefined && { certainty }),
        linesRead,
        linesUsed: ledger.linesByStatement.get(id) ?? 0,
        duplicates,
      }),
    ),
  };
}
