import { writtenDate, type WrittenDate } from '../csv/written-values.js';

export interface LeadingDate {
  /** null if it has no such day in that year. The year is only used if the date has none. */
  readonly in: (year: number) => WrittenDate | null;
  readonly hasYear: boolean;
  readonly rest: string;
}

const WITH_YEAR = [
  /^(\d{1,2}([-./])\d{1,2}\2(?:\d{4}|\d\d))(?=\s|,|$)/,
  /^(\d{4}-\d\d-\d\d)(?=\s|,|$)/,
  /^(\d{1,2}[-. ]{1,2}\p{L}{3,12}\.?[-. ]\d{4})(?=\s|,|$)/u,
  /^(\d{1,2}[- ]\p{L}{3,12}[- ]\d\d)$/u,
  /^(\p{L}{3,12}\.? \d{1,2},? \d{4})(?=\s|$)/u,
];
/** Day and month, with a point, a slash or the name of the month. */
const WITHOUT_YEAR: readonly (readonly [RegExp, (match: readonly string[], year: number) => string])[] = [
  [/^(\d{1,2})\.\s?(\d{1,2})\.?(?=\s|$)/, ([, day, month], year) => `${day}.${month}.${year}`],
  [/^(\d{1,2})\/(\d{1,2})(?=\s|$)/, ([, first, second], year) => `${first}/${second}/${year}`],
  [/^(\d{1,2})[-. ]{1,2}(\p{L}{3,12})\.?(?=\s|$)/u, ([, day, month], year) => `${day} ${month} ${year}`],
  [/^(\p{L}{3,12})\.? (\d{1,2})(?=\s|$)/u, ([, month, day], year) => `${month} ${day}, ${year}`],
];
/** For a test whether there is such a date at all, on 29 February too. */
export const LEAP_YEAR = 2024;

export function leadingDate(text: string): LeadingDate | null {
  for (const pattern of WITH_YEAR) {
    const [, found] = pattern.exec(text) ?? [];
    const date = found === undefined ? null : writtenDate(found);
    if (found !== undefined && date) return { in: () => date, hasYear: true, rest: text.slice(found.length).replace(/^[\s,]+/, '') };
  }
  for (const [pattern, write] of WITHOUT_YEAR) {
    const match = pattern.exec(text);
    if (!match || !writtenDate(write(match, LEAP_YEAR))) continue;
    return { in: (year) => writtenDate(write(match, year)), hasYear: false, rest: text.slice(match[0].length).trim() };
  }
  return null;
}

export function datesIn(text: string): WrittenDate[] {
  const words = text.split(/\s+/);
  return words.flatMap((_word, index) => {
    const date = leadingDate(words.slice(index, index + 3).join(' '));
    return date?.hasYear ? (date.in(LEAP_YEAR) ?? []) : [];
  });
}
