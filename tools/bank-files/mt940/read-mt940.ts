import { isValidIBAN } from 'ibantools';
import { UnreadableFile } from '../unreadable-file.js';
import { isZero, plainDecimalOf } from '../amounts.js';
import { dayAfter, dayOf, shortYear } from '../dates.js';
import { NotBooked } from '../line-checks.js';
import { ControlSums } from '../numbered-lines.js';
import { currencyOf, FoundStatements, readingBy } from '../statement-line.js';
import type { BankReading, LineDraft, Period, ReadingWarning } from '../statement-line.js';
import { type Booking, type BookingFault, bookingOf, informationOf, fieldsOf, type Field } from './booking.js';

/** An MT942 has bookings without balances: instead, each message may have a floor limit and totals. */
export const readMt940 = (texts: AsyncIterable<string>, isMt942 = false): BankReading =>
  readingBy(new Mt940Reader(isMt942), fieldsOf(texts));

const FAULTS: Readonly<Record<BookingFault, string>> = {
  invalid_line: 'The :61: in line {line} is not a valid :61: field.',
  invalid_date: 'The :61: in line {line} has a date that does not exist.',
  invalid_amount: 'The :61: in line {line} has an amount with too many digits.',
};

/** What is longer is ignored, as within one `:86:`. */
const MAX_INFORMATION_LINES = 100;
/** The code of the transaction, which some banks repeat before further numbered subfields. */
const REPEATED_CODE = /^\d{3}\s?(?=[?<>@!#*~^]\d\d)/;

class Mt940Reader extends FoundStatements {
  private account: string | null = null;
  private currency: string | null = null;
  /** A booking that a `:86:` may follow, or several. */
  private booking: Booking | null = null;
  private information: string[] = [];
  /** The opening balance of a message whose closing balance was not read yet. */
  private opening: Balance | null = null;
  private firstBooked: string | null = null;
  private isComplete = true;
  /** The line of the first amount without a comma, and whether another one has it. */
  private firstWithoutComma: number | null = null;
  private hasComma = false;
  private readonly totals = new InterimTotals();
  private readonly notBooked = new NotBooked();
  private isInterim: boolean;
  private hasInterim: boolean;

  constructor(private readonly isMt942: boolean) {
    super();
    this.isInterim = this.hasInterim = isMt942;
  }

  get warnings(): ReadingWarning[] {
    return [...(this.hasInterim ? [interimReport('MT942')] : []), ...this.totals.warnings, ...this.notBooked.warnings];
  }

  async *linesOf(fields: AsyncIterable<readonly Field[]>): AsyncGenerator<readonly LineDraft[]> {
    for await (const some of fields) yield some.flatMap((field) => this.take(field));
    yield this.finishBooking();
    if (this.firstWithoutComma !== null && !this.hasComma) throw withoutUnit(this.firstWithoutComma);
    if (!this.isComplete)
      throw new UnreadableFile('incomplete_file', 'The file is incomplete: its last closing balance (:62F:) is missing.');
  }

  private take(field: Field): LineDraft[] {
    if (field.tag === '86') {
      this.informBooking(field);
      return [];
    }
    const lines = this.finishBooking();
    if (field.tag === '20') this.startMessage();
    if (field.tag === '25') this.account = accountOf(field.lines[0] ?? '');
    if (field.tag === '61') this.begin(field);
    if (field.tag === '34F') this.startInterim(field);
    if (/^90[CD]$/.test(field.tag)) this.totals.total(field);
    if (/^6[02][FM]$/.test(field.tag)) this.noteComma(/\d[.,]/.test(field.lines[0] ?? ''), field);
    if (/^60[FM]$/.test(field.tag)) this.openWith(balanceOf(field));
    if (/^62[FM]$/.test(field.tag)) this.closeWith(this.inOneCurrency(balanceOf(field), field));
    return lines;
  }

  private noteComma(hasComma: boolean, { lineNumber }: Field): void {
    this.hasComma ||= hasComma;
    if (!hasComma) this.firstWithoutComma ??= lineNumber;
  }

  private startMessage(): void {
    this.isInterim = this.isMt942;
    this.totals.startMessage();
  }

  /** It is the only field of an MT942 that names the currency. */
  private startInterim(field: Field): void {
    this.totals.floor(field);
    this.isInterim = this.hasInterim = true;
    this.currency = this.totals.currency;
  }

  private begin(field: Field): void {
    const booking = bookingOf(field.lines);
    if (typeof booking === 'string') throw new UnreadableFile(booking, FAULTS[booking].replace('{line}', String(field.lineNumber)));
    this.booking = booking;
    if (booking) this.noteComma(booking.hasComma, field);
    if (booking && (this.firstBooked === null || booking.bookedOn < this.firstBooked)) this.firstBooked = booking.bookedOn;
    if (!this.isInterim) this.isComplete = false;
    if (booking) this.totals.book(booking.amount);
    else {
      this.totals.expect();
      this.notBooked.add(`in line ${field.lineNumber}`);
    }
  }

  /** A long text is continued in a further `:86:`. */
  private informBooking({ lines }: Field): void {
    if (!this.booking || this.information.length > MAX_INFORMATION_LINES) return;
    const [first = '', ...more] = lines;
    this.information.push(this.information.length > 0 ? first.replace(REPEATED_CODE, '') : first, ...more);
  }

  private finishBooking(): LineDraft[] {
    if (!this.booking) return [];
    const { supplement, reference, hasComma: _hasComma, ...booked } = this.booking;
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

  private openWith(opening: Balance): void {
    this.opening = opening;
    this.firstBooked = null;
    this.currency = opening.currency;
    this.isComplete = false;
  }

  private inOneCurrency(closing: Balance, { lineNumber }: Field): Balance {
    const opened = this.opening?.currency ?? null;
    if (opened === null || closing.currency === null || closing.currency === opened) return closing;
    const message = `The closing balance in line ${lineNumber} is in another currency than the opening balance.`;
    throw new UnreadableFile('balances_contradict', message);
  }

  /** A long statement consists of several messages. Each starts with the closing balance of the one before. */
  private closeWith(closing: Balance): void {
    const { amount, currency } = closing;
    const before = this.balances.at(-1);
    const opening = this.opening?.amount ?? null;
    const goesOn = before && before.account === this.account && before.currency === currency && before.closing === opening;
    if (goesOn) this.balances.pop();
    const period = this.periodTo(closing, goesOn ? before.period : undefined);
    const opened = goesOn ? before.opening : opening;
    this.note({ account: this.account, currency, opening: opened, closing: amount, ...(period && { period }) });
    this.opening = null;
    this.isComplete = true;
  }

  /** The opening balance is of the end of a day, which the statement before covers. Some banks give it the first day of their own. */
  private periodTo({ day: end }: Balance, before: Period | undefined): Period | null {
    const opened = this.opening?.day ?? null;
    if (opened === null || end === null || end < opened) return null;
    const isOwnDay = opened === end || (this.firstBooked !== null && this.firstBooked <= opened);
    return { start: before?.start ?? (isOwnDay ? opened : dayAfter(opened)), end };
  }
}

/** If no amount has a comma, all of them may be in cents. One that has it shows that whole numbers are whole units. */
const withoutUnit = (line: number): UnreadableFile =>
  new UnreadableFile('ambiguous_amount', `Line ${line} has an amount without a comma, as all others: they may be in cents.`);

/** An IBAN may be followed by the currency. */
function accountOf(text: string): string {
  const bare = text.trim().replace(/\s?[A-Z]{3}$/, '');
  return isValidIBAN(bare) ? bare : text.trim();
}

interface Balance {
  readonly amount: string;
  readonly currency: string | null;
  /** null if there is no such day. */
  readonly day: string | null;
}

function balanceOf({ tag, lines, lineNumber }: Field): Balance {
  const [, mark, year = '', month, day, currency, digits = ''] =
    /^\s*([CDcd])(\d\d)(\d\d)(\d\d)([A-Z]{3})\s?([\d.,]+)\s*$/.exec(lines[0] ?? '') ?? [];
  const amount = plainDecimalOf(digits, mark?.toUpperCase() === 'D');
  if (!amount) throw new UnreadableFile('invalid_amount', `The :${tag}: in line ${lineNumber} is not a valid balance.`);
  return { amount, currency: currencyOf(currency), day: dayOf(shortYear(year), Number(month), Number(day)) };
}

/**
 * What an MT942 says about itself: the amount from which bookings are reported (`:34F:`), and how many there are with which sum
 * (`:90C:`, `:90D:`).
 */
class InterimTotals {
  readonly warnings: ReadingWarning[] = [];
  currency: string | null = null;
  private sums = new ControlSums();
  /** Expected entries are left out here, and banks differ in whether they count them. */
  private hasExpected = false;
  private hasFloor = false;

  startMessage(): void {
    this.sums = new ControlSums();
    this.hasExpected = this.hasFloor = false;
    this.currency = null;
  }

  floor({ lines, lineNumber }: Field): void {
    const [, currency, digits = ''] = /^\s*([A-Z]{3})[CD]?([\d.,]+)\s*$/.exec(lines[0] ?? '') ?? [];
    this.currency = currencyOf(currency) ?? this.currency;
    const amount = plainDecimalOf(digits);
    if (!amount || isZero(amount) || this.hasFloor) return;
    this.hasFloor = true;
    this.warnings.push({
      code: 'floor_limit',
      message: `The report leaves out bookings below an amount that the :34F: in line ${lineNumber} states.`,
    });
  }

  book(amount: string): void {
    this.sums.book(amount, amount.startsWith('-') ? 'out' : 'in');
  }

  expect(): void {
    this.hasExpected = true;
  }

  total({ tag, lines, lineNumber }: Field): void {
    const [, count, digits = ''] = /^\s*(\d{1,6})[A-Z]{3}([\d.,]+)\s*$/.exec(lines[0] ?? '') ?? [];
    const stated = plainDecimalOf(digits);
    if (!stated || this.hasExpected || this.hasFloor) return;
    if (this.sums.agree(tag === '90D' ? 'out' : 'in', stated, count)) return;
    this.warnings.push({
      code: 'totals_do_not_tie',
      message: `The :${tag}: in line ${lineNumber} states another number or sum of bookings than are before it. Bookings may be missing.`,
    });
  }
}

/** A report from before the end of the day or month. The bank may still change what it says, and states it again in the statement. */
export const interimReport = (kind: string): ReadingWarning => ({
  code: 'interim_report',
  message:
    `The file has a ${kind}, which is not a final statement. Its bookings may change, and come again in the statement. ` +
    'Reports count those once that both have.',
});

export const asInterim = (kind: string, reading: BankReading): BankReading => ({
  ...reading,
  warnings: () => [interimReport(kind), ...reading.warnings()],
});
