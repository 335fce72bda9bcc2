import { Problem } from './problems.js';

/** The only reader of the time, so that tests can set it, and that simulations can let it pass. */
export class Clock {
  now(): Date {
    return new Date();
  }

  /** Milliseconds that no correction of the time changes, to measure how long something takes. */
  elapsedMs(): number {
    return performance.now();
  }

  /** Runs something after a time, unless the returned function is called before. Does not keep the process alive. */
  schedule(run: () => void, afterMs: number): () => void {
    const timer = setTimeout(run, afterMs).unref();
    return () => clearTimeout(timer);
  }

  /** ISO 8601 in UTC with milliseconds: the form every record carries. */
  timestamp(): string {
    return this.now().toISOString();
  }

  /** The time now, or just after the given one if the clock of another process was ahead: no two versions of a record share a time. */
  after(earlier: string): string {
    return new Date(Math.max(this.now().getTime(), Date.parse(earlier) + 1)).toISOString();
  }
}

/** The time after so long; with a negative number, the time before. */
export const later = (clock: Clock, ms: number): string => new Date(clock.now().getTime() + ms).toISOString();

/** The day and the time of day in a time zone (IANA), such as 2026-03-29 and 03:00. Throws if the zone is not known. */
export function localTime(now: Date, timeZone: string): readonly [day: string, time: string] {
  // This language writes both as we do.
  const text = now.toLocaleString('sv', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  return text.split(' ') as [string, string];
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Whether the text is an existing day of the years 0001 to 9999, written as 2026-02-28. */
export function isCalendarDate(text: string): boolean {
  const match = DATE.exec(text);
  if (!match || match[1] === '0000') return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

const TIME = /^(\d{4}-\d{2}-\d{2})T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,3}(\d{0,3})\d{0,3})?(?:Z|[+-]\d{2}:\d{2})$/;

/** A time with its offset (RFC 3339), converted to UTC with at most six decimals, as Postgres keeps it. Not such a time: undefined. */
export function utcTime(text: string): string | undefined {
  const match = TIME.exec(text);
  if (!match || !isCalendarDate(match[1]!)) return undefined;
  const time = new Date(text);
  // The offset may move the time out of the years 0001 to 9999.
  if (Number.isNaN(time.getTime()) || !/^(?!0000)\d{4}-/.test(time.toISOString())) return undefined;
  return `${time.toISOString().slice(0, -1)}${match[2] ?? ''}Z`;
}

/** Refuses a period that ends before it starts. A PATCH is checked after merging, since it may change only one of the two days. */
export function requireOrderedPeriod({ periodStart, periodEnd }: { periodStart: string; periodEnd: string }): void {
  if (periodEnd >= periodStart) return;
  throw Problem.naming((nameOf) =>
    Problem.invalidField(nameOf('periodEnd'), 'before_start', `must not be before ${nameOf('periodStart')} (${periodStart})`),
  );
}
