import type { Period } from '../line-draft.js';
import type { CsvRecord } from './records.js';
import { writtenDate, type DateOrder, type WrittenDate } from './written-date.js';

/** First and last day as the lines above the header write them. */
export interface WrittenPeriod {
  readonly start: WrittenDate;
  readonly end: WrittenDate;
}

const PERIOD = /(?<!\p{L})(?:period|zeitraum|periode|période|periodo|período|okres|období|ajanjakso)(?!\p{L})/iu;
const DATES = /\d{4}-\d{1,2}-\d{1,2}|\d{1,2}([./-])\d{1,2}\1(?:\d{4}|\d\d)/g;
/** A cell that says nothing but that the next one is the first or the last day. */
const START = /^(?:from|von|vom|du|van|dal|desde|od)\W*$/iu;
const END = /^(?:to|bis|au|tot|al|hasta|do)\W*$/iu;

/** null if no line names a period. */
export function writtenPeriodIn(preamble: readonly CsvRecord[]): WrittenPeriod | null {
  for (const { cells } of preamble) {
    const text = cells.join(' ');
    const word = PERIOD.exec(text);
    // A third date may say when the file was made.
    const [first, last] = word ? (text.slice(word.index).match(DATES) ?? []) : [];
    const period = periodOf(first, last);
    if (period) return period;
  }
  return periodOf(cellAfter(preamble, START), cellAfter(preamble, END));
}

/**
 * The period in the order of day and month that the file's dates prove. null if it is not proven, or if the file has bookings outside.
 * Days after `today` are no evidence yet.
 */
export function statedPeriod(written: WrittenPeriod, order: DateOrder, lines: Period | null, today: string): Period | null {
  if (order.isAmbiguous(written.start) || order.isAmbiguous(written.end)) return null;
  const [start, stated] = [order.read(written.start), order.read(written.end)];
  if (start === null || stated === null) return null;
  const end = stated > today ? today : stated;
  const contains = lines === null || (start <= lines.start && lines.end <= end);
  return start <= end && contains ? { start, end } : null;
}

function periodOf(first: string | undefined, last: string | undefined): WrittenPeriod | null {
  const [start, end] = [writtenDate(first ?? ''), writtenDate(last ?? '')];
  return start && end && { start, end };
}

function cellAfter(preamble: readonly CsvRecord[], word: RegExp): string | undefined {
  const record = preamble.find(({ cells }) => cells.some((cell) => word.test(cell)));
  return record?.cells.slice(record.cells.findIndex((cell) => word.test(cell)) + 1).find(Boolean);
}
