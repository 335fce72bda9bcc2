import { UnreadableFile } from './unreadable-file.js';
import { decimalOf } from './amounts.js';
import { dayOf, leadingDayOf, shortYear } from './dates.js';
import { isCurrency, SYMBOLS } from './currencies.js';

/** An amount as a cell has it, before the decimal mark of the file is known. */
export interface WrittenAmount {
  readonly sign: '+' | '-' | null;
  /** Credit or debit, which some banks write instead of a sign. */
  readonly mark: 'in' | 'out' | null;
  readonly currency: string | null;
  readonly digits: string;
}

/** A longer cell is neither an amount nor a date. */
const MAX_LENGTH = 60;
const UNIT = '[€£$¥₽₴₪]|US\\$|kr\\.?|zł|Kč|Ft|Fr\\.|руб\\.?|грн\\.?|лв\\.?|ש["״]ח|[A-Za-z]{3}';
const AMOUNT = new RegExp(`^(\\()?([+-])?(${UNIT})?([+-])?([\\d.,]*\\d[\\d.,]*)([+-])?(${UNIT})?([+-])?(CR|DR|C|D|H|S)?\\.?(\\))?$`, 'i');
const MARKS: Readonly<Record<string, 'in' | 'out'>> = { CR: 'in', C: 'in', H: 'in', DR: 'out', D: 'out', S: 'out' };
/** What shows the direction of the text around it, as in Hebrew. */
const DIRECTION_MARKS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** null if the cell is not an amount. Ignores blanks and apostrophes between thousands. */
export function writtenAmount(cell: string): WrittenAmount | null {
  // Most cells are texts: an amount has a digit, and no word.
  if (cell.length > MAX_LENGTH || !/\d/.test(cell) || /[a-z]{6}/i.test(cell)) return null;
  const compact = cell
    .replace(DIRECTION_MARKS, '')
    .replace(/[\s'’´`]/g, '')
    .replace(/[−–‐]/g, '-');
  const [, open, ...parts] = AMOUNT.exec(compact) ?? [];
  const [sign1, unit1, sign2, digits, sign3, unit2, sign4, mark, close] = parts;
  if (!digits || Boolean(open) !== Boolean(close)) return null;
  const signs = [open && '-', sign1, sign2, sign3, sign4].filter(Boolean);
  const unit = unit1 ?? unit2 ?? '';
  if (signs.length > 1 || (unit1 && unit2) || (/^[A-Z]{3}$/i.test(unit) && !isCurrency(unit.toUpperCase()))) return null;
  return {
    sign: (signs[0] as '+' | '-' | undefined) ?? null,
    mark: mark ? MARKS[mark.toUpperCase()]! : null,
    currency: currencyIn(unit.toUpperCase()),
    digits,
  };
}

const currencyIn = (unit: string): string | null => SYMBOLS[unit.replace(/\.$/, '')] ?? (isCurrency(unit) ? unit : null);

/** Whether point or comma is the decimal mark. It is the same in the whole file, and is proven by amounts, never guessed. */
export class DecimalMark {
  /** `mark` is the one that is known. */
  constructor(private mark: string | null = null) {}

  /** Remembers the mark if the digits prove it. Does not check for contradictions. */
  learn(digits: string): void {
    this.mark ??= markOf(digits);
  }

  /** The decimal without sign; null if the digits are not a decimal. */
  read(digits: string, line: number): string | null {
    this.learn(digits);
    if (!/[.,]/.test(digits)) return decimalOf(false, digits, '');
    if (!this.mark) throw ambiguous(line, 'has an amount with one point or comma that can be a thousands or a decimal separator');
    const [whole = '', fraction = '', ...more] = digits.split(this.mark);
    const grouping = this.mark === '.' ? ',' : '.';
    const isGrouped = /^\d{1,3}([.,]\d{2,3})*[.,]\d{3}$/.test(whole);
    const contradicts = markOf(digits) !== null && markOf(digits) !== this.mark;
    if (contradicts) throw ambiguous(line, 'has an amount with another decimal separator than the lines before it');
    if (more.length > 0 || fraction.includes(grouping) || (whole.includes(grouping) && !isGrouped)) return null;
    return decimalOf(false, whole.replaceAll(grouping, ''), fraction);
  }
}

/** The mark that the digits prove; null if they are ambiguous. */
function markOf(digits: string): string | null {
  const marks: readonly string[] = digits.match(/[.,]/g) ?? [];
  const last = marks.at(-1);
  if (!last) return null;
  const [whole = '', fraction = ''] = digits.split(last);
  const other = last === '.' ? ',' : '.';
  if (marks.includes(other)) return last;
  // A repeated separator separates thousands.
  if (marks.length > 1) return other;
  return fraction.length === 3 && /^[1-9]\d{0,2}$/.test(whole) ? null : last;
}

export const ambiguous = (line: number, what: string): UnreadableFile => new UnreadableFile('ambiguous_amount', `Line ${line} ${what}.`);

/** A date as a cell has it: either a known day, or two numbers of which each can be the day. */
export type WrittenDate =
  | { readonly day: string; /** Written with points. */ readonly isDayFirst?: boolean; readonly isYearFirst?: boolean }
  | { readonly first: number; readonly second: number; readonly year: number };

const LANGUAGES = ['en', 'de', 'nl', 'fr', 'es', 'it'];
const plainLetters = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[^\p{L}]/gu, '')
    .toLowerCase();

/** Months by long and short name, such as `dec` and `décembre`. */
const MONTHS: ReadonlyMap<string, number> = new Map(
  LANGUAGES.flatMap((language) =>
    (['long', 'short'] as const).flatMap((width) => {
      const format = new Intl.DateTimeFormat(language, { month: width, timeZone: 'UTC' });
      return Array.from({ length: 12 }, (_, month) => [plainLetters(format.format(Date.UTC(2024, month, 15))), month + 1] as const);
    }),
  ),
);

/** What may follow a date: another point in Hungarian and Serbian, a time. */
const TIME = '\\.?(?:[T ,].*)?';
const YEAR_FIRST = new RegExp(`^(\\d{4})([-/.])(\\d{1,2})\\2(\\d{1,2})${TIME}$`);
const YEAR_LAST = new RegExp(`^(\\d{1,2})([-/.])(\\d{1,2})\\2(\\d{4}|\\d\\d)${TIME}$`);
const DAY_AND_NAME = new RegExp(`^(\\d{1,2})[-. /]{1,2}(\\p{L}{3,12})\\.?[-. /,]{0,2}(\\d{4}|\\d\\d)${TIME}$`, 'u');
const NAME_AND_DAY = new RegExp(`^(\\p{L}{3,12})\\.? (\\d{1,2}),? (\\d{4})${TIME}$`, 'u');

export function writtenDate(cell: string): WrittenDate | null {
  if (!/\d/.test(cell)) return null;
  const text = cell
    .slice(0, 2 * MAX_LENGTH)
    .replace(DIRECTION_MARKS, '')
    .trim();
  if (text.length > MAX_LENGTH) return null;
  const yearFirst = YEAR_FIRST.exec(text);
  if (yearFirst) {
    const day = dayOf(yearOf(yearFirst[1]!), Number(yearFirst[3]), Number(yearFirst[4]));
    return day ? { day, isYearFirst: true } : null;
  }
  const yearLast = YEAR_LAST.exec(text);
  if (yearLast) return numbersOf(yearLast[2]!, Number(yearLast[1]), Number(yearLast[3]), yearOf(yearLast[4]!));
  const named = DAY_AND_NAME.exec(text);
  if (named) return known(yearOf(named[3]!), MONTHS.get(plainLetters(named[2]!)), Number(named[1]));
  const american = NAME_AND_DAY.exec(text);
  if (american) return known(yearOf(american[3]!), MONTHS.get(plainLetters(american[1]!)), Number(american[2]));
  return /^\d{8}(\D|\d{6}$|$)/.test(text) ? asKnown(leadingDayOf(text)) : null;
}

const asKnown = (day: string | null): WrittenDate | null => (day ? { day } : null);
const known = (year: number, month: number | undefined, day: number): WrittenDate | null =>
  month === undefined ? null : asKnown(dayOf(year, month, day));
const yearOf = (text: string): number => (text.length === 2 ? shortYear(text) : Number(text));

/** With points, the day always comes first. With other separators, the order is only known from the file. */
function numbersOf(separator: string, first: number, second: number, year: number): WrittenDate | null {
  const day = separator === '.' ? dayOf(year, second, first) : null;
  if (separator === '.') return day ? { day, isDayFirst: true } : null;
  return (dayOf(year, second, first) ?? dayOf(year, first, second)) ? { first, second, year } : null;
}

export const DATE_ORDERS = ['day-month', 'month-day', 'year-month'] as const;
export type StatedOrder = (typeof DATE_ORDERS)[number];

/** Whether the day or the month comes first. It is the same in the whole file, and is proven by dates, never guessed. */
export class DateOrder {
  private order: 'day' | 'month' | null = null;

  /** `stated` is the order that a layout says. */
  constructor(private readonly stated?: StatedOrder) {
    if (stated === 'day-month') this.order = 'day';
    if (stated === 'month-day') this.order = 'month';
  }

  /** Remembers the order if the date proves it. */
  learn(date: WrittenDate | null): void {
    if (!date || 'day' in date || this.order) return;
    if (date.first > 12) this.order = 'day';
    if (date.second > 12) this.order = 'month';
  }

  isAmbiguous(date: WrittenDate): boolean {
    return !('day' in date) && this.order === null && date.first !== date.second;
  }

  /** null if the date does not exist in the order of the file. */
  read(date: WrittenDate): string | null {
    if ('day' in date) return this.stated && date.isDayFirst && this.stated !== 'day-month' ? null : date.day;
    if (this.stated === 'year-month') return null;
    return this.order === 'month' ? dayOf(date.year, date.first, date.second) : dayOf(date.year, date.second, date.first);
  }
}

/** How many lines are held back until one of them proves the order of day and month. */
const MAX_WAITING = 20_000;

/** Lines whose dates may be ambiguous until a later date proves the order of day and month. */
export class WaitingLines<Line extends { readonly date: WrittenDate }> {
  private waiting: Line[] = [];

  /** `placeOf` says where a line is in the file, such as `Line 7`; `advice` is what helps if its order is not proven. */
  constructor(
    private readonly placeOf: (line: Line) => string,
    private readonly advice = 'another format',
    private readonly order = new DateOrder(),
  ) {}

  get count(): number {
    return this.waiting.length;
  }

  /** Each of `dates` may prove the order. */
  add(line: Line, dates: readonly WrittenDate[] = [line.date]): void {
    for (const date of dates) this.order.learn(date);
    this.waiting.push(line);
    if (this.waiting.length > MAX_WAITING) this.refuseAmbiguous();
  }

  changeLast(change: (last: Line) => Line): void {
    const last = this.waiting.pop();
    if (last) this.waiting.push(change(last));
  }

  /** The first lines whose dates can be read: all of them if the order is known, else those before the first ambiguous date. */
  release(most = this.waiting.length): (Line & { readonly bookedOn: string })[] {
    const ambiguous = this.waiting.findIndex(({ date }) => this.order.isAmbiguous(date));
    const ready = this.waiting.splice(0, Math.min(most, ambiguous < 0 ? most : ambiguous));
    return ready.map((line) => ({ ...line, bookedOn: this.dayOf(line) }));
  }

  finish(): (Line & { readonly bookedOn: string })[] {
    this.refuseAmbiguous();
    return this.release();
  }

  private dayOf(line: Line): string {
    const day = this.order.read(line.date);
    if (!day)
      throw new UnreadableFile(
        'invalid_date',
        `${this.placeOf(line)} has a date that is invalid in the day and month order of the other lines.`,
      );
    return day;
  }

  private refuseAmbiguous(): void {
    const first = this.waiting.find(({ date }) => this.order.isAmbiguous(date));
    if (!first) return;
    const message = `${this.placeOf(first)} has a date that can be read as day/month or month/day, and no other date shows the order.`;
    throw new UnreadableFile('ambiguous_dates', `${message} Export a longer period, or ${this.advice}.`);
  }
}
