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

/** The formats that do not contain files of other formats. */
type PlainFormat = Exclude<OutputFormat, 'evidence'>;
const isPlain = (format: OutputFormat): format is PlainFormat => format !== 'evidence';

const WRITERS: Record<PlainFormat, (report: Report) => Promise<Buffer>> = {
  json: jsonFile,
  csv: csvFile,
  xlsx: xlsxFile,
  // Loaded on demand: the libraries for PDF and fonts take most of the time in which a thread starts.
  pdf: async (report) => (await import('./pdf/pdf-file.js')).pdfFile(report),
  journal: journalFile,
  datev: datevFile,
};

/** Whether a file shows the statements whole, with the lines that are not in the figures. */
export const fileShowsStatements = ({ formats }: OutputOptions): boolean => formats.includes('evidence');

/** The formats that have bookings. */
const WITH_BOOKINGS: readonly OutputFormat[] = ['journal', 'datev'];

export const fileHasBookings = ({ formats }: OutputOptions): boolean => formats.some((format) => WITH_BOOKINGS.includes(format));

/** The formats that list the claimed lines, whatever `detail` is. */
const LISTING_CLAIMS: readonly OutputFormat[] = ['xlsx', 'pdf', 'evidence', ...WITH_BOOKINGS];

export const fileListsClaims = ({ formats }: OutputOptions): boolean => formats.some((format) => LISTING_CLAIMS.includes(format));

/** The files of a report, made one at a time so that only one is in memory. The same report gives the same bytes. */
export async function* writeOutputs(report: Report): AsyncGenerator<OutputFile> {
  const { formats } = report.options;
  const pack = formats.includes('evidence') ? await emptyPack(report) : undefined;
  for (const format of OUTPUT_FORMATS.filter(isPlain)) {
    const isAsked = formats.includes(format);
    // The evidence contains the report as a document, also if nobody asks for it alone.
    if (!isAsked && !(pack && format === 'pdf')) continue;
    const content = await WRITERS[format](report);
    await pack?.add(PACKED_AS[format], content);
    if (isAsked) yield { format, content };
  }
  if (pack) yield { format: 'evidence', content: await pack.finish() };
}

async function emptyPack(report: Report) {
  const { EvidencePack } = await import('./evidence/evidence-pack.js');
  return new EvidencePack(report);
}

/** The names of files in an evidence pack. */
const PACKED_AS: Record<PlainFormat, string> = {
  json: 'report.json',
  csv: 'report.csv',
  xlsx: 'report.xlsx',
  pdf: 'report.pdf',
  journal: 'journal.csv',
  // The beginning is what the importing program expects.
  datev: 'EXTF_claim.csv',
};
