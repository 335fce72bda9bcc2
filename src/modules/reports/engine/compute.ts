import { setImmediate } from 'node:timers/promises';
import type { Computed, RunStatementDto } from '../result.dto.js';
import { readCategoryFilter } from './rules/category-filter.js';
import { controlsOf } from './checks/controls.js';
import { daysIn, type DateRange } from './calendar-days.js';
import { evidenceOf } from './checks/evidence.js';
import { figuresOf, otherCurrencies } from './amounts/figures.js';
import { byCode, type RunCategory, type RunInputs, type RunLine, type TokenOf } from './inputs.js';
import { ENGINE_VERSION, inputsHashOf } from './inputs-hash.js';
import { CurrencyLedger } from './amounts/currency-ledger.js';
import { Matcher } from './rules/matcher.js';
import { readOutputOptions, type OutputOptions } from './output-options.js';
import { LineAccumulator, type ClaimedLine } from './line-accumulator.js';
import { JobFailure } from '../../../kernel/failure.js';
import { warningsOf } from './checks/warnings.js';

export interface Tools {
  readonly tokenOf: TokenOf;
  /** Is told of every line that counts, in their order. */
  readonly onLine?: (line: ClaimedLine) => void;
}

/** What else there is to do in the process waits no longer than this. */
const TURN_MS = 20;
/** So that a date that was mistyped does not make a result of a hundred thousand months. */
const PERIOD_MAX_DAYS = 36_525;

/** Made of the inputs and lines alone, with no clock and no chance in it: they give the same result each time. */
export async function computeReport(
  inputs: RunInputs,
  lines: AsyncIterable<readonly RunLine[]>,
  { tokenOf, onLine }: Tools,
): Promise<Computed> {
  const options = readOutputOptions(inputs.configuration?.outputOptions ?? {});
  const categories = inputs.categories.filter(readCategoryFilter(inputs.configuration?.categoryFilter ?? {})).sort(byCode);
  const matcher = new Matcher(categories, tokenOf);
  const reading = new LineAccumulator(inputs, matcher, periodAsked(inputs), onLine);
  let since = performance.now();
  for await (const batch of lines) {
    for (const line of batch) {
      reading.add(line);
      if (performance.now() - since < TURN_MS) continue;
      // Requests, leases and deliveries of the same process have their turn.
      await setImmediate();
      since = performance.now();
    }
  }
  return { ...heading(inputs), ...resultOf(inputs, options, categories, { matcher, reading }) };
}

function heading(inputs: RunInputs): Pick<Computed, 'schema' | 'engineVersion' | 'inputsHash'> {
  return { schema: 'claim-report/1', engineVersion: ENGINE_VERSION, inputsHash: inputsHashOf(inputs) };
}

type Body = Omit<Computed, keyof ReturnType<typeof heading>>;

function resultOf(
  { statements }: RunInputs,
  options: OutputOptions,
  categories: readonly RunCategory[],
  { matcher: { withoutRules }, reading }: { matcher: Matcher; reading: LineAccumulator },
): Body {
  const period = bounded(reading.periodFound());
  const currency = options.currency ?? reading.mainCurrency();
  const ledger = reading.ledgers.get(currency) ?? new CurrencyLedger();
  const figures = figuresOf(ledger, categories, currency);
  const others = otherCurrencies(reading.ledgers, currency);
  const evidence = evidenceOf(statements, period);
  return {
    period,
    currency,
    ...figures,
    otherCurrencies: others,
    evidence,
    controls: controlsOf(reading, currency, figures),
    warnings: warningsOf({ reading, ledger, others, figures, evidence, categories, withoutRules }),
    statements: [...reading.tallies.values()].map(({ statement: { id, sha256 }, linesRead, duplicates }): RunStatementDto => ({
      id,
      sha256,
      linesRead,
      linesUsed: ledger.linesByStatement.get(id) ?? 0,
      duplicates,
    })),
  };
}

function periodAsked({ configuration, project }: RunInputs): DateRange | null {
  const asked = configuration ?? project;
  return asked && bounded({ start: asked.periodStart, end: asked.periodEnd });
}

function bounded(period: DateRange | null): DateRange | null {
  if (period && daysIn(period) > PERIOD_MAX_DAYS)
    throw new JobFailure('period_too_long', 'The period, or the time that statements are of, must have at most 100 years.');
  return period;
}
