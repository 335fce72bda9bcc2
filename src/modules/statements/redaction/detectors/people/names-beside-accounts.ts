import { type Finding, MASK, matchesOf, type SearchableText } from '../../finding.js';
import { circumstancesOf, verdictOn } from '../../names/counterparties.js';
import { SURNAME, WORD } from '../../names/phrases.js';
import { isFamilyName, isGivenName, maybeName } from '../../names/word-kinds.js';

const ACCOUNT = `(?:${MASK}|[A-Z]{2}\\d\\d[A-Z\\d]{10,30}(?![\\p{L}\\p{N}]))`;
/** Banks that have one text for all fields write the name of the other party before its account: `:Erika Mustermann:DE02…`. */
const BEFORE = new RegExp(`[:;|/] ?(${WORD}(?: ${SURNAME}){1,2}) ?[:;|/] ?${ACCOUNT}`, 'dgu');
/** Or after it, at the beginning and in small letters, before the capitalised purpose: `NL91… j jansen Salaris`. */
const AFTER = new RegExp(`^${ACCOUNT} (\\p{Ll}[\\p{Ll}.'’-]{0,30}(?: \\p{Ll}[\\p{Ll}.'’-]{0,30}){1,6})(?= [\\p{Lu}\\d]|$)`, 'dgu');
const TITLE_OR_INITIAL = /^(?:hr|dhr|mw|mevr|\p{L}\.?)$/u;
const UNKNOWN = circumstancesOf('', false);

const isOfPerson = (name: string): boolean => verdictOn(name.toUpperCase(), UNKNOWN) === 'person';

function isInSmallLetters(name: string): boolean {
  const words = name.split(' ');
  return words.every(maybeName) && words.some((word) => TITLE_OR_INITIAL.test(word) || isGivenName(word) || isFamilyName(word));
}

/** Names in the place of the other party, unless they are recognised as organisations. */
export const findNamesBesideAccounts = ({ text }: SearchableText): Finding[] =>
  [...matchesOf(BEFORE, text), ...matchesOf(AFTER, text).filter(({ 1: name }) => isInSmallLetters(name!))]
    .filter(({ 1: name }) => isOfPerson(name!))
    .map(({ indices }) => ({ kind: 'person', start: indices![1]![0], end: indices![1]![1] }));
