import { Problem } from './problems.js';

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Whether the text is a day that exists, from the year 0001 on, written as 2026-02-28. */
export function isCalendarDate(text: string): boolean {
  const match = DATE.exec(text);
  if (!match || match[1] === '0000') return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

const TIME = /^(\d{4}-\d{2}-\d{2})T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,3}(\d{0,3})\d{0,3})?(?:Z|[+-]\d{2}:\d{2})$/;

/** A point in time (RFC 3339, with its offset) as UTC text with up to six decimals, as Postgres keeps them; undefined when it is none. */
export function utcTime(text: string): string | undefined {
  const match = TIME.exec(text);
  if (!match || !isCalendarDate(match[1]!)) return undefined;
  const time = new Date(text);
  // An offset can lead out of the years that Postgres and ISO 8601 share.
  if (Number.isNaN(time.getTime()) || !/^(?!0000)\d{4}-/.test(time.toISOString())) return undefined;
  return `${time.toISOString().slice(0, -1)}${match[2] ?? ''}Z`;
}

/** A period's last day is not before its first; looked at after a change was merged, since it may change only one of them. */
export function requireOrderedPeriod({ periodStart, periodEnd }: { periodStart: string; periodEnd: string }): void {
  if (periodEnd >= periodStart) return;
  throw Problem.validation([
    { location: 'body', field: 'periodEnd', code: 'before_start', message: `must not be before periodStart (${periodStart})` },
  ]);
}
