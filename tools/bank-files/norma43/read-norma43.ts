import { composeIBAN } from 'ibantools';
import { fail, UnreadableFile } from '../unreadable-file.js';
import { scaledDecimalOf } from '../amounts.js';
import { sixDigitDayOf } from '../dates.js';
import { at, balancesContradict, ControlSums, invalidLine, numberedLinesOf, totalsContradict } from '../numbered-lines.js';
import type { NumberedLine } from '../numbered-lines.js';
import { type BankReading, FoundStatements, type LineDraft, NO_PARTY, type Period, readingBy } from '../statement-line.js';

/** Perhaps the header of a file, then that of an account: bank, branch, account, days, balance, currency. */
const START = /^(?:00.{0,78}\n)?11\d{30}[012]\d{17}/;
export const isNorma43 = (head: string): boolean => START.test(head);

/** Statements of Spanish banks (Cuaderno 43): records of 80 characters, with control totals of each account and of the file. */
export const readNorma43 = (texts: AsyncIterable<string>): BankReading => readingBy(new Norma43Reader(), numberedLinesOf(texts));

const WIDTH = 80;
const DECIMALS = 2;
const DEBIT = '1';
const BOOKING = /[12]/;
/** Some banks write a zero for what is no debit. */
const BALANCE = /[012]/;
const CARDS = '12';

/** ISO 4217 by number. */
// oxfmt-ignore
const CURRENCIES: Readonly<Record<string, string>> = {
  '978': 'EUR', '840': 'USD', '826': 'GBP', '756': 'CHF', '392': 'JPY', '208': 'DKK', '752': 'SEK', '578': 'NOK', '985': 'PLN',
  '124': 'CAD', '036': 'AUD', '484': 'MXN', '504': 'MAD',
};

interface Account extends Pick<LineDraft, 'account' | 'owner' | 'currency'> {
  /** Bank, branch and number, as records have them. */
  readonly number: string;
  readonly opening: string;
  readonly period: Period | null;
  readonly sums: ControlSums;
}

class Norma43Reader extends FoundStatements {
  private account: Account | null = null;
  private booking: LineDraft | null = null;
  private records = 0;
  private isEnded = false;

  async *linesOf(lines: AsyncIterable<readonly NumberedLine[]>): AsyncGenerator<readonly LineDraft[]> {
    for await (const some of lines) yield some.flatMap((line) => this.take(line));
    if (!this.isEnded) throw new UnreadableFile('incomplete_file', 'The file is incomplete: its last record (88) is missing.');
  }

  private take({ text: written, number }: NumberedLine): LineDraft[] {
    const line = { text: written.trimEnd().padEnd(WIDTH), number };
    if (line.text.length > WIDTH) throw invalidLine(number, `has ${line.text.length} characters instead of ${WIDTH}`);
    const kind = at(line.text, 1, 2);
    this.isEnded = kind === '88';
    if (kind !== '00' && kind !== '88') this.records += 1;
    if (kind === '23' && this.booking) {
      this.booking = { ...this.booking, description: this.booking.description + at(line.text, 5, WIDTH) };
      return [];
    }
    // The amount in another currency.
    if (kind === '24' && this.booking) return [];
    const drafts = this.booking ? [tidied(this.booking)] : [];
    this.booking = null;
    if (kind === '11') this.open(line);
    else if (kind === '22') this.book(line);
    else if (kind === '33') this.close(line);
    else if (kind === '88') this.end(line);
    else if (kind !== '00') throw invalidLine(number, 'has a record that does not belong there');
    return drafts;
  }

  private open(line: NumberedLine): void {
    const { text, number } = line;
    if (this.account) throw invalidLine(number, 'has a record 11 before the account above it has ended');
    const [start, end] = [sixDigitDayOf(at(text, 21, 26), 'year first'), sixDigitDayOf(at(text, 27, 32), 'year first')];
    this.account = {
      account: accountOf(at(text, 3, 6), at(text, 7, 10), at(text, 11, 20)),
      owner: at(text, 52, 77).trim() || null,
      currency: CURRENCIES[at(text, 48, 50)] ?? null,
      number: at(text, 3, 20),
      opening: amountIn(line, 33, BALANCE),
      period: start !== null && end !== null && start <= end ? { start, end } : null,
      sums: new ControlSums(),
    };
  }

  private book(line: NumberedLine): void {
    const { text, number } = line;
    if (!this.account) throw invalidLine(number, 'has a record 22 outside of an account');
    const { account, owner, currency, sums } = this.account;
    const amount = amountIn(line, 28, BOOKING);
    const bookedOn =
      sixDigitDayOf(at(text, 11, 16), 'year first') ?? fail('invalid_date', `The record 22 in line ${number} has no valid date.`);
    sums.book(amount, at(text, 28) === DEBIT ? 'out' : 'in');
    const references = [at(text, 53, 64), at(text, 65, 80)].map((reference) => reference.trim()).filter((text) => !/^0*$/.test(text));
    this.booking = {
      account,
      owner,
      currency,
      amount,
      bookedOn,
      description: '',
      ...NO_PARTY,
      reference: references.join(' ') || null,
      bankReference: null,
      ...(at(text, 23, 24) === CARDS && { isCardPayment: true }),
    };
  }

  private close(line: NumberedLine): void {
    const { text, number } = line;
    if (!this.account) throw invalidLine(number, 'has a record 33 outside of an account');
    if (at(text, 3, 20) !== this.account.number)
      throw invalidLine(number, 'has a record 33 of another account than the record 11 above it');
    const { account, currency, opening, period, sums } = this.account;
    const stated = [
      { side: 'out', count: at(text, 21, 25), total: at(text, 26, 39) },
      { side: 'in', count: at(text, 40, 44), total: at(text, 45, 58) },
    ] as const;
    for (const { side, count, total } of stated) {
      const sum = scaledDecimalOf(total, DECIMALS, false);
      if (sum === null || !sums.agree(side, sum, count)) throw totalsContradict(`The record 33 in line ${number}`);
    }
    const closing = amountIn(line, 59, BALANCE);
    if (!sums.leads(opening, closing)) throw balancesContradict(`in line ${number}`);
    this.note({ account, currency, opening, closing, ...(period && { period }) });
    this.account = null;
  }

  private end({ text, number }: NumberedLine): void {
    if (this.account || Number(at(text, 21, 26)) !== this.records) throw totalsContradict(`The record 88 in line ${number}`);
    this.records = 0;
  }
}

/** Debit or credit, and 14 digits, from this position on. */
function amountIn({ text, number }: NumberedLine, first: number, sides: RegExp): string {
  const side = at(text, first);
  const amount = sides.test(side) ? scaledDecimalOf(at(text, first + 1, first + 14), DECIMALS, side === DEBIT) : null;
  return amount ?? fail('invalid_amount', `The record ${at(text, 1, 2)} in line ${number} has no valid amount.`);
}

const tidied = (booking: LineDraft): LineDraft => ({
  ...booking,
  description: booking.description.replace(/\s+/g, ' ').trim() || (booking.reference ?? ''),
});

const WEIGHTS = [1, 2, 4, 8, 5, 10, 9, 7, 3, 6];

/** The IBAN, whose check digits the records leave out. */
function accountOf(bank: string, branch: string, number: string): string {
  const checkOf = (digits: string): number => {
    const sum = [...digits.padStart(10, '0')].reduce((all, digit, index) => all + Number(digit) * WEIGHTS[index]!, 0);
    const rest = 11 - (sum % 11);
    return rest === 11 ? 0 : rest === 10 ? 1 : rest;
  };
  const bban = `${bank}${branch}${checkOf(bank + branch)}${checkOf(number)}${number}`;
  return composeIBAN({ countryCode: 'ES', bban }) ?? bban;
}
