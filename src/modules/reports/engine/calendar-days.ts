import { JobFailure } from '../../../kernel/failure.js';

const DAY_MS = 86_400_000;

/** A first and a last day, both included. */
export interface DateRange {
  readonly start: string;
  readonly end: string;
}

function dayNumber(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / DAY_MS;
}

export function addDays(date: string, days: number): string {
  return new Date((dayNumber(date) + days) * DAY_MS).toISOString().slice(0, 10);
}

/** The number of days in a range; 0 if it ends before it starts. */
export function daysIn({ start, end }: DateRange): number {
  return Math.max(0, dayNumber(end) - dayNumber(start) + 1);
}

/** The days that are in both ranges. ISO dates of four-digit years compare as texts. */
export function overlap(a: DateRange, b: DateRange): DateRange {
  return { start: a.start > b.start ? a.start : b.start, end: a.end < b.end ? a.end : b.end };
}

/** The smallest range that includes all of them; null if there are none. */
export function rangeOver(ranges: readonly DateRange[]): DateRange | null {
  return ranges.reduce<DateRange | null>(
    (all, range) =>
      all === null ? range : { start: all.start < range.start ? all.start : range.start, end: all.end > range.end ? all.end : range.end },
    null,
  );
}

export function monthOf(date: string): string {
  return date.slice(0, 7);
}

/** The months of a range, each with its days that are in the range. */
export function monthsOf(range: DateRange): { month: string; days: DateRange }[] {
  const months = [];
  for (let at = monthNumber(range.start); at <= monthNumber(range.end); at += 1) {
    const month = `${String(Math.floor(at / 12)).padStart(4, '0')}-${String((at % 12) + 1).padStart(2, '0')}`;
    const last = new Date(`${month}-01T00:00:00Z`);
    last.setUTCMonth(last.getUTCMonth() + 1, 0);
    months.push({ month, days: overlap(range, { start: `${month}-01`, end: last.toISOString().slice(0, 10) }) });
  }
  return months;
}

function monthNumber(date: string): number {
  return Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1;
}

/** Keeps a mistyped date from producing a result of a hundred thousand months. */
const MAX_PERIOD_YEARS = 100;
const MAX_PERIOD_DAYS = MAX_PERIOD_YEARS * 365.25;

export function bounded(period: DateRange | null): DateRange | null {
  if (period && daysIn(period) > MAX_PERIOD_DAYS)
    throw new JobFailure(
      'period_too_long',
      `The period, or the time from the first to the last statement, must be at most ${MAX_PERIOD_YEARS} years.`,
    );
  return period;
}
