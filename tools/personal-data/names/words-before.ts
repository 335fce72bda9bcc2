import { wordSections } from '../word-lists.js';

const BEFORE = wordSections('words-before');
const STREETS = wordSections('street-words');
const WITHOUT_MARK: Readonly<Record<string, string>> = { ł: 'l', ø: 'o', æ: 'ae', ß: 'ss', å: 'a' };
const WITH_E: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' };

/** As it is, without accents, and with letters in their place: banks write all three. */
const spellingsOf = (word: string): readonly string[] => [
  word,
  word
    .replace(/[łøæßå]/g, (letter) => WITHOUT_MARK[letter]!)
    .normalize('NFD')
    .replace(/\p{M}/gu, ''),
  word.replace(/[äöüøå]/g, (letter) => WITH_E[letter]!),
];

interface Branch {
  readonly next: Map<string, Branch>;
  isEnd: boolean;
}
const branch = (): Branch => ({ next: new Map(), isEnd: false });

/** Words as alternatives of a regular expression, which are tried letter by letter: one after the other would take ten times as long. */
function alternatives(sections: ReadonlyMap<string, readonly string[]>, names: readonly string[]): string {
  const root = branch();
  const words = names.flatMap((name) => sections.get(name)!).flatMap(spellingsOf);
  for (const word of words) {
    let at = root;
    for (const letter of word) {
      if (!at.next.has(letter)) at.next.set(letter, branch());
      at = at.next.get(letter)!;
    }
    at.isEnd = true;
  }
  return written(root);
}

function written({ next, isEnd }: Branch): string {
  const branches = [...next].map(([letter, after]) => (letter === ' ' ? '\\.? ' : letter.replace(/[.*+?()/|]/, '\\$&')) + written(after));
  const together = branches.length > 1 || isEnd ? `(?:${branches.join('|')})` : branches.join('');
  return branches.length === 0 ? '' : together + (isEnd ? '?' : '');
}

export type Before =
  | ('title' | 'unsure title' | 'label' | 'party' | 'transfer' | 'purpose')
  | ('wage' | 'direction' | 'phone' | 'phone app' | 'birth' | 'document');
export const wordsBefore = (...names: readonly Before[]): string => alternatives(BEFORE, names);

interface Phrase {
  readonly rest: readonly string[];
  readonly kinds: ReadonlySet<Before>;
}
const PHRASES = new Map<string, Phrase[]>();
for (const [name, list] of BEFORE) {
  for (const words of new Set(list.flatMap(spellingsOf))) {
    const [first, ...rest] = words.replace(/\.$/, '').split(/[ /]+/) as [string, ...string[]];
    const same = PHRASES.get(first)?.find((phrase) => phrase.rest.join() === rest.join());
    const others = (PHRASES.get(first) ?? []).filter((phrase) => phrase !== same);
    PHRASES.set(first, [...others, { rest, kinds: new Set([...(same?.kinds ?? []), name as Before]) }]);
  }
}

export const standsBefore = (word: string, ...kinds: readonly Before[]): boolean =>
  (PHRASES.get(word.toLowerCase()) ?? []).some((phrase) => phrase.rest.length === 0 && kinds.some((kind) => phrase.kinds.has(kind)));

/** What the words from a place on stand before, and how many they are; the most words that are known. */
export function announcementAt(
  words: readonly { readonly text: string }[],
  at: number,
): { length: number; kinds: Phrase['kinds'] } | undefined {
  const first = words[at]!.text.toLowerCase();
  const [longest] = (PHRASES.get(first) ?? PHRASES.get(first.slice(first.lastIndexOf('-') + 1)) ?? [])
    .filter(({ rest }) => rest.every((word, index) => words[at + 1 + index]?.text.toLowerCase() === word))
    .sort((one, other) => other.rest.length - one.rest.length);
  return longest && { length: longest.rest.length + 1, kinds: longest.kinds };
}

type OfStreet = 'before' | 'end' | 'english' | 'french' | 'within places' | 'of places' | 'label';
export const streetWords = (name: OfStreet): string => alternatives(STREETS, [name]);
