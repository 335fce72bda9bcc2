import { JobFailure } from '../../../../kernel/failure.js';
import { statementIn } from '../csv/stated-balances.js';
import { DecimalMark } from '../csv/written-amount.js';
import type { DraftReading, LineDraft } from '../line-draft.js';
import type { ReadingWarning, StatementBalance } from '../statement-line.js';
import { WaitingLines } from '../waiting-lines.js';
import { itemsOf, type QifField, type QifItem } from './records.js';
import { bookedAmountOf, KNOWN_LETTERS, transactionOf, type WrittenTransaction } from './transaction.js';

export function readQif(texts: AsyncIterable<string>): DraftReading {
  const reader = new QifReader();
  return {
    lines: reader.linesOf(itemsOf(texts)),
    balances: () => reader.balances,
    period: () => null,
    warnings: () => reader.warnings,
  };
}

/** How many bookings are held back at first, to prove the order of dates and the decimal mark. */
const SAMPLE = 200;
const BOOKINGS = new Set(['bank', 'cash', 'ccard', 'oth a', 'oth l']);
/** What a program knows besides bookings. */
const LISTS = new Set(['cat', 'class', 'memorized', 'security', 'prices', 'budget', 'tag', 'invitem', 'template']);

type Section = 'none' | 'account' | 'bookings' | 'list';
type Booking = WrittenTransaction & { readonly account: string | null };

class QifReader {
  readonly balances: StatementBalance[] = [];
  readonly warnings: ReadingWarning[] = [];
  private section: Section = 'none';
  private account: string | null = null;
  private readonly waiting = new WaitingLines<Booking>();
  private readonly decimals = new DecimalMark();
  private hasBookings = false;
  private readonly unknownLetters = new Set<string>();

  async *linesOf(items: AsyncIterable<readonly QifItem[]>): AsyncGenerator<readonly LineDraft[]> {
    for await (const some of items) {
      for (const item of some) this.take(item);
      if (this.waiting.count >= SAMPLE) yield this.drafts(this.waiting.release());
    }
    if (!this.hasBookings) throw new JobFailure('statement_missing', 'The file has no bookings of a bank account, credit card or cash.');
    yield this.drafts(this.waiting.finish());
  }

  private take(item: QifItem): void {
    if (item.kind === 'header') this.section = this.sectionOf(item.name, item.line);
    else if (this.section === 'account') this.account = item.fields.find(({ letter }) => letter === 'N')?.text || null;
    else if (this.section === 'bookings') this.book(item.fields, item.line);
    else if (this.section === 'none')
      throw new JobFailure('invalid_line', `Line ${item.line} stands before any header such as !Type:Bank.`);
  }

  private sectionOf(name: string, line: number): Section {
    const [, type] = /^type:\s*(.*)$/i.exec(name) ?? [];
    if (type === undefined) {
      if (/^account\b/i.test(name)) return 'account';
      if (/^(option|clear):/i.test(name)) return this.section;
      throw new JobFailure('invalid_line', `Line ${line} has a header that is not known.`);
    }
    if (LISTS.has(type.toLowerCase())) return 'list';
    if (/^invst/i.test(type))
      throw new JobFailure(
        'format_not_supported',
        `From line ${line}, the file has investments, which are not read. Export bank accounts only.`,
      );
    if (!BOOKINGS.has(type.toLowerCase()))
      throw new JobFailure('format_not_supported', `Line ${line} has a type of account that is not known.`);
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
      if (isOpeningBalance(booking)) {
        this.balances.push({ account, currency: null, opening: amount, closing: null });
        return [];
      }
      return [{ account, bookedOn, amount, currency: null, ...texts, counterpartyAccount: null, bankReference: null }];
    });
  }
}

/** The first record of an account is its balance: named so, and transferred from the account itself. */
function isOpeningBalance({ texts: { counterparty }, account, category, line }: Booking): boolean {
  if (statementIn({ cells: [counterparty ?? ''], line }) !== 'opening') return false;
  return category !== null && (account === null ? /^\[.*\]$/.test(category) : category === `[${account}]`);
}
