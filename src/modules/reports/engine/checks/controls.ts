import type { ClaimReportControlDto } from '../../result.dto.js';
import type { Figures } from '../amounts/figures.js';
import { formatMoney, minorDigitsOf, moneyOf } from '../../../../kernel/money.js';
import type { LineAccumulator } from '../line-accumulator.js';

/** The controls of every result. Those of balances follow: `statement_balance:` with the id of a statement. */
export type ControlName =
  | 'lines_used_and_left_out_make_lines_read'
  | 'categories_and_uncategorised_make_net'
  | 'months_make_net'
  | 'category_months_make_claimable'
  | 'months_make_claimable'
  | 'tax_and_net_make_claimable'
  | 'own_and_converted_make_net';
type BalanceName = `statement_balance:${string}`;

/**
 * Sums that are computed in two ways and must be equal. They use the figures of the result, so that anyone can check them. All of
 * them always hold, except those of balances, which show whether lines are missing.
 */
export function controlsOf(lines: LineAccumulator, currency: string | null, figures: Figures): ClaimReportControlDto[] {
  const { totals, categories, months, uncategorised } = figures;
  const adds = (name: ControlName, expected: string, parts: readonly string[]) =>
    control(
      name,
      expected,
      formatMoney(
        parts.reduce((sum, part) => sum + moneyOf(part), 0n),
        minorDigitsOf(currency),
      ),
    );
  return [
    linesRead(lines),
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
    ...taxes(figures, adds),
    ...conversions(lines, currency, totals.net),
    ...balances(lines),
  ];
}

/** Only in a report with converted lines. */
function conversions({ conversions: made }: LineAccumulator, currency: string | null, net: string): ClaimReportControlDto[] {
  if (!made?.result()) return [];
  return [control('own_and_converted_make_net', net, formatMoney(made.net, minorDigitsOf(currency)))];
}

/** Only in a report with taxes. */
function taxes(
  { totals, categories }: Figures,
  adds: (name: ControlName, expected: string, parts: readonly string[]) => ClaimReportControlDto,
): ClaimReportControlDto[] {
  if (totals.claimableTax === undefined) return [];
  const parts = categories.flatMap(({ months }) => months.flatMap(({ claimableTax, claimableNet }) => [claimableTax!, claimableNet!]));
  return [adds('tax_and_net_make_claimable', totals.claimable, parts)];
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
