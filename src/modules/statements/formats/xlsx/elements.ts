import { JobFailure } from '../../../../kernel/failure.js';

/** The longest element that is read, such as a row. */
const MAX_ELEMENT = 4 * 1024 * 1024;

/** An element with its content; the attributes are as they are written. */
export interface XmlElement {
  readonly attributes: string;
  readonly content: string;
}

/** All elements of this name, which never contains itself, as the markup arrives; in batches. */
export async function* elementsOf(pieces: AsyncIterable<string>, name: string): AsyncGenerator<readonly XmlElement[]> {
  let rest = '';
  for await (const piece of pieces) {
    const { elements, unfinished } = cut(rest + piece, name);
    rest = unfinished;
    if (rest.length > MAX_ELEMENT) throw new JobFailure('entry_too_large', 'The workbook has a row or text that is too large.');
    if (elements.length > 0) yield elements;
  }
  if (rest) throw new JobFailure('incomplete_file', 'The workbook is incomplete: a row or text has no end.');
}

/** All elements of this name in a text. */
export const elementsIn = (markup: string, name: string): readonly XmlElement[] => cut(markup, name).elements;

export function attributeOf({ attributes }: XmlElement, name: string): string | null {
  const [, , value] = new RegExp(`\\s${name}\\s*=\\s*(["'])(.*?)\\1`, 's').exec(attributes) ?? [];
  return value ?? null;
}

/** The elements, and an element at the end that is not closed. What is between elements is not needed. */
function cut(markup: string, name: string): { elements: XmlElement[]; unfinished: string } {
  const opening = new RegExp(`<(?:\\w+:)?${name}(\\s[^<>]*?)?(/?)>`, 'g');
  const closing = new RegExp(`</(?:\\w+:)?${name}\\s*>`, 'g');
  const elements: XmlElement[] = [];
  for (let open = opening.exec(markup); open; open = opening.exec(markup)) {
    const attributes = open[1] ?? '';
    if (open[2] === '/') {
      elements.push({ attributes, content: '' });
      continue;
    }
    closing.lastIndex = opening.lastIndex;
    const close = closing.exec(markup);
    if (!close) return { elements, unfinished: markup.slice(open.index) };
    elements.push({ attributes, content: markup.slice(opening.lastIndex, close.index) });
    opening.lastIndex = closing.lastIndex;
  }
  return { elements, unfinished: '' };
}
