import { OUTPUT_FORMATS, type OutputFormat, type OutputOptions } from '../../rules/index.js';
import { writeJournal } from './bookings/journal-file.js';
import { writeCsv } from './csv-file.js';
import { writeDatev } from './datev/datev-file.js';
import { writeJson } from './json-file.js';
import { OutputFile, type FileSink, type PackedFile } from './output-file.js';
import type { Report } from './report.js';
import { writeXlsx } from './xlsx/xlsx-file.js';

export interface WrittenFile extends PackedFile {
  readonly format: OutputFormat;
}

const WRITERS: Record<OutputFormat, (report: Report, file: FileSink) => Promise<void>> = {
  json: writeJson,
  csv: writeCsv,
  xlsx: writeXlsx,
  // Loaded on demand: the libraries for PDF and fonts take most of the time in which a thread starts.
  pdf: async (report, file) => (await import('./pdf/pdf-file.js')).writePdf(report, file),
  journal: writeJournal,
  datev: writeDatev,
};

/** The formats that have bookings. */
const WITH_BOOKINGS: readonly OutputFormat[] = ['journal', 'datev'];

export const fileHasBookings = ({ formats }: OutputOptions): boolean => formats.some((format) => WITH_BOOKINGS.includes(format));

/** The formats that list the claimed lines, whatever `detail` is. */
const LISTING_CLAIMS: readonly OutputFormat[] = ['xlsx', 'pdf', ...WITH_BOOKINGS];

export const fileListsClaims = ({ formats }: OutputOptions): boolean => formats.some((format) => LISTING_CLAIMS.includes(format));

/** The files of a report, made one after the other. The same report gives the same bytes. */
export async function* writeOutputs(report: Report): AsyncGenerator<WrittenFile> {
  for (const format of OUTPUT_FORMATS) {
    if (!report.options.formats.includes(format)) continue;
    const file = new OutputFile(report.maxFileBytes);
    await WRITERS[format](report, file);
    yield { format, ...file.finish() };
  }
}
