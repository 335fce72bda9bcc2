import type { DraftReading } from './line-draft.js';
import type { ReadingWarning } from './statement-line.js';

/** A report from before the end of the day or month. The bank may still change what it says, and states it again in the statement. */
export const interimReport = (kind: string): ReadingWarning => ({
  code: 'interim_report',
  message:
    `The file has a ${kind}, which is not a final statement. Its bookings may change, and come again in the statement. ` +
    'Reports count those once that both have.',
});

export const asInterim = (kind: string, reading: DraftReading): DraftReading => ({
  ...reading,
  warnings: () => [interimReport(kind), ...(reading.warnings?.() ?? [])],
});
