import { fail, UnreadableFile } from '../unreadable-file.js';
import { decimalOf, isZero } from '../amounts.js';
import { leadingDayOf } from '../dates.js';
import { NotBooked, Place } from '../line-checks.js';
import { plainMarkup, unescaped } from '../markup.js';
import { currencyOf, FoundStatements, readingBy, widened } from '../statement-line.js';
import type { BankReading, LineDraft, ReadingWarning, StatementBalance } from '../statement-line.js';

interface Token {
  readonly name: string;
  readonly isClosing: boolean;
  readonly text: string;
}

const MAX_VALUE = 1024 * 1024;
const TAG = /<(\/?)([A-Za-z][A-Za-z0-9._-]*)\s*\/?>/g;

/**
 * The tags of OFX 1 and 2, in batches. In OFX 1, a value ends at the next tag; in OFX 2, at its own closing tag, which then becomes
 * a token without meaning. Text that only looks like a tag stays text.
 */
async function* tokensOf(pieces: AsyncIterable<string>): AsyncGenerator<readonly Token[]> {
  let rest = '';
  for await (const piece of pieces) {
    const markup = rest + piece;
    const tags = [...markup.matchAll(TAG)];
    // The text after the last tag may continue in the next piece.
    const last = tags.pop();
    rest = last ? markup.slice(last.index) : '';
    if (rest.length > MAX_VALUE) throw new UnreadableFile('invalid_markup', 'The file has a value that is too long.');
    yield tags.map((tag, index) => tokenOf(tag, markup, (tags[index + 1] ?? last)?.index));
  }
  const [last] = rest.matchAll(TAG);
  if (last) yield [tokenOf(last, rest)];
}

const tokenOf = (tag: RegExpExecArray, markup: string, end?: number): Token => ({
  name: tag[2]!.toUpperCase(),
  isClosing: tag[1] === '/',
  text: unescaped(markup.slice(tag.index + tag[0].length, end)).trim(),
});

/** Values by aggregate and name, such as `STMTTRN.TRNAMT`. */
type Values = ReadonlyMap<string, string>;

interface StatementHead extends Pick<StatementBalance, 'account' | 'currency'> {
  readonly isOfCreditCard: boolean;
}

const ADDRESS = ['ADDR1', 'ADDR2', 'ADDR3', 'POSTALCODE', 'CITY', 'STATE', 'COUNTRY'];
/** Banks write this if there is no cheque. */
const NO_NUMBER = /^0*$/;

function lineOf(values: Values, head: StatementHead, number: number): LineDraft {
  const textOf = (...names: string[]): string | null => names.map((name) => values.get(name)).find(Boolean) ?? null;
  const counterparty = textOf('STMTTRN.NAME', 'PAYEE.NAME');
  const cheque = textOf('STMTTRN.CHECKNUM');
  return {
    account: head.account,
    bookedOn:
      leadingDayOf(textOf('STMTTRN.DTPOSTED') ?? '') ?? fail('invalid_date', `Transaction ${number} has no valid date in DTPOSTED.`),
    amount: amountOf(textOf('STMTTRN.TRNAMT') ?? '', `Transaction ${number}`, 'TRNAMT'),
    currency: currencyOf(values.get('CURRENCY.CURSYM')) ?? head.currency,
    description: textOf('STMTTRN.MEMO') ?? counterparty ?? textOf('STMTTRN.TRNTYPE') ?? '',
    counterparty,
    counterpartyAccount: textOf('BANKACCTTO.ACCTID', 'CCACCTTO.ACCTID'),
    counterpartyAddress:
      ADDRESS.map((name) => values.get(`PAYEE.${name}`))
        .filter(Boolean)
        .join(', ') || null,
    // SIC is the trade of a merchant.
    isCardPayment: head.isOfCreditCard || textOf('STMTTRN.TRNTYPE') === 'POS' || textOf('STMTTRN.SIC') !== null || undefined,
    reference: cheque && !NO_NUMBER.test(cheque) ? cheque : textOf('STMTTRN.REFNUM'),
    bankReference: textOf('STMTTRN.FITID'),
  };
}

/**
 * OFX has a point or a comma before the decimals and no thousands separators. Some banks write those anyway: then the last of two
 * different separators is the decimal one, and a single comma before three digits is ambiguous.
 */
export function amountOf(text: string, subject: string, field: string): string {
  const [, sign, digits = ''] = /^([+-]?)([\d.,]{1,40})$/.exec(text.replace(/\s/g, '')) ?? [];
  const [, whole, , fraction = ''] = /^(\d*|\d{1,3}(?:,\d{3})+(?=\.)|\d{1,3}(?:\.\d{3})+(?=,))(?:([.,])(\d*))?$/.exec(digits) ?? [];
  const amount = whole === undefined || !/\d/.test(digits) ? null : decimalOf(sign === '-', whole.replace(/[.,]/g, ''), fraction);
  if (!amount) throw new UnreadableFile('invalid_amount', `${subject} has no valid amount in ${field}.`);
  if (/^\d{1,3},\d{3}$/.test(digits) && !digits.startsWith('0'))
    throw new UnreadableFile(
      'ambiguous_amount',
      `${subject} has an amount in ${field} with a comma that can be a thousands or a decimal separator.`,
    );
  return amount;
}

/** Some banks write a balance as people do: `R$ 1.234,56`. */
const BEFORE_BALANCE = /^\s*(?:[A-Z]{0,3}\$|[€£]|[A-Z]{3})\s*(?=[+-]?\d)/;
/** Kinds of money out. What is refunded has another. */
const OUT = new Set(['DEBIT', 'CHECK', 'ATM', 'POS', 'PAYMENT', 'DIRECTDEBIT', 'CASH']);
const STATEMENTS = new Set(['STMTRS', 'CCSTMTRS']);
/** Its bookings move money too. If it were ignored beside bank accounts, nobody would notice. */
const INVESTMENTS = 'INVSTMTRS';
const investmentsNotRead = (): UnreadableFile =>
  new UnreadableFile('format_not_supported', 'The file has an investment account, which is not read. Export bank accounts and cards only.');
/** The aggregates that are read. Other tags are values, or are ignored. */
// oxfmt-ignore
const AGGREGATES = new Set([
  'OFX', ...STATEMENTS, INVESTMENTS, 'BANKACCTFROM', 'CCACCTFROM', 'BANKTRANLIST', 'STMTTRN', 'STMTTRNP', 'PAYEE', 'BANKACCTTO', 'CCACCTTO',
  'CURRENCY', 'ORIGCURRENCY', 'LEDGERBAL', 'AVAILBAL', 'BAL',
]);
/** More than there are value names in OFX. */
const MAX_VALUES = 200;

export const readOfx = (texts: AsyncIterable<string>): BankReading => readingBy(new OfxReader(), tokensOf(plainMarkup(texts)));

class OfxReader extends FoundStatements {
  private readonly notBooked = new NotBooked();
  /** Bookings whose kind contradicts their sign. */
  private readonly turned = new Place('Booking');
  /** The aggregates that are open, outermost first. */
  private open: string[] = [];
  /** Values of the current statement; null outside of a statement. */
  private statement: Map<string, string> | null = null;
  private transaction: Map<string, string> | null = null;
  private statements = 0;
  private transactions = 0;
  private pending = 0;

  get warnings(): ReadingWarning[] {
    const turned = this.turned.warning('signs_may_be_inverted', 'money out by its kind, but in by its sign.');
    return [...this.notBooked.warnings, ...turned];
  }

  async *linesOf(tokens: AsyncIterable<readonly Token[]>): AsyncGenerator<readonly LineDraft[]> {
    for await (const some of tokens) yield some.flatMap((token) => this.take(token));
    if (this.open.length > 0) throw new UnreadableFile('incomplete_file', 'The file is incomplete: its OFX element is not closed.');
    if (this.statements === 0) throw new UnreadableFile('statement_missing', 'The file has no statement of a bank account or credit card.');
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
      if (OUT.has(this.transaction.get('STMTTRN.TRNTYPE') ?? '') && !line.amount.startsWith('-') && !isZero(line.amount))
        this.turned.add(this.transactions);
      this.transaction = null;
      return [line];
    }
    if (name === 'STMTTRNP' && this.statement) {
      this.pending += 1;
      this.notBooked.add(`pending transaction ${this.pending}`);
    }
    if (STATEMENTS.has(name)) this.finishStatement();
    return [];
  }

  private get head(): StatementHead {
    const card = this.statement?.get('CCACCTFROM.ACCTID');
    return {
      account: this.statement?.get('BANKACCTFROM.ACCTID') ?? card ?? null,
      currency: currencyOf(this.statement?.get('STMTRS.CURDEF') ?? this.statement?.get('CCSTMTRS.CURDEF')),
      isOfCreditCard: card !== undefined,
    };
  }

  private finishStatement(): void {
    const closing = this.statement?.get('LEDGERBAL.BALAMT')?.replace(BEFORE_BALANCE, '');
    const { account, currency } = this.head;
    if (closing)
      this.balances.push({ account, currency, opening: null, closing: amountOf(closing, `Statement ${this.statements}`, 'LEDGERBAL') });
    const [start, end] = ['DTSTART', 'DTEND'].map((name) => leadingDayOf(this.statement?.get(`BANKTRANLIST.${name}`) ?? ''));
    if (start && end) this.period = widened(this.period, start, end);
    this.statement = null;
  }
}
