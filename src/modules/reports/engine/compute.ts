import { setImmediate } from 'node:timers/promises';
import type { Computed, ClaimReportStatementDto } from '../result.dto.js';
import { readCategoryFilter } from './rules/category-filter.js';
import { controlsOf } from './checks/controls.js';
import { evidenceOf } from './checks/evidence.js';
import { figuresOf, otherCurrencies } from './amounts/figures.js';
import { byCode, type RunCategory, type RunInputs, type RunLine, type TokenOf } from './inputs.js';
import { ENGINE_VERSION, inputsHashOf } from './inputs-hash.js';
import { Matcher } from './rules/matcher.js';
import { readOutputOptions, type OutputOptions } from './output-options.js';
import { LineAccumulator, type LineListeners } from './line-accumulator.js';
import { StatementComparison } from './accounts/statement-comparison.js';
import { bounded, periodAsked } from './period.js';
import { warningOf, type Finding } from './checks/findings.js';
import { findingsOf } from './checks/warnings.js';

export interface Tools extends LineListeners {
  readonly tokenOf: TokenOf;
  /** Called for every warning of the result, in its order. */
  readonly onFinding?: (finding: Finding) => void;
}

/** How long the engine may block the event loop. */
const MAX_BLOCKING_MS = 20;

/** Computes the result from inputs and lines alone, without clock or randomness: the same inputs give the same result. */
export async function computeReport(
  inputs: RunInputs,
  lines: AsyncIterable<readonly RunLine[]>,
  { tokenOf, onFinding, ...listeners }: Tools,
): Promise<Computed> {
  const options = readOutputOptions(inputs.configuration?.outputOptions ?? {});
  const categories = categoriesOf(inputs);
  const matcher = new Matcher(categories, tokenOf);
  const accumulator = new LineAccumulator(inputs, matcher, { period: periodAsked(inputs), options, listeners });
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
  return { ...heading(inputs), ...resultOf(inputs, options, categories, { matcher, accumulator, comparison, tokenOf, onFinding }) };
}

/** The categories of a result, in its order. */
export function categoriesOf({ categories, configuration }: RunInputs): RunCategory[] {
  return categories.filter(readCategoryFilter(configuration?.categoryFilter ?? {})).sort(byCode);
}

function heading(inputs: RunInputs): Pick<Computed, 'schema' | 'engineVersion' | 'inputsHash'> {
  return { schema: 'claim-report/1', engineVersion: ENGINE_VERSION, inputsHash: inputsHashOf(inputs) };
}

interface Computation extends Tools {
  readonly matcher: Matcher;
  readonly accumulator: LineAccumulator;
  readonly comparison: StatementComparison;
}

function conversionsIn({ conversions }: LineAccumulator): Pick<Computed, 'conversions'> {
  const result = conversions?.result();
  return result ? { conversions: result } : {};
}

type Body = Omit<Computed, keyof ReturnType<typeof heading>>;

function resultOf(
  { statements, otherStatements }: RunInputs,
  options: OutputOptions,
  categories: readonly RunCategory[],
  { matcher: { withoutRules, hasTax }, accumulator, comparison, tokenOf, onFinding }: Computation,
): Body {
  const period = bounded(accumulator.effectivePeriod());
  const currency = options.currency ?? accumulator.mainCurrency();
  const ledger = accumulator.ledgerOf(currency);
  const figures = figuresOf(ledger, categories, { currency, hasTax, tokenOf });
  const others = otherCurrencies(accumulator.ledgers, currency);
  const evidence = evidenceOf(statements, period, comparison.identities);
  const found = { otherStatements, lines: accumulator, comparison, ledger, others, figures, evidence, categories, withoutRules };
  const findings = findingsOf(found);
  if (onFinding) findings.forEach(onFinding);
  return {
    period,
    currency,
    ...figures,
    otherCurrencies: others,
    ...conversionsIn(accumulator),
    evidence,
    controls: controlsOf(accumulator, currency, figures),
    warnings: findings.map(warningOf),
    statements: [...accumulator.tallies.values()].map(({ statement: { id, sha256 }, linesRead, duplicates }): ClaimReportStatementDto => ({
      id,
      sha256,
      linesRead,
      linesUsed: ledger.linesByStatement.get(id) ?? 0,
      duplicates,
    })),
  };
}
