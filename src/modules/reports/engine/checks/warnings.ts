import type { EvidenceDto, OtherCurrencyDto, WarningDto } from '../../result.dto.js';
import type { Figures } from '../amounts/figures.js';
import { byCode, type RunCategory } from '../inputs.js';
import type { CurrencyLedger } from '../amounts/currency-ledger.js';
import { moneyOf } from '../amounts/money.js';
import type { LineAccumulator } from '../line-accumulator.js';

const SHOWN_MAX = 100;
const MONTHS_MAX = 12;

export interface WarningInputs {
  readonly reading: LineAccumulator;
  readonly ledger: CurrencyLedger;
  readonly others: readonly OtherCurrencyDto[];
  readonly figures: Figures;
  readonly evidence: EvidenceDto;
  readonly categories: readonly RunCategory[];
  readonly withoutRules: readonly RunCategory[];
}

/** What somebody should look at before the claim is sent: what makes figures wrong comes first, as the list has an end. */
export function warningsOf(found: WarningInputs): WarningDto[] {
  const all = [...ofStatements(found), ...ofCurrencies(found), ...ofCategories(found), ...ofContests(found.ledger)];
  if (all.length <= SHOWN_MAX) return all;
  return [
    ...all.slice(0, SHOWN_MAX),
    { code: 'more_warnings', message: `There are ${all.length - SHOWN_MAX} more warnings, which are not shown.` },
  ];
}

function* ofStatements({ reading: { tallies, ledgers }, evidence }: WarningInputs): Generator<WarningDto> {
  if (tallies.size === 0) yield { code: 'no_statements', message: 'There is no statement to make a claim from.' };
  else if (ledgers.size === 0) yield { code: 'no_lines_in_period', message: 'No statement has a line in the period.' };
  for (const tally of tallies.values()) {
    if ((tally.balanceDifference()?.money ?? 0n) !== 0n)
      yield {
        code: 'statement_incomplete',
        message: `The lines of statement ${tally.statement.id} do not lead from its opening to its closing balance: some may be missing.`,
      };
  }
  const gaps = evidence.months.filter(({ status }) => status !== 'covered');
  if (tallies.size === 0 || gaps.length === 0) return;
  const named = gaps
    .slice(0, MONTHS_MAX)
    .map(({ month, status }) => `${month} (${status})`)
    .join(', ');
  const more = gaps.length > MONTHS_MAX ? ` and ${gaps.length - MONTHS_MAX} more months` : '';
  yield {
    code: 'statement_gaps',
    message: `Statements cover ${evidence.coveragePercent} % of the period; there are gaps in ${named}${more}.`,
  };
}

function* ofCurrencies({ others }: WarningInputs): Generator<WarningDto> {
  for (const { currency, count } of others) {
    yield {
      code: 'other_currencies',
      message: `${linesOf(count)} ${currency === null ? 'without a currency' : `in ${currency}`} ${count === 1 ? 'is' : 'are'} in none of the totals.`,
    };
  }
}

function* ofCategories({ figures, categories, withoutRules }: WarningInputs): Generator<WarningDto> {
  if (categories.length === 0) yield { code: 'no_categories', message: 'No category takes part: nothing can be claimed.' };
  for (const { code, claimable } of figures.categories) {
    if (moneyOf(claimable) < 0n)
      yield { code: 'negative_claim', message: `In ${code} more money came back than went out: its claim is below zero.` };
  }
  for (const { code } of withoutRules) yield { code: 'category_without_rules', message: `${code} has no rules: it claims nothing.` };
}

function* ofContests({ overlaps: contested }: CurrencyLedger): Generator<WarningDto> {
  for (const [winner, losers] of [...contested].sort(([a], [b]) => byCode(a, b))) {
    for (const [loser, count] of [...losers].sort(([a], [b]) => byCode(a, b))) {
      yield {
        code: 'claimed_by_several',
        message: `${linesOf(count)} of ${winner.code} ${count === 1 ? 'matches' : 'match'} ${loser.code}, too.`,
      };
    }
  }
}

const linesOf = (count: number): string => `${count} ${count === 1 ? 'line' : 'lines'}`;
