import { OUTPUT_FORMATS, type OutputFormat, type OutputOptions } from '../../rules/index.js';
import { journalFile } from './bookings/journal-file.js';
import { csvFile } from './csv-file.js';
import { datevFile } from './datev/datev-file.js';
import { jsonFile } from './json-file.js';
import type { Report } from './report.js';
import { xlsxFile } from './xlsx/xlsx-file.js';

export interface OutputFile {
  readonly format: OutputFormat;
  readonly content: Buffer;
}

const WRITERS: Record<OutputFormat, (report: Report) => Promise<Buffer>> = {
  json: jsonFile,
  csv: csvFile,
  xlsx: xlsxFile,
  // Loaded on demand: the libraries for PDF and fonts take most of the time in which a thread starts.
  pdf: async (report) => (await import('./pdf/pdf-file.js')).pdfFile(report),
  journal: journalFile,
  datev: datevFile,
};

/** The formats that have bookings. */
const WITH_BOOKINGS: readonly OutputFormat[] = ['journal', 'datev'];

export const fileHasBookings = ({ formats }: OutputOptions): boolean => formats.some((format) => WITH_BOOKINGS.includes(format));

/** The formats that list the claimed lines, whatever `detail` is. */
const LISTING_CLAIMS: readonly OutputFormat[] = ['xlsx', 'pdf', ...WITH_BOOKINGS];

export const fileListsClaims = ({ formats }: OutputOptions): boolean => formats.some((format) => LISTING_CLAIMS.includes(format));

/** The files of a report, made one at a time so that only one is in memory. The same report gives the same bytes. */
export async function* writeOutputs(report: Report): AsyncGenerator<OutputFile> {
  for (const format of OUTPUT_FORMATS) {
    if (report.options.formats.includes(format)) yield { format, content: await WRITERS[format](report) };
  }
}
