import { OUTPUT_FORMATS, type OutputFormat } from '../result.dto.js';
import { csvFile } from './csv-file.js';
import { jsonFile } from './json-file.js';
import { pdfFile } from './pdf/pdf-file.js';
import type { Report } from './report.js';
import { xlsxFile } from './xlsx/xlsx-file.js';

export interface OutputFile {
  readonly format: OutputFormat;
  readonly content: Buffer;
}

const WRITERS: Record<OutputFormat, (report: Report) => Promise<Buffer>> = { json: jsonFile, csv: csvFile, xlsx: xlsxFile, pdf: pdfFile };

/** The files of a report, made one at a time so that only one is in memory. The same report gives the same bytes. */
export async function* writeOutputs(report: Report): AsyncGenerator<OutputFile> {
  for (const format of OUTPUT_FORMATS) {
    if (report.options.formats.includes(format)) yield { format, content: await WRITERS[format](report) };
  }
}
