import { wordList, wordSections } from '../word-lists.js';
import type { StatusWords } from '../written-layout.js';

const [NOT_BOOKED_WORDS, BOOKED_WORDS, PARTICIPLES] = wordList('status-words').split('\n\n') as [string, string, string];
/** What is not booked yet, or never will be. It comes first: `nicht gebucht`. */
const SAYS_NOT_BOOKED = wordsOf(NOT_BOOKED_WORDS);
/** Any other word in a column for the status is one that nobody has told us to count. No nouns: `в исполнении` is what is being done. */
const BOOKED = wordsOf(`${BOOKED_WORDS} ${PARTICIPLES.replace(/\S+/g, '$&(?:[оаыиі]|ный|ная|ное|ные|ий)?')}`);

function wordsOf(words: string): RegExp {
  return new RegExp(`(?<!\\p{L})(?:${words.split(/\s+/).join('|')})(?!\\p{L})`, 'iu');
}

const PHRASES = wordSections('row-phrases');
const of = (section: string): string => PHRASES.get(section)!.join('|');
const columnOf = (section: string): RegExp => new RegExp(`^(?:is )?(?:${of(section)})\\??$`, 'iu');
/** Names of columns that say of each row whether it is pending, or whether it is booked. */
const PENDING_COLUMN = columnOf('pending column');
const BOOKED_COLUMN = columnOf('booked column');
const YES = /^(?:yes|y|true|1|x|ja|j|oui|o|s[ií]|sim|tak|ano)$/iu;
const NO = /^(?:no|n|false|0|nein|nee|non|nej|nie|ne|não)$/iu;

/** Whether a column for nothing else says that a row does not count. */
export function isLeftOutByFlag(name: string, cell: string): boolean {
  return (PENDING_COLUMN.test(name) && YES.test(cell)) || (BOOKED_COLUMN.test(name) && NO.test(cell));
}

/** A row that says of those below it whether they are booked, and nothing else: a text that is continued may have the same words. */
const SECTION = new RegExp(`^(?:(?<pending>${of('pending section')})|${of('booked section')})(?: (?:${of('of a section')}))?\\s*:?$`, 'iu');

/** null for any other row. */
export function sectionOf({ cells }: { readonly cells: readonly string[] }): 'not booked' | 'booked' | null {
  const [text, ...others] = cells.filter(Boolean);
  const found = text !== undefined && others.length === 0 && SECTION.exec(text);
  if (!found) return null;
  return found.groups?.pending === undefined ? 'booked' : 'not booked';
}

/** A description that begins with such a word, set off from the text: `PENDING - TESCO`. */
export const saysPending = (text: string): boolean =>
  /^(?:pending|vorgemerkt|en attente|pendiente|in attesa|gereserveerd)\s*[-–:*|]/iu.test(text);

/** Why a row does not count, by its cell in a column for the status; undefined if it does. An empty one says nothing. */
export function leftOutByStatus(cell: string, stated?: StatusWords): 'not booked' | 'status unknown' | undefined {
  if (cell === '') return undefined;
  const isOf = (words: readonly string[]): boolean => words.some((word) => word.toLowerCase() === cell.toLowerCase());
  if (stated && isOf(stated.notBooked)) return 'not booked';
  if (stated && isOf(stated.booked)) return undefined;
  if (SAYS_NOT_BOOKED.test(cell)) return 'not booked';
  return BOOKED.test(cell) ? undefined : 'status unknown';
}
