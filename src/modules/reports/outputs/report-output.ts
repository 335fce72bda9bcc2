import { declareInThreads } from '../../../store/threads/declared-files.js';
import { addClaimForm, type AddedFormat, addOutputFormat, type OutputFormat } from '../../rules/index.js';
import type { FileSink, Report } from './report.js';

interface FileKind {
  readonly mediaType: string;
  readonly name: string;
}

const kinds: Record<string, FileKind> & Record<OutputFormat, FileKind> = {
  json: { mediaType: 'application/json', name: 'report.json' },
  csv: { mediaType: 'text/csv; charset=utf-8', name: 'report.csv' },
  xlsx: { mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', name: 'report.xlsx' },
  pdf: { mediaType: 'application/pdf', name: 'report.pdf' },
  journal: { mediaType: 'text/csv; charset=utf-8', name: 'journal.csv' },
  // The beginning of its name is what the importing program expects.
  datev: { mediaType: 'text/csv; charset=windows-1252', name: 'EXTF_claim.csv' },
  form: { mediaType: 'text/csv; charset=utf-8', name: 'form.csv' },
  evidence: { mediaType: 'application/zip', name: 'evidence.zip' },
};

/** What the files of each format are to others. */
export const FILE_KINDS: Readonly<Record<OutputFormat, FileKind>> = kinds;

/** A name that tells files of several runs apart. */
export const fileNameOf = (format: OutputFormat, runId: string): string => FILE_KINDS[format].name.replace('.', `-${runId}.`);

const mediaTypes: Record<string, string> = Object.fromEntries(Object.entries(kinds).map(([format, { mediaType }]) => [format, mediaType]));
export const MEDIA_TYPES: Readonly<Record<string, string>> = mediaTypes;

/**
 * A file that runs make for an extension. `formats` of `outputOptions` names it; what it is told stands under its own name beside it.
 * It is written in a thread, after the result was computed, with the bounds of a run: `REPORT_LIMITS` (`fileBytes`), `COMPUTE_TIMEOUT`,
 * `COMPUTE_MEMORY_MIB`. It reads redacted lines only. The same report must make the same bytes. A `JobFailure` fails the run with its
 * code and message, which must not quote a line; any other error fails it with `internal_error`.
 */
export interface ReportOutput<Options = undefined> extends FileKind, Omit<AddedFormat, 'options'> {
  /** Checked with the request that stores them. Left out: it has none. */
  readonly options?: AddedFormat['options'] & { readonly read: (...args: never[]) => Options | undefined };
  /** Whether `report.lines` has the claimed lines, whatever `detail` is. */
  readonly listsClaims?: boolean;
  /** Whether `report.accounts` has the accounts of the categories. */
  readonly hasBookings?: boolean;
  write(report: Report, file: FileSink, options: Options): Promise<void>;
}

type AnyOutput = Omit<ReportOutput, 'options' | 'write'> & { write(report: Report, file: FileSink, options: unknown): Promise<void> };
const declared = new Map<string, AnyOutput>();

/** Declares a file of reports. `file` is the `import.meta.url` of a `….computation.ts`, which threads load as well. */
export function declareReportOutput<Options>(file: string, output: ReportOutput<Options>): void {
  addOutputFormat(output);
  const { format, mediaType, name } = output;
  kinds[format] = { mediaType, name };
  mediaTypes[format] = mediaType;
  declared.set(format, output);
  declareInThreads(file);
}

/** Declares a claim form under a name, as docs/claim-forms.md describes it. `file` is the `import.meta.url` of a `….computation.ts`. */
export function declareClaimForm(file: string, name: string, form: unknown): void {
  addClaimForm(name, form);
  declareInThreads(file);
}

export const declaredOutput = (format: string): AnyOutput | undefined => declared.get(format);
