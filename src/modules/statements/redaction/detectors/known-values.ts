import { matchesOf, type Detector, type Finding } from '../finding.js';
import { foldName, isDigit, isLetterOrDigit, type SearchableText } from '../searchable-text.js';
import { isFamilyName, isGivenName } from '../names/word-kinds.js';
import { wholeNames, type Range } from './people/whole-names.js';
import { nameSpellings } from '../names/name-spellings.js';
import { normalizedAccount } from '../../../../kernel/tokens.js';

/** Shorter values would be found in too many texts. */
const MIN_NUMBER_LENGTH = 6;
const MIN_ADDRESS_LENGTH = 8;

/** Finds the name of the other party in the texts of a line: in any order, case and spacing, with or without accents, with initials. */
export function personDetector(name: string): Detector {
  const spellings = nameSpellings(name);
  const isNameOfPerson = name.split(/[^\p{L}'’-]+/u).some((word) => isGivenName(word) || isFamilyName(word));
  return (searchable) => {
    const found = spellings.flatMap(({ letters, isUnmistakable }) =>
      occurrences(searchable, letters).filter(
        ({ start, end }) => isUnmistakable || standsAlone(searchable.text, start, end, isLetterOrDigit),
      ),
    );
    // The field may have only a part of the name that a text has in full.
    const whole = isNameOfPerson && found.length > 0 ? wholeNames(searchable.text, found, 'known') : found;
    return whole.map((range) => ({ ...range, kind: 'person', value: name }));
  };
}

/** A detector whose findings are not within occurrences of a name. */
export const outside =
  (name: string, detector: Detector): Detector =>
  (searchable) => {
    const findings = detector(searchable);
    if (findings.length === 0) return findings;
    const named = occurrences(searchable, foldName(name));
    return findings.filter(({ start, end }) => !named.some((range) => range.start <= start && end <= range.end));
  };

/**
 * Finds an account of the line's fields in its texts, also if the text has it without the bank code, without leading zeros or after
 * check digits.
 */
export function accountDetector(account: string): Detector {
  const same = normalizedAccount(account);
  if (same.length < MIN_NUMBER_LENGTH) return () => [];
  const finding = (range: Range): Finding => ({ ...range, kind: 'account', value: account });
  return (searchable) => [
    ...occurrences(searchable, same)
      .filter(({ start, end }) => standsAlone(searchable.text, start, end, isDigit))
      .map(finding),
    ...endingsOf(same, searchable).map(finding),
  ];
}

/** Finds the address of the other party, and each part of it that has a number. */
export function addressDetector(address: string): Detector {
  const parts = [address, ...address.split(/[,;\n]/)]
    .map((part) => foldName(part))
    .filter((part) => part.length >= MIN_ADDRESS_LENGTH && /\d/.test(part) && /\D/.test(part));
  return (searchable) =>
    parts.flatMap((part) =>
      occurrences(searchable, part)
        .filter(({ start, end }) => standsAlone(searchable.text, start, end, isLetterOrDigit))
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

const standsAlone = (text: string, start: number, end: number, isSame: (character: string | undefined) => boolean): boolean =>
  !isSame(text[start - 1]) && !isSame(text[end]);
