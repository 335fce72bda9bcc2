import { JobFailure } from '../../../../kernel/failure.js';
import { type Money, moneyOf, shareOf } from '../../../../kernel/money.js';
import { getOrCreate } from '../../../../kernel/get-or-create.js';
import type { RunInputs } from '../inputs.js';
import type { Item } from './matcher.js';

/** What people call a receipt within a report: `R1` for the first one. */
export const receiptReference = (index: number): string => `R${index + 1}`;

interface LineReceipts {
  readonly references: string[];
  /** What they state together; null if none of them states a tax. */
  tax: Money | null;
}

/** The receipts of the lines of a run. Those of a project are for none of them. */
export class Receipts {
  readonly hasTax: boolean;
  private readonly byLine = new Map<string, LineReceipts>();

  constructor({ receipts = [] }: Pick<RunInputs, 'receipts'>) {
    this.hasTax = receipts.some(({ taxAmount }) => taxAmount !== null);
    for (const [index, { fingerprint, occurrence, taxAmount }] of receipts.entries()) {
      if (fingerprint === null) continue;
      const ofLine = getOrCreate(this.byLine, `${fingerprint} ${occurrence}`, (): LineReceipts => ({ references: [], tax: null }));
      ofLine.references.push(receiptReference(index));
      if (taxAmount !== null) ofLine.tax = (ofLine.tax ?? 0n) + moneyOf(taxAmount);
    }
  }

  of(fingerprint: string, occurrence: number): LineReceipts | undefined {
    return this.byLine.size === 0 ? undefined : this.byLine.get(`${fingerprint} ${occurrence}`);
  }
}

/**
 * An item whose claim has the tax that receipts state: its share of the line, and of that what is claimed. `line` is the amount of the line
 * in its own currency, which the tax is in, too; that of the item may be converted.
 */
export function withStatedTax(item: Item, line: Money, receipts: LineReceipts | undefined): Item {
  const tax = receipts?.tax ?? null;
  if (item.claim === null || tax === null || line === 0n) return item;
  const size = line < 0n ? -line : line;
  // An item may have become cheaper since its receipts were added.
  if (tax > size)
    throw new JobFailure('receipt_tax_too_large', `Receipts ${receipts!.references.join(', ')} state more tax than their line costs.`);
  const { winner, losers } = item.claim;
  const stated = { numerator: shareOf(tax * -item.amount, winner.rule.percent), denominator: size };
  return { ...item, claim: { winner: { ...winner, rule: { ...winner.rule, tax: stated, taxPercent: null } }, losers } };
}
