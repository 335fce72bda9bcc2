import { JobFailure } from '../../../../kernel/failure.js';
import { leadingDayOf } from '../dates.js';
import { currencyOf, widened, type DraftReading, type LineDraft, type Period } from '../line-draft.js';
import { NotBooked } from '../not-booked.js';
import { plainMarkup } from '../plain-markup.js';
import type { StatementBalance } from '../statement-line.js';
import { tokensOf, type Token } from './markup-tokens.js';
import { amountOf, lineOf } from './transaction.js';

const STATEMENTS = new Set(['STMTRS', 'CCSTMTRS']);
/** Its bookings move money too. If it were ignored beside bank accounts, nobody would notice. */
const INVESTMENTS = 'INVSTMTRS';
const investmentsNotRead = (): JobFailure =>
  new JobFailure('format_not_supported', 'The file has an investment account, which is not read. Export bank accounts and cards only.');
/** The aggregates that are read. Other tags are values, or are ignored. */
const AGGREGATES = new Set([
  'OFX',
  ...STATEMENTS,
  INVESTMENTS,
  'BANKACCTFROM',
  'CCACCTFROM',
  'BANKTRANLIST',
  'STMTTRN',
  'STMTTRNP',
  'PAYEE',
  'BANKACCTTO',
  'CCACCTTO',
  'CURRENCY',
  'ORIGCURRENCY',
  'LEDGERBAL',
  'AVAILBAL',
  'BAL',
]);
/** More than there are value names in OFX. */
const MAX_VALUES = 200;

export function readOfx(texts: AsyncIterable<string>): DraftReading {
  const reader = new OfxReader();
  return {
    lines: reader.linesOf(tokensOf(plainMarkup(texts))),
    balances: () => reader.balances,
    period: () => reader.period,
    warnings: () => reader.notBooked.warnings,
  };
}

class OfxReader {
  readonly balances: StatementBalance[] = [];
  period: Period | null = null;
  readonly notBooked = new NotBooked();
  /** The aggregates that are open, outermost first. */
  private open: string[] = [];
  /** Values of the current statement; null outside of a statement. */
  private statement: Map<string, string> | null = null;
  private transaction: Map<string, string> | null = null;
  private statements = 0;
  private transactions = 0;
  private pending = 0;

  async *linesOf(tokens: AsyncIterable<readonly Token[]>): AsyncGenerator<readonly LineDraft[]> {
    for await (const some of tokens) yield some.flatMap((token) => this.take(token));
    if (this.open.length > 0) throw new JobFailure('incomplete_file', 'The file is incomplete: its OFX element is not closed.');
    if (this.statements === 0) throw new JobFailure('statement_missing', 'The file has no statement of a bank account or credit card.');
  }

  private take({ name, isClosing, text }: Token): LineDraft[] {
    if (!AGGREGATES.has(name)) {
      const values = this.transaction ?? this.statement;
      if (values && values.size < MAX_VALUES && !isClosing && text) values.set(`${this.open.at(-1)}.${name}`, text);
      return [];
    }
    return isClosing ? this.close(name) : this.begin(name);
  }

  private begin(name: string): LineDraft[] {
    if (name === INVESTMENTS) throw investmentsNotRead();
    // An aggregate never contains one of its own kind, so an open one lacks its closing tag.
    const lines = this.open.includes(name) ? this.close(name) : [];
    this.open.push(name);
    if (STATEMENTS.has(name)) {
      this.statements += 1;
      this.statement = new Map();
    }
    if (name === 'STMTTRN' && this.statement) this.transaction = new Map();
    return lines;
  }

  private close(name: string): LineDraft[] {
    const index = this.open.lastIndexOf(name);
    if (index < 0) return [];
    const lines = this.open
      .slice(index)
      .reverse()
      .flatMap((aggregate) => this.finish(aggregate));
    this.open.length = index;
    return lines;
  }

  private finish(name: string): LineDraft[] {
    if (name === 'STMTTRN' && this.transaction) {
      this.transactions += 1;
      const line = lineOf(this.transaction, this.head, this.transactions);
      this.transaction = null;
      return [line];
    }
    if (name === 'STMTTRNP' && this.statement) {
      this.pending += 1;
      this.notBooked.leaveOut(`pending transaction ${this.pending}`);
    }
    if (STATEMENTS.has(name)) this.finishStatement();
    return [];
  }

  private get head() {
    const card = this.statement?.get('CCACCTFROM.ACCTID');
    return {
      account: this.statement?.get('BANKACCTFROM.ACCTID') ?? card ?? null,
      currency: currencyOf(this.statement?.get('STMTRS.CURDEF') ?? this.statement?.get('CCSTMTRS.CURDEF')),
      isOfCreditCard: card !== undefined,
    };
  }

  private finishStatement(): void {
    const closing = this.statement?.get('LEDGERBAL.BALAMT');
    const { account, currency } = this.head;
    if (closing)
      this.balances.push({ account, currency, opening: null, closing: amountOf(closing, `Statement ${this.statements}`, 'LEDGERBAL') });
    const [start, end] = ['DTSTART', 'DTEND'].map((name) => leadingDayOf(this.statement?.get(`BANKTRANLIST.${name}`) ?? ''));
    if (start && end) this.period = widened(this.period, start, end);
    this.statement = null;
  }
}
