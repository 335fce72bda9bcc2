import { findPersons } from '../detectors/person.js';
import { SearchableText } from '../finding.js';
import { hasLegalForm, isTradedUnderName, WORDS } from './organisations.js';
import { isPlace } from './phrases.js';
import { isFamilyName, isGivenName, isOfInstitution, maybeName } from './word-kinds.js';

export const isCalledLikePerson = (name: string): boolean => findPersons(new SearchableText(name)).length > 0;

/** Whether a counterparty is certainly a person: by a known given name, a form of address, initials, or as a sole trader. */
export function looksLikePerson(name: string): boolean {
  if (isTradedUnderName(name)) return true;
  if (hasLegalForm(name)) return false;
  const words = name.match(WORDS) ?? [];
  if (words.some(isOfInstitution)) return false;
  return words.some(isGivenName) || isCalledLikePerson(name);
}

const MOST_WORDS = 6;
const NUMBERS = /[(#]?\d+\)?/g;

/** A number may follow several words of a name. One word alone has to be written like a name and be no place. */
export function mayBeName(text: string): boolean {
  const words = text
    .replace(NUMBERS, ' ')
    .split(/[^\p{L}.'’-]+/u)
    .filter((word) => /\p{L}/u.test(word));
  if (words.length === 0 || words.length > MOST_WORDS) return false;
  if (words.length === 1) return !/\d/.test(text) && (isName(words[0]!) || isLikeName(words[0]!));
  return words.some(isName) || words.every(maybeName);
}

const isName = (word: string): boolean => isGivenName(word) || isFamilyName(word);
const isLikeName = (word: string): boolean => /^\p{Lu}\p{L}{2,}$/u.test(word) && maybeName(word) && !isPlace(word);
