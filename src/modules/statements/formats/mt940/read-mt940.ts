import { isValidIBAN } from 'ibantools';
import { JobFailure } from '../../../../kernel/failure.js';
import { plainDecimalOf } from '../amounts.js';
import { currencyOf, type DraftReading, type LineDraft } from '../line-draft.js';
import type { StatementBalance } from '../statement-line.js';
import { bookingOf, type Booking, type BookingFault } from './booking.js';
import { fieldsOf, type Field } from './fields.js';
import { informationOf } from './information.js';

export function readMt940(texts: AsyncIterable<string>): DraftReading {
  const reader = new Mt940Reader();
  return { lines: reader.linesOf(fieldsOf(texts)), balances: () => reader.balances, period: () => null };
}

const FAULTS: Readonly<Record<BookingFault, string>> = {
  invalid_line: 'The :61: in line {line} is not a valid :61: field.',
  invalid_date: 'The :61: in line {line} has a date that does not exist.',
  invalid_amount: 'The :61: in line {line} has an amount with too many digits.',
};

/** What is longer is ignored, as within one `:86:`. */
const MAX_INFORMATION_LINES = 100;

/** The code of the transaction, which some banks repeat before further numbered subfields. */
const REPEATED_CODE = /^\d{3}\s?(?=[?<>@!#*]\d\d)/;

class Mt940Reader {
  readonly balances: StatementBalance[] = [];
  private account: string | null = null;
  private currency: string | null = null;
  /** A booking that a `:86:` may follow, or several. */
  private booking: Booking | null = null;
  private information: string[] = [];
  /** The opening balance of a message whose closing balance was not read yet. */
  private opening: string | null = null;
  private isComplete = true;

  async *linesOf(fields: AsyncIterable<readonly Field[]>): AsyncGenerator<readonly LineDraft[]> {
    for await (const some of fields) yield some.flatMap((field) => this.take(field));
    yield this.finishBooking();
    if (!this.isComplete) throw new JobFailure('incomplete_file', 'The file is incomplete: its last closing balance (:62F:) is missing.');
  }

  private take(field: Field): LineDraft[] {
    if (field.tag === '86') {
      this.informBooking(field);
      return [];
    }
    const lines = this.finishBooking();
    if (field.tag === '25') this.account = accountOf(field.lines[0] ?? '');
    if (field.tag === '61') this.begin(field);
    if (/^60[FM]$/.test(field.tag)) this.openWith(balanceOf(field));
    if (/^62[FM]$/.test(field.tag)) this.closeWith(balanceOf(field));
    return lines;
  }

  private begin(field: Field): void {
    const booking = bookingOf(field.lines);
    if (typeof booking === 'string') throw new JobFailure(booking, FAULTS[booking].replace('{line}', String(field.lineNumber)));
    this.booking = booking;
    this.isComplete = false;
  }

  /** A long text is continued in a further `:86:`. */
  private informBooking({ lines }: Field): void {
    if (!this.booking || this.information.length > MAX_INFORMATION_LINES) return;
    const [first = '', ...more] = lines;
    this.information.push(this.information.length > 0 ? first.replace(REPEATED_CODE, '') : first, ...more);
  }

  private finishBooking(): LineDraft[] {
    if (!this.booking) return [];
    const { supplement, reference, ...booked } = this.booking;
    const { description, reference: given, ...other } = informationOf(this.information);
    this.booking = null;
    this.information = [];
    return [
      {
        account: this.account,
        currency: this.currency,
        ...booked,
        ...other,
        description: description || (supplement ?? ''),
        reference: given ?? reference,
      },
    ];
  }

  private openWith({ amount, currency }: { amount: string; currency: string | null }): void {
    this.opening = amount;
    this.currency = currency;
    this.isComplete = false;
  }

  /** A long statement consists of several messages. Each starts with the closing balance of the one before. */
  private closeWith({ amount, currency }: { amount: string; currency: string | null }): void {
    const before = this.balances.at(-1);
    const goesOn = before && before.account === this.account && before.currency === currency && before.closing === this.opening;
    if (goesOn) this.balances.pop();
    this.balances.push({ account: this.account, currency, opening: goesOn ? before.opening : this.opening, closing: amount });
    this.opening = null;
    this.isComplete = true;
  }
}

/** An IBAN may be followed by the currency. */
function accountOf(text: string): string {
  const bare = text.trim().replace(/\s?[A-Z]{3}$/, '');
  return isValidIBAN(bare) ? bare : text.trim();
}

function balanceOf({ tag, lines, lineNumber }: Field): { amount: string; currency: string | null } {
  const [, mark, currency, digits = ''] = /^\s*([CD])\d{6}([A-Z]{3})([\d.,]+)\s*$/.exec(lines[0] ?? '') ?? [];
  const amount = plainDecimalOf(digits, mark === 'D');
  if (!amount) throw new JobFailure('invalid_amount', `The :${tag}: in line ${lineNumber} is not a valid balance.`);
  return { amount, currency: currencyOf(currency) };
}
