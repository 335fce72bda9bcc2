import { isCalendarDate } from './calendar-date.js';

const SHAPE = /^(\d{4}-\d{2}-\d{2})T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,3}(\d{0,3})\d{0,3})?(?:Z|[+-]\d{2}:\d{2})$/;

/** A point in time (RFC 3339, with its offset) as UTC text with up to six decimals, as Postgres keeps them; undefined when it is none. */
export function utcTime(text: string): string | undefined {
  const match = SHAPE.exec(text);
  if (!match || !isCalendarDate(match[1]!)) return undefined;
  const time = new Date(text);
  // An offset can lead out of the years that Postgres and ISO 8601 share.
  if (Number.isNaN(time.getTime()) || !/^(?!0000)\d{4}-/.test(time.toISOString())) return undefined;
  return `${time.toISOString().slice(0, -1)}${match[2] ?? ''}Z`;
}
