import { matchesOf, type Range } from '../../finding.js';
import { isCardPaymentText } from '../../names/card-payments.js';
import { isFamilyName, isGivenName, isJan, isOfInstitution, kindOf, maybeName } from '../../names/word-kinds.js';
import { mayBeName } from './whole-names.js';

interface Word extends Range {
  readonly text: string;
  /** What stands between the word before and this one. */
  readonly gap: string;
}

const WORDS = /(?<![\p{L}\p{N}])\p{Lu}(?:[\p{L}'’]+(?:-\p{Lu}[\p{L}'’]+)*|(?=[. ]))(?![\p{L}\p{N}])/gu;
const PARTICLES = 'van|von|vom|de|der|den|del|della|di|da|dos|du|la|le|el|al|af|av|zu|ten|ter';
const PARTICLE = new RegExp(`^(?:${PARTICLES})$`, 'i');
/** Between the names of a person: a blank, the dot of an initial, particles. */
const WITHIN_NAME = new RegExp(`^\\.? (?:(?:${PARTICLES}) ){0,3}$`, 'i');
const COMMA = /^, ?$/;
const MIN_BEFORE_COMMA = 3;
const MAX_GIVEN = 3;
const MIN_GIVEN_BEFORE_RARE = 3;

/** Names of people without a word before them: `Erika Mustermann`, `MUSTERMANN ERIKA`, `Mustermann, Erika`. */
export function findFullNames(text: string): Range[] {
  const words = wordsOf(text);
  // Card payments go to shops, and many shops are named after people.
  if (!words.some(({ text: word }) => isGivenName(word) || isJan(word)) || isCardPaymentText(text)) return [];
  return words.flatMap((_word, index) => (isGiven(words, index) ? (namesAt(words, index, text) ?? []) : []));
}

const isGiven = (words: readonly Word[], index: number): boolean =>
  isGivenName(words[index]!.text) || (isJan(words[index]!.text) && nextIsFamily(words[index + 1]));

function wordsOf(text: string): Word[] {
  let end = 0;
  return matchesOf(WORDS, text)
    .filter(({ 0: word }) => !PARTICLE.test(word))
    .map((match) => {
      const gap = text.slice(end, match.index);
      end = match.index + match[0].length;
      return { text: match[0], start: match.index, end, gap };
    });
}

function namesAt(words: readonly Word[], index: number, text: string): Range[] | undefined {
  const [given, before] = [words[index]!, words[index - 1]];
  if (before && WITHIN_NAME.test(given.gap) && isFamilyName(before.text) && !isGivenName(before.text)) return [rangeOf(before, given)];
  if (before && COMMA.test(given.gap) && before.text.length >= MIN_BEFORE_COMMA && maybeName(before.text)) {
    const next = words[index + 1];
    return [rangeOf(before, next && follows(next) && maybeName(next.text) ? next : given)];
  }
  const last = lastNameAfter(words, index) ?? rareNameAfter(words, index, text);
  return last && [rangeOf(given, last)];
}

/** The family name after a given name: a known one, or any after several given names. */
function lastNameAfter(words: readonly Word[], index: number): Word | undefined {
  let givenNames = 1;
  for (let at = index + 1; at <= index + MAX_GIVEN; at += 1) {
    const word = words[at];
    // Two given names are a name, too: many family names are given names.
    if (!word || !follows(word)) return givenNames > 1 ? words[at - 1] : undefined;
    if (word.text.length === 1) continue;
    if (isFamily(word) && !(isGivenName(word.text) && nextIsFamily(words[at + 1]))) return word;
    if (!isGivenName(word.text)) return givenNames > 1 && kindOf(word.text) === 'unknown' ? word : undefined;
    givenNames += 1;
  }
  return givenNames > 1 ? words[index + MAX_GIVEN] : undefined;
}

/** A word of no list directly after a given name, unless it belongs to a firm: `Felix Topaz`, but not `Anna Topaz Hotel`. */
function rareNameAfter(words: readonly Word[], index: number, text: string): Word | undefined {
  const [given, word, next] = [words[index]!, words[index + 1], words[index + 2]];
  if (given.text.length < MIN_GIVEN_BEFORE_RARE || !word || !follows(word)) return undefined;
  if (next && follows(next) && (kindOf(next.text) === 'trade' || isOfInstitution(next.text))) return undefined;
  return mayBeName(text, word.text, word.end, given.text) ? word : undefined;
}

const nextIsFamily = (word: Word | undefined): boolean => word !== undefined && follows(word) && isFamily(word);
/** `de Vries` is known as a whole. After `van`, any word is a family name. */
const isFamily = ({ text, gap }: Word): boolean =>
  isFamilyName(text) || (/\p{L}/u.test(gap) && (isFamilyName(`${gap}${text}`) || (NOBLE.test(gap) && kindOf(text) === 'unknown')));
const NOBLE = /^\.? (?:van|von|vom|ten|ter|zu) /i;
const follows = ({ gap }: Word): boolean => WITHIN_NAME.test(gap);
const rangeOf = (first: Range, last: Range): Range => ({ start: first.start, end: last.end });
