import { createHash } from 'node:crypto';

/** The number of code points: an emoji of two UTF-16 units counts as one character. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Whether Postgres and every JSON parser can hold the text: it has no NUL and no lone surrogate. */
export function isStorableText(text: string): boolean {
  return !text.includes('\u0000') && text.isWellFormed();
}

export const INVALID_TEXT = { code: 'invalid_text', message: 'must not contain NUL characters or lone surrogates' } as const;
const ASCII = /^[\0-\x7f]*$/;

export function isAscii(text: string): boolean {
  return ASCII.test(text);
}

/**
 * One spelling for all texts that count as equal: for uniqueness and for search. It ends in upper case, which does not depend on
 * context (Greek final sigma) and makes ß equal to SS. Lower case comes first, since the capital ẞ is already upper case.
 * Most texts are ASCII; for them upper case alone is enough, and takes a quarter of the time.
 */
export function foldText(text: string): string {
  return isAscii(text) ? text.toUpperCase() : text.normalize('NFKC').toLowerCase().toUpperCase().normalize('NFKC');
}

/** Capitals for the letters of ASCII, and nothing else: for names that machines compare exactly but for their case. */
export const inAsciiCapitals = (text: string): string => text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());

/** Not a character, so no text contains it: a search cannot match across two fields. */
const SEPARATOR = '\uffff';

/** The text that a search looks through: the given texts, folded. */
export function searchKeyOf(...texts: readonly (string | null)[]): string {
  return foldText(texts.map((text) => text ?? '').join(SEPARATOR));
}

/** A short digest. Two digests are equal exactly if all their parts are equal. */
export function digestOf(...parts: readonly (string | null)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

/** One record of a table: `expense_categories` is "expense category". */
export const oneOf = (table: string): string => table.replaceAll('_', ' ').replace(/(ie)?s$/, (_end, ie?: string) => (ie ? 'y' : ''));

export const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export const commaList = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);

/** What a header such as `Accept` lists, in lower case, with its weights: 1 where none is given, NaN where it is no number. */
export const weightsIn = (header: string): (readonly [name: string, weight: number])[] =>
  commaList(header.toLowerCase()).map((entry) => {
    const [name = '', ...parameters] = entry.split(';').map((part) => part.trim());
    return [name, Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1)];
  });

/** Whether percent-escapes in the text, if there are any, are UTF-8. */
export function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
