import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { pick } from '../../../kernel/changes.js';
import { canonicalJson } from '../../../kernel/json.js';
import { minorDigitsOf } from '../../../kernel/money.js';
import type { ClaimReportStatementDto, Computed } from '../result.dto.js';
import { StatementComparison } from './accounts/overlap-findings.js';
import { figuresOf, otherCurrencies } from './amounts/figures.js';
import { bounded, type DateRange } from './calendar-days.js';
import { evidenceOf } from './checks/evidence.js';
import { controlsOf, type Finding, warningOf } from './checks/findings.js';
import { findingsOf } from './checks/warnings.js';
import { fillForm } from './form.js';
import { byCode, type OutputOptions, readOutputOptions, type RunCategory, type RunInputs, type RunLine, type TokenOf } from './inputs.js';
import { LineAccumulator, type LineListeners } from './line-accumulator.js';
import { readCategoryFilter } from './rules/category-filter.js';
import { Decisions } from './rules/decisions.js';
import { Matcher } from './rules/matcher.js';
import { receiptReference } from './rules/receipts.js';

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
