import type { StatementReading } from '../formats/statement-line.js';
import type { RedactedLine } from '../redaction/redacted-line.js';
import type { BankStatement } from '../statement.entity.js';

/** What the record of a statement says about its content. */
export type StatementFacts = Pick<
  BankStatement,
  'format' | 'accountLabel' | 'currency' | 'periodStart' | 'periodEnd' | 'lineCount' | 'balances' | 'warnings'
>;

const MAX_LABELLED_ACCOUNTS = 3;

export class StatementFactsBuilder {
  private readonly accounts = new Set<string>();
  private readonly currencies = new Set<string | null>();
  private first: string | null = null;
  private last: string | null = null;
  private count = 0;

  add(lines: readonly RedactedLine[]): void {
    for (const { account, currency, bookedOn } of lines) {
      if (account !== null) this.accounts.add(account);
      this.currencies.add(currency);
      if (this.first === null || bookedOn < this.first) this.first = bookedOn;
      if (this.last === null || bookedOn > this.last) this.last = bookedOn;
    }
    this.count += lines.length;
  }

  /** To be called after all lines were read. `accountOf` returns the token of an account. */
  build({ format, period, balances, warnings }: StatementReading, accountOf: (account: string) => string | null): StatementFacts {
    const ownBalances = balances().map((balance) => ({
      ...balance,
      account: balance.account === null ? null : accountOf(balance.account),
    }));
    for (const { account } of ownBalances) if (account !== null) this.accounts.add(account);
    if (this.count === 0) for (const { currency } of ownBalances) this.currencies.add(currency);
    const statedPeriod = period();
    return {
      format,
      accountLabel: labelOf([...this.accounts]),
      currency: this.currencies.size === 1 ? [...this.currencies][0]! : null,
      periodStart: statedPeriod?.start ?? this.first,
      periodEnd: statedPeriod?.end ?? this.last,
      lineCount: this.count,
      balances: ownBalances,
      warnings: warnings(),
    };
  }
}

/** Such as `•••• 3000`: only the last characters, which the tokens of own accounts contain. */
function labelOf(accounts: readonly string[]): string | null {
  if (accounts.length === 0) return null;
  const shown = accounts.slice(0, MAX_LABELLED_ACCOUNTS).map((account) => `•••• ${/\((\w+)\)$/.exec(account)?.[1] ?? ''}`.trim());
  return [...shown, ...(accounts.length > MAX_LABELLED_ACCOUNTS ? ['…'] : [])].join(', ');
}
