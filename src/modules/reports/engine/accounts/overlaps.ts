import { getOrCreate } from '../amounts/currency-ledger.js';
import { overlap, type DateRange } from '../calendar-days.js';
import { periodOf } from '../checks/evidence.js';
import type { RunStatement } from '../inputs.js';
import type { AccountIdentities } from './identities.js';

/** Which statements of a run cover days of the same account. The lines of all others need not be compared. */
export class Overlaps {
  private readonly earlier = new Map<string, readonly RunStatement[]>();
  private readonly compared = new Set<string>();

  constructor(statements: readonly RunStatement[], identities: AccountIdentities) {
    const byAccount = new Map<string, RunStatement[]>();
    for (const statement of statements) {
      const accounts = [...identities.ofStatement(statement)].map((account) => getOrCreate(byAccount, account, () => []));
      const others = new Set(accounts.flatMap((before) => before.filter((other) => commonDays(statement, other) !== null)));
      this.earlier.set(statement.id, [...others]);
      if (others.size > 0) for (const { id } of [statement, ...others]) this.compared.add(id);
      for (const before of accounts) before.push(statement);
    }
  }

  /** The statements before this one that cover days of the same account. */
  before({ id }: RunStatement): readonly RunStatement[] {
    return this.earlier.get(id) ?? [];
  }

  /** Whether an earlier or a later statement covers days of the same account. */
  concern({ id }: RunStatement): boolean {
    return this.compared.has(id);
  }
}

/** The days that both statements cover; null if there are none. */
export function commonDays(one: RunStatement, other: RunStatement): DateRange | null {
  const [first, second] = [periodOf(one), periodOf(other)];
  const days = first && second && overlap(first, second);
  return days && days.start <= days.end ? days : null;
}
