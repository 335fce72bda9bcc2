import { normalizedAccount } from '../tokens/tokens.js';
import { type Detector, foldName, isDigit, isLetterOrDigit, matchesOf, type Range, type SearchableText } from '../finding.js';
import { isOfStatement, maybeName, WITH_E } from '../names/word-kinds.js';
import { wholeNames } from './people/whole-names.js';

const MIN_LENGTH = 3;
const MIN_LENGTH_WITH_INITIAL = 4;
/** From this length, a name of several words is also found within other letters. */
const UNMISTAKABLE = 9;
/** Names of more words are only searched in their own order. */
const MAX_WORDS = 6;
const TITLES = /^(?:mr|mrs|ms|miss|dr|prof|herr|herrn|frau|hr|dhr|mevr|mw|m|mme|mlle|monsieur|madame|sig|sr|sra|señor|señora|hon)$/i;
const TOGETHER = / (?:und|u|and|or|oder|et|ou|en|of|y|e|&|\+)\.? |[/&+]/iu;

/** How banks write a name: in another order, with an initial, without accents. Two people named together are found separately as well. */
function nameSpellings(name: string): { readonly letters: string; readonly isUnmistakable: boolean }[] {
  const words = wordsOf(name);
  const together = name.split(TOGETHER).map(wordsOf);
  const names = [words, ...together.filter((parts) => parts.length > 1)];
  const spelled = (waysOf: (words: readonly string[]) => string[], least: number): string[] =>
    [...new Set(names.flatMap(waysOf).flatMap(writtenAs))].filter((letters) => letters.length >= least);
  return [
    ...spelled(ordersOf, MIN_LENGTH).map((letters) => ({ letters, isUnmistakable: words.length > 1 && letters.length >= UNMISTAKABLE })),
    ...spelled(initialsOf, MIN_LENGTH_WITH_INITIAL).map((letters) => ({ letters, isUnmistakable: false })),
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
  const longer = accented.replace(/[ÄÖÜØÅ]/g, (letter) => WITH_E[letter]!);
  const shorter = accented.replace(/([AOU])E|AA/g, (letters) => letters[0]!);
  return [accented, longer, shorter].map(foldName);
}

/** Shorter values would be found in too many texts. */
const MIN_NUMBER_LENGTH = 6;
const MIN_ADDRESS_LENGTH = 8;

/** Finds the name of the other party in the texts of a line: in any order, case and spacing, with or without accents, with initials. */
export function personDetector(name: string): Detector {
  const spellings = nameSpellings(name);
  const initials = wordsOf(name).filter((word) => word.length === 1);
  const alone = wordsOf(name).filter((word) => word.length >= MIN_LENGTH && maybeName(word) && !isOfStatement(word));
  return (searchable) => {
    const found = spellings.flatMap(({ letters, isUnmistakable }) =>
      occurrences(searchable, letters).filter((range) => isUnmistakable || standsAlone(searchable.text, range)),
    );
    // The field may have only a part of the name that a text has in full.
    const whole = found.length > 0 ? wholeNames(searchable.text, found, 'known') : found;
    const parts = alone
      .flatMap((word) => occurrences(searchable, foldName(word)).filter((range) => isCapitalisedAlone(searchable.text, range)))
      .filter(({ start, end }) => !whole.some((range) => range.start <= start && end <= range.end));
    const withGiven = parts.map((range) => withGivenName(searchable.text, range, initials));
    const people = [...whole, ...(parts.length > 0 ? wholeNames(searchable.text, withGiven) : [])];
    return people.map((range) => ({ ...range, kind: 'person', value: name }));
  };
}

/** With the given name before or after it that a field has only the initial of. */
function withGivenName(text: string, { start, end }: Range, initials: readonly string[]): Range {
  const [before = '', first] = /(?<![\p{L}\p{N}])(\p{Lu})\p{L}+ $/u.exec(text.slice(Math.max(0, start - LONGEST_GIVEN), start)) ?? [];
  const [after = '', last] = /^,? (\p{Lu})\p{L}+/u.exec(text.slice(end, end + LONGEST_GIVEN)) ?? [];
  return { start: start - (initials.includes(first!) ? before.length : 0), end: end + (initials.includes(last!) ? after.length : 0) };
}
const LONGEST_GIVEN = 30;

const isCapitalisedAlone = (text: string, range: Range): boolean =>
  standsAlone(text, range) && /^\p{Lu}\p{L}+$/u.test(text.slice(range.start, range.end));

/** A detector whose findings are not within occurrences of a name. */
export const outside =
  (name: string, detector: Detector): Detector =>
  (searchable) => {
    const findings = detector(searchable);
    if (findings.length === 0) return findings;
    const named = occurrences(searchable, foldName(name));
    return findings.filter(({ start, end }) => !named.some((range) => range.start <= start && end <= range.end));
  };

/** Finds an account of the fields in the texts, also without the bank code, without leading zeros or after check digits. */
export function accountDetector(account: string): Detector {
  const same = normalizedAccount(account);
  if (same.length < MIN_NUMBER_LENGTH) return () => [];
  return (searchable) => {
    const alone = occurrences(searchable, same).filter((range) => standsAlone(searchable.text, range, isDigit));
    return [...alone, ...endingsOf(same, searchable)].map((range) => ({ ...range, kind: 'account', value: account }));
  };
}

/** Finds the address of the other party, and each part of it that has a number. */
export function addressDetector(address: string): Detector {
  const parts = [address, ...address.split(/[,;\n]/)]
    .map((part) => foldName(part))
    .filter((part) => part.length >= MIN_ADDRESS_LENGTH && /\d/.test(part) && /\D/.test(part));
  return (searchable) =>
    parts.flatMap((part) =>
      occurrences(searchable, part)
        .filter((range) => standsAlone(searchable.text, range))
        .map((range) => ({ ...range, kind: 'postal_address' as const })),
    );
}

function endingsOf(account: string, { hasDigits, text }: SearchableText): Range[] {
  if (!hasDigits) return [];
  return matchesOf(NUMBER, text)
    .filter(({ 1: number }) => account.endsWith(number!) || number!.endsWith(account))
    .map(({ index, 0: found }) => ({ start: index, end: index + found.length }));
}

const NUMBER = /(?<!\d)0*([1-9]\d{5,})(?!\d)/g;

function occurrences({ compact: { letters, offsets } }: SearchableText, sought: string): Range[] {
  const found: Range[] = [];
  for (let at = letters.indexOf(sought); at >= 0; at = letters.indexOf(sought, at + sought.length)) {
    found.push({ start: offsets[at]!, end: offsets[at + sought.length - 1]! + 1 });
  }
  return found;
}

const standsAlone = (text: string, { start, end }: Range, isSame = isLetterOrDigit): boolean =>
  !isSame(text[start - 1]) && !isSame(text[end]);
