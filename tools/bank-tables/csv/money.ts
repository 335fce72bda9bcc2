import { wordSections } from '../word-lists.js';
import { fail, ambiguous, DecimalMark, isZero, negated, sumOf, writtenAmount } from '../../bank-files/index.js';
import type { CsvRecord, LineDraft, WrittenAmount } from '../../bank-files/index.js';
import { type Column, MONEY_COLUMNS } from './column-names.js';
import { columnsByBalance } from './columns.js';
import { cellOf, doesNotFit, type Layout } from './layout.js';

export type Money = Pick<LineDraft, 'amount' | 'currency'>;

interface Read {
  readonly written: WrittenAmount;
  /** Without its sign. */
  readonly value: string;
}

/** Reads the amounts of a row: one signed column, one column with a direction beside it, or a column for each direction. */
export class MoneyReader {
  private readonly decimals: DecimalMark;
  /** Of the cells of a workbook that are numbers. */
  private readonly decimalsOfNumbers = new DecimalMark('.');
  private readonly directionOf: DirectionOf | null;
  private readonly hasMarks: boolean;
  /** If only credits are marked, an amount without a mark is a debit. */
  private readonly marksCreditsAlone: boolean;
  /** Whether amounts in the debit column have a minus sign: either all of them do, or none. The same of credits if charges have no sign. */
  private readonly signs: { debit?: boolean; credit?: boolean } = {};
  /** The direction of all amounts in a file that does not say it, if its balances prove that it is one. */
  private readonly proven: Direction | null;
  /** Whether the balances show the direction of one booking alone. */
  directionIsGuessed = false;
  /** Which fees have a minus sign. If all of them have, it says that they are charged. */
  private readonly feeSigns: 'none' | 'all' | 'mixed';
  /** Whether the balances prove that amounts contain the fees. */
  private readonly containsFees: boolean;
  /** Whether anything but the balances says the direction of an amount. */
  private saysDirection = false;

  constructor(
    private readonly layout: Layout,
    sample: readonly CsvRecord[],
  ) {
    this.decimals = new DecimalMark(layout.written?.decimalMark);
    const rows = sample.slice(layout.recordsBefore);
    const writtenIn = (column: Column) => rows.map((row) => writtenAmount(this.textOf(row, column))).filter((amount) => amount !== null);
    const ofText = rows.map(withoutNumbers);
    for (const column of MONEY_COLUMNS)
      for (const row of ofText) this.decimals.learn(writtenAmount(this.textOf(row, column))?.digits ?? '');
    const amounts = writtenIn('amount');
    this.directionOf = directionsOf(
      layout,
      rows.filter((row) => writtenAmount(this.textOf(row, 'amount'))),
      amounts.some(({ sign }) => sign),
    );
    const marks = new Set(amounts.map(({ mark }) => mark));
    this.hasMarks = marks.has('in') || marks.has('out');
    this.marksCreditsAlone = marks.has('in') && !marks.has('out');
    const isUnsigned = !layout.written?.amounts && !this.directionOf && !this.hasMarks && amounts.every(({ sign }) => !sign);
    const fees = writtenIn('fee').filter(({ digits }) => /[1-9]/.test(digits));
    const negative = fees.filter(({ sign }) => sign === '-').length;
    this.feeSigns = negative === 0 ? 'none' : negative === fees.length ? 'all' : 'mixed';
    this.containsFees = fees.length > 0 && this.balancesFollowWithoutFees(rows);
    this.proven = isUnsigned ? this.directionByBalances(rows) : null;
  }

  read(record: CsvRecord): Money | null {
    const money = this.layout.columns.has('amount') ? this.signed(record) : this.split(record);
    const fee = money && !this.containsFees && this.numberIn(record, 'fee');
    if (!fee) return money;
    // The fee is charged in addition to the amount, and returned if others have another sign.
    const isReturned = this.feeSigns === 'mixed' && fee.written.sign === '-';
    if (this.feeSigns === 'none' && fee.written.sign === '-' && !isZero(fee.value))
      throw ambiguous(record.line, 'has a fee with a minus sign, unlike the lines before it');
    return { ...money, amount: sumOf([money.amount, isReturned ? fee.value : negated(fee.value)]) ?? invalid(record.line) };
  }

  balance(record: CsvRecord): string | null {
    const balance = this.numberIn(record, 'balance');
    if (!balance) return null;
    const isOut = balance.written.sign === '-' || balance.written.mark === 'out';
    return isOut ? negated(balance.value) : balance.value;
  }

  /** No amount has a sign, and nothing beside it says whether it is money in or out. */
  get directionIsUnknown(): boolean {
    return !this.saysDirection && !this.layout.isInverted && !this.layout.written?.amounts && this.layout.columns.has('amount');
  }

  hasAmount(record: CsvRecord): boolean {
    return (['amount', 'debit', 'credit'] as const).some((column) => writtenAmount(this.textOf(record, column)));
  }

  private signed(record: CsvRecord): Money | null {
    const number = this.numberIn(record, 'amount');
    if (!number) return null;
    const { written, value } = number;
    const direction = this.directionOf ? (this.directionOf(record) ?? invalid(record.line)) : this.markOf(written, record.line);
    if (written.sign === '-' && direction === 'in') throw ambiguous(record.line, 'has a negative amount marked as money in');
    this.saysDirection ||= direction !== null || written.sign !== null;
    if (written.sign && this.proven === 'out') throw ambiguous(record.line, 'has an amount with a sign, unlike the lines before it');
    const isOut = written.sign && !this.directionOf ? written.sign === '-' : (direction ?? this.proven) === 'out';
    return { amount: isOut === this.layout.isInverted ? value : negated(value), currency: written.currency };
  }

  private markOf({ mark }: WrittenAmount, line: number): Direction | null {
    if (mark && !this.hasMarks) throw ambiguous(line, 'marks its amount as credit or debit, unlike the lines before it');
    return mark ?? (this.marksCreditsAlone ? 'out' : null);
  }

  private split(record: CsvRecord): Money | null {
    const [debit, credit] = [this.numberIn(record, 'debit'), this.numberIn(record, 'credit')];
    if (this.layout.written?.amounts === 'charges-positive') return this.splitOfCard(record.line, debit, credit);
    if (debit && !isZero(debit.value)) this.checkSign('debit', record.line, debit.written.sign === '-');
    if (credit?.written.sign === '-' && !isZero(credit.value)) throw ambiguous(record.line, 'has a negative amount in the credit column');
    if (debit && credit && !isZero(debit.value) && !isZero(credit.value)) return invalid(record.line);
    const chosen = debit && (!credit || !isZero(debit.value)) ? debit : credit;
    return chosen && { amount: chosen === debit ? negated(chosen.value) : chosen.value, currency: chosen.written.currency };
  }

  /** Charges in one column, payments and refunds in the other, where some issuers write a minus sign. */
  private splitOfCard(line: number, debit: Read | null, credit: Read | null): Money | null {
    const [charge, payment] = [debit, credit].map((number) => (number && !isZero(number.value) ? number : null));
    const { name } = this.layout.written!;
    if (charge && payment) return invalid(line);
    if (charge?.written.sign === '-')
      throw doesNotFit(`Line ${line} has a charge with a minus sign, but the layout “${name}” says charges-positive.`);
    if (payment) this.checkSign('credit', line, payment.written.sign === '-');
    const chosen = charge ?? payment ?? debit ?? credit;
    return chosen && { amount: charge ? negated(chosen.value) : chosen.value, currency: chosen.written.currency };
  }

  private balancesFollowWithoutFees(rows: readonly CsvRecord[]): boolean {
    const { columns } = this.layout;
    const numbers = [...(columns.get('amount') ?? []), ...(columns.get('balance') ?? [])];
    const booked = rows.filter((row) => this.hasAmount(row) && writtenAmount(this.textOf(row, 'balance'))).map(({ cells }) => cells);
    return numbers.length === 2 && columnsByBalance(booked, numbers)?.get('amount')?.[0] === numbers[0];
  }

  private directionByBalances(rows: readonly CsvRecord[]): Direction | null {
    const read = rows.filter((row) => this.hasAmount(row) && writtenAmount(this.textOf(row, 'balance')));
    const steps = read.map((row) => ({
      line: row.line,
      amount: this.numberIn(row, 'amount')?.value ?? '',
      balance: this.balance(row) ?? '',
    }));
    const direction = provenDirection(steps);
    this.directionIsGuessed = direction !== null && steps.length === 2;
    return direction;
  }

  /** A single negative debit or payment among positive ones is ambiguous: it may take back another. */
  private checkSign(column: 'debit' | 'credit', line: number, hasSign: boolean): void {
    this.signs[column] ??= hasSign;
    if (this.signs[column] !== hasSign) throw ambiguous(line, `has another sign in the ${column} column than the lines before it`);
  }

  private numberIn(record: CsvRecord, column: Column): Read | null {
    const text = this.textOf(record, column);
    if (!text) return null;
    const written = writtenAmount(text);
    const decimals = record.numbers && text !== this.textOf(withoutNumbers(record), column) ? this.decimalsOfNumbers : this.decimals;
    const value = written && decimals.read(written.digits, record.line);
    return written && value ? { written, value } : invalid(record.line);
  }

  private textOf(record: CsvRecord, column: Column): string {
    const text = cellOf(this.layout, record, column);
    if (column !== 'amount' || !text) return text;
    return text + (this.layout.unnamed.map((index) => record.cells[index] ?? '').find((cell) => /^(CR|DR)$/i.test(cell)) ?? '');
  }
}

const withoutNumbers = ({ numbers, ...record }: CsvRecord): CsvRecord =>
  numbers ? { ...record, cells: record.cells.map((cell, index) => (numbers.has(index) ? '' : cell)) } : record;

export const invalid = (line: number): never => fail('invalid_amount', `Line ${line} has no valid amount.`);

type Direction = 'in' | 'out';
type DirectionOf = (record: CsvRecord) => Direction | null;
type Words = ReadonlyMap<string, Direction>;

const wordsOf = (out: readonly string[], into: readonly string[]): Words =>
  new Map([...out.map((word) => [word, 'out'] as const), ...into.map((word) => [word, 'in'] as const)]);

const DIRECTIONS = wordSections<Direction>('direction-words');
/** Words that mean the same in every language of our readers. */
const WORDS = wordsOf(DIRECTIONS.get('out')!, DIRECTIONS.get('in')!);
/** Short codes that mean a direction only in a column for it, by language. */
const CODES: readonly Words[] = [
  // Swedish, Danish, Norwegian, Baltic
  wordsOf(['d'], ['k']),
  // Polish
  wordsOf(['wn'], ['ma']),
  // Hungarian
  wordsOf(['t'], ['j']),
  // Turkish
  wordsOf(['b'], ['a']),
  // Czech and Slovak, where D is money in
  wordsOf(['md', 'má dáti'], ['d', 'dal']),
];

/** How the rows say the direction of their amounts; null if only signs can say it. */
function directionsOf(layout: Layout, rows: readonly CsvRecord[], hasSigns: boolean): DirectionOf | null {
  const { written } = layout;
  const directionCell = (record: CsvRecord): string => cellOf(layout, record, 'direction');
  if (written?.direction) return byWords(wordsOf(lowerCase(written.direction.out), lowerCase(written.direction.in)), directionCell);
  if (layout.columns.has('direction')) return byCells(rows, directionCell);
  if (written?.amounts === 'charges-positive') return null;
  // Signs say more than words that may mean the kind of booking.
  if (hasSigns) return null;
  const kind = (record: CsvRecord): string => cellOf(layout, record, 'kind');
  if (allName(rows.map(kind).filter(Boolean))) return byWords(WORDS, kind);
  const unknown = layout.unknown.find((index) => allName(rows.map(({ cells }) => cells[index] ?? '')));
  return unknown === undefined ? null : byCells(rows, ({ cells }) => cells[unknown] ?? '');
}

const lowerCase = (words: readonly string[]): string[] => words.map((word) => word.toLowerCase());
const allName = (cells: readonly string[]): boolean => cells.length > 0 && cells.every((cell) => WORDS.has(cell.toLowerCase()));

function byCells(rows: readonly CsvRecord[], cell: (record: CsvRecord) => string): DirectionOf {
  const found = new Set(rows.map((row) => cell(row).toLowerCase()).filter(Boolean));
  const language = CODES.find((codes) => [...found].some((word) => !WORDS.has(word) && codes.has(word)));
  return byWords(new Map([...WORDS, ...(language ?? [])]), cell);
}

const byWords =
  (words: Words, cell: (record: CsvRecord) => string): DirectionOf =>
  (record) =>
    words.get(cell(record).toLowerCase()) ?? null;

interface Step {
  readonly line: number;
  readonly amount: string;
  readonly balance: string;
}

/** The direction of amounts without signs, if each balance differs from the one before by its amount; null if that proves nothing. */
function provenDirection(steps: readonly Step[]): Direction | null {
  const moving = steps.filter(({ amount }) => !isZero(amount));
  for (const isNewestFirst of [false, true]) {
    const directions = moving.slice(1).map((step, index) => directionOf(step, moving[index]!, isNewestFirst));
    if (directions.length === 0 || directions.includes(null)) continue;
    const other = directions.findIndex((direction) => direction !== directions[0]);
    const message = 'has an amount without a sign, and its balance shows another direction than those before it';
    if (other >= 0) throw ambiguous(moving[other + 1]!.line, message);
    return directions[0]!;
  }
  return null;
}

function directionOf(step: Step, before: Step, isNewestFirst: boolean): Direction | null {
  const { amount } = isNewestFirst ? before : step;
  const change = isNewestFirst ? sumOf([before.balance, negated(step.balance)]) : sumOf([step.balance, negated(before.balance)]);
  if (change === amount) return 'in';
  return change === negated(amount) ? 'out' : null;
}
