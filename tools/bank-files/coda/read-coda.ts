import { composeIBAN } from 'ibantools';
import { fail, UnreadableFile } from '../unreadable-file.js';
import { scaledDecimalOf, sumOf } from '../amounts.js';
import { dayAfter, sixDigitDayOf } from '../dates.js';
import { Place } from '../line-checks.js';
import { at, balancesContradict, ControlSums, invalidLine, numberedLinesOf, totalsContradict } from '../numbered-lines.js';
import type { NumberedLine } from '../numbered-lines.js';
import { currencyOf, FoundStatements, readingBy } from '../statement-line.js';
import type { BankReading, LineDraft, Period, ReadingWarning } from '../statement-line.js';

/** The first two records of a coded statement of a Belgian bank. */
const START = /^0{5}\d{9}05[D ] {7}.{104}\n1[0-3]/;
export const isCoda = (head: string): boolean => START.test(head);

/** Coded statements of Belgian banks: records of 128 characters, of which the last has control totals. */
export const readCoda = (texts: AsyncIterable<string>): BankReading => readingBy(new CodaReader(), numberedLinesOf(texts));

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

class CodaReader extends FoundStatements {
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
    if (this.state === 'inside') throw new UnreadableFile('incomplete_file', 'The file is incomplete: its last record (9) is missing.');
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
      throw new UnreadableFile('format_not_supported', `The file is a CODA of version ${version}, and only version ${VERSION} is read.`);
    if (!/^[0 ]*$/.test(at(text, 84, 88))) {
      const message = `The statement in line ${number} has only the details of bookings that are in another file. Import that file.`;
      throw new UnreadableFile('format_not_supported', message);
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
    this.note({ account, currency, opening, closing, ...(period && { period }) });
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
  return balance ?? fail('invalid_amount', `The record ${at(text, 1)} in line ${number} has no valid balance.`);
}

/** The old balance is of the end of a day, which the statement before covers. */
function periodOf(openedOn: string | null, end: string | null, firstBooked: string | null): Period | null {
  if (openedOn === null || end === null || end < openedOn) return null;
  const start = openedOn === end ? openedOn : dayAfter(openedOn);
  return { start: firstBooked !== null && firstBooked < start ? firstBooked : start, end };
}

/** A booking, or a detail of one: a record 21 and what continues it. */
interface Movement {
  readonly line: number;
  readonly sequence: string;
  /** 0000 for the booking itself. */
  readonly detail: string;
  readonly amount: string;
  readonly bookedOn: string;
  readonly bankReference: string | null;
  /** The first digit says what the amount is: a booking, a total, or a part of one. */
  readonly code: string;
  readonly isStructured: boolean;
  communication: string;
  customerReference: string;
  counterparty: string;
  counterpartyAccount: string;
  /** Of the records 31 to 33: whether they are structured, and their text. */
  readonly information: { readonly isStructured: boolean; text: string }[];
}

const DECIMALS = 3;
const UNKNOWN_DAY = '000000';

function movementOf({ text, number }: NumberedLine): Movement {
  const [sign, entry, value] = [at(text, 32), at(text, 116, 121), at(text, 48, 53)];
  const amount = /[01]/.test(sign) ? scaledDecimalOf(at(text, 33, 47), DECIMALS, sign === '1') : null;
  const bookedOn = sixDigitDayOf(entry === UNKNOWN_DAY ? value : entry, 'day first');
  return {
    line: number,
    ...placeOf(text),
    amount: amount ?? fail('invalid_amount', `The record 21 in line ${number} has no valid amount.`),
    bookedOn: bookedOn ?? fail('invalid_date', `The record 21 in line ${number} has no valid entry date.`),
    bankReference: at(text, 11, 31).trim() || null,
    code: at(text, 54, 61),
    isStructured: at(text, 62) === '1',
    communication: at(text, 63, 115),
    customerReference: '',
    counterparty: '',
    counterpartyAccount: '',
    information: [],
  };
}

const placeOf = (text: string): Pick<Movement, 'sequence' | 'detail'> => ({ sequence: at(text, 3, 6), detail: at(text, 7, 10) });

function continueMovement(movement: Movement | null, { text, number }: NumberedLine): void {
  const kind = at(text, 1, 2);
  const { sequence, detail } = placeOf(text);
  // Information has detail numbers of its own.
  const belongs = movement?.sequence === sequence && (kind.startsWith('3') || movement.detail === detail);
  if (!movement || !belongs) throw invalidLine(number, `has a record ${kind} that does not continue the record before it`);
  if (kind === '22') {
    movement.communication += at(text, 11, 63);
    movement.customerReference = at(text, 64, 98).trim();
  } else if (kind === '23') {
    [movement.counterpartyAccount = ''] = at(text, 11, 44).trim().split(/\s/);
    movement.counterparty = at(text, 48, 82).trim();
    movement.communication += at(text, 83, 125);
  } else if (kind === '31') movement.information.push({ isStructured: at(text, 40) === '1', text: at(text, 41, 113) });
  else if (movement.information.length > 0) movement.information.at(-1)!.text += kind === '32' ? at(text, 11, 115) : at(text, 11, 100);
}

type Texts = Omit<LineDraft, 'account' | 'owner' | 'currency' | 'bookedOn' | 'amount'>;

const CARDS = '04';

function textsOf(movement: Movement): Texts {
  const { code, counterparty, counterpartyAccount, bankReference, detail } = movement;
  const { description, reference } = movement.isStructured
    ? structured(movement.communication)
    : { description: plain(movement.communication), reference: null };
  const parties = movement.information.filter(({ isStructured, text }) => isStructured && PARTY.test(text)).map(({ text }) => text);
  const more = movement.information.filter(({ isStructured }) => !isStructured).map(({ text }) => plain(text));
  const [party = ''] = parties;
  return {
    description: [description, ...more].filter(Boolean).join(' '),
    counterparty: counterparty || at(party, 4, 73).trim() || null,
    counterpartyAccount: counterpartyAccount || null,
    counterpartyAddress: party.startsWith('001') ? plain(at(party, 74, 143)) || null : null,
    reference: reference ?? (/^NOT ?PROVIDED$/i.test(movement.customerReference) ? null : movement.customerReference || null),
    // Details have the reference of their booking.
    bankReference: bankReference && (detail === '0000' ? bankReference : `${bankReference}/${detail}`),
    ...(at(code, 2, 3) === CARDS && { isCardPayment: true }),
  };
}

/** Information about the other party: its name, and in 001 its address. */
const PARTY = /^00[189]/;

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** The three digits before a structured communication say what it is. */
function structured(text: string): { description: string; reference: string | null } {
  const [kind, content] = [at(text, 1, 3), text.slice(3)];
  if (kind === '101' || kind === '102') {
    const [, one, two, three] = /^(\d{3})(\d{4})(\d{5})/.exec(content) ?? [];
    const reference = one === undefined ? plain(content) : `+++${one}/${two}/${three}+++`;
    return { description: reference, reference };
  }
  // A direct debit: settlement date, codes, creditor, mandate and the text of the creditor.
  if (kind === '127') {
    const [mandate, communication] = [plain(at(content, 45, 79)), plain(at(content, 80, 141))];
    return { description: communication || mandate, reference: mandate || null };
  }
  return { description: plain(content), reference: null };
}
