import type { StatementReading } from '../formats/statement-reading.js';
import { type StatementLine, MAX_UNPACKED_BYTES, MAX_UNPACKED_SIZE } from '../../../../tools/bank-files/index.js';
import { checkRedactedLine, looksMasked, MAX_NAMES, type MaskedName, type OwnAccount } from '../../../../tools/personal-data/index.js';
import { ownAccountOf, REDACTION_VERSION, type RedactedLine, Redactor } from '../../../../tools/personal-data/index.js';
import { plainText } from '../../../../tools/personal-data/tokens/index.js';
import type { AccountBalance, BankStatement, Redaction } from '../statement.entity.js';
import { setImmediate } from 'node:timers/promises';
import { serialize } from 'node:v8';
import { JobFailure } from '../../../kernel/failure.js';
import { readStatement } from '../formats/read-statement.js';
import type { ReadingOptions } from '../formats/statement-reader.js';
import type { LinesToRedact, Masked } from '../redaction/redact-lines.computation.js';
import { redactBatch } from '../redaction/redact-batch.js';
import { SecondRedactor } from '../redaction/second-redactor.js';

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

export interface FileToRead extends Required<LinesToRedact> {
  readonly fileName: string;
  readonly options: ReadingOptions;
  /** The account of the lines that name none, if the importer says it. */
  readonly account: OwnAccount | null;
  /** Whether the importer says that it was redacted already. Then nothing is masked but the own account. */
  readonly isRedacted: boolean;
}

export interface ReadFile {
  readonly facts: StatementFacts;
  readonly redaction: Pick<Redaction, 'engineVersion' | 'counts'>;
  readonly names: readonly MaskedName[];
}

export interface RedactedBatch {
  readonly lines: Uint8Array;
}

/** Reads a file and yields its lines redacted, in batches. They wait in memory until all were read, so they have a bound together. */
export default async function* readAndRedact(
  { fileName, options, account, key, isRedacted, redactCounterparties, decisions, keepNames }: FileToRead,
  bytes: AsyncIterable<Uint8Array>,
  secondMib?: number,
): AsyncGenerator<RedactedBatch, ReadFile> {
  const reading = await readStatement(bytes, fileName, options);
  const organization = { redactCounterparties, decisions, keepNames };
  const redactor = new Redactor(key, organization);
  const redact = (batch: Batch): RedactedLine[] =>
    redactBatch(batch, (line) => (isRedacted ? checkRedactedLine(line, key) : redactor.redact(line)));
  const second = secondMib === undefined || isRedacted ? undefined : new SecondRedactor({ key, ...organization }, secondMib);
  const facts = new StatementFactsBuilder((text) => accountIn(text, key, isRedacted), account);
  let size = 0;
  try {
    for await (const { accounts, redacted } of second ? inTwoThreads(reading.lines, redact, second) : inOne(reading.lines, redact)) {
      const own = redacted.map((line) => (line.account === null && account ? { ...line, account: account.account } : line));
      facts.add(own, accounts);
      const lines = new Uint8Array(serialize(own));
      size += lines.byteLength;
      if (size > MAX_UNPACKED_BYTES)
        throw new JobFailure('file_too_large', `The lines of the file are together larger than ${MAX_UNPACKED_SIZE}.`);
      yield { lines };
    }
    const { counts, names } = together(redactor, await second?.finish());
    return { facts: facts.build(reading), redaction: { engineVersion: REDACTION_VERSION, counts }, names };
  } finally {
    await second?.end();
  }
}

type Batch = readonly StatementLine[];
type Redact = (batch: Batch) => readonly RedactedLine[];

interface RedactedLines {
  /** As the file writes them. */
  readonly accounts: ReadonlySet<string | null>;
  readonly redacted: readonly RedactedLine[];
}

const accountsOf = (batch: Batch) => new Set(batch.map(({ account }) => account));

async function* inOne(batches: AsyncIterable<Batch>, redact: Redact): AsyncGenerator<RedactedLines> {
  for await (const batch of batches) yield { accounts: accountsOf(batch), redacted: redact(batch) };
}

const MAX_WAITING = 4;

/** Gives each batch to the second thread if it is free, and redacts it here otherwise. They come in the order of the file. */
async function* inTwoThreads(batches: AsyncIterable<Batch>, redact: Redact, second: SecondRedactor): AsyncGenerator<RedactedLines> {
  const waiting: Promise<RedactedLines>[] = [];
  for await (const batch of batches) {
    const given = second.isFree ? second.redact(batch) : undefined;
    const lines = (async () => ({ accounts: accountsOf(batch), redacted: await (given ?? redact(batch)) }))();
    // It is reported when it is its turn: of several mistakes the first in the file.
    lines.catch(() => undefined);
    waiting.push(lines);
    // What the second thread has sent arrives.
    await setImmediate();
    if (waiting.length > MAX_WAITING) yield await waiting.shift()!;
  }
  for (const lines of waiting) yield await lines;
}

function together({ counts, names }: Masked, others: Masked = { counts: {}, names: [] }): Masked {
  const kinds = new Set([...Object.keys(counts), ...Object.keys(others.counts)]);
  const byToken = new Map(names.map((name) => [name.token, name]));
  for (const name of others.names) byToken.set(name.token, { ...name, times: name.times + (byToken.get(name.token)?.times ?? 0) });
  return {
    counts: Object.fromEntries([...kinds].map((kind) => [kind, (counts[kind] ?? 0) + (others.counts[kind] ?? 0)])),
    names: [...byToken.values()].slice(0, MAX_NAMES),
  };
}

function accountIn(text: string, key: Uint8Array, isRedacted: boolean): OwnAccount | null {
  return isRedacted && looksMasked(text) ? { account: plainText(text), key: null } : ownAccountOf(text, key);
}
