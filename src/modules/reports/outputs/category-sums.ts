import { byKey, getOrCreate } from '../engine/amounts/currency-ledger.js';
import { sumOf } from '../engine/amounts/figures.js';
import type { AmountsDto, Computed, ClaimReportMonthDto } from '../result.dto.js';

export function claimedOf({ categories, currency }: Pick<Computed, 'categories' | 'currency'>): AmountsDto {
  return together(categories, currency);
}

export function claimedMonthsOf({ categories, currency }: Computed): ClaimReportMonthDto[] {
  const months = new Map<string, ClaimReportMonthDto[]>();
  for (const month of categories.flatMap((category) => category.months)) getOrCreate(months, month.month, () => []).push(month);
  return [...months].sort(byKey).map(([month, parts]) => ({ month, ...together(parts, currency) }));
}

function together(parts: readonly AmountsDto[], currency: string | null): AmountsDto {
  const sum = (field: Exclude<keyof AmountsDto, 'count'>) => {
    const amounts = parts.map((part) => part[field] ?? '0');
    return sumOf(amounts, currency);
  };
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
