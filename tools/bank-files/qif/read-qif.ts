import { UnreadableFile } from '../unreadable-file.js';
import { isZero, negated, sumOf } from '../amounts.js';
import { DecimalMark, writtenAmount, type WrittenAmount, writtenDate, type WrittenDate, WaitingLines } from '../written-values.js';
import { type BankReading, FoundStatements, type LineDraft, readingBy, type ReadingWarning } from '../statement-line.js';
import { linesOf } from '../numbered-lines.js';

/** A line of a record: the letter that says what it is, and its text. */
interface QifField {
  readonly letter: string;
  readonly text: string;
}

type QifItem =
  /** Such as `!Type:Bank`: says what the records after it are. */
  | { readonly kind: 'header'; readonly name: string; readonly line: number }
  | { readonly kind: 'record'; readonly fields: readonly QifField[]; readonly line: number };

/** Enough for a booking with several thousand splits. */
const MAX_FIELDS = 20_000;

async function* itemsOf(texts: AsyncIterable<string>): AsyncGenerator<readonly QifItem[]> {
  let line = 0;
  let fields: QifField[] = [];
  let startLine = 0;
  for await (const lines of linesOf(texts, 'is too long for a QIF')) yield lines.flatMap(take);
  if (fields.length > 0)
    throw new UnreadableFile('incomplete_file', `The file is incomplete: the record from line ${startLine} has no end (^).`);

  function take(written: string): QifItem[] {
    line += 1;
    const content = written.trim();
    if (content === '') return [];
    if (content.startsWith('!')) return header(content);
    if (!content.startsWith('^')) {
      if (fields.length === 0) startLine = line;
      if (fields.length >= MAX_FIELDS) throw new UnreadableFile('entry_too_large', `The record from line ${startLine} is too large.`);
      fields.push({ letter: content[0]!, text: content.slice(1).trim() });
      return [];
    }
    const whole = fields;
    fields = [];
    return whole.length > 0 ? [{ kind: 'record', fields: whole, line: startLine }] : [];
  }

  function header(content: string): QifItem[] {
    if (fields.length > 0)
      throw new UnreadableFile('invalid_line', `The record from line ${startLine} has no end (^) before line ${line}.`);
    return [{ kind: 'header', name: content.slice(1).trim(), line }];
  }
}

/** A booking whose date and amounts are not interpreted yet. */
interface WrittenTransaction {
  readonly line: number;
  readonly date: WrittenDate;
  readonly amount: WrittenAmount;
  readonly splits: readonly WrittenAmount[];
  readonly texts: Pick<LineDraft, 'description' | 'counterparty' | 'counterpartyAddress' | 'reference'>;
  readonly category: string | null;
}

/** `C` says whether the booking was reconciled; `F`, `%` and `X` belong to splits and invoices. */
const KNOWN_LETTERS = new Set('DTUMCNPALSE$F%X');

function transactionOf(fields: readonly QifField[], line: number): WrittenTransaction {
  const allOf = (letter: string): string[] => fields.filter((field) => field.letter === letter).map(({ text }) => text);
  const textOf = (letter: string): string | null => allOf(letter).filter(Boolean).join(' ') || null;
  const amounts = [...allOf('T'), ...allOf('U')].map((text) => amountOf(text, line));
  const [amount] = amounts;
  if (!amount) throw new UnreadableFile('invalid_amount', `The booking from line ${line} has no amount (T).`);
  if (amounts.some(({ sign, digits }) => sign !== amount.sign || digits !== amount.digits))
    throw new UnreadableFile('invalid_amount', `The booking from line ${line} has two different amounts (T, U).`);
  const dates = allOf('D');
  const date = dates.length === 1 ? dateOf(dates[0]!) : null;
  if (!date) throw new UnreadableFile('invalid_date', `The booking from line ${line} has no valid date (D).`);
  const counterparty = textOf('P');
  const category = textOf('L');
  // Programs repeat the text of a booking at its splits.
  const said = [...new Set([...allOf('M'), ...allOf('E')])].filter(Boolean).join(' ');
  return {
    line,
    date,
    amount,
    splits: allOf('$').map((text) => amountOf(text, line)),
    texts: {
      description: said || (counterparty ?? category ?? ''),
      counterparty,
      counterpartyAddress: allOf('A').filter(Boolean).join(', ') || null,
      reference: textOf('N'),
    },
    category,
  };
}

/**
 * Years are written `1/31/2026`, `1/31/26`, or `1/31'26` from 2000 on; with blanks instead of zeros. Old files have years of the
 * 20th century with two digits.
 */
function dateOf(text: string): WrittenDate | null {
  const compact = text.replace(/\s/g, '');
  const [, day, separator, mark, year] = /^(\d{1,2}([-/.])\d{1,2})(['/.-])(\d{1,2})$/.exec(compact) ?? [];
  if (day === undefined || separator === undefined || year === undefined) return writtenDate(compact.replace("'", '/'));
  const isOld = mark !== "'" && Number(year) >= OLDEST_SHORT_YEAR;
  return writtenDate(`${day}${separator}${isOld ? 19 : 20}${year.padStart(2, '0')}`);
}

/** There are no files from before 1980. */
const OLDEST_SHORT_YEAR = 80;

function amountOf(text: string, line: number): WrittenAmount {
  const amount = writtenAmount(text);
  if (!amount || amount.mark)
    throw new UnreadableFile('invalid_amount', `The booking from line ${line} has an amount that is not a number.`);
  return amount;
}

/** The amount, which its splits have to make. */
function bookedAmountOf({ amount, splits, line }: WrittenTransaction, decimals: DecimalMark): string {
  const valueOf = ({ digits, sign }: WrittenAmount): string => {
    const value = decimals.read(digits, line);
    if (!value) throw new UnreadableFile('invalid_amount', `The booking from line ${line} has an amount that is not a number.`);
    return sign === '-' ? negated(value) : value;
  };
  const booked = valueOf(amount);
  if (splits.length === 0) return booked;
  const rest = sumOf([negated(booked), ...splits.map(valueOf)]);
  if (rest === null || !isZero(rest))
    throw new UnreadableFile('splits_do_not_tie', `The splits of the booking from line ${line} do not make its amount.`);
  return booked;
}

export interface QifOptions {
  /** Whether a text is what banks and programs call an opening balance. */
  readonly saysOpening: (text: string) => boolean;
}

export const readQif = (texts: AsyncIterable<string>, options: QifOptions): BankReading =>
  readingBy(new QifReader(options), itemsOf(texts));

/** How many bookings are held back at first, to prove the order of dates and the decimal mark. */
const SAMPLE = 200;
const BOOKINGS = new Set(['bank', 'cash', 'ccard', 'oth a', 'oth l']);
/** What a program knows besides bookings. */
const LISTS = new Set(['cat', 'class', 'memorized', 'security', 'prices', 'budget', 'tag', 'invitem', 'template']);

type Section = 'none' | 'account' | 'bookings' | 'list';
type Booking = WrittenTransaction & { readonly account: string | null };

class QifReader extends FoundStatements {
  readonly warnings: ReadingWarning[] = [];
  private section: Section = 'none';
  private account: string | null = null;
  private readonly waiting = new WaitingLines<Booking>(({ line }) => `The booking from line ${line}`);
  private readonly decimals = new DecimalMark();
  private hasBookings = false;
  private readonly unknownLetters = new Set<string>();

  constructor(private readonly options: QifOptions) {
    super();
  }

  async *linesOf(items: AsyncIterable<readonly QifItem[]>): AsyncGenerator<readonly LineDraft[]> {
    for await (const some of items) {
      for (const item of some) this.take(item);
      if (this.waiting.count >= SAMPLE) yield this.drafts(this.waiting.release());
    }
    if (!this.hasBookings)
      throw new UnreadableFile('statement_missing', 'The file has no bookings of a bank account, credit card or cash.');
    yield this.drafts(this.waiting.finish());
  }

  private take(item: QifItem): void {
    if (item.kind === 'header') this.section = this.sectionOf(item.name, item.line);
    else if (this.section === 'account') this.account = item.fields.find(({ letter }) => letter === 'N')?.text || null;
    else if (this.section === 'bookings') this.book(item.fields, item.line);
    else if (this.section === 'none')
      throw new UnreadableFile('invalid_line', `Line ${item.line} stands before any header such as !Type:Bank.`);
  }

  private sectionOf(name: string, line: number): Section {
    const [, type] = /^type:\s*(.*)$/i.exec(name) ?? [];
    if (type === undefined) {
      if (/^account\b/i.test(name)) return 'account';
      if (/^(option|clear):/i.test(name)) return this.section;
      throw new UnreadableFile('invalid_line', `Line ${line} has a header that is not known.`);
    }
    if (LISTS.has(type.toLowerCase())) return 'list';
    if (/^invst/i.test(type))
      throw new UnreadableFile(
        'format_not_supported',
        `From line ${line}, the file has investments, which are not read. Export bank accounts only.`,
      );
    if (!BOOKINGS.has(type.toLowerCase()))
      throw new UnreadableFile('format_not_supported', `Line ${line} has a type of account that is not known.`);
    this.hasBookings = true;
    return 'bookings';
  }

  private book(fields: readonly QifField[], line: number): void {
    for (const { letter } of fields) this.warnOf(letter, line);
    const transaction = transactionOf(fields, line);
    for (const { digits } of [transaction.amount, ...transaction.splits]) this.decimals.learn(digits);
    this.waiting.add({ ...transaction, account: this.account });
  }

  private warnOf(letter: string, line: number): void {
    if (KNOWN_LETTERS.has(letter) || this.unknownLetters.has(letter)) return;
    this.unknownLetters.add(letter);
    this.warnings.push({ code: 'field_not_used', message: `The booking from line ${line} has a field that QIF does not know.` });
  }

  private drafts(bookings: readonly (Booking & { readonly bookedOn: string })[]): LineDraft[] {
    return bookings.flatMap((booking) => {
      const { account, bookedOn, texts } = booking;
      const amount = bookedAmountOf(booking, this.decimals);
      if (this.options.saysOpening(texts.counterparty ?? '') && isOfItself(booking)) {
        this.balances.push({ account, currency: null, opening: amount, closing: null });
        return [];
      }
      return [{ account, bookedOn, amount, currency: null, ...texts, counterpartyAccount: null, bankReference: null }];
    });
  }
}

/** The first record of an account is its balance: named so, and transferred from the account itself. */
const isOfItself = ({ account, category }: Booking): boolean =>
  category !== null && (account === null ? /^\[.*\]$/.test(category) : category === `[${account}]`);
