import { matchesOf, type Finding } from '../../finding.js';
import { circumstancesOf, verdictOn } from '../../names/counterparties.js';
import { SURNAME, WORD } from '../../names/name-pattern.js';
import { MASK, type SearchableText } from '../../searchable-text.js';

/** Banks that have one text for all fields write the name of the other party before its account: `:Erika Mustermann:DE02…`. */
const BEFORE_ACCOUNT = new RegExp(
  `[:;|/] ?(${WORD}(?: ${SURNAME}){1,2}) ?[:;|/] ?(?:${MASK}|[A-Z]{2}\\d\\d[A-Z\\d]{10,30}(?![\\p{L}\\p{N}]))`,
  'dgu',
);
const UNKNOWN = circumstancesOf('', false);

/** Names in the place of the other party, unless they are recognised as organisations. */
export const findNamesBeforeAccounts = ({ text }: SearchableText): Finding[] =>
  matchesOf(BEFORE_ACCOUNT, text)
    .filter(({ 1: name }) => verdictOn(name!, UNKNOWN) === 'person')
    .map(({ indices }) => ({ kind: 'person', start: indices![1]![0], end: indices![1]![1] }));
