/** The letters and digits of a text, upper-case and without accents, with the offset of each in the text. */
interface CompactText {
  readonly letters: string;
  readonly offsets: readonly number[];
}

/** How many blanks and signs may separate two characters of one number or name. */
const LONGEST_GAP = 3;
const BARRIER = '\n';

export class SearchableText {
  readonly hasDigits: boolean;
  private compacted?: CompactText;

  constructor(readonly text: string) {
    this.hasDigits = /\d/.test(text);
  }

  /** In this form a number or a name is found however it is spaced. A line feed marks a gap that is too long. */
  get compact(): CompactText {
    return (this.compacted ??= compactOf(this.text));
  }
}

function compactOf(text: string): CompactText {
  const offsets: number[] = [];
  let letters = '';
  let last = -1;
  for (let offset = 0; offset < text.length; offset += 1) {
    const folded = foldedAt(text, offset);
    if (folded === '') continue;
    if (folded === BARRIER || offset - last > LONGEST_GAP + 1) {
      letters += BARRIER;
      offsets.push(offset);
    }
    last = offset;
    if (folded === BARRIER) continue;
    letters += folded;
    for (let count = 0; count < folded.length; count += 1) offsets.push(offset);
  }
  return { letters, offsets };
}

/** Empty for a blank or a sign; a barrier for a mask. */
function foldedAt(text: string, offset: number): string {
  const code = text.charCodeAt(offset);
  if ((code >= 48 && code <= 57) || (code >= 65 && code <= 90)) return text[offset]!;
  if (code >= 97 && code <= 122) return String.fromCharCode(code - 32);
  if (code < 128) return '';
  return isMask(text[offset]) ? BARRIER : foldName(text[offset]!);
}

export function foldName(name: string): string {
  if (PLAIN.test(name)) return name.toUpperCase().replace(/[^A-Z\d]+/g, '');
  return name
    .normalize('NFD')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

/** Most texts, for which the usual steps would take several times as long. */
const PLAIN = /^[\x20-\x7e]*$/;
/** Stands for a mask while a text is being masked. Plain texts have no character of the private use area. */
export const MASK = '\ue000';
/** Stands for the mask of a person. */
export const PERSON_MASK = '\ue001';
const MASKS = new Set([MASK, PERSON_MASK]);
export const isMask = (character: string | undefined): boolean => character !== undefined && MASKS.has(character);
export const isLetterOrDigit = (character: string | undefined): boolean => character !== undefined && /[\p{L}\p{N}]/u.test(character);
export const isDigit = (character: string | undefined): boolean => character !== undefined && /\d/.test(character);

const DASHES = /[\u00ad\p{Pd}]/gu;
/** Invisible characters, and the private use area, which is kept free for masks. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Co}\p{Cs}]/gu;
const BLANKS = /[\s\p{Cc}]+/gu;

/** Fingerprints are made of it: if it changed, a line would count twice that was imported before and after. */
export function usualSpelling(text: string): string {
  const visible = PLAIN.test(text)
    ? text
    : text.replace(DASHES, '-').replace(INVISIBLE, '').normalize('NFKC').replace(DASHES, '-').replace(INVISIBLE, '');
  return visible.replace(BLANKS, ' ').trim();
}

/** The form in which texts are searched and stored: what a bank has written together is parted. So no spelling hides personal data. */
export function plainText(text: string): string {
  const plain = usualSpelling(text);
  return plain.includes('SEPA-') ? plain.replace(GLUED_KIND, ' ') : plain;
}

/** Between a name and the kind of the booking, where some banks write no blank: `Jane DoeSEPA-ÜBERWEISUNG`. */
const GLUED_KIND = /(?<=[\p{L}.)])(?=SEPA-\p{Lu}{2})/gu;

export type Kind =
  | ('email' | 'iban' | 'uk_account' | 'us_routing' | 'account' | 'national_id')
  | ('document' | 'birth_date' | 'card' | 'phone' | 'postal_address' | 'person');

export interface Range {
  readonly start: number;
  readonly end: number;
}

export interface Finding extends Range {
  readonly kind: Kind;
  /** What the token is made from, for an account or a person. Defaults to the text of the range. */
  readonly value?: string;
}

/** Finds ranges, in any order. Of overlapping ranges, the first one is used. */
export type Detector = (searchable: SearchableText) => readonly Finding[];

/** Finds the last group, which must end the match. Patterns are global and all repetitions bounded: linear time on any text. */
export function findingsOf(
  kind: Kind,
  pattern: RegExp,
  text: string,
  accepts: (found: string) => boolean = () => true,
): readonly Finding[] {
  return matchesOf(pattern, text)
    .map((match) => ({ end: match.index + match[0].length, found: match.at(-1)! }))
    .filter(({ found }) => accepts(found))
    .map(({ end, found }) => ({ kind, start: end - found.length, end }));
}

const NONE: readonly RegExpExecArray[] = [];

/** Like `matchAll`, but without its copy of the pattern, which would take most of the time of a redaction. */
export function matchesOf(pattern: RegExp, text: string): readonly RegExpExecArray[] {
  pattern.lastIndex = 0;
  let match = pattern.exec(text);
  if (!match) return NONE;
  const matches: RegExpExecArray[] = [];
  for (; match; match = pattern.exec(text)) matches.push(match);
  return matches;
}

export interface Word extends Range {
  readonly text: string;
  /** What stands between the word before and this one. */
  readonly gap: string;
}

/** The words of a pattern that count. */
export function wordsIn(text: string, pattern: RegExp, counts: (word: string) => boolean = () => true): Word[] {
  let last = 0;
  const found = matchesOf(pattern, text).filter(({ 0: word }) => counts(word));
  return found.map(({ index: start, 0: word }) => {
    const gap = text.slice(last, start);
    last = start + word.length;
    return { text: word, start, end: last, gap };
  });
}
