import { foldName } from '../searchable-text.js';

const SHORTEST = 3;
const SHORTEST_WITH_INITIAL = 4;
/** From this length on a name of several words is found in the middle of other letters, too. */
const UNMISTAKABLE = 9;
/** A name of more words is looked for in its own order only. */
const MOST_WORDS = 6;

const TITLES = /^(?:mr|mrs|ms|miss|dr|prof|herr|herrn|frau|hr|dhr|mevr|mw|m|mme|mlle|monsieur|madame|sig|sr|sra|señor|señora|hon)$/i;
const TOGETHER = / (?:und|u|and|or|oder|et|ou|en|of|y|e|&|\+)\.? |[/&+]/iu;
const WITH_ACCENT: Readonly<Record<string, string>> = { Ä: 'AE', Ö: 'OE', Ü: 'UE', Ø: 'OE', Å: 'AA' };

/** A way to write a name, as the letters of a text alone are. */
export interface Spelling {
  readonly letters: string;
  readonly isUnmistakable: boolean;
}

/** The ways in which banks write a name: in another order, with an initial, without accents; and each of two that are named together. */
export function nameSpellings(name: string): Spelling[] {
  const together = name
    .split(TOGETHER)
    .map(wordsOf)
    .filter((words) => words.length > 1);
  const whole = [wordsOf(name), ...together]
    .flatMap(ordersOf)
    .flatMap(writtenAs)
    .filter((letters) => letters.length >= SHORTEST);
  const withInitial = [wordsOf(name), ...together]
    .flatMap(initialsOf)
    .flatMap(writtenAs)
    .filter((letters) => letters.length >= SHORTEST_WITH_INITIAL);
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

/** Any word may be the first one: the family's name may be of several words. */
function ordersOf(words: readonly string[]): string[] {
  if (words.length > MOST_WORDS) return [words.join('')];
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

/** With accents left out, and with letters written for them: Müller is MULLER and MUELLER. */
function writtenAs(name: string): string[] {
  const accented = name.normalize('NFC').toUpperCase();
  const longer = accented.replace(/[ÄÖÜØÅ]/g, (letter) => WITH_ACCENT[letter]!);
  const shorter = accented.replace(/([AOU])E|AA/g, (letters) => letters[0]!);
  return [accented, longer, shorter].map(foldName);
}
