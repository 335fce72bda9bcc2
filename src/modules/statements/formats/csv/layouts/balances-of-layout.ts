import { negated } from '../../amounts.js';
import { AccountBalances } from '../account-balances.js';
import type { BalanceRow, Row } from '../row-reader.js';
import { doesNotFit } from './apply-layout.js';
import type { WrittenLayout } from './written-layout.js';

/** The balances of a file, which contradict its layout if they follow from its amounts with the other sign alone. */
export class BalancesOfLayout extends AccountBalances {
  /** As if the layout said the opposite. */
  private readonly opposite: AccountBalances | null;

  constructor(private readonly layout: WrittenLayout | undefined) {
    super();
    this.opposite = layout?.amounts || layout?.direction ? new AccountBalances() : null;
  }

  override take(row: Row | BalanceRow, bookedOn: string): void {
    super.take(row, bookedOn);
    this.opposite?.take(row.kind === 'balance' ? row : { ...row, draft: { ...row.draft, amount: negated(row.draft.amount) } }, bookedOn);
  }

  override refuseContradiction(): void {
    super.refuseContradiction();
    const [brokenAt] = this.proof.brokenAt;
    const opposite = this.opposite?.proof;
    if (brokenAt === undefined || !opposite?.isProven || !opposite.hasBalances || opposite.brokenAt.length > 0) return;
    throw doesNotFit(
      `From line ${brokenAt} on, the balances follow from the amounts with the other sign than the layout “${this.layout!.name}” says.`,
    );
  }
}
