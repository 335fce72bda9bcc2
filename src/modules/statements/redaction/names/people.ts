import { findPersons } from '../detectors/person.js';
import { SearchableText } from '../finding.js';
import { hasLegalForm, isTradedUnderName } from './organisations.js';
import { isFamilyName, isGivenName, isOfInstitution, maybeName } from './word-kinds.js';

const WORDS = /[\p{L}'’]{2,}(?:-[\p{L}'’]+)*/gu;

/** Whether a name has a form of address, initials or a known name. */
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

/** Whether a text that nothing is known of may be a name: of known names, or of words that are not those of statements and trade. */
export function mayBeName(text: string): boolean {
  if (/\d/.test(text)) return false;
  const words = text.split(/[^\p{L}.'’-]+/u).filter((word) => /\p{L}/u.test(word));
  if (words.length === 0 || words.length > MOST_WORDS) return false;
  return words.some((word) => isGivenName(word) || isFamilyName(word)) || (words.length > 1 && words.every(maybeName));
}
