import { wordList } from '../word-lists.js';

/** A capitalised word that is not a token. */
export const WORD = "(?!(?:PERSON|ACCOUNT)-)\\p{Lu}[\\p{L}'’]{1,30}(?:-\\p{Lu}[\\p{L}'’]{1,30})?";
export const INITIALS = '(?:\\p{Lu}\\.? ){0,3}';
export const PARTICLES =
  '(?:(?:van|von|vom|de|der|den|del|della|di|da|dos|du|la|le|el|al|af|av|bin|zu|zum|zur|ten|ter|' +
  'VAN|VON|VOM|DE|DER|DEN|DEL|DI|DA|DOS|DU|LA|LE|EL|AL|AF|AV|BIN|ZU|ZUM|ZUR|TEN|TER) ){0,3}';
export const SURNAME = `${INITIALS}${PARTICLES}${WORD}`;
export const START = '(?<![\\p{L}\\p{N}])';
export const END = '(?![\\p{L}\\p{N}])';

/** Upper-case words without accents and apostrophes: `McDonald’s` is `MCDONALDS`. The signs of `H&M` and `Canal+` are words too. */
export function plainWordsOf(text: string): readonly string[] {
  const plain = /[^\x20-\x7e]/.test(text) ? text.normalize('NFD').replace(/[\p{M}’]/gu, '') : text;
  return plain.replaceAll("'", '').toUpperCase().match(WORDS) ?? [];
}

const WORDS = /[\p{L}\p{N}]+|[&+]/gu;

class Phrases {
  private readonly byFirstWord = new Map<string, string[][]>();

  /** `names` are separated by commas. */
  constructor(names: string) {
    for (const name of names.split(',')) {
      const words = [...plainWordsOf(name)];
      const first = words[0]!;
      this.byFirstWord.set(first, [...(this.byFirstWord.get(first) ?? []), words]);
    }
  }

  /** How many words from a place on are one of the names: the longest one; 0 if none are. */
  lengthAt(words: readonly string[], at: number): number {
    const names = this.byFirstWord.get(words[at] ?? '') ?? [];
    const lengths = names.filter((name) => name.every((word, index) => words[at + index] === word)).map((name) => name.length);
    return Math.max(0, ...lengths);
  }
}

export const merchants = new Phrases(wordList('merchants'));
export const merchantsLikePeople = new Phrases(wordList('merchants-like-people'));
export const places = new Phrases(wordList('places'));

export function isPlace(text: string): boolean {
  const words = plainWordsOf(text);
  return words.length > 0 && places.lengthAt(words, 0) === words.length;
}

/** Whether a text begins with a place or a well-known business. */
export function startsKnownPlaceOrMerchant(text: string): boolean {
  const words = plainWordsOf(text);
  return [places, merchants, merchantsLikePeople].some((known) => known.lengthAt(words, 0) > 0);
}
