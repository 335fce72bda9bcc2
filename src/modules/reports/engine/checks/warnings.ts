import type { EvidenceDto, OtherCurrencyDto } from '../../result.dto.js';
import type { Figures } from '../amounts/figures.js';
import { byCode, type RunCategory } from '../inputs.js';
import type { CurrencyLedger } from '../amounts/currency-ledger.js';
import { moneyOf } from '../../../../kernel/money.js';
import type { LineAccumulator } from '../line-accumulator.js';
import type { Finding } from './findings.js';

const MAX_WARNINGS = 100;

export interface WarningInputs {
  readonly lines: LineAccumulator;
  readonly ledger: CurrencyLedger;
  readonly others: readonly OtherCurrencyDto[];
  readonly figures: Figures;
  readonly evidence: EvidenceDto;
  readonly categories: readonly RunCategory[];
  readonly withoutRules: readonly RunCategory[];
}

/** What to check before the claim is sent. The list is limited, so findings about wrong figures come first. */
export function findingsOf(found: WarningInputs): Finding[] {
  const all = [...ofStatements(found), ...ofCurrencies(found), ...ofCategories(found), ...ofOverlaps(found.ledger)];
  if (all.length <= MAX_WARNINGS) return all;
  return [...all.slice(0, MAX_WARNINGS), { kind: 'more_warnings', count: all.length - MAX_WARNINGS }];
}

function* ofStatements({ lines: { tallies, ledgers }, evidence }: WarningInputs): Generator<Finding> {
  if (tallies.size === 0) yield { kind: 'no_statements' };
  else if (ledgers.size === 0) yield { kind: 'no_lines_in_period' };
  for (const tally of tallies.values()) {
    const { id: statementId, warnings = [] } = tally.statement;
    for (const { code, message } of warnings) yield { kind: 'reading', statementId, code, message };
    if ((tally.balanceDifference()?.money ?? 0n) !== 0n) yield { kind: 'statement_incomplete', statementId };
  }
  const months = evidence.months.filter(({ status }) => status !== 'covered');
  if (tallies.size === 0 || months.length === 0) return;
  yield { kind: 'statement_gaps', coveragePercent: evidence.coveragePercent, months };
}

function* ofCurrencies({ others }: WarningInputs): Generator<Finding> {
  for (const { currency, count } of others) yield { kind: 'other_currencies', currency, count };
}

function* ofCategories({ figures, categories, withoutRules }: WarningInputs): Generator<Finding> {
  if (categories.length === 0) yield { kind: 'no_categories' };
  for (const category of figures.categories) {
    if (moneyOf(category.claimable) < 0n) yield { kind: 'negative_claim', category };
  }
  for (const category of withoutRules) yield { kind: 'category_without_rules', category };
}

function* ofOverlaps({ overlaps: contested }: CurrencyLedger): Generator<Finding> {
  for (const [category, others] of [...contested].sort(([a], [b]) => byCode(a, b))) {
    for (const [other, count] of [...others].sort(([a], [b]) => byCode(a, b))) yield { kind: 'claimed_by_several', count, category, other };
  }
}
