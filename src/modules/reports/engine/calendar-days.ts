/** Calendar days as whole numbers, so that they can be counted. */
const DAY_MS = 86_400_000;

/** First and last day. */
export interface DateRange {
  readonly start: string;
  readonly end: string;
}

function dayNumber(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / DAY_MS;
}

/** How many days there are from the first to the last; none where the last comes before the first. */
export function daysIn({ start, end }: DateRange): number {
  return Math.max(0, dayNumber(end) - dayNumber(start) + 1);
}

/** What both have in common. Dates of four-digit years compare as texts. */
export function overlap(a: DateRange, b: DateRange): DateRange {
  return { start: a.start > b.start ? a.start : b.start, end: a.end < b.end ? a.end : b.end };
}

/** From the first day to the last that any of them has. */
export function rangeOver(spans: readonly DateRange[]): DateRange | null {
  return spans.reduce<DateRange | null>(
    (hull, span) =>
      hull === null ? span : { start: hull.start < span.start ? hull.start : span.start, end: hull.end > span.end ? hull.end : span.end },
    null,
  );
}

export function monthOf(date: string): string {
  return date.slice(0, 7);
}

/** The months of a span, each with the days of it that are in the span. */
export function monthsOf(span: DateRange): { month: string; days: DateRange }[] {
  const months = [];
  for (let at = monthNumber(span.start); at <= monthNumber(span.end); at += 1) {
    const month = `${String(Math.floor(at / 12)).padStart(4, '0')}-${String((at % 12) + 1).padStart(2, '0')}`;
    const last = new Date(`${month}-01T00:00:00Z`);
    last.setUTCMonth(last.getUTCMonth() + 1, 0);
    months.push({ month, days: overlap(span, { start: `${month}-01`, end: last.toISOString().slice(0, 10) }) });
  }
  return months;
}

function monthNumber(date: string): number {
  return Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1;
}
