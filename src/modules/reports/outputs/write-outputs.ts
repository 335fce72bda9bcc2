import { OUTPUT_FORMATS, type OutputFormat, type OutputOptions } from '../../rules/index.js';
import { csvFile } from './csv-file.js';
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
};

/** The formats that list the claimed lines, whatever `detail` is. */
const LISTING_CLAIMS: readonly OutputFormat[] = ['xlsx', 'pdf'];

export const fileListsClaims = ({ formats }: OutputOptions): boolean => formats.some((format) => LISTING_CLAIMS.includes(format));

/** The files of a report, made one at a time so that only one is in memory. The same report gives the same bytes. */
export async function* writeOutputs(report: Report): AsyncGenerator<OutputFile> {
  for (const format of OUTPUT_FORMATS) {
    if (report.options.formats.includes(format)) yield { format, content: await WRITERS[format](report) };
  }
}
