import type { StatementReading } from '../formats/statement-line.js';
import type { RedactedLine } from '../redaction/redactor.js';
import type { OwnAccount } from '../redaction/tokens/account-key.js';
import type { AccountBalance, BankStatement } from '../statement.entity.js';

export type StatementFacts = Pick<
  BankStatement,
  'format' | 'accountLabel' | 'currency' | 'periodStart' | 'periodEnd' | 'lineCount' | 'balances' | 'warnings' | 'certainty'
>;

const MAX_LABELLED_ACCOUNTS = 3;

export class StatementFactsBuilder {
  private readonly accounts = new Map<string, OwnAccount>();
  private readonly currencies = new Set<string | null>();
  private readonly currenciesOf = new Map<string, Set<string>>();
  private first: string | null = null;
  private last: string | null = null;
  private count = 0;

  /** `ownAccount` returns an account without its number; `given` is the one of lines and balances that name none. */
  constructor(
    private readonly ownAccount: (account: string) => OwnAccount | null,
    private readonly given: OwnAccount | null,
  ) {}

  add(lines: readonly RedactedLine[], accounts: Iterable<string | null>): void {
    for (const account of accounts) this.meet(account);
    for (const { account, currency, bookedOn } of lines) {
      this.currencies.add(currency);
      if (account !== null && currency !== null)
        this.currenciesOf.set(account, (this.currenciesOf.get(account) ?? new Set()).add(currency));
      if (this.first === null || bookedOn < this.first) this.first = bookedOn;
      if (this.last === null || bookedOn > this.last) this.last = bookedOn;
    }
    this.count += lines.length;
  }

  /** To be called after all lines were read. */
  build({ format, period, balances, warnings, certainty }: StatementReading): StatementFacts {
    const stated = balances().map((balance): AccountBalance => {
      const own = this.meet(balance.account);
      return { ...balance, account: own?.account ?? null, key: own?.key ?? null };
    });
    if (this.count === 0) for (const { currency } of stated) this.currencies.add(currency);
    const accounts = [...this.accounts.values()];
    const withBalances = new Set(stated.map(({ account }) => account));
    const others = accounts.filter(({ account }) => !withBalances.has(account));
    const statedPeriod = period();
    return {
      format,
      accountLabel: labelOf(accounts),
      currency: this.currencies.size === 1 ? [...this.currencies][0]! : null,
      periodStart: statedPeriod?.start ?? this.first,
      periodEnd: statedPeriod?.end ?? this.last,
      lineCount: this.count,
      balances: [
        ...stated,
        ...others.map((own): AccountBalance => ({ ...own, currency: this.onlyCurrencyOf(own), opening: null, closing: null })),
      ],
      warnings: warnings(),
      certainty: certainty(),
    };
  }

  private onlyCurrencyOf({ account }: OwnAccount): string | null {
    const [only, another] = this.currenciesOf.get(account) ?? [];
    return another === undefined ? (only ?? null) : null;
  }

  private meet(account: string | null): OwnAccount | null {
    if (account === null) {
      if (this.given) this.accounts.set(this.given.account, this.given);
      return this.given;
    }
    const own = this.accounts.get(account) ?? this.ownAccount(account);
    if (own) this.accounts.set(account, own);
    return own;
  }
}

/** Such as `•••• 3000`: only the last characters, which the tokens of own accounts contain. */
function labelOf(accounts: readonly OwnAccount[]): string | null {
  if (accounts.length === 0) return null;
  const shown = accounts.slice(0, MAX_LABELLED_ACCOUNTS).map(({ account }) => `•••• ${/\((\w+)\)$/.exec(account)?.[1] ?? ''}`.trim());
  return [...shown, ...(accounts.length > MAX_LABELLED_ACCOUNTS ? ['…'] : [])].join(', ');
}
