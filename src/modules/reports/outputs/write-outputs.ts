import { OUTPUT_FORMATS, type OutputFormat, type OutputOptions } from '../../rules/index.js';
import { writeDatev, writeJournal } from './bookings/bookings.js';
import { declaredOutput, FILE_KINDS } from './report-output.js';
import { type FileSink, OutputFile, type PackedFile, type ReceiptParts, type Report } from './report.js';
import { writeCsv, writeForm, writeJson } from './tables.js';
import { writeXlsx } from './xlsx/xlsx-file.js';

export interface WrittenFile extends PackedFile {
  readonly format: OutputFormat;
}

/** The formats that do not contain files of other formats. */
type PlainFormat = Exclude<OutputFormat, 'evidence'>;
const isPlain = (format: OutputFormat): format is PlainFormat => format !== 'evidence';

type Write = (report: Report, file: FileSink) => Promise<void>;
const WRITERS: Record<PlainFormat, Write> = {
  json: writeJson,
  csv: writeCsv,
  xlsx: writeXlsx,
  // Loaded on demand: the libraries for PDF and fonts take most of the time in which a thread starts.
  pdf: async (report, file) => (await import('./pdf/pdf-file.js')).writePdf(report, file),
  journal: writeJournal,
  datev: writeDatev,
  form: writeForm,
};

function writerOf(format: PlainFormat): Write {
  const added = declaredOutput(format);
  return added ? (report, file) => added.write(report, file, report.optionsOfAdded[format]) : WRITERS[format];
}

/** Whether a file shows the statements whole, with the lines that are not in the figures. */
export const fileShowsStatements = ({ formats }: OutputOptions): boolean => formats.includes('evidence');

const WITH_BOOKINGS: readonly OutputFormat[] = ['journal', 'datev'];

export const fileHasBookings = ({ formats }: OutputOptions): boolean =>
  formats.some((format) => WITH_BOOKINGS.includes(format) || declaredOutput(format)?.hasBookings === true);

/** The formats that list the claimed lines, whatever `detail` is. */
const LISTING_CLAIMS: readonly OutputFormat[] = ['xlsx', 'pdf', 'evidence', ...WITH_BOOKINGS];

export const fileListsClaims = ({ formats }: OutputOptions): boolean =>
  formats.some((format) => LISTING_CLAIMS.includes(format) || declaredOutput(format)?.listsClaims === true);

/** The files of a report, made one after the other. The same report gives the same bytes. */
export async function* writeOutputs(report: Report, receiptFiles: ReceiptParts = []): AsyncGenerator<WrittenFile> {
  const { formats } = report.options;
  const newFile = (): OutputFile => new OutputFile(report.maxFileBytes);
  const evidence = formats.includes('evidence') ? newFile() : undefined;
  const pack = evidence && new (await import('./evidence/evidence-pack.js')).EvidencePack(report, evidence);
  for (const format of OUTPUT_FORMATS.filter(isPlain)) {
    const file = formats.includes(format) ? newFile() : undefined;
    // The evidence contains the report as a document, also if nobody asks for it alone.
    const packed = file || format === 'pdf' ? pack?.entry(FILE_KINDS[format].name) : undefined;
    const sinks = [file, packed].filter((sink) => sink !== undefined);
    if (sinks.length === 0) continue;
    await writerOf(format)(report, { add: (chunk) => sinks.forEach((sink) => sink.add(chunk)) });
    packed?.end();
    if (file) yield { format, ...file.finish() };
  }
  await pack?.finish(receiptFiles);
  if (evidence) yield { format: 'evidence', ...evidence.finish() };
}
