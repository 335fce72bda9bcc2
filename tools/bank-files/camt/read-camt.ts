import { UnreadableFile } from '../unreadable-file.js';
import { negated, plainDecimalOf, sumOf } from '../amounts.js';
import { leadingDayOf } from '../dates.js';
import { NotBooked } from '../line-checks.js';
import { nodesAt, parsed, plainMarkup, textAt, textOf, type XmlNode } from '../markup.js';
import { BATCH_LINES, currencyOf, FoundStatements, NO_PARTY, readingBy, widened } from '../statement-line.js';
import type { BankReading, LineDraft, Period, ReadingWarning, StatementBalance } from '../statement-line.js';

type Booked = Pick<LineDraft, 'account' | 'bookedOn' | 'currency'>;

/** `information` is about something that will not be booked at all. */
export function statusOf(entry: XmlNode): 'booked' | 'not booked' | 'information' {
  const status = textAt(entry, 'Sts/Cd', 'Sts');
  if (status === 'INFO') return 'information';
  return status === null || status === 'BOOK' ? 'booked' : 'not booked';
}

/** The lines of a booked entry: one for each transaction if their amounts add up to the amount of the entry, else one for itself. */
export function linesOf(entry: XmlNode, account: string | null, number: number, dayOfStatement: string | null): LineDraft[] {
  const bookedOn = leadingDayOf(textAt(entry, 'BookgDt/Dt', 'BookgDt/DtTm', 'ValDt/Dt', 'ValDt/DtTm') ?? dayOfStatement ?? '');
  if (!bookedOn) throw new UnreadableFile('invalid_date', `Entry ${number} has no valid booking date (BookgDt).`);
  const amount = signedAmountOf(entry, 'Amt');
  if (!amount) throw new UnreadableFile('invalid_amount', `Entry ${number} has no valid amount (Amt) and direction (CdtDbtInd).`);
  const booked: Booked = { account, bookedOn, currency: currencyOf(textAt(entry, 'Amt/@Ccy')) };
  const transactions = nodesAt(entry, 'NtryDtls/TxDtls');
  const amounts = transactions.length > 1 ? amountsOf(entry, transactions, booked.currency) : [];
  if (amounts.length > 0 && sumOf(amounts) === amount) {
    const references = bankReferencesOf(entry, transactions);
    return transactions.map((transaction, index) => ({
      ...booked,
      amount: amounts[index]!,
      ...aboutOf(entry, [transaction]),
      bankReference: references[index]!,
    }));
  }
  const [only] = transactions.length === 1 ? transactions : [];
  return [
    {
      ...booked,
      amount,
      ...aboutOf(entry, transactions),
      bankReference: textAt(entry, 'AcctSvcrRef') ?? (only ? textAt(only, 'Refs/AcctSvcrRef') : null),
    },
  ];
}

function signedAmountOf(node: XmlNode, path: string, otherwise?: XmlNode): string | null {
  const direction = textAt(node, 'CdtDbtInd') ?? (otherwise ? textAt(otherwise, 'CdtDbtInd') : null);
  const amount = plainDecimalOf(textAt(node, path) ?? '');
  if (!amount || (direction !== 'CRDT' && direction !== 'DBIT')) return null;
  return direction === 'DBIT' ? negated(amount) : amount;
}

/** None if one of them has no amount in the currency of the entry. Version 2 has it in another element than later versions. */
function amountsOf(entry: XmlNode, transactions: readonly XmlNode[], currency: string | null): string[] {
  const amounts = transactions.map((transaction) => {
    const path = ['Amt', 'AmtDtls/TxAmt/Amt'].find(
      (candidate) => textAt(transaction, candidate) && currencyOf(textAt(transaction, `${candidate}/@Ccy`)) === currency,
    );
    return path ? signedAmountOf(transaction, path, entry) : null;
  });
  return amounts.every((amount) => amount !== null) ? amounts : [];
}

/** The bank's ids of the transactions if each has its own, else that of the entry with a number. */
function bankReferencesOf(entry: XmlNode, transactions: readonly XmlNode[]): (string | null)[] {
  const own = transactions.map((transaction) => textAt(transaction, 'Refs/AcctSvcrRef'));
  if (own.every((reference) => reference !== null) && new Set(own).size === own.length) return own;
  const common = textAt(entry, 'AcctSvcrRef');
  return transactions.map((_transaction, index) => (common ? `${common}/${index + 1}` : null));
}

/** Several transactions in one line have no common counterparty; their purposes are joined. */
function aboutOf(entry: XmlNode, transactions: readonly XmlNode[]): Omit<LineDraft, keyof Booked | 'amount' | 'bankReference'> {
  const [first, ...others] = transactions;
  const purpose = transactions.map(remittanceOf).filter(Boolean).join(' ');
  const description = purpose || (textAt(entry, 'AddtlNtryInf') ?? (first ? textAt(first, 'AddtlTxInf') : null) ?? '');
  if (!first || others.length > 0) return { description, ...NO_PARTY, reference: null };
  return { description, ...otherPartyOf(first, isPaidToUs(entry, first)), ...ofCard(entry, first), reference: referenceOf(first) };
}

/** The bank's code for card payments, of customers or of merchants. */
function ofCard(entry: XmlNode, transaction: XmlNode): Pick<LineDraft, 'isCardPayment'> {
  const family = textAt(transaction, 'BkTxCd/Domn/Fmly/Cd') ?? textAt(entry, 'BkTxCd/Domn/Fmly/Cd');
  return family === 'CCRD' || family === 'MCRD' ? { isCardPayment: true } : {};
}

/** A reversal has the parties of the reversed payment. */
function isPaidToUs(entry: XmlNode, transaction: XmlNode): boolean {
  const isCredit = (textAt(transaction, 'CdtDbtInd') ?? textAt(entry, 'CdtDbtInd')) === 'CRDT';
  return isCredit !== /^(true|1)$/.test(textAt(entry, 'RvslInd') ?? '');
}

type OtherParty = Pick<LineDraft, 'counterparty' | 'counterpartyAccount' | 'counterpartyAddress'>;

/** The other party. From version 8, a party is one level deeper. */
function otherPartyOf(transaction: XmlNode, isPaidToUs: boolean): OtherParty {
  const role = isPaidToUs ? 'Dbtr' : 'Cdtr';
  const parties = [`RltdPties/${role}`, `RltdPties/${role}/Pty`];
  const ultimate = [`RltdPties/Ultmt${role}`, `RltdPties/Ultmt${role}/Pty`];
  const account = `RltdPties/${role}Acct/Id`;
  return {
    counterparty: textAt(transaction, ...[...parties, ...ultimate].map((place) => `${place}/Nm`)),
    counterpartyAccount: textAt(transaction, `${account}/IBAN`, `${account}/Othr/Id`),
    counterpartyAddress:
      parties
        .flatMap((place) => nodesAt(transaction, `${place}/PstlAdr`))
        .map(addressOf)
        .find(Boolean) ?? null,
  };
}

function addressOf(address: XmlNode): string {
  const joined = (...names: readonly string[]): string => names.flatMap((name) => textAt(address, name) ?? []).join(' ');
  const [street, town] = [joined('StrtNm', 'BldgNb'), joined('PstCd', 'TwnNm')];
  return [...nodesAt(address, 'AdrLine').map(textOf), street, town, textAt(address, 'Ctry')].filter(Boolean).join(', ');
}

/** The payer's text, structured or not. */
function remittanceOf(transaction: XmlNode): string {
  const paths = ['Ustrd', 'Strd/RfrdDocInf/Nb', 'Strd/CdtrRefInf/Ref', 'Strd/AddtlRmtInf'];
  return paths
    .flatMap((path) => nodesAt(transaction, `RmtInf/${path}`))
    .map(textOf)
    .filter(Boolean)
    .join(' ');
}

function referenceOf(transaction: XmlNode): string | null {
  const endToEnd = textAt(transaction, 'Refs/EndToEndId');
  if (endToEnd && !/^NOT ?PROVIDED$/i.test(endToEnd)) return endToEnd;
  return textAt(transaction, 'RmtInf/Strd/CdtrRefInf/Ref', 'Refs/ChqNb');
}

/** A piece of a statement: an entry, what is between entries (account, balances), or its end. */
type StatementPart = { readonly kind: 'entry' | 'about'; readonly xml: string } | { readonly kind: 'start' | 'end' };

/** The depth of each nested element: of CAMT.053, CAMT.052 and CAMT.054, which differ in their names. */
const DEPTHS: Readonly<Record<string, number>> = {
  BkToCstmrStmt: 1,
  BkToCstmrAcctRpt: 1,
  BkToCstmrDbtCdtNtfctn: 1,
  Stmt: 2,
  Rpt: 2,
  Ntfctn: 2,
  Ntry: 3,
};
const TAG = new RegExp(`<(/?)(?:[\\w.-]+:)?(${Object.keys(DEPTHS).join('|')})(?:\\s[^<>]*)?>`, 'g');
const IN_STATEMENT = 2;
const IN_ENTRY = 3;
/** Enough for a batch booking of several thousand payments. A larger entry would take too much memory. */
const MAX_PART = 4 * 1024 * 1024;

/** Splits the document at the start and end of entries, so that only one of them is in memory. */
class Cutter {
  private depth = 0;
  private held: string[] = [];
  private heldLength = 0;
  private statements = 0;

  *take(piece: string): Generator<StatementPart> {
    let from = 0;
    for (const tag of piece.matchAll(TAG)) {
      this.hold(piece.slice(from, tag.index));
      from = tag.index + tag[0].length;
      yield* this.cross(DEPTHS[tag[2]!]!, tag[1] === '/');
    }
    this.hold(piece.slice(from));
  }

  finish(): void {
    if (this.depth > 0) throw new UnreadableFile('incomplete_file', 'The file is incomplete: it ends within a statement.');
    if (this.statements === 0) throw new UnreadableFile('statement_missing', 'The file has no statement (Stmt, Rpt or Ntfctn).');
  }

  private *cross(depth: number, isClosing: boolean): Generator<StatementPart> {
    const [before, after] = isClosing ? [depth, depth - 1] : [depth - 1, depth];
    if (this.depth !== before)
      throw new UnreadableFile('invalid_markup', 'The statements and entries (such as Stmt, Ntry) of the file are not nested correctly.');
    const xml = this.release();
    if (before === IN_ENTRY) yield { kind: 'entry', xml };
    else if (xml.trim()) yield { kind: 'about', xml };
    if (depth === IN_STATEMENT) yield { kind: isClosing ? 'end' : 'start' };
    if (depth === IN_STATEMENT && isClosing) this.statements += 1;
    this.depth = after;
  }

  private hold(xml: string): void {
    if (this.depth < IN_STATEMENT) return;
    this.held.push(xml);
    this.heldLength += xml.length;
    if (this.heldLength > MAX_PART) throw new UnreadableFile('entry_too_large', 'The file has an entry that is too large.');
  }

  private release(): string {
    const xml = this.held.join('');
    this.held = [];
    this.heldLength = 0;
    return xml;
  }
}

export const readCamt = (texts: AsyncIterable<string>): BankReading => readingBy(new CamtReader(), plainMarkup(texts));

class CamtReader extends FoundStatements {
  private readonly notBooked = new NotBooked();
  private account: string | null = null;
  private owner: string | null = null;
  private stated: Period | null = null;
  /** Of the current statement, by currency: an account may be kept in several. */
  private readonly current = new Map<string | null, Ends>();
  private entries = 0;
  /** Of the current statement, if it opens and closes on one day: then its entries are of that day, whether or not they say it. */
  private day: string | null = null;

  get warnings(): ReadingWarning[] {
    return this.notBooked.warnings;
  }

  async *linesOf(pieces: AsyncIterable<string>): AsyncGenerator<readonly LineDraft[]> {
    const cutter = new Cutter();
    const lines: LineDraft[] = [];
    for await (const piece of pieces) {
      for (const part of cutter.take(piece)) for (const line of this.take(part)) lines.push(line);
      if (lines.length >= BATCH_LINES) yield lines.splice(0);
    }
    cutter.finish();
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
    if (status === 'not booked') this.notBooked.add(`entry ${this.entries}`);
    if (status !== 'booked') return [];
    const lines = linesOf(entry, this.account, this.entries, this.day);
    return this.owner === null ? lines : lines.map((line) => ({ ...line, owner: this.owner }));
  }

  private begin(): void {
    [this.account, this.owner, this.stated, this.day] = [null, null, null, null];
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
    this.day ??= dayOf(balances);
    this.owner ??= textAt(about, 'Acct/Ownr/Nm', 'Acct/Ownr/Pty/Nm');
    const start = leadingDayOf(textAt(about, 'FrToDt/FrDtTm') ?? '');
    const end = leadingDayOf(textAt(about, 'FrToDt/ToDtTm') ?? '');
    if (!start || !end) return;
    this.stated = { start, end };
    this.period = widened(this.period, start, end);
  }
}

type Ends = Pick<StatementBalance, 'opening' | 'closing'>;

/** null if a statement does not open and close on the same day. */
function dayOf(balances: readonly XmlNode[]): string | null {
  const [opened, closed] = ['OPBD', 'CLBD'].map((code) => {
    const balance = balanceNamed(balances, code);
    return balance ? leadingDayOf(textAt(balance, 'Dt/Dt', 'Dt/DtTm') ?? '') : null;
  });
  return opened && opened === closed ? opened : null;
}

const balanceNamed = (balances: readonly XmlNode[], code: string): XmlNode | undefined =>
  balances.find((balance) => textAt(balance, 'Tp/CdOrPrtry/Cd') === code);

function balanceOf(balances: readonly XmlNode[], code: string): string | null {
  const balance = balanceNamed(balances, code);
  if (!balance) return null;
  const amount = plainDecimalOf(textAt(balance, 'Amt') ?? '');
  if (!amount) throw new UnreadableFile('invalid_amount', `A balance (${code}) has no valid amount.`);
  return textAt(balance, 'CdtDbtInd') === 'DBIT' ? negated(amount) : amount;
}
