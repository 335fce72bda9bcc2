import { formatMoney, minorDigitsOf, moneyOf } from '../../../../kernel/money.js';
import type { AmountsDto, Computed, ClaimReportMonthDto } from '../../result.dto.js';

export type Amounts = AmountsDto;

/** The sum of amounts, with the decimals of the currency. */
export const sumOf = (amounts: readonly string[], currency: string | null): string =>
  formatMoney(
    amounts.reduce((sum, amount) => sum + moneyOf(amount), 0n),
    minorDigitsOf(currency),
  );

/** All categories together: what the claim is made from. */
export function claimedOf({ categories, currency }: Pick<Computed, 'categories' | 'currency'>): Amounts {
  return together(categories, currency);
}

/** The months of all categories together, which make up the claim. */
export function claimedMonthsOf({ categories, currency }: Computed): ClaimReportMonthDto[] {
  const months = new Map<string, ClaimReportMonthDto[]>();
  for (const month of categories.flatMap((category) => category.months)) {
    const same = months.get(month.month);
    if (same) same.push(month);
    else months.set(month.month, [month]);
  }
  return [...months].sort(([a], [b]) => (a < b ? -1 : 1)).map(([month, parts]) => ({ month, ...together(parts, currency) }));
}

function together(parts: readonly Amounts[], currency: string | null): Amounts {
  const sum = (field: 'gross' | 'refunds' | 'net' | 'claimable' | 'claimableTax' | 'claimableNet') =>
    sumOf(
      parts.map((part) => part[field] ?? '0'),
      currency,
    );
  return {
    count: parts.reduce((count, part) => count + part.count, 0),
    gross: sum('gross'),
    refunds: sum('refunds'),
    net: sum('net'),
    claimable: sum('claimable'),
    ...(parts.some(({ claimableTax }) => claimableTax !== undefined) && {
      claimableTax: sum('claimableTax'),
      claimableNet: sum('claimableNet'),
    }),
  };
}
