import type { ControlDto } from '../../result.dto.js';
import type { Figures } from '../amounts/figures.js';
import { formatMoney, minorDigitsOf, moneyOf } from '../amounts/money.js';
import type { LineAccumulator } from '../line-accumulator.js';

/**
 * Sums that were reached in two ways, made of the figures as they are shown, so that everybody can do so, too. All but those of
 * balances hold whatever the lines are.
 */
export function controlsOf(reading: LineAccumulator, currency: string | null, figures: Figures): ControlDto[] {
  const { totals, categories, months, uncategorised } = figures;
  const adds = (name: string, expected: string, parts: readonly string[]) =>
    control(
      name,
      expected,
      formatMoney(
        parts.reduce((sum, part) => sum + moneyOf(part), 0n),
        minorDigitsOf(currency),
      ),
    );
  return [
    linesRead(reading),
    adds('categories_and_uncategorised_make_net', totals.net, [...categories.map(({ net }) => net), uncategorised.net]),
    adds(
      'months_make_net',
      totals.net,
      months.map(({ net }) => net),
    ),
    adds(
      'category_months_make_claimable',
      totals.claimable,
      categories.flatMap((category) => category.months.map(({ claimable }) => claimable)),
    ),
    adds(
      'months_make_claimable',
      totals.claimable,
      months.map(({ claimable }) => claimable),
    ),
    ...balances(reading),
  ];
}

/** Every line is in the totals, or there is a reason why it is not. */
function linesRead({ tallies, ledgers, outsidePeriod: outside }: LineAccumulator): ControlDto {
  const statements = [...tallies.values()];
  const read = statements.reduce((sum, tally) => sum + tally.linesRead, 0);
  const repeated = statements.reduce((sum, tally) => sum + tally.duplicates, 0);
  const counted = [...ledgers.values()].reduce((sum, { totals }) => sum + totals.count, 0);
  return control('lines_used_and_left_out_make_lines_read', String(read), String(counted + repeated + outside));
}

/** By how much lines and balances differ, and not the balances themselves: those are for nobody's eyes. */
function balances({ tallies }: LineAccumulator): ControlDto[] {
  return [...tallies.values()].flatMap((tally) => {
    const gap = tally.balanceDifference();
    if (gap === null) return [];
    const digits = minorDigitsOf(gap.currency);
    return [control(`statement_balance:${tally.statement.id}`, formatMoney(0n, digits), formatMoney(gap.money, digits))];
  });
}

function control(name: string, expected: string, actual: string): ControlDto {
  return { name, expected, actual, ok: expected === actual };
}
