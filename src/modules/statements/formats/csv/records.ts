import { pipeline, Readable } from 'node:stream';
import { CsvError, parse, type Options } from 'csv-parse';
import { parse as parseAtOnce } from 'csv-parse/sync';
import { JobFailure } from '../../../../kernel/failure.js';

/** A row of the file, and the line that it ends in. */
export interface CsvRecord {
  readonly cells: readonly string[];
  readonly line: number;
}

/** What is in a record, and how long a line may be, for delimiters count nothing in the former. */
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

/** The records of the head of a file, as far as it can be read. */
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
    // With the wrong delimiter much of a good file is faulty; what the right one makes of it is for the reading to tell.
    if (!(error instanceof CsvError)) throw error;
  }
  return records;
}

export async function* recordsOf(texts: AsyncIterable<string>, delimiter: string): AsyncGenerator<CsvRecord> {
  // A failure of either is thrown where the records are read.
  const parser = pipeline(Readable.from(withShortLines(texts)), parse(optionsFor(delimiter)), () => undefined);
  try {
    for await (const parsed of parser) yield recordOf(parsed as Parsed);
  } catch (error) {
    if (error instanceof CsvError)
      throw new JobFailure(
        'invalid_csv',
        `The file is no sound CSV from line ${lineOf(error)} on, where a quotation mark may be left open.`,
      );
    throw error;
  }
}

async function* withShortLines(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let begun = 0;
  for await (const text of texts) {
    const end = text.indexOf('\n');
    if (begun + (end < 0 ? text.length : end) > MAX_LINE)
      throw new JobFailure('invalid_csv', `The file holds a line of more than ${MAX_LINE} characters.`);
    begun = end < 0 ? begun + text.length : text.length - text.lastIndexOf('\n') - 1;
    yield text;
  }
}

const lineOf = (error: CsvError): number => (typeof error.lines === 'number' ? error.lines : 1);
