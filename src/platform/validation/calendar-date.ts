const SHAPE = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Whether the text is a day that exists, from the year 0001 on, written as 2026-02-28. */
export function isCalendarDate(text: string): boolean {
  const match = SHAPE.exec(text);
  if (!match || match[1] === '0000') return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
