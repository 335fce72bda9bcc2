import { matchesOf, type Detector, type Finding } from '../finding.js';
import { foldName, isDigit, isLetterOrDigit, type SearchableText } from '../searchable-text.js';
import { nameSpellings } from '../names/name-spellings.js';
import { normalizedAccount } from '../tokens/tokens.js';

/** Less than that is nothing that one could look for in a text. */
const SHORTEST_NUMBER = 6;
const SHORTEST_ADDRESS = 8;

/** Finds the name of the line's other party in its texts: in either order, case and spacing, with or without accents, and with initials. */
export function personDetector(name: string): Detector {
  const spellings = nameSpellings(name);
  return (searchable) =>
    spellings.flatMap(({ letters, isUnmistakable }) =>
      occurrences(searchable, letters)
        .filter(({ start, end }) => isUnmistakable || standsAlone(searchable.text, start, end, isLetterOrDigit))
        .map((place) => ({ ...place, kind: 'person' as const, value: name })),
    );
}

/** Finds an account that the line names by structure, also where the text has its number without the bank's, without leading zeros, or after check digits. */
export function accountDetector(account: string): Detector {
  const same = normalizedAccount(account);
  if (same.length < SHORTEST_NUMBER) return () => [];
  const finding = (place: TextRange): Finding => ({ ...place, kind: 'account', value: account });
  return (searchable) => [
    ...occurrences(searchable, same)
      .filter(({ start, end }) => standsAlone(searchable.text, start, end, isDigit))
      .map(finding),
    ...endingsOf(same, searchable).map(finding),
  ];
}

/** Finds the other party's address, and each part of it that has a number. */
export function addressDetector(address: string): Detector {
  const parts = [address, ...address.split(/[,;\n]/)]
    .map((part) => foldName(part))
    .filter((part) => part.length >= SHORTEST_ADDRESS && /\d/.test(part) && /\D/.test(part));
  return (searchable) =>
    parts.flatMap((part) =>
      occurrences(searchable, part)
        .filter(({ start, end }) => standsAlone(searchable.text, start, end, isLetterOrDigit))
        .map((place) => ({ ...place, kind: 'postal_address' as const })),
    );
}

function endingsOf(account: string, { hasDigits, text }: SearchableText): TextRange[] {
  if (!hasDigits) return [];
  return matchesOf(NUMBER, text)
    .filter(({ 1: number }) => account.endsWith(number!) || number!.endsWith(account))
    .map(({ index, 0: found }) => ({ start: index, end: index + found.length }));
}

const NUMBER = /(?<!\d)0*([1-9]\d{5,})(?!\d)/g;

interface TextRange {
  readonly start: number;
  readonly end: number;
}

function occurrences({ compact: { letters, offsets } }: SearchableText, sought: string): TextRange[] {
  const found: TextRange[] = [];
  for (let at = letters.indexOf(sought); at >= 0; at = letters.indexOf(sought, at + sought.length)) {
    found.push({ start: offsets[at]!, end: offsets[at + sought.length - 1]! + 1 });
  }
  return found;
}

const standsAlone = (text: string, start: number, end: number, isSame: (character: string | undefined) => boolean): boolean =>
  !isSame(text[start - 1]) && !isSame(text[end]);
