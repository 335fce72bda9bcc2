/** The calendar date, or null when there is no such day. */
export function dayOf(year: number, month: number, day: number): string | null {
  const date = new Date(Date.UTC(year, month - 1, day));
  // Years below 100 would be taken for the last century's, days past the end of a month for those of the next.
  if (date.getUTCFullYear() !== year || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  return date.toISOString().slice(0, 10);
}

/** The day of a text that begins with `2024-02-29` or `20240229`, whatever time and zone follow: the bank's day is the one it wrote. */
export function leadingDayOf(text: string): string | null {
  const [, year, , month, day] = /^\s*(\d{4})(-?)(\d\d)\2(\d\d)/.exec(text) ?? [];
  return day === undefined ? null : dayOf(Number(year), Number(month), Number(day));
}

/** Two digits are a year of this century. */
export const shortYear = (text: string): number => 2000 + Number(text);
