import type { RunStatement } from '../inputs.js';

/** Which tokens of a run are the same account: files write its number in several ways. */
export class AccountIdentities {
  /** Keys of accounts by their tokens. */
  private readonly keys = new Map<string, string>();

  constructor(statements: readonly RunStatement[]) {
    for (const { account, key } of statements.flatMap(({ balances }) => balances)) {
      if (account !== null && key) this.keys.set(account, key);
    }
  }

  /** Equal for the tokens of the same account. */
  of(token: string): string {
    return this.keys.get(token) ?? token;
  }

  /** The account of a line; null if neither the file nor its lines tell it. */
  ofLine({ account: token }: { readonly account: string | null }, { matchedAccount }: RunStatement): string | null {
    const written = token ?? matchedAccount ?? null;
    return written === null ? null : this.of(written);
  }

  /** The accounts that a statement names, or the one that its lines are of. */
  ofStatement({ balances, matchedAccount }: RunStatement): Set<string> {
    const named = balances.flatMap(({ account }) => account ?? []);
    return new Set([...named, ...(named.length === 0 && matchedAccount ? [matchedAccount] : [])].map((token) => this.of(token)));
  }
}
