import { pipeline, Readable } from 'node:stream';
import { CsvError, parse, type Options } from 'csv-parse';
import { parse as parseAtOnce } from 'csv-parse/sync';
import { UnreadableFile } from './unreadable-file.js';

export interface CsvRecord {
  readonly cells: readonly string[];
  readonly line: number;
  /** The places of cells that are numbers in a workbook. They have a point, whatever separates the decimals of its texts. */
  readonly numbers?: ReadonlySet<number>;
  /** Whether the file ends within its line, and may have been cut there. */
  readonly isOpen?: boolean;
}

/** csv-parse does not count delimiters for the size of a record, so the length of a line is limited as well. */
const MAX_RECORD = 64 * 1024;
const MAX_LINE = 100_000;

const optionsFor = (delimiter: string): Options => ({
  delimiter,
  record_delimiter: '\n',
  info: true,
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
  ltrim: true,
  max_record_size: MAX_RECORD,
});

interface Parsed {
  readonly record: string[];
  readonly info: { readonly lines: number };
}

const recordOf = ({ record, info }: Parsed): CsvRecord => ({ cells: record.map((cell) => cell.trim()), line: info.lines });

/** The records at the start of a file, up to the first error. */
export function recordsOfHead(head: string, delimiter: string): readonly CsvRecord[] {
  const records: CsvRecord[] = [];
  try {
    parseAtOnce(head, {
      ...optionsFor(delimiter),
      on_record: (parsed) => {
        records.push(recordOf(parsed as unknown as Parsed));
        return null;
      },
    });
  } catch (error) {
    // With the wrong delimiter, valid files have errors. With the right one, `recordsOf` reports the error.
    if (!(error instanceof CsvError)) throw error;
  }
  return records;
}

export async function* recordsOf(texts: AsyncIterable<string>, delimiter: string): AsyncGenerator<CsvRecord> {
  // Errors of both streams are thrown by the loop below.
  const end = { isOpen: false };
  const parser = pipeline(Readable.from(withShortLines(texts, end)), parse(optionsFor(delimiter)), () => undefined);
  let last: CsvRecord | undefined;
  try {
    for await (const parsed of parser) {
      if (last) yield last;
      last = recordOf(parsed as Parsed);
    }
    if (last) yield end.isOpen ? { ...last, isOpen: true } : last;
  } catch (error) {
    if (error instanceof CsvError)
      throw new UnreadableFile('invalid_csv', `The file is not valid CSV from line ${lineOf(error)}. A quotation mark may not be closed.`);
    throw error;
  }
}

async function* withShortLines(texts: AsyncIterable<string>, end: { isOpen: boolean }): AsyncGenerator<string> {
  let begun = 0;
  for await (const text of texts) {
    const first = text.indexOf('\n');
    if (begun + (first < 0 ? text.length : first) > MAX_LINE)
      throw new UnreadableFile('invalid_csv', `The file has a line of more than ${MAX_LINE} characters.`);
    begun = first < 0 ? begun + text.length : text.length - text.lastIndexOf('\n') - 1;
    // A cell that its quotation mark closes is whole.
    end.isOpen = begun > 0 && !text.endsWith('"');
    yield text;
  }
}

const lineOf = (error: CsvError): number => (typeof error.lines === 'number' ? error.lines : 1);
