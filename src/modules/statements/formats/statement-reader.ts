import { JobFailure } from '../../../kernel/failure.js';
import { declareInThreads } from '../../../store/threads/declared-files.js';
import { signedDecimalOf, leadingDayOf, type LineDraft, type Period } from '../../../../tools/bank-files/index.js';
import type { DraftReading, TableOptions } from '../../../../tools/bank-tables/index.js';
import { STATEMENT_FORMATS, type StatementFormat } from './statement-reading.js';

/**
 * Reads a kind of file that the product does not know. It is asked before our own readers, in a thread, with the bounds of every
 * import: the size of files and lines, `COMPUTE_TIMEOUT`, `COMPUTE_MEMORY_MIB`. What it reads is redacted as everything else; its errors
 * and warnings must not quote a line. A `JobFailure` fails the statement with its code and message, any other error with
 * `internal_error`.
 */
export interface StatementReader {
  /** What `format` of a statement says: lower case, digits and `_`. */
  readonly format: string;
  /** Whether the file is of this kind, by its first bytes (at most 64 KiB). Cheap and sure: it is asked of every file. */
  recognizes(head: Buffer, fileName: string): boolean;
  /** Dates as `2026-02-28`, amounts as `-12.50`: `dayOf` and `decimalOf` make them. What is written otherwise fails the statement. */
  read(file: AsyncIterable<Buffer>): DraftReading | Promise<DraftReading>;
}

const declared: StatementReader[] = [];

/** Declares a reader. `file` is the `import.meta.url` of a `….computation.ts`, which threads load as well. */
export function declareStatementReader(file: string, reader: StatementReader): void {
  const { format } = reader;
  if (!/^[a-z][a-z0-9_]{1,29}$/.test(format)) throw new Error(`${format} is no name of a format: 2 to 30 of a-z, 0-9 and _ are expected.`);
  if (statementFormats().includes(format)) throw new Error(`The format ${format} exists already.`);
  declared.push(reader);
  declareInThreads(file);
}

/** The formats that statements can have, those of extensions last. */
export const statementFormats = (): readonly string[] => [...STATEMENT_FORMATS, ...declared.map(({ format }) => format)];

/** The reader of an extension for a file; undefined if it is none of theirs. */
export const readerFor = (head: Buffer, fileName: string): StatementReader | undefined =>
  declared.find((reader) => reader.recognizes(head, fileName));

/** What a reader of an extension has read, with every date and amount in its one form: nothing else may come after this. */
export async function readBy(reader: StatementReader, file: AsyncIterable<Buffer>): Promise<[StatementFormat, DraftReading]> {
  const reading = await reader.read(file);
  return [reader.format as StatementFormat, { ...reading, lines: checked(reading.lines) }];
}

async function* checked(lines: DraftReading['lines']): AsyncGenerator<readonly LineDraft[]> {
  let count = 0;
  for await (const some of lines) {
    for (const { bookedOn, amount } of some) {
      count += 1;
      if (leadingDayOf(bookedOn) !== bookedOn) throw new JobFailure('invalid_date', `Booking ${count} has no date such as 2026-02-28.`);
      if (signedDecimalOf(amount) !== amount) throw new JobFailure('invalid_amount', `Booking ${count} has no amount such as -12.50.`);
    }
    yield some;
  }
}

/** What the importer says of a file that does not say it itself. */
export interface ImportOptions extends Pick<TableOptions, 'currency' | 'isInverted' | 'layout'> {
  /** The days that the file is of, if it does not state them: quiet days before its first booking and after its last belong to it. */
  readonly period?: Period;
}

/** What is known of a file besides its bytes. */
export interface ReadingOptions extends ImportOptions, Pick<TableOptions, 'today' | 'layouts'> {}
