import { exactMoneyOf, formatMoney, readPercent, roundFraction, taxIn } from '../../../kernel/money.js';
import type { Computed } from '../result.dto.js';
import type { DetailLine } from './detail-line.js';

/** Decimals of the tax of one line, which may have no end. The tax of a category and month is computed from exact fractions. */
const SHOWN_DECIMALS = 6;

/** Whether a rule of the run states a tax. If none does, no file has a column for it. */
export const hasTax = ({ totals }: Pick<Computed, 'totals'>): boolean => totals.claimableTax !== undefined;

/** The tax that the claim of a line contains; null if its rule states none. */
export function containedTax({ claimable, taxPercent }: DetailLine, minDigits: number, decimals = SHOWN_DECIMALS): string | null {
  if (claimable === null || taxPercent === undefined || taxPercent === null) return null;
  return formatMoney(roundFraction(taxIn(exactMoneyOf(claimable), readPercent(taxPercent)!), decimals), minDigits);
}
