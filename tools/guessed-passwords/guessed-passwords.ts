const DIFFERENT_MIN = 5;
/** So many digits and signs are not guessed, even without a word. */
const WITHOUT_WORDS_MIN = 20;
const WORD_MIN = 4;
/** What is repeated has to be as long by itself. */
const ALONE_MIN = 12;

const lengthOf = (text: string): number => [...text].length;

export interface Words {
  /** In lower case. */
  readonly common: ReadonlySet<string>;
  /** Names of the owner, and of what they belong to. */
  readonly known: readonly string[];
}

/** In Unicode's normal form for compatibility: keyboards encode the same text differently. */
export function isGuessed(password: string, { common, known: names }: Words): boolean {
  const text = password.normalize('NFKC').toLowerCase();
  if (new Set(text).size < DIFFERENT_MIN || common.has(text) || repeats(text)) return true;
  const known = wordsIn(names);
  return [text, withLetters(text)].some((spelling) => {
    const letters = lettersOf(spelling);
    const rest = known.reduce((left, word) => left.replaceAll(word, ''), letters);
    const word = REPEATED.exec(rest)?.[1] ?? rest;
    return common.has(word) || common.has(letters) || (word.length < WORD_MIN && lengthOf(text.replace(/\p{L}/gu, '')) < WITHOUT_WORDS_MIN);
  });
}

const REPEATED = /^(.+?)\1+$/su;
/** Something that would be too short by itself. */
const repeats = (text: string): boolean => lengthOf(REPEATED.exec(text)?.[1] ?? text) < ALONE_MIN;

const lettersOf = (text: string): string => text.replace(/[^\p{L}]/gu, '');

/** The longest first. */
const wordsIn = (texts: readonly string[]): string[] =>
  texts
    .map((text) => text.normalize('NFKC').toLowerCase())
    .flatMap((text) => [...text.split(/[^\p{L}]+/u), lettersOf(text)])
    .filter((word) => word.length >= 3)
    .sort((a, b) => b.length - a.length);

const LOOKS_LIKE: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '0': 'o',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  $: 's',
  '5': 's',
  '7': 't',
};

/** Digits and signs within a word as the letters that they stand for: `p@ssw0rd`. Those around it only make it longer. */
function withLetters(text: string): string {
  const [, before = '', inner = '', after = ''] = /^([^\p{L}@$]*)(.*?)([^\p{L}]*)$/su.exec(text) ?? [];
  return before + inner.replace(/[@403!$157]/g, (sign) => LOOKS_LIKE[sign]!) + after;
}
