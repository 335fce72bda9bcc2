import { wordList } from '../word-lists.js';

/** What a word may be. `unknown` is a word of no list: a rare name, a firm, a place. */
export type WordKind = 'given' | 'family' | 'statement' | 'trade' | 'unknown';

const WITHOUT_MARK: Readonly<Record<string, string>> = { Ø: 'O', Ł: 'L', Đ: 'D', Æ: 'AE', ß: 'SS', ẞ: 'SS', İ: 'I', ı: 'I' };
export const WITH_E: Readonly<Record<string, string>> = { Ä: 'AE', Ö: 'OE', Ü: 'UE', Ø: 'OE', Å: 'AA' };
const ASCII = /^[\x20-\x7e]*$/;
const MAX_CACHED_WORDS = 50_000;
/** A shorter word has no compound in front of its ending. */
const MIN_BEFORE_ENDING = 3;

/** Upper-case letters without accents, so that `Søren`, `SØREN` and `Soren` are one name. */
export function foldWord(word: string): string {
  if (ASCII.test(word)) return word.toUpperCase().replace(/[^A-Z]+/g, '');
  return word
    .toUpperCase()
    .replace(/[ØŁĐÆßẞİı]/g, (letter) => WITHOUT_MARK[letter]!)
    .normalize('NFD')
    .replace(/[^\p{L}]+/gu, '');
}

/** Also the spelling without umlauts: Jürgen is JURGEN and JUERGEN. */
const spellingsOf = (word: string): string[] => [
  foldWord(word),
  foldWord(
    word
      .normalize('NFC')
      .toUpperCase()
      .replace(/[ÄÖÜØÅ]/g, (letter) => WITH_E[letter]!),
  ),
];
const setOf = (list: string): ReadonlySet<string> => new Set(wordList(list).split(/\s+/).flatMap(spellingsOf));

const GIVEN = setOf('given-names');
const FAMILY = setOf('family-names');
const STATEMENT = setOf('statement-words');
const TRADE = setOf('trade-words');
const FILES = setOf('file-words');
const INSTITUTIONS = setOf('institution-words');
const ENDINGS = [...setOf('trade-endings')];
const kinds = new Map<string, WordKind>();

/** The kind of a word, of a double name by its first part. A word of several lists counts as a given name first. */
export function kindOf(word: string): WordKind {
  const cached = kinds.get(word);
  if (cached) return cached;
  if (kinds.size >= MAX_CACHED_WORDS) kinds.clear();
  const kind = ASCII.test(word) && !word.includes('-') ? classified(foldWord(word)) : classifiedByParts(word);
  kinds.set(word, kind);
  return kind;
}

function classifiedByParts(word: string): WordKind {
  const whole = classified(foldWord(word));
  return whole === 'unknown' && word.includes('-') ? classified(foldWord(word.split('-')[0]!)) : whole;
}

function classified(folded: string): WordKind {
  if (GIVEN.has(folded)) return 'given';
  if (FAMILY.has(folded)) return 'family';
  if (STATEMENT.has(folded)) return 'statement';
  return TRADE.has(folded) || INSTITUTIONS.has(folded) || isCompound(folded) ? 'trade' : 'unknown';
}

const isCompound = (folded: string): boolean =>
  ENDINGS.some((ending) => folded.length >= ending.length + MIN_BEFORE_ENDING && folded.endsWith(ending));

export const isGivenName = (word: string): boolean => kindOf(word) === 'given';
export const isFamilyName = (word: string): boolean => kindOf(word) === 'family' || FAMILY.has(foldWord(word));
/** Whether a word is one of statements, even if it may also be a name: `April`. */
export const isOfStatement = (word: string): boolean => STATEMENT.has(foldWord(word));
/** Names after the father end in a way that no other word does: `Петрович`, `ПЕТРОВНА`, `Petrovich`. */
export const isPatronymic = (word: string): boolean => PATRONYMIC.test(word);
const PATRONYMIC = /^\p{Lu}\p{L}{2,20}(?:[оеє]вич|ьич|[оеє]вна|[иі]нична|івна|ївна|ovich|evich|ovna|evna)$/iu;
/** The short form of January is also a frequent given name, if another name follows. */
export const isJan = (word: string): boolean => word.toUpperCase() === 'JAN';
/** Whether only organisations have the word in their name: `Insurance`, `Stadtwerke`, `Drogeriemarkt`. */
export const isOfInstitution = (word: string): boolean =>
  kindOf(word) !== 'family' && (INSTITUTIONS.has(foldWord(word)) || (kindOf(word) === 'trade' && isCompound(foldWord(word))));
export const maybeName = (word: string): boolean => !['statement', 'trade'].includes(kindOf(word));

/** Whether a word is expected in the name of a file, even if it may also be a name. */
export function isOrdinaryInFileName(word: string): boolean {
  const folded = foldWord(word);
  if (FILES.has(folded) || STATEMENT.has(folded)) return true;
  return !FAMILY.has(folded) && (TRADE.has(folded) || INSTITUTIONS.has(folded) || isCompound(folded));
}

const MIN_GLUED_PART = 3;
/** A shorter given name may start any word, so a known family name has to follow it. */
const MIN_CERTAIN_GIVEN = 4;

/** Whether a word is a given name and another name written together, as payment services do: `MAXMUSTER`. */
export function isGluedName(word: string): boolean {
  const folded = foldWord(word);
  if (!maybeName(word) || isGivenName(word)) return false;
  for (let cut = MIN_GLUED_PART; cut <= folded.length - MIN_GLUED_PART; cut += 1) {
    const [first, last] = [folded.slice(0, cut), folded.slice(cut)];
    if (GIVEN.has(first) && (FAMILY.has(last) || (cut >= MIN_CERTAIN_GIVEN && isPronounceable(last) && maybeName(last)))) return true;
    if (FAMILY.has(first) && GIVEN.has(last)) return true;
  }
  return false;
}

/** A name starts with at most two consonants, or three of few kinds, and then has a vowel. */
const isPronounceable = (letters: string): boolean => /^(?:SCH|STR|CHR|[^AEIOUY]{0,2})[AEIOUY]/.test(letters);
