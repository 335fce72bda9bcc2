import type { Money } from '../../../../kernel/money.js';
import type { RunLine } from '../inputs.js';

/** How many lines and counterparties the result names. */
const MAX_NAMED = 20;
/** Counterparties that appear for the first time after so many others are not counted. */
const MAX_COUNTED = 50_000;

export interface UnclaimedLine {
  readonly statementId: string;
  readonly lineNumber: number;
  readonly amount: Money;
  readonly counterparty: string | null;
}

export interface UnclaimedCounterparty {
  readonly counterparty: string;
  readonly first: UnclaimedLine;
  count: number;
  /** Negative for money out, as in lines. */
  sum: Money;
}

/** The lines that no category claims: the largest ones, and the counterparties that most of the money went to. */
export class UnclaimedLines {
  /** The largest first; of equal ones, the earlier one. */
  readonly largest: UnclaimedLine[] = [];
  private readonly byCounterparty = new Map<string, UnclaimedCounterparty>();

  add({ statementId, lineNumber, counterparty }: RunLine, amount: Money): void {
    const line = { statementId, lineNumber, amount, counterparty };
    this.rank(line);
    if (counterparty === null) return;
    const known = this.byCounterparty.get(counterparty);
    if (known) {
      known.count += 1;
      known.sum += amount;
    } else if (this.byCounterparty.size < MAX_COUNTED) {
      this.byCounterparty.set(counterparty, { counterparty, first: line, count: 1, sum: amount });
    }
  }

  /** The counterparties of several lines, those with the most money first. */
  repeated(): UnclaimedCounterparty[] {
    const several = [...this.byCounterparty.values()].filter(({ count }) => count > 1);
    return several.sort((a, b) => Number(sizeOf(b.sum) > sizeOf(a.sum)) - Number(sizeOf(b.sum) < sizeOf(a.sum))).slice(0, MAX_NAMED);
  }

  private rank(line: UnclaimedLine): void {
    const size = sizeOf(line.amount);
    if (this.largest.length === MAX_NAMED && size <= sizeOf(this.largest.at(-1)!.amount)) return;
    const at = this.largest.findIndex(({ amount }) => sizeOf(amount) < size);
    this.largest.splice(at < 0 ? this.largest.length : at, 0, line);
    this.largest.length = Math.min(this.largest.length, MAX_NAMED);
  }
}

const sizeOf = (amount: Money): Money => (amount < 0n ? -amount : amount);
