import { wordSections } from '../word-lists.js';
import { END as after, START as before } from './phrases.js';
import { isOfInstitution } from './word-kinds.js';

const SECTIONS = wordSections<'legal form' | 'short form' | 'public body' | 'own name'>('organisation-forms');
const formsOf = (section: Parameters<typeof SECTIONS.get>[0]): string => SECTIONS.get(section)!.join('|');

const FORMS = new RegExp(`${before}(?:${formsOf('legal form')})${after}|(?:&|\\band) sons${after}|& ?co${after}`, 'iu');
/** Legal forms that can also be names or initials: only in capitals and after a name. */
const SHORT_FORMS = new RegExp(`(?<=[\\p{L}\\p{N}.)"] )(?:${formsOf('short form')})(?![\\p{L}\\p{N}]| ID[: ])`, 'u');
/** Forms that the French write before the name. */
const FORM_FIRST = /^(?:SCI|SCP|SCM|SAS|GAEC|SELARL) \p{L}/u;
const GLUED_FORM = /\p{Ll}GmbH(?![\p{L}\p{N}])/u;
const PUBLIC_BODIES = new RegExp(`^(?:${formsOf('public body')})${after}`, 'iu');

/** Signs of a person who trades under their own name. Those names are masked like people. */
const PEOPLE = new RegExp(`${before}(?:${formsOf('own name')})${after}`, 'iu');

/** The name of a site, as in `NETFLIX.COM`; not the end of an e-mail address. */
const SITE = new RegExp(
  '(?<![\\p{L}\\p{N}@._-])(?:www\\.)?[\\p{L}\\p{N}-]{2,}\\.(?:com|net|org|eu|io|co\\.uk|uk|de|at|ch|fr|nl|be|es|it|pt|pl|se|dk|no|fi|ie)' +
    '(?![\\p{L}\\p{N}@])',
  'iu',
);
/** Words that only names of organisations have between others: `Bank of Scotland`. */
const OF = /\p{L} of \p{L}/iu;
export const WORDS = /[\p{L}'’]{2,}(?:-[\p{L}'’]+)*/gu;

export const isTradedUnderName = (name: string): boolean => PEOPLE.test(name);

/** Whether a text contains a legal form or starts with a public body. */
export function hasLegalForm(text: string): boolean {
  if (PEOPLE.test(text)) return false;
  return FORMS.test(text) || SHORT_FORMS.test(text) || GLUED_FORM.test(text) || FORM_FIRST.test(text) || PUBLIC_BODIES.test(text);
}

/** Whether a name has what only names of organisations have: a site, `of`, or a word such as `Insurance`. */
export const isNamedAsOrganisation = (name: string): boolean =>
  SITE.test(name) || OF.test(name) || (name.match(WORDS) ?? []).some(isOfInstitution);
