import { createHash } from 'node:crypto';

/** Length as people count it: an emoji is one character, not two. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Whether the database and every JSON reader can hold the text: no NUL, no half of a surrogate pair. */
export function isStorableText(text: string): boolean {
  return !text.includes('\u0000') && text.isWellFormed();
}

const ASCII = /^[\0-\x7f]*$/;

export function isAscii(text: string): boolean {
  return ASCII.test(text);
}

/**
 * One form for all spellings that count as equal: for uniqueness and for search. Upper case in the end, since only that is free
 * of context (Greek final sigma) and folds ß with SS; lower case before, since the capital ẞ is upper case already. Of plain texts, which are most, upper case is all of it, in a quarter of the time.
 */
export function foldText(text: string): string {
  return isAscii(text) ? text.toUpperCase() : text.normalize('NFKC').toLowerCase().toUpperCase().normalize('NFKC');
}

/** A code point that is no character, and so in no text, keeps a search from matching across two fields. */
const BETWEEN = '\uffff';

/** What a search looks through: the given texts, folded. */
export function searchKeyOf(...texts: readonly (string | null)[]): string {
  return foldText(texts.map((text) => text ?? '').join(BETWEEN));
}

/** A short text that is equal exactly when all parts are. */
export function digestOf(...parts: readonly (string | null)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

export const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
