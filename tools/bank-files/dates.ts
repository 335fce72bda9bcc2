const isLeapYear = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const padded = (number: number): string => (number < 10 ? `0${number}` : `${number}`);

/** The calendar date, or null when there is no such day. Of a year of four digits: files have no other. */
export function dayOf(year: number, month: number, day: number): string | null {
  const last = month === 2 && isLeapYear(year) ? 29 : (DAYS[month - 1] ?? 0);
  if (year < 1000 || year > 9999 || day < 1 || day > last) return null;
  return `${year}-${padded(month)}-${padded(day)}`;
}

/** The day at the start of a text such as `2024-02-29` or `20240229`. A time and zone after it are ignored: the day is the bank's. */
export function leadingDayOf(text: string): string | null {
  const [, year, , month, day] = /^\s*(\d{4})(-?)(\d\d)\2(\d\d)/.exec(text) ?? [];
  return day === undefined ? null : dayOf(Number(year), Number(month), Number(day));
}

/** The day in six digits, in the order of the format; null for anything else. */
export function sixDigitDayOf(text: string, order: 'day first' | 'year first'): string | null {
  const [, first = '', month, last = ''] = /^(\d\d)(\d\d)(\d\d)$/.exec(text) ?? [];
  const [year, day] = order === 'day first' ? [last, first] : [first, last];
  return month === undefined ? null : dayOf(shortYear(year), Number(month), Number(day));
}

/** Two digits mean a year of this century. */
export const shortYear = (text: string): number => 2000 + Number(text);

export const dayAfter = (day: string): string => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);

/** The first year of which banks have statements in files. */
export const FIRST_YEAR = '1990';

/** The year after that of a day such as 2026-02-28. */
export const yearAfter = (today: string): string => `${Number(today.slice(0, 4)) + 1}`;
