import { negated } from '../../amounts.js';
import type { LineDraft, StatementBalance } from '../../statement-line.js';
import type { BalanceRow, Row } from '../row-reader.js';
import { RunningBalance } from '../running-balance.js';
import { StatedBalances } from '../stated-balances.js';
import { doesNotFit } from '../layout.js';
import type { WrittenLayout } from './written-layout.js';

type Owner = Pick<LineDraft, 'account' | 'currency'>;

interface Balances extends Owner {
  /** From the column of balances. */
  readonly running: RunningBalance;
  /** From rows of their own. */
  readonly stated: StatedBalances;
}

/** Balances by account and currency: a file may have several of both. */
class AccountBalances {
  private readonly accounts = new Map<string, Balances>();

  state(statement: 'opening' | 'closing', { amount, ...owner }: Owner & { readonly amount: string }, line: number): void {
    this.balancesFor(owner).stated.state(statement, amount, line);
  }

  take(row: Row | BalanceRow, bookedOn: string): void {
    const { line, balance } = row;
    const isBooking = row.kind === 'booking';
    const { running, stated } = this.balancesFor(isBooking ? row.draft : row);
    const amount = isBooking ? row.draft.amount : '0.00';
    running.take({ bookedOn, amount, balance, line, isBooking });
    if (isBooking) stated.book(amount);
  }

  /** What is proven to be read wrong is not a statement. */
  refuseContradiction(): void {
    for (const { stated } of this.accounts.values()) stated.refuseContradiction();
  }

  get balances(): StatementBalance[] {
    return [...this.accounts.values()].flatMap(({ account, currency, stated, running }) => {
      const ends = stated.ends ?? running.ends;
      return ends ? [{ account, currency, ...ends }] : [];
    });
  }

  get proof() {
    const all = [...this.accounts.values()];
    const unstated = all.filter(({ stated }) => !stated.ends);
    return {
      /** Where the balances of an account stop to follow from its amounts. */
      brokenAt: [...unstated.filter(isNamed).map(({ running }) => running.brokenAt), this.strayAt].filter((line) => line !== null),
      hasBalances: unstated.every(({ running }) => !running.isAbsent),
      isProven: all.some(({ running }) => running.hasBookings) && unstated.every(({ running }) => running.provesAmounts),
    };
  }

  /** Where a row that names no owner states a balance that no booking leads to: it may be a booking whose cells have moved. */
  private get strayAt(): number | null {
    const all = [...this.accounts.values()];
    const booked = all.map(({ running }) => running).filter((running) => running.hasBookings);
    const unnamed = all.find((balances) => !isNamed(balances));
    if (!unnamed || booked.length === 0 || booked.some((running) => running.isAbsent)) return null;
    return unnamed.running.notReachedBy(booked);
  }

  private balancesFor({ account, currency }: Owner): Balances {
    const key = `${account} ${currency}`;
    const known = this.accounts.get(key) ?? { account, currency, running: new RunningBalance(), stated: new StatedBalances() };
    this.accounts.set(key, known);
    return known;
  }
}

/** A row may state a balance without naming the account and currency that bookings name. */
const isNamed = ({ account, currency, running }: Balances): boolean => running.hasBookings || account !== null || currency !== null;

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
