import { findPersons } from '../detectors/person.js';
import { SearchableText } from '../searchable-text.js';
import { hasLegalForm, isTradedUnderName } from './organisations.js';
import { isGivenName, isOfInstitution } from './word-kinds.js';

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
