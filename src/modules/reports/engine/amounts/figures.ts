import type { AmountsDto, CategoryResultDto, MonthDto, OtherCurrencyDto, TotalsDto, UncategorisedDto } from '../../result.dto.js';
import type { RunCategory } from '../inputs.js';
import { Sums, type CurrencyLedger } from './currency-ledger.js';
import { formatMoney, minorDigitsOf, type Money } from './money.js';

export interface Figures {
  readonly totals: TotalsDto;
  readonly categories: CategoryResultDto[];
  readonly months: MonthDto[];
  readonly uncategorised: UncategorisedDto;
}

/** A ledger as it is shown. Claims are rounded for each category and month, and all other claims are sums of these: so they add up. */
export function figuresOf(ledger: CurrencyLedger, categories: readonly RunCategory[], currency: string | null): Figures {
  const digits = minorDigitsOf(currency);
  const shown = (sums: Sums, claimable: Money): AmountsDto => ({ ...sumsShown(sums, digits), claimable: formatMoney(claimable, digits) });
  const claimed = new Map<string, Money>();
  let claimedInAll: Money = 0n;
  const ofCategories = categories.map(({ id, code, name }): CategoryResultDto => {
    const cells = [...(ledger.categoryMonths.get(id) ?? [])].sort(byKey);
    const sums = new Sums();
    let claimedHere: Money = 0n;
    const months = cells.map(([month, cell]) => {
      const claimable = cell.claimable(digits);
      sums.include(cell);
      claimedHere += claimable;
      claimed.set(month, (claimed.get(month) ?? 0n) + claimable);
      return { month, ...shown(cell, claimable) };
    });
    claimedInAll += claimedHere;
    return { code, name, ...shown(sums, claimedHere), months };
  });
  const net = formatMoney(ledger.uncategorised.net, digits);
  return {
    totals: { ...shown(ledger.totals, claimedInAll), uncategorised: net },
    categories: ofCategories,
    months: [...ledger.months].sort(byKey).map(([month, sums]) => ({ month, ...shown(sums, claimed.get(month) ?? 0n) })),
    uncategorised: { count: ledger.uncategorised.count, net },
  };
}

/** By currency; lines that name none come last. */
export function otherCurrencies(ledgers: ReadonlyMap<string | null, CurrencyLedger>, main: string | null): OtherCurrencyDto[] {
  const others = [...ledgers].filter(([currency]) => currency !== main);
  others.sort(([a], [b]) => (b === null || (a !== null && a < b) ? -1 : 1));
  return others.map(([currency, { totals }]) => ({ currency, ...sumsShown(totals, minorDigitsOf(currency)) }));
}

function sumsShown({ count, gross, refunds, net }: Sums, digits: number): Omit<AmountsDto, 'claimable'> {
  return { count, gross: formatMoney(gross, digits), refunds: formatMoney(refunds, digits), net: formatMoney(net, digits) };
}

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}
