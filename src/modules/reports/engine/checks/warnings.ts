import type { EvidenceDto, OtherCurrencyDto, WarningDto } from '../../result.dto.js';
import type { Figures } from '../amounts/figures.js';
import { byCode, type RunCategory } from '../inputs.js';
import type { CurrencyLedger } from '../amounts/currency-ledger.js';
import { moneyOf } from '../../../../kernel/money.js';
import type { LineAccumulator } from '../line-accumulator.js';

const MAX_WARNINGS = 100;
const MAX_MONTHS = 12;

export interface WarningInputs {
  readonly lines: LineAccumulator;
  readonly ledger: CurrencyLedger;
  readonly others: readonly OtherCurrencyDto[];
  readonly figures: Figures;
  readonly evidence: EvidenceDto;
  readonly categories: readonly RunCategory[];
  readonly withoutRules: readonly RunCategory[];
}

/** What to check before the claim is sent. The list is limited, so warnings about wrong figures come first. */
export function warningsOf(found: WarningInputs): WarningDto[] {
  const all = [...ofStatements(found), ...ofCurrencies(found), ...ofCategories(found), ...ofOverlaps(found.ledger)];
  if (all.length <= MAX_WARNINGS) return all;
  return [...all.slice(0, MAX_WARNINGS), { code: 'more_warnings', message: `${all.length - MAX_WARNINGS} more warnings are not shown.` }];
}

function* ofStatements({ lines: { tallies, ledgers }, evidence }: WarningInputs): Generator<WarningDto> {
  if (tallies.size === 0) yield { code: 'no_statements', message: 'There are no bank statements to make a claim from.' };
  else if (ledgers.size === 0) yield { code: 'no_lines_in_period', message: 'No bank statement has a line in the period.' };
  for (const tally of tallies.values()) {
    for (const { code, message } of tally.statement.warnings ?? []) yield { code, message: `Statement ${tally.statement.id}: ${message}` };
    if (tally.balanceDifferences().some(({ money }) => money !== 0n))
      yield {
        code: 'statement_incomplete',
        message: `The lines of statement ${tally.statement.id} do not add up to the change in its balance. Lines may be missing.`,
      };
  }
  const incomplete = evidence.months.filter(({ status }) => status !== 'covered');
  if (tallies.size === 0 || incomplete.length === 0) return;
  const named = incomplete
    .slice(0, MAX_MONTHS)
    .map(({ month, status }) => `${month} (${status})`)
    .join(', ');
  const more = incomplete.length > MAX_MONTHS ? ` and ${incomplete.length - MAX_MONTHS} more months` : '';
  yield {
    code: 'statement_gaps',
    message: `Bank statements cover ${evidence.coveragePercent} % of the period. Gaps: ${named}${more}.`,
  };
}

function* ofCurrencies({ others }: WarningInputs): Generator<WarningDto> {
  for (const { currency, count } of others) {
    const whichCurrency = currency === null ? 'without a currency' : `in ${currency}`;
    yield {
      code: 'other_currencies',
      message: `${linesOf(count)} ${whichCurrency} ${count === 1 ? 'is' : 'are'} not in the totals.`,
    };
  }
}

function* ofCategories({ figures, categories, withoutRules }: WarningInputs): Generator<WarningDto> {
  if (categories.length === 0) yield { code: 'no_categories', message: 'No category takes part, so nothing can be claimed.' };
  for (const { code, claimable } of figures.categories) {
    if (moneyOf(claimable) < 0n)
      yield { code: 'negative_claim', message: `${code} has more refunds than expenses, so its claim is negative.` };
  }
  for (const { code } of withoutRules) yield { code: 'category_without_rules', message: `${code} has no rules, so it claims nothing.` };
}

function* ofOverlaps({ overlaps: contested }: CurrencyLedger): Generator<WarningDto> {
  for (const [winner, losers] of [...contested].sort(([a], [b]) => byCode(a, b))) {
    for (const [loser, count] of [...losers].sort(([a], [b]) => byCode(a, b))) {
      yield {
        code: 'claimed_by_several',
        message: `${linesOf(count)} of ${winner.code} also ${count === 1 ? 'matches' : 'match'} ${loser.code}.`,
      };
    }
  }
}

const linesOf = (count: number): string => `${count} ${count === 1 ? 'line' : 'lines'}`;
