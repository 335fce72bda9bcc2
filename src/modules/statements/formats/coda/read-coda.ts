import { composeIBAN } from 'ibantools';
import { JobFailure } from '../../../../kernel/failure.js';
import { scaledDecimalOf, sumOf } from '../amounts.js';
import { dayAfter, sixDigitDayOf } from '../dates.js';
import { Place } from '../line-checks.js';
import { balancesContradict, ControlSums, totalsContradict } from '../records/control-sums.js';
import { at, invalidLine, type NumberedLine, numberedLinesOf } from '../records/numbered-lines.js';
import { currencyOf, readingBy, widened } from '../statement-line.js';
import type { DraftReading, LineDraft, Period, ReadingWarning, StatementBalance } from '../statement-line.js';
import { continueMovement, DECIMALS, type Movement, movementOf, textsOf } from './movement.js';

/** The first two records of a coded statement of a Belgian bank. */
const START = /^0{5}\d{9}05[D ] {7}.{104}\n1[0-3]/;
export const isCoda = (head: string): boolean => START.test(head);

/** Coded statements of Belgian banks: records of 128 characters, of which the last has control totals. */
export function readCoda(texts: AsyncIterable<string>): DraftReading {
  const reader = new CodaReader();
  return readingBy(reader.linesOf(numberedLinesOf(texts)), reader);
}

const WIDTH = 128;
const VERSION = '2';

/** What the details of a booking are if its amount is a total: the first digit of their codes, by that of the total. */
const PARTS: Readonly<Record<string, readonly string[]>> = { '1': ['5'], '2': ['6', '7'] };

/** The account between its records 1 and 8. */
interface Account extends Pick<LineDraft, 'account' | 'owner' | 'currency'> {
  readonly opening: string;
  readonly openedOn: string | null;
  readonly sums: ControlSums;
  firstBooked: string | null;
}

class CodaReader {
  readonly balances: StatementBalance[] = [];
  period: Period | null = null;
  private state: 'outside' | 'inside' | 'ended' = 'outside';
  private account: Account | null = null;
  /** The booking that is being read, and its details. */
  private movements: Movement[] = [];
  /** Of the file that ends with a record 9. */
  private sums = new ControlSums();
  private records = 0;
  private goesOn = false;
  /** Totals whose details add up to something else. */
  private readonly untied = new Place();

  get warnings(): ReadingWarning[] {
    const announced = 'The last record of the file says that another statement follows. One may be missing.';
    return [
      ...this.untied.warning('details_do_not_tie', 'the details do not add up to the amount of the booking, which was read as one.'),
      ...(this.goesOn ? [{ code: 'statement_announced', message: announced }] : []),
    ];
  }

  async *linesOf(lines: AsyncIterable<readonly NumberedLine[]>): AsyncGenerator<readonly LineDraft[]> {
    for await (const some of lines) yield some.flatMap((line) => this.take(line));
    if (this.state === 'inside') throw new JobFailure('incomplete_file', 'The file is incomplete: its last record (9) is missing.');
  }

  private take(line: NumberedLine): LineDraft[] {
    const text = line.text.trimEnd();
    if (text.length !== WIDTH) throw invalidLine(line.number, `has ${text.length} characters instead of ${WIDTH}`);
    const kind = /^[23]/.test(text) ? at(text, 1, 2) : at(text, 1);
    if ((this.state === 'inside') === (kind === '0')) throw invalidLine(line.number, 'has a record that does not belong there');
    // Neither the first and the last record nor free communications count.
    if (!/^[049]$/.test(kind)) this.records += 1;
    if (/^(2[23]|3[123])$/.test(kind)) {
      continueMovement(this.movements.at(-1) ?? null, line);
      return [];
    }
    if (kind === '21') return this.move(line);
    const drafts = this.finishBooking();
    if (kind === '0') this.begin(line);
    else if (kind === '1') this.open(line);
    else if (kind === '8') this.close(line);
    else if (kind === '9') this.end(line);
    else if (kind !== '4') throw invalidLine(line.number, 'has a record that is not known');
    return drafts;
  }

  private begin({ text, number }: NumberedLine): void {
    const version = at(text, 128);
    if (version !== VERSION)
      throw new JobFailure('format_not_supported', `The file is a CODA of version ${version}, and only version ${VERSION} is read.`);
    if (!/^[0 ]*$/.test(at(text, 84, 88))) {
      const message = `The statement in line ${number} has only the details of bookings that are in another file. Import that file.`;
      throw new JobFailure('format_not_supported', message);
    }
    this.state = 'inside';
    [this.sums, this.records] = [new ControlSums(), 0];
  }

  private open(line: NumberedLine): void {
    const { text, number } = line;
    if (this.account) throw invalidLine(number, 'has a record 1 before the account above it has ended');
    const isOldNumber = at(text, 2) === '0';
    const [written = ''] = at(text, 6, isOldNumber ? 17 : 39)
      .trim()
      .split(/\s/);
    const account = (isOldNumber && composeIBAN({ countryCode: 'BE', bban: written })) || written;
    const currency = currencyOf(isOldNumber ? at(text, 19, 21) : at(text, 40, 42));
    const opening = balanceIn(line, 43);
    const openedOn = sixDigitDayOf(at(text, 59, 64), 'day first');
    const owner = at(text, 65, 90).trim() || null;
    this.account = { account, owner, currency, opening, openedOn, sums: new ControlSums(), firstBooked: null };
  }

  private move(line: NumberedLine): LineDraft[] {
    if (!this.account) throw invalidLine(line.number, 'has a record 21 outside of an account');
    const movement = movementOf(line);
    const [booking] = this.movements;
    if (movement.detail !== '0000') {
      if (booking?.sequence !== movement.sequence) throw invalidLine(line.number, 'has a detail that does not follow its booking');
      this.movements.push(movement);
      return [];
    }
    const drafts = this.finishBooking();
    const side = movement.amount.startsWith('-') ? 'out' : 'in';
    for (const sums of [this.account.sums, this.sums]) sums.book(movement.amount, side);
    const { firstBooked } = this.account;
    if (firstBooked === null || movement.bookedOn < firstBooked) this.account.firstBooked = movement.bookedOn;
    this.movements = [movement];
    return drafts;
  }

  /** One line for each part of a total if they add up to it, else one for the booking. */
  private finishBooking(): LineDraft[] {
    const [booking, ...details] = this.movements;
    this.movements = [];
    if (!booking) return [];
    const { account, owner, currency } = this.account!;
    const wanted = PARTS[at(booking.code, 1)] ?? [];
    const parts = details.filter(({ code }) => wanted.includes(at(code, 1)));
    const isSplit = parts.length > 0 && sumOf(parts.map(({ amount }) => amount)) === booking.amount;
    if (parts.length > 0 && !isSplit) this.untied.add(booking.line);
    return (isSplit ? parts : [booking]).map((movement) => ({
      account,
      owner,
      currency,
      bookedOn: booking.bookedOn,
      amount: movement.amount,
      ...textsOf(movement),
    }));
  }

  private close(line: NumberedLine): void {
    if (!this.account) throw invalidLine(line.number, 'has a record 8 outside of an account');
    const { account, currency, opening, openedOn, sums, firstBooked } = this.account;
    const closing = balanceIn(line, 42);
    if (!sums.leads(opening, closing)) throw balancesContradict(`in line ${line.number}`);
    const period = periodOf(openedOn, sixDigitDayOf(at(line.text, 58, 63), 'day first'), firstBooked);
    this.balances.push({ account, currency, opening, closing, ...(period && { period }) });
    if (period) this.period = widened(this.period, period.start, period.end);
    this.account = null;
  }

  private end({ text, number }: NumberedLine): void {
    const totals = { out: scaledDecimalOf(at(text, 23, 37), DECIMALS, false), in: scaledDecimalOf(at(text, 38, 52), DECIMALS, false) };
    const agree = (['out', 'in'] as const).every((side) => totals[side] !== null && this.sums.agree(side, totals[side]));
    if (this.account || !agree || at(text, 17, 22).trim().padStart(6, '0') !== String(this.records).padStart(6, '0'))
      throw totalsContradict(`The record 9 in line ${number}`);
    this.goesOn = at(text, 128) === '1';
    this.state = 'ended';
  }
}

/** A sign and 15 digits, from this position on. */
function balanceIn({ text, number }: NumberedLine, first: number): string {
  const sign = at(text, first);
  const balance = /[01]/.test(sign) ? scaledDecimalOf(at(text, first + 1, first + 15), DECIMALS, sign === '1') : null;
  if (!balance) throw new JobFailure('invalid_amount', `The record ${at(text, 1)} in line ${number} has no valid balance.`);
  return balance;
}

/** The old balance is of the end of a day, which the statement before covers. */
function periodOf(openedOn: string | null, end: string | null, firstBooked: string | null): Period | null {
  if (openedOn === null || end === null || end < openedOn) return null;
  const start = openedOn === end ? openedOn : dayAfter(openedOn);
  return { start: firstBooked !== null && firstBooked < start ? firstBooked : start, end };
}
