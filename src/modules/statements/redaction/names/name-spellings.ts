import { foldName } from '../searchable-text.js';

const MIN_LENGTH = 3;
const MIN_LENGTH_WITH_INITIAL = 4;
/** From this length, a name of several words is also found within other letters. */
const UNMISTAKABLE = 9;
/** Names of more words are only searched in their own order. */
const MAX_WORDS = 6;

const TITLES = /^(?:mr|mrs|ms|miss|dr|prof|herr|herrn|frau|hr|dhr|mevr|mw|m|mme|mlle|monsieur|madame|sig|sr|sra|señor|señora|hon)$/i;
const TOGETHER = / (?:und|u|and|or|oder|et|ou|en|of|y|e|&|\+)\.? |[/&+]/iu;
const WITH_ACCENT: Readonly<Record<string, string>> = { Ä: 'AE', Ö: 'OE', Ü: 'UE', Ø: 'OE', Å: 'AA' };

/** A spelling of a name, as letters without blanks and signs. */
export interface Spelling {
  readonly letters: string;
  readonly isUnmistakable: boolean;
}

/** How banks write a name: in another order, with an initial, without accents. Two people named together are found separately as well. */
export function nameSpellings(name: string): Spelling[] {
  const together = name
    .split(TOGETHER)
    .map(wordsOf)
    .filter((words) => words.length > 1);
  const whole = [wordsOf(name), ...together]
    .flatMap(ordersOf)
    .flatMap(writtenAs)
    .filter((letters) => letters.length >= MIN_LENGTH);
  const withInitial = [wordsOf(name), ...together]
    .flatMap(initialsOf)
    .flatMap(writtenAs)
    .filter((letters) => letters.length >= MIN_LENGTH_WITH_INITIAL);
  const severalWords = wordsOf(name).length > 1;
  return [
    ...Array.from(new Set(whole), (letters) => ({ letters, isUnmistakable: severalWords && letters.length >= UNMISTAKABLE })),
    ...Array.from(new Set(withInitial), (letters) => ({ letters, isUnmistakable: false })),
  ];
}

function wordsOf(name: string): string[] {
  const words = name.split(/[^\p{L}\p{N}'’]+/u).filter((word) => word !== '');
  const named = words.filter((word) => !TITLES.test(word));
  return named.length > 0 ? named : words;
}

/** Any word may come first, since family names may have several words. */
function ordersOf(words: readonly string[]): string[] {
  if (words.length > MAX_WORDS) return [words.join('')];
  const turned = words.map((_word, first) => [...words.slice(first), ...words.slice(0, first)].join(''));
  const [first, last] = [words[0], words.at(-1)];
  return words.length > 2 ? [...turned, `${first}${last}`, `${last}${first}`] : turned;
}

function initialsOf(words: readonly string[]): string[] {
  const [first, last] = [words[0], words.at(-1)];
  if (words.length < 2 || first === undefined || last === undefined) return [];
  const family = words.slice(1).join('');
  return [
    [first[0], last],
    [last, first[0]],
    [first[0], family],
    [family, first[0]],
    [last[0], first],
    [first, last[0]],
  ].map((parts) => parts.join(''));
}

/** Without accents, and with letters in their place: Müller is MULLER and MUELLER. */
function writtenAs(name: string): string[] {
  const accented = name.normalize('NFC').toUpperCase();
  const longer = accented.replace(/[ÄÖÜØÅ]/g, (letter) => WITH_ACCENT[letter]!);
  const shorter = accented.replace(/([AOU])E|AA/g, (letters) => letters[0]!);
  return [accented, longer, shorter].map(foldName);
}
