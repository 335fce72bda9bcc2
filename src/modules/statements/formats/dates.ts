/** The calendar date, or null when there is no such day. */
export function dayOf(year: number, month: number, day: number): string | null {
  const date = new Date(Date.UTC(year, month - 1, day));
  // Date.UTC moves years below 100 to the 20th century, and days beyond the end of a month to the next month.
  if (date.getUTCFullYear() !== year || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  return date.toISOString().slice(0, 10);
}

/** The day at the start of a text such as `2024-02-29` or `20240229`. A time and zone after it are ignored: the day is the bank's. */
export function leadingDayOf(text: string): string | null {
  const [, year, , month, day] = /^\s*(\d{4})(-?)(\d\d)\2(\d\d)/.exec(text) ?? [];
  return day === undefined ? null : dayOf(Number(year), Number(month), Number(day));
}

/** Two digits mean a year of this century. */
export const shortYear = (text: string): number => 2000 + Number(text);

export const dayAfter = (day: string): string => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);

/** The first year of which banks have statements in files. */
export const FIRST_YEAR = '1990';

/** The year after that of a day such as 2026-02-28. */
export const yearAfter = (today: string): string => `${Number(today.slice(0, 4)) + 1}`;
