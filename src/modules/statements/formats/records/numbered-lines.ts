import { JobFailure } from '../../../../kernel/failure.js';

/** A line of a file whose lines are records. */
export interface NumberedLine {
  readonly text: string;
  /** From 1. */
  readonly number: number;
}

const MAX_LINE = 100_000;
/** Old programs end a file with it. */
const END_OF_FILE = '\x1a';

/** All lines, in batches. `tooLong` is what a line is said to be that has more characters than any may have. */
export async function* linesOf(texts: AsyncIterable<string>, tooLong: string): AsyncGenerator<readonly string[]> {
  let count = 0;
  let rest = '';
  for await (const text of texts) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    count += lines.length;
    if (rest.length > MAX_LINE) throw invalidLine(count + 1, tooLong);
    yield lines;
  }
  yield [rest];
}

export async function* numberedLinesOf(texts: AsyncIterable<string>): AsyncGenerator<readonly NumberedLine[]> {
  let count = 0;
  for await (const lines of linesOf(texts, `has more than ${MAX_LINE} characters`)) {
    const all = lines.map((line, index) => ({ text: line.replace(END_OF_FILE, ''), number: count + index + 1 }));
    count += lines.length;
    yield all.filter(({ text }) => text.trim());
  }
}

export const invalidLine = (number: number, what: string): JobFailure => new JobFailure('invalid_line', `Line ${number} ${what}.`);

/** The characters of a record at these positions, which descriptions of formats count from 1 and name both of. */
export const at = (text: string, first: number, last = first): string => text.slice(first - 1, last);
