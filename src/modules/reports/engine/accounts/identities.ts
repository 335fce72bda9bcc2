import { getOrCreate } from '../amounts/currency-ledger.js';
import type { RunStatement } from '../inputs.js';

/** Which tokens of a run are the same account: files write its number in several ways. */
export class AccountIdentities {
  private readonly keys = new Map<string, string>();

  private readonly currencies = new Map<string, Set<string>>();

  constructor(statements: readonly RunStatement[]) {
    const balances = statements.flatMap((statement) => statement.balances);
    for (const { account, key } of balances) if (account !== null && key) this.keys.set(account, key);
    for (const { account, currency } of balances) {
      if (account === null || currency === null) continue;
      getOrCreate(this.currencies, this.find(account), () => new Set<string>()).add(currency);
    }
  }

  /** Equal for the tokens of the same account. */
  find(token: string): string {
    return this.keys.get(token) ?? token;
  }

  /** The account of a line; null if neither the file nor its lines tell it. */
  ofLine({ account: token }: { readonly account: string | null }, { matchedAccount }: RunStatement): string | null {
    const written = token ?? matchedAccount ?? null;
    return written === null ? null : this.find(written);
  }

  /** The currency of a line: what its file says, else that of the account if all other statements have it in one; else null. */
  currencyOf(line: { readonly account: string | null; readonly currency: string | null }, statement: RunStatement): string | null {
    if (line.currency !== null) return line.currency;
    const account = this.ofLine(line, statement);
    const [only, another] = account === null ? [] : (this.currencies.get(account) ?? []);
    return another === undefined ? (only ?? null) : null;
  }

  /** Whether other statements tell the currency of all lines that have none. */
  tellCurrencyOf(statement: RunStatement): boolean {
    const accounts = [...this.ofStatement(statement)];
    return accounts.length > 0 && accounts.every((account) => this.currencies.get(account)?.size === 1);
  }

  /** The accounts that a statement names, or the one that its lines are of. */
  ofStatement({ balances, matchedAccount }: RunStatement): Set<string> {
    const named = balances.flatMap(({ account }) => account ?? []);
    return new Set([...named, ...(named.length === 0 && matchedAccount ? [matchedAccount] : [])].map((token) => this.find(token)));
  }
}
