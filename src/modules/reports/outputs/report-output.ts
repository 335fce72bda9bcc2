import { addOutputFormat, type AddedFormat } from '../../rules/index.js';
import { declareInThreads } from '../../../store/threads/declared-files.js';
import { addFileKind, type FileKind } from './file-kinds.js';
import type { FileSink } from './output-file.js';
import type { Report } from './report.js';

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
  addFileKind(output.format, output);
  declared.set(output.format, output);
  declareInThreads(file);
}

export const declaredOutput = (format: string): AnyOutput | undefined => declared.get(format);
