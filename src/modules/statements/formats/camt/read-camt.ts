import { JobFailure } from '../../../../kernel/failure.js';
import { negated, plainDecimalOf } from '../amounts.js';
import { leadingDayOf } from '../dates.js';
import { currencyOf, widened, type DraftReading, type LineDraft, type Period } from '../line-draft.js';
import { NotBooked } from '../not-booked.js';
import { plainMarkup } from '../plain-markup.js';
import type { StatementBalance } from '../statement-line.js';
import { linesOf, statusOf } from './entry.js';
import { partsOf, type StatementPart } from './statement-parts.js';
import { nodeOf, nodesAt, textAt, type XmlNode } from './xml-node.js';

/** Lines are yielded in batches, because each yield takes time. */
const BATCH_LINES = 200;

export function readCamt(texts: AsyncIterable<string>): DraftReading {
  const reader = new CamtReader();
  return {
    lines: reader.linesOf(partsOf(plainMarkup(texts))),
    balances: () => reader.balances,
    period: () => reader.period,
    warnings: () => reader.notBooked.warnings,
  };
}

class CamtReader {
  readonly balances: StatementBalance[] = [];
  period: Period | null = null;
  readonly notBooked = new NotBooked();
  private account: string | null = null;
  private owner: string | null = null;
  /** The period of the current statement. */
  private stated: Period | null = null;
  /** Of the current statement, by currency: an account may be kept in several. */
  private readonly current = new Map<string | null, Ends>();
  private entries = 0;

  async *linesOf(parts: AsyncIterable<StatementPart>): AsyncGenerator<readonly LineDraft[]> {
    let lines: LineDraft[] = [];
    for await (const part of parts) {
      for (const line of this.take(part)) lines.push(line);
      if (lines.length < BATCH_LINES) continue;
      yield lines;
      lines = [];
    }
    yield lines;
  }

  private take(part: StatementPart): LineDraft[] {
    if (part.kind === 'start') this.begin();
    if (part.kind === 'end') this.end();
    if (part.kind === 'about') this.learn(parsed(part.xml, 'The account and balances of a statement are'));
    if (part.kind !== 'entry') return [];
    this.entries += 1;
    const entry = parsed(part.xml, `Entry ${this.entries} is`);
    const status = statusOf(entry);
    if (status === 'not booked') this.notBooked.leaveOut(`entry ${this.entries}`);
    if (status !== 'booked') return [];
    const lines = linesOf(entry, this.account, this.entries);
    return this.owner === null ? lines : lines.map((line) => ({ ...line, owner: this.owner }));
  }

  private begin(): void {
    [this.account, this.owner, this.stated] = [null, null, null];
    this.current.clear();
  }

  private end(): void {
    for (const [currency, { opening, closing }] of this.current)
      if (opening ?? closing)
        this.balances.push({ account: this.account, currency, opening, closing, ...(this.stated && { period: this.stated }) });
  }

  private learn(about: XmlNode): void {
    this.account ??= textAt(about, 'Acct/Id/IBAN', 'Acct/Id/Othr/Id');
    const ofAccount = currencyOf(textAt(about, 'Acct/Ccy'));
    const balances = nodesAt(about, 'Bal');
    const currencyOfBalance = (balance: XmlNode): string | null => currencyOf(textAt(balance, 'Amt/@Ccy')) ?? ofAccount;
    for (const currency of new Set(balances.map(currencyOfBalance))) {
      const own = balances.filter((balance) => currencyOfBalance(balance) === currency);
      const known = this.current.get(currency);
      this.current.set(currency, {
        opening: known?.opening ?? balanceOf(own, 'OPBD') ?? balanceOf(own, 'PRCD'),
        closing: known?.closing ?? balanceOf(own, 'CLBD'),
      });
    }
    this.owner ??= textAt(about, 'Acct/Ownr/Nm', 'Acct/Ownr/Pty/Nm');
    const start = leadingDayOf(textAt(about, 'FrToDt/FrDtTm') ?? '');
    const end = leadingDayOf(textAt(about, 'FrToDt/ToDtTm') ?? '');
    if (!start || !end) return;
    this.stated = { start, end };
    this.period = widened(this.period, start, end);
  }
}

type Ends = Pick<StatementBalance, 'opening' | 'closing'>;

function parsed(xml: string, subject: string): XmlNode {
  const node = nodeOf(xml);
  if (node === null) throw new JobFailure('invalid_markup', `${subject} not well-formed XML.`);
  return node;
}

function balanceOf(balances: readonly XmlNode[], code: string): string | null {
  const balance = balances.find((candidate) => textAt(candidate, 'Tp/CdOrPrtry/Cd') === code);
  if (!balance) return null;
  const amount = plainDecimalOf(textAt(balance, 'Amt') ?? '');
  if (!amount) throw new JobFailure('invalid_amount', `A balance (${code}) has no valid amount.`);
  return textAt(balance, 'CdtDbtInd') === 'DBIT' ? negated(amount) : amount;
}
