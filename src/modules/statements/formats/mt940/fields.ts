import { linesOf } from '../records/numbered-lines.js';

/** A field of a message, such as `:61:`. */
export interface Field {
  readonly tag: string;
  readonly lines: readonly string[];
  readonly lineNumber: number;
}

const TAG = /^:(\d\d[A-Z]?|NS):/;
const MAX_FIELD_LINES = 100;
/** `-`, `-}` with more blocks after it, or the `-XXX` of some banks. */
const MESSAGE_END = /^-(\}.*|[A-Z]{3})?\s*$/;

/** The fields of the messages. Skips what is between messages, such as envelopes. */
export async function* fieldsOf(texts: AsyncIterable<string>): AsyncGenerator<readonly Field[]> {
  let lineNumber = 0;
  let field: { tag: string; lines: string[]; lineNumber: number } | null = null;
  for await (const lines of linesOf(texts, 'is too long for an MT940')) {
    const whole: Field[] = [];
    for (const line of lines) take(line, whole);
    yield whole;
  }
  if (field) yield [field];

  function take(line: string, whole: Field[]): void {
    lineNumber += 1;
    const [start, tag] = TAG.exec(line) ?? [];
    if (tag !== undefined && start !== undefined) {
      if (field) whole.push(field);
      field = { tag, lines: [line.slice(start.length)], lineNumber };
    } else if (MESSAGE_END.test(line)) {
      if (field) whole.push(field);
      field = null;
    } else if (field && field.lines.length < MAX_FIELD_LINES && line.trim()) {
      field.lines.push(line);
    }
  }
}

/** Lines of a message are broken at this length, even within words. */
const FULL_LINE = 65;

/** A full line was broken, so its trailing blank belongs to the text. A shorter line ends where the bank ended it. */
export const joined = (lines: readonly string[], separator: string): string =>
  lines.reduce((text, line, index) => {
    const isCut = (lines[index - 1]?.length ?? FULL_LINE) >= FULL_LINE;
    return `${text}${isCut ? '' : separator}${line.length >= FULL_LINE ? line : line.trimEnd()}`;
  }, '');
