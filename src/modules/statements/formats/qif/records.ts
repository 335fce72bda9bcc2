import { JobFailure } from '../../../../kernel/failure.js';

/** A line of a record: the letter that says what it is, and its text. */
export interface QifField {
  readonly letter: string;
  readonly text: string;
}

export type QifItem =
  /** Such as `!Type:Bank`: says what the records after it are. */
  | { readonly kind: 'header'; readonly name: string; readonly line: number }
  /** What stands before a `^`. */
  | { readonly kind: 'record'; readonly fields: readonly QifField[]; readonly line: number };

const MAX_LINE = 100_000;
/** Enough for a booking with several thousand splits. */
const MAX_FIELDS = 20_000;

/** The headers and records of a file, in batches. */
export async function* itemsOf(texts: AsyncIterable<string>): AsyncGenerator<readonly QifItem[]> {
  let rest = '';
  let line = 0;
  let fields: QifField[] = [];
  let startLine = 0;
  for await (const text of texts) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > MAX_LINE) throw new JobFailure('invalid_line', `Line ${line + lines.length + 1} is too long for a QIF.`);
    yield lines.flatMap(take);
  }
  yield take(rest);
  if (fields.length > 0)
    throw new JobFailure('incomplete_file', `The file is incomplete: the record from line ${startLine} has no end (^).`);

  function take(written: string): QifItem[] {
    line += 1;
    const content = written.trim();
    if (content === '') return [];
    if (content.startsWith('!')) return header(content);
    if (!content.startsWith('^')) {
      if (fields.length === 0) startLine = line;
      if (fields.length >= MAX_FIELDS) throw new JobFailure('entry_too_large', `The record from line ${startLine} is too large.`);
      fields.push({ letter: content[0]!, text: content.slice(1).trim() });
      return [];
    }
    const whole = fields;
    fields = [];
    return whole.length > 0 ? [{ kind: 'record', fields: whole, line: startLine }] : [];
  }

  function header(content: string): QifItem[] {
    if (fields.length > 0) throw new JobFailure('invalid_line', `The record from line ${startLine} has no end (^) before line ${line}.`);
    return [{ kind: 'header', name: content.slice(1).trim(), line }];
  }
}
