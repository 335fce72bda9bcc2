import { negated, sumOf } from '../amounts.js';
import type { StatementBalance } from '../statement-line.js';

/**
 * Opening and closing balance from the balance column. They are used only if every line leads from one balance to the next, either
 * from the top down or, in files with the newest line first, from the bottom up.
 */
export class RunningBalance {
  private first: { readonly balance: string; readonly before: string } | null = null;
  private last: { readonly balance: string; readonly before: string } | null = null;
  private leadsDown = true;
  private leadsUp = true;

  take(amount: string, balance: string | null): void {
    const before = balance && sumOf([balance, negated(amount)]);
    if (!balance || !before) {
      this.leadsDown = this.leadsUp = false;
      return;
    }
    this.leadsDown &&= this.last === null || this.last.balance === before;
    this.leadsUp &&= this.last === null || this.last.before === balance;
    this.last = { balance, before };
    this.first ??= this.last;
  }

  /** null if the balances do not agree with the amounts. */
  get ends(): Pick<StatementBalance, 'opening' | 'closing'> | null {
    if (!this.first || !this.last) return null;
    if (this.leadsDown) return { opening: this.first.before, closing: this.last.balance };
    return this.leadsUp ? { opening: this.last.before, closing: this.first.balance } : null;
  }
}
