import { fail, UnreadableFile } from '../unreadable-file.js';
import { decimalOf, negated, sumOf } from '../amounts.js';
import { nodesAt, parsed, plainMarkup, textAt, type XmlNode } from '../markup.js';
import { dayOf, leadingDayOf } from '../dates.js';
import { BATCH_LINES, currencyOf, FoundStatements, readingBy, widened } from '../statement-line.js';
import type { BankReading, LineDraft, StatementBalance } from '../statement-line.js';

/** Statements of the systems that most banks in Serbia use: of elements, and of attributes. */
const ROOT = /<(?:stmtrs|pmtnotification|stmtrslist|(?:Transakcioni)?RacunPrivredaIzvod)[\s>]/;
export const isSerbianXml = (start: string): boolean => ROOT.test(start);

/** The tags around bookings and after statements. A value may have the sign that ends a tag. */
const PIECE =
  /<stmttrn>|<\/stmttrn>|<Stavke\s(?:[^<>"']|"[^"]*"|'[^']*')*>|<\/(?:stmtrs|pmtnotification|(?:Transakcioni)?RacunPrivredaIzvod)>/g;
const BOOKING = /<(?:stmttrn|Stavke)\b/;
const MAX_PIECE = 1024 * 1024;
/** Names that the currency of the country has had. */
const DINARS: readonly string[] = ['DIN', 'CSD', 'YUM'];

export const readSerbianXml = (texts: AsyncIterable<string>): BankReading => readingBy(new SerbianReader(), plainMarkup(texts));

interface Head extends Omit<StatementBalance, 'period'> {
  readonly issuedOn: string | null;
  /** How many bookings the statement says that it has. */
  readonly count: number | null;
}

class SerbianReader extends FoundStatements {
  private head: Head | null = null;
  private inHead = 0;
  private entries = 0;
  private isInBooking = false;

  async *linesOf(pieces: AsyncIterable<string>): AsyncGenerator<readonly LineDraft[]> {
    const lines: LineDraft[] = [];
    let rest = '';
    for await (const piece of pieces) {
      const markup = rest + piece;
      let from = 0;
      for (const { 0: tag, index } of markup.matchAll(PIECE)) {
        const before = markup.slice(from, index);
        from = index + tag.length;
        const line = this.take(tag, before);
        if (line) lines.push(line);
      }
      rest = markup.slice(from);
      if (rest.length > MAX_PIECE) throw new UnreadableFile('entry_too_large', 'The file has an entry that is too large.');
      if (lines.length >= BATCH_LINES) yield lines.splice(0);
    }
    yield lines;
    if (this.head) throw new UnreadableFile('incomplete_file', 'The file is incomplete: it ends within a statement.');
    if (this.balances.length === 0) throw new UnreadableFile('statement_missing', 'The file has no statement with bookings or balances.');
  }

  private take(tag: string, before: string): LineDraft | undefined {
    const isEnd = tag === '</stmttrn>';
    // What stands between would be a booking that is left out.
    if (this.isInBooking !== isEnd || BOOKING.test(before)) throw notNested();
    this.isInBooking = tag === '<stmttrn>';
    if (isEnd) return this.booking(before);
    if (tag.startsWith('</')) return void this.finish(before, tag);
    this.head ??= headOf(before);
    return this.isInBooking ? undefined : this.booking(tag.replace(/\/?>$/, '/>'));
  }

  private booking(xml: string): LineDraft {
    this.entries += 1;
    this.inHead += 1;
    if (!this.head) throw notNested();
    const entry = parsed(xml, `Booking ${this.entries} is`);
    return xml.startsWith('<Stavke')
      ? lineOfAttributes(nodesAt(entry, 'Stavke')[0]!, this.head, this.entries)
      : lineOfElements(entry, this.head, this.entries);
  }

  private finish(after: string, tag: string): void {
    // A statement without bookings has its head before its end.
    const { account, currency, issuedOn, opening, closing, count } = this.head ?? headOf(after + tag);
    if (count !== null && count !== this.inHead)
      throw new UnreadableFile('incomplete_file', `A statement says that it has ${count} bookings, and has ${this.inHead}.`);
    if (issuedOn) this.period = widened(this.period, issuedOn, issuedOn);
    this.balances.push({ account, currency, opening, closing });
    [this.head, this.inHead] = [null, 0];
  }
}

const notNested = (): UnreadableFile =>
  new UnreadableFile('invalid_markup', 'The statements and bookings of the file are not nested correctly.');

/** The start of a statement; its elements are closed here, since its bookings follow. */
function headOf(xml: string): Head {
  const attributes = /<Zaglavlje\s[^<>]*>/.exec(xml)?.[0].replace(/\/?>$/, '/>');
  if (attributes) {
    const head = nodesAt(parsed(attributes, 'The head of a statement is'), 'Zaglavlje')[0]!;
    const inDinars = /<TransakcioniRacunPrivredaIzvod[\s>]/.test(xml);
    return {
      account: textAt(head, '@Partija'),
      currency: dinarsOf(textAt(head, '@OznakaValute')) ?? (inDinars ? 'RSD' : null),
      issuedOn: serbianDayOf(textAt(head, '@DatumIzvoda')),
      opening: balanceOf(textAt(head, '@PrethodnoStanje')),
      closing: balanceOf(textAt(head, '@NovoStanje')),
      count: null,
    };
  }
  const start = xml.slice(Math.max(0, xml.search(/<(?:stmtrs|pmtnotification)[\s>]/)));
  const [, code] = /<status>\s*<code>\s*(\d+)/.exec(start) ?? [];
  if (code !== undefined && Number(code) !== 0)
    throw new UnreadableFile('statement_missing', `The file is no statement but an answer of the bank with the status ${code}.`);
  if (!/<trnlist\b/.test(start))
    throw new UnreadableFile('format_not_supported', 'The file has no list of bookings (trnlist). Only statements in dinars are read.');
  const head = parsed(start.replace(/<trnlist\b[^]*$/, '').replace(/<\/?(?:stmtrs|pmtnotification)\b[^<>]*>/g, ''), 'A head is');
  const [, count] = /<trnlist[^<>]*\scount="(\d+)"/.exec(start) ?? [];
  return {
    account: textAt(head, 'acctid'),
    currency: dinarsOf(textAt(head, 'curdef')),
    issuedOn: leadingDayOf(textAt(head, 'availbal/dtasof', 'ledgerbal/dtasof') ?? ''),
    // The balance of the books is that of the statement before.
    opening: balanceOf(textAt(head, 'ledgerbal/balamt')),
    closing: balanceOf(textAt(head, 'availbal/balamt')),
    count: count === undefined ? null : Number(count),
  };
}

function lineOfElements(entry: XmlNode, { account, currency }: Head, number: number): LineDraft {
  const [amount, direction] = [amountOf(textAt(entry, 'trnamt') ?? ''), textAt(entry, 'benefit')?.toLowerCase()];
  if (!amount || (direction !== 'credit' && direction !== 'debit'))
    throw new UnreadableFile('invalid_amount', `Booking ${number} has no valid amount (trnamt) and direction (benefit).`);
  return {
    account,
    bookedOn: bookedOnOf(leadingDayOf(textAt(entry, 'dtposted') ?? ''), number),
    amount: direction === 'debit' ? negated(amount) : amount,
    currency: dinarsOf(textAt(entry, 'curdef')) ?? currency,
    description: textAt(entry, 'purpose') ?? '',
    counterparty: textAt(entry, 'payeeinfo/name'),
    counterpartyAccount: textAt(entry, 'payeeaccountinfo/acctid'),
    counterpartyAddress: textAt(entry, 'payeeinfo/city'),
    reference: textAt(entry, 'payeerefnumber', 'refnumber'),
    bankReference: textAt(entry, 'fitid'),
  };
}

function lineOfAttributes(entry: XmlNode, { account, currency, issuedOn }: Head, number: number): LineDraft {
  const [out, into] = ['@Duguje', '@Potrazuje'].map((name) => amountOf(textAt(entry, name) ?? '0'));
  const amount = out && into ? sumOf([into, negated(out)]) : null;
  if (!amount) throw new UnreadableFile('invalid_amount', `Booking ${number} has no valid amount (Duguje or Potrazuje).`);
  return {
    account,
    // Statements in dinars are of one day.
    bookedOn: bookedOnOf(serbianDayOf(textAt(entry, '@DatumObrade')) ?? issuedOn, number),
    amount,
    currency,
    description: textAt(entry, '@Opis', '@Napomena') ?? '',
    counterparty: textAt(entry, '@NalogKorisnik'),
    counterpartyAccount: textAt(entry, '@BrojRacunaPrimaocaPosiljaoca', '@RacunNalogodavacKorisnik'),
    counterpartyAddress: null,
    reference: textAt(entry, '@PozivNaBrojKorisnika', '@PozivNaBrojZaduzenjaOdobrenja', '@Referenca'),
    bankReference: textAt(entry, '@BrojZaReklamaciju'),
  };
}

const bookedOnOf = (day: string | null, number: number): string => day ?? fail('invalid_date', `Booking ${number} has no valid date.`);

function dinarsOf(text: string | null): string | null {
  const code = currencyOf(text);
  return code && DINARS.includes(code) ? 'RSD' : code;
}

const balanceOf = (text: string | null): string | null =>
  text && (amountOf(text) ?? fail('invalid_amount', 'A balance of a statement has no valid amount.'));

/** `1234.5`, `1234,50` or `1.234,50`. A reversal has a minus sign. */
function amountOf(text: string): string | null {
  const [, minus, whole = '', fraction = ''] = /^(-?)(\d+|\d{1,3}(?:\.\d{3})+(?=,))(?:[.,](\d{1,2}))?$/.exec(text.trim()) ?? [];
  return whole === '' ? null : decimalOf(minus === '-', whole.replaceAll('.', ''), fraction);
}

/** `31.03.2026`, or as in other files. */
function serbianDayOf(text: string | null): string | null {
  const [, day, month, year] = /^\s*(\d{1,2})\.(\d{1,2})\.(\d{4})/.exec(text ?? '') ?? [];
  return year === undefined ? leadingDayOf(text ?? '') : dayOf(Number(year), Number(month), Number(day));
}
