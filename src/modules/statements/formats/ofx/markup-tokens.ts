import { JobFailure } from '../../../../kernel/failure.js';
import { unescaped } from '../plain-markup.js';

/** A tag, and the text between it and the next. */
export interface Token {
  readonly name: string;
  readonly isClosing: boolean;
  readonly text: string;
}

/** The longest value that is read. */
const MAX_VALUE = 1024 * 1024;
const TAG = /<(\/?)([A-Za-z][A-Za-z0-9._-]*)\s*\/?>/g;

/**
 * The tags of OFX 1 and 2, in batches. In OFX 1, a value ends at the next tag; in OFX 2, at its own closing tag, which then becomes
 * a token without meaning. Text that only looks like a tag stays text.
 */
export async function* tokensOf(pieces: AsyncIterable<string>): AsyncGenerator<readonly Token[]> {
  let rest = '';
  for await (const piece of pieces) {
    const markup = rest + piece;
    const tags = [...markup.matchAll(TAG)];
    // The text after the last tag may continue in the next piece.
    const last = tags.pop();
    rest = last ? markup.slice(last.index) : '';
    if (rest.length > MAX_VALUE) throw new JobFailure('invalid_markup', 'The file has a value that is too long.');
    yield tags.map((tag, index) => tokenOf(tag, markup, (tags[index + 1] ?? last)?.index));
  }
  const [last] = rest.matchAll(TAG);
  if (last) yield [tokenOf(last, rest)];
}

const tokenOf = (tag: RegExpExecArray, markup: string, end?: number): Token => ({
  name: tag[2]!.toUpperCase(),
  isClosing: tag[1] === '/',
  text: unescaped(markup.slice(tag.index + tag[0].length, end)).trim(),
});
