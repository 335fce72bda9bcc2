import { byKey, getOrCreate } from '../engine/amounts/currency-ledger.js';
import { sumOf } from '../engine/amounts/figures.js';
import type { AmountsDto, Computed, ClaimReportMonthDto } from '../result.dto.js';

export const claimedOf = ({ categories, currency }: Pick<Computed, 'categories' | 'currency'>): AmountsDto =>
  together(categories, currency);

export function claimedMonthsOf({ categories, currency }: Computed): ClaimReportMonthDto[] {
  const months = new Map<string, ClaimReportMonthDto[]>();
  for (const month of categories.flatMap((category) => category.months)) getOrCreate(months, month.month, () => []).push(month);
  return [...months].sort(byKey).map(([month, parts]) => ({ month, ...together(parts, currency) }));
}

function together(parts: readonly AmountsDto[], currency: string | null): AmountsDto {
  const amountsOf = (field: Exclude<keyof AmountsDto, 'count'>) => parts.map((part) => part[field] ?? '0');
  const sum = (field: Exclude<keyof AmountsDto, 'count'>) => sumOf(amountsOf(field), currency);
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
