import { exactMoneyOf, formatMoney } from '../../../../kernel/money.js';
import type { AmountsDto } from '../../result.dto.js';
import { type Cell, columnRange, type Look, number } from './sheet.js';

/** The figures of some lines. Those that no category claims have no claim. */
export interface Figures extends Pick<AmountsDto, 'count' | 'gross' | 'refunds' | 'net'> {
  readonly claimable: string | null;
  /** Absent in a report without taxes, as is the next one. */
  readonly claimableTax?: string | null;
  readonly claimableNet?: string | null;
}

const AMOUNTS = ['gross', 'refunds', 'net', 'claimable'] as const;
const TAXES = ['claimableTax', 'claimableNet'] as const;
type Amount = (typeof AMOUNTS)[number] | (typeof TAXES)[number];
/** Columns of figures, counted from 0: after the claim are its tax, and the claim without tax. */
export const CLAIM_COLUMN = AMOUNTS.length;
export const TAX_COLUMN = CLAIM_COLUMN + 1;
export const WITHOUT_TAX_COLUMN = CLAIM_COLUMN + 2;

/** The columns of these figures after their number. */
const amountsOf = ({ claimableTax }: Figures): readonly Amount[] => (claimableTax === undefined ? AMOUNTS : [...AMOUNTS, ...TAXES]);

/** The lines that no category claims: all lines without those of the categories. */
export function unclaimedOf(totals: Figures, claimed: Figures, digits: number): Figures {
  const rest = (name: 'gross' | 'refunds' | 'net') => formatMoney(exactMoneyOf(totals[name]) - exactMoneyOf(claimed[name]), digits);
  return {
    ...{ count: totals.count - claimed.count, gross: rest('gross'), refunds: rest('refunds'), net: rest('net'), claimable: null },
    ...(totals.claimableTax !== undefined && { claimableTax: null, claimableNet: null }),
  };
}

interface FiguresLook {
  readonly look?: Look;
  /** What makes the figure in a column, counted from 0. */
  readonly formulaOf?: (column: number) => string | undefined;
}

export function figureCells(figures: Figures, { look, formulaOf }: FiguresLook = {}): Cell[] {
  return [String(figures.count), ...amountsOf(figures).map((name) => figures[name] ?? null)].map((value, column) =>
    number(value, { look, formula: formulaOf?.(column) }),
  );
}

/** Adds up what is shown of the rows, if there are any. Leaves out other subtotals among them. */
export const subtotalOf = (column: number, first: number, last: number): string | undefined =>
  last < first ? undefined : `SUBTOTAL(9,${columnRange(column, first, last)})`;
