import { dayOf, leadingDayOf, shortYear } from '../dates.js';
import type { StatedOrder } from './layouts/written-layout.js';

/** A date as a cell has it: either a known day, or two numbers of which each can be the day. */
export type WrittenDate =
  | { readonly day: string; /** Written with points. */ readonly isDayFirst?: boolean }
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

const MAX_LENGTH = 60;
/** What may follow a date. */
const TIME = '(?:[T ,].*)?';
const YEAR_FIRST = new RegExp(`^(\\d{4})([-/.])(\\d{1,2})\\2(\\d{1,2})${TIME}$`);
const YEAR_LAST = new RegExp(`^(\\d{1,2})([-/.])(\\d{1,2})\\2(\\d{4}|\\d\\d)${TIME}$`);
const DAY_AND_NAME = new RegExp(`^(\\d{1,2})[-. /]{1,2}(\\p{L}{3,12})\\.?[-. /,]{0,2}(\\d{4}|\\d\\d)${TIME}$`, 'u');
const NAME_AND_DAY = new RegExp(`^(\\p{L}{3,12})\\.? (\\d{1,2}),? (\\d{4})${TIME}$`, 'u');

/** null if the cell is not a date. */
export function writtenDate(cell: string): WrittenDate | null {
  const text = cell.trim();
  if (text.length > MAX_LENGTH) return null;
  const yearFirst = YEAR_FIRST.exec(text);
  if (yearFirst) return known(yearOf(yearFirst[1]!), Number(yearFirst[3]), Number(yearFirst[4]));
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
