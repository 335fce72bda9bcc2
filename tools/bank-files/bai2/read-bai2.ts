import { fail, UnreadableFile } from '../unreadable-file.js';
import { negated, scaledDecimalOf } from '../amounts.js';
import { sixDigitDayOf } from '../dates.js';
import { Place } from '../line-checks.js';
import { interimReport } from '../mt940/read-mt940.js';
import { ControlSums, type Side, totalsContradict, invalidLine, type NumberedLine, numberedLinesOf } from '../numbered-lines.js';
import { currencyOf, FoundStatements, NO_PARTY, readingBy } from '../statement-line.js';
import type { BankReading, LineDraft, ReadingWarning, StatementBalance } from '../statement-line.js';

/** The header of the file, which ends with the version, and what follows it. */
const START = /^01,[^,\n]*,[^,\n]*,\d{6},(?:\d{0,4}|[\d:]{5,8}),[^,\n]*,\d*,\d*,\s*\d\s*\/?\s+(?:02|88),/;
export const isBai2 = (head: string): boolean => START.test(head);

export interface Bai2Options {
  /** Of groups and accounts that name none. */
  readonly currency?: string;
  /** How many decimals a currency has: the amounts of the file have no point. */
  readonly minorDigitsOf: (currency: string) => number;
}

/** Reports of American banks: records of fields, with control totals of each account, each group of accounts, and the file. */
export const readBai2 = (texts: AsyncIterable<string>, options: Bai2Options): BankReading =>
  readingBy(new Bai2Reader(options), numberedLinesOf(texts));

const VERSION = '2';
/** Of a group: others delete or correct what an earlier file said, or are tests. */
const UPDATE = '1';
/** Of the day of a group. */
const INTERIM = new Set(['1', '3']);
/** A booking without money, which has a text only. */
const NON_MONETARY = '890';
const [OPENING, CLOSING] = ['010', '015'];
const TOTALS: Readonly<Record<string, Side>> = { '100': 'in', '400': 'out' };

interface Account extends Pick<StatementBalance, 'account' | 'currency'> {
  readonly decimals: number;
  opening: string | null;
  closing: string | null;
  readonly totals: { readonly side: Side; readonly sum: string; readonly count: string }[];
  readonly sums: ControlSums;
}

/** What the trailers of an account, a group and the file count: amounts without decimals, what is within, and lines. */
interface Control {
  amounts: bigint;
  parts: number;
  lines: number;
}
const nothing = (): Control => ({ amounts: 0n, parts: 0, lines: 0 });

class Bai2Reader extends FoundStatements {
  private readonly records = new LogicalRecords();
  private group: { readonly day: string; readonly currency: string | null } | null = null;
  private account: Account | null = null;
  private readonly controls = { file: nothing(), group: nothing(), account: nothing() };
  private state: 'outside' | 'inside' | 'ended' = 'outside';
  private isInterim = false;
  private accounts = 0;
  private provenAccounts = 0;
  private readonly otherTotals = new Place();

  constructor(private readonly options: Bai2Options) {
    super();
  }

  get warnings(): ReadingWarning[] {
    const untied = 'the report states other totals of credits or debits than its bookings have. Some may be missing.';
    return [...(this.isInterim ? [interimReport('BAI2')] : []), ...this.otherTotals.warning('totals_do_not_tie', untied)];
  }

  /** Control totals have no signs, so an account needs balances, or totals of both credits and debits. */
  get isProven(): boolean {
    return this.accounts > 0 && this.provenAccounts === this.accounts;
  }

  async *linesOf(lines: AsyncIterable<readonly NumberedLine[]>): AsyncGenerator<readonly LineDraft[]> {
    for await (const some of lines) yield some.flatMap((line) => this.records.take(line)).flatMap((record) => this.take(record));
    yield this.records.finish().flatMap((record) => this.take(record));
    if (this.state !== 'ended') throw new UnreadableFile('incomplete_file', 'The file is incomplete: its last record (99) is missing.');
  }

  private take(record: LogicalRecord): LineDraft[] {
    const { kind, line, lines } = record;
    const place = this.account ? 'account' : this.group ? 'group' : this.state === 'inside' ? 'file' : 'outside';
    if (PLACES[kind] !== place) throw invalidLine(line, `has a record ${kind}, which does not belong there`);
    if (kind === '01') this.begin(record);
    for (const control of Object.values(this.controls)) control.lines += lines;
    if (kind === '16') return this.book(record);
    if (kind === '02') this.beginGroup(record);
    else if (kind === '03') this.beginAccount(record);
    else if (kind === '49') this.endAccount(record);
    else if (kind === '98') this.end(record, 'group');
    else if (kind === '99') this.end(record, 'file');
    return [];
  }

  private begin({ fields }: LogicalRecord): void {
    const version = fields[7]?.trim();
    if (version !== VERSION)
      throw new UnreadableFile('format_not_supported', `The file is no BAI of version ${VERSION}, with a record in each of its lines.`);
    this.state = 'inside';
    this.controls.file = nothing();
  }

  private beginGroup({ fields, line, lines }: LogicalRecord): void {
    const [, , status = '', asOf = '', , currency, modifier = ''] = fields.map((field) => field.trim());
    if (status !== UPDATE) {
      const message = `The group in line ${line} corrects or deletes what another file says, or is a test. It cannot be read alone.`;
      throw new UnreadableFile('format_not_supported', message);
    }
    const day = sixDigitDayOf(asOf, 'year first') ?? fail('invalid_date', `The record 02 in line ${line} has no valid date.`);
    this.group = { day, currency: currencyOf(currency) };
    this.isInterim ||= INTERIM.has(modifier);
    this.controls.group = { ...nothing(), lines };
    this.controls.file.parts += 1;
  }

  private beginAccount({ fields, line, lines }: LogicalRecord): void {
    const [number = '', ownCurrency, ...summary] = fields.map((field) => field.trim());
    const currency = currencyOf(ownCurrency) ?? this.group!.currency ?? this.options.currency ?? null;
    const decimals = this.options.minorDigitsOf(currency ?? 'USD');
    this.controls.account = { ...nothing(), lines };
    this.controls.group.parts += 1;
    this.account = { account: number || null, currency, decimals, opening: null, closing: null, totals: [], sums: new ControlSums() };
    for (let index = 0; index < summary.length;) {
      const [type = '', digits = '', count = ''] = summary.slice(index, index + 3);
      if (type === '') {
        index += 1;
        continue;
      }
      const next = afterFunds(summary, index + 3);
      if (!/^\d{3}$/.test(type) || next === null) throw invalidLine(line, 'has a summary of the account that cannot be read');
      if (digits) this.summarize(type, this.amountOf(digits, line), count);
      index = next;
    }
  }

  private summarize(type: string, amount: string, count: string): void {
    const account = this.account!;
    if (type === OPENING) account.opening = amount;
    if (type === CLOSING) account.closing = amount;
    const side = TOTALS[type];
    if (side) account.totals.push({ side, sum: amount, count });
  }

  private book({ fields, line }: LogicalRecord): LineDraft[] {
    const [type = '', digits = ''] = fields.map((field) => field.trim());
    const texts = afterFunds(fields, 2);
    if (!/^\d{3}$/.test(type) || texts === null) throw invalidLine(line, 'has a record 16 that cannot be read');
    const value = digits || type !== NON_MONETARY ? this.amountOf(digits, line) : null;
    if (type === NON_MONETARY) return [];
    const side = sideOf(type);
    if (!side || value === null) {
      const message = `The record 16 in line ${line} has the type ${type}, of which it is not known whether it is money in or out.`;
      throw new UnreadableFile('direction_unknown', message);
    }
    const { account, currency, sums } = this.account!;
    const amount = side === 'in' ? value : negated(value);
    sums.book(amount, side);
    const [bankReference = '', reference = '', ...text] = fields.slice(texts).map((field) => field.trim());
    return [
      {
        account,
        currency,
        bookedOn: this.group!.day,
        amount,
        description: text.join(', ').replace(/^[\s,]+/, '') || `BAI ${type}`,
        ...NO_PARTY,
        reference: givenOf(reference),
        bankReference: givenOf(bankReference),
      },
    ];
  }

  /** Every amount counts for the control totals, with its sign. */
  private amountOf(digits: string, line: number): string {
    const [, sign, plain = ''] = /^([+-]?)(\d{1,18})$/.exec(digits) ?? [];
    const { decimals } = this.account!;
    const amount = scaledDecimalOf(plain.padStart(decimals + 1, '0'), decimals, sign === '-');
    if (!plain || !amount) throw new UnreadableFile('invalid_amount', `The record in line ${line} has no valid amount.`);
    for (const control of Object.values(this.controls)) control.amounts += sign === '-' ? -BigInt(plain) : BigInt(plain);
    return amount;
  }

  private endAccount(record: LogicalRecord): void {
    const { account, currency, opening, closing, totals, sums } = this.account!;
    const [total, lines] = record.fields;
    check(record, this.controls.account, { total, lines });
    const isOther = totals.some(({ side, sum, count }) => !sums.agree(side, sum, count || undefined));
    if (isOther) this.otherTotals.add(record.line);
    const isLed = opening !== null && closing !== null && sums.leads(opening, closing);
    this.accounts += 1;
    if (isLed || (!isOther && new Set(totals.map(({ side }) => side)).size === 2)) this.provenAccounts += 1;
    const { day } = this.group!;
    this.note({ account, currency, opening, closing, period: { start: day, end: day } });
    this.account = null;
  }

  private end(record: LogicalRecord, what: 'group' | 'file'): void {
    const [total, parts, lines] = record.fields;
    check(record, this.controls[what], { total, parts, lines });
    if (what === 'file') this.state = 'ended';
    this.group = null;
  }
}

const PLACES: Readonly<Record<string, string>> = {
  '01': 'outside',
  '02': 'file',
  '03': 'group',
  '16': 'account',
  '49': 'account',
  '98': 'group',
  '99': 'file',
};

function check({ kind, line }: LogicalRecord, found: Control, stated: Readonly<Record<string, string | undefined>>): void {
  const { total, parts = String(found.parts), lines } = stated;
  const agrees =
    /^\s*[+-]?\d{1,30}\s*$/.test(total ?? '') &&
    BigInt(total!.trim().replace('+', '')) === found.amounts &&
    Number(parts) === found.parts &&
    Number(lines ?? '') === found.lines;
  if (!agrees) throw totalsContradict(`The record ${kind} in line ${line}`);
}

/** Types are by their ranges; those of loans and unknown ones are none of both. */
function sideOf(type: string): Side | null {
  if ((type >= '100' && type <= '399') || (type >= '930' && type <= '959')) return 'in';
  return (type >= '400' && type <= '699') || (type >= '960' && type <= '999') ? 'out' : null;
}

const givenOf = (text: string): string | null => (/^0*$/.test(text) || text === 'NONREF' ? null : text);

/** A record with the lines 88 that continue it. */
interface LogicalRecord {
  readonly kind: string;
  readonly fields: readonly string[];
  readonly line: number;
  /** How many lines it has, as control totals count them. */
  readonly lines: number;
}

/** How long a record may be with its continuations. */
const MAX_RECORD = 100_000;

class LogicalRecords {
  private begun: { readonly kind: string; readonly line: number; content: string; lines: number; isClosed: boolean } | null = null;

  /** The record that a line ends by beginning another. */
  take({ text, number }: NumberedLine): LogicalRecord[] {
    const [, kind = '', rest = ''] = /^\s*(\d\d)\s*(?:,(.*?))?\s*$/.exec(text) ?? [];
    if (!kind) throw invalidLine(number, 'does not begin with the number of a record');
    const isClosed = rest.endsWith('/');
    const content = isClosed ? rest.slice(0, -1) : rest;
    if (kind !== '88') {
      const before = this.finish();
      this.begun = { kind, line: number, content, lines: 1, isClosed };
      return before;
    }
    if (!this.begun) throw invalidLine(number, 'continues a record that is not there');
    // Without a slash, a text goes on.
    this.begun.content += `${this.begun.isClosed ? ',' : ' '}${content}`;
    this.begun.lines += 1;
    this.begun.isClosed = isClosed;
    if (this.begun.content.length > MAX_RECORD)
      throw new UnreadableFile('entry_too_large', `The record in line ${this.begun.line} is too long.`);
    return [];
  }

  finish(): LogicalRecord[] {
    if (!this.begun) return [];
    const { content, isClosed: _isClosed, ...record } = this.begun;
    this.begun = null;
    return [{ ...record, fields: content.split(',') }];
  }
}

/** The kinds of availability of an amount, with how many fields follow. `D` has a count of pairs after it. */
const FUNDS: Readonly<Record<string, number>> = { '': 0, Z: 0, '0': 0, '1': 0, '2': 0, S: 3, V: 2 };

/** Where the fields after a kind of availability begin; null if there is no such kind. */
function afterFunds(fields: readonly string[], index: number): number | null {
  const kind = (fields[index] ?? '').trim().toUpperCase();
  if (kind === 'D') return /^\d{1,3}$/.test(fields[index + 1]?.trim() ?? '') ? index + 2 + 2 * Number(fields[index + 1]) : null;
  const following = FUNDS[kind];
  return following === undefined ? null : index + 1 + following;
}
