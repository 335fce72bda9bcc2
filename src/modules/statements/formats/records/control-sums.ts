import { JobFailure } from '../../../../kernel/failure.js';
import { isZero, negated, sumOf } from '../amounts.js';

export type Side = 'in' | 'out';

/** How many bookings there are, with which sum, so that control totals of a file can be checked. */
export class ControlSums {
  private readonly sides: Record<Side, { count: number; sum: string | null }> = {
    in: { count: 0, sum: '0.00' },
    out: { count: 0, sum: '0.00' },
  };

  /** `side` is that of a zero, too. */
  book(amount: string, by: Side): void {
    const side = this.sides[by];
    side.count += 1;
    side.sum &&= sumOf([side.sum, amount]);
  }

  /** Whether the bookings of a side add up to this total, which has no sign, and are as many as stated. */
  agree(side: Side, total: string, stated?: string): boolean {
    const { sum, count } = this.sides[side];
    return sum === (side === 'out' ? negated(total) : total) && (stated === undefined || Number(stated) === count);
  }

  leads(opening: string, closing: string): boolean {
    const { in: credits, out: debits } = this.sides;
    if (credits.sum === null || debits.sum === null) return false;
    const rest = sumOf([opening, credits.sum, debits.sum, negated(closing)]);
    return rest !== null && isZero(rest);
  }
}

/** What is proven to be read wrong, or to be incomplete, is not a statement. `where` names the line of the total. */
export const totalsContradict = (where: string): JobFailure =>
  new JobFailure(
    'totals_contradict',
    `${where} states other control totals than the records before it have: a record is missing, or was changed.`,
  );

export const balancesContradict = (where: string): JobFailure =>
  new JobFailure(
    'balances_contradict',
    `The bookings do not lead from the opening balance to the closing balance ${where}: a record is missing, or was changed.`,
  );
