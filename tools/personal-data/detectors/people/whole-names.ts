import { type Range, type Word, wordsIn } from '../../finding.js';
import { isCardPaymentText } from '../../names/card-payments.js';
import { startsKnownPlaceOrMerchant } from '../../names/phrases.js';
import { isFamilyName, isGivenName, isJan, isOfInstitution, isPatronymic } from '../../names/word-kinds.js';
import { isOfStatement, kindOf, maybeName } from '../../names/word-kinds.js';

/** Which neighbours belong to a name: known names only, or also a word that is in none of our lists. */
export type Neighbours = 'known' | 'any';

/** A capitalised word, or an initial before another word. */
const NAME = "(\\p{Lu}(?:[\\p{L}'’]+(?:-\\p{Lu}[\\p{L}'’]+)*|(?=\\.|(?: \\p{Lu}))))";
const PARTICLE = '(?:(?:van|von|vom|de|der|den|del|della|di|da|dos|das|du|la|las|los|le|el|al|af|av|bin|zu|zum|zur|ten|ter) )';
const PARTICLES = `(?:${PARTICLE}|${PARTICLE.toUpperCase()}){0,3}`;
const TOGETHER = '(?:und|u\\.|and|et|en|og|och|y|e|i|oraz|UND|U\\.|AND|ET|EN|OG|OCH|Y|E|I|ORAZ|&|\\+) ';
/** Its groups are the word of `Jane and John`, and the name. */
const NEXT = new RegExp(`\\.? (${TOGETHER})?${PARTICLES}${NAME}(?![\\p{L}\\p{N}])`, 'uy');
const BEFORE = new RegExp(
  `(?<![\\p{L}\\p{N}'’-])(${PARTICLES})${NAME.replace('\\.|(?: \\p{Lu})', '[. ]')}\\.? ${PARTICLES}(${TOGETHER})?$`,
  'u',
);
const LONGEST_BEFORE = 60;
const MAX_NEIGHBOURS = 5;
const MIN_LENGTH = 3;
const VOWEL = /[aeiouyàáâãäåæèéêëìíîïòóôõöøùúûüýąęó]/iu;
/** Ends of nouns that German and others write like names. */
const NOUN = /(?:ungen|ung|heit|keit|schaft|tion|tionen|sion|ción|ção|zione|ment|tät|eur|tje|kauf|geld|steuer|beitrag|rechnung)$/iu;
/** What follows the label of a number, as in `Kundennummer 12` or `EREF+12`. A date may also follow a name. */
const OF_LABEL = /^(?! ?(?:\d\d?[./]\d|(?:19|20)\d\d(?!\d)))(?: ?[\d:=#*+/@]|-\d|\.[\p{L}:])/u;
const LONGEST_LABEL_END = 7;

/** So that no half of a name is left: further family names, second given names, and the partner in `Jane and John Doe`. */
export function wholeNames(text: string, ranges: readonly Range[], neighbours: Neighbours = 'any'): Range[] {
  return merged(
    merged(ranges)
      .map((range) => joinedBy(HYPHEN, text, range))
      .map(({ start, end }) => ({ start: startOf(text, start, end, neighbours), end: endOf(text, start, end, neighbours) })),
  );
}

/** The rest of a double name: of `Jane Doe-Zaunberg`, also if only `Jane Doe` was found. */
const HYPHEN = {
  before: /\p{Lu}\p{L}+-$/u,
  after: /^-(?:(?:van|von|de|der|den|ter|la|le|di|da|dos|VAN|VON|DE|DER|DEN|TER|LA|LE|DI|DA|DOS) ){0,3}\p{Lu}\p{L}+(?![\p{L}\p{N}])/u,
};
function joinedBy({ before, after }: typeof HYPHEN, text: string, { start, end }: Range): Range {
  const [first = ''] = before.exec(text.slice(Math.max(0, start - LONGEST_BEFORE), start)) ?? [];
  const [last = ''] = after.exec(text.slice(end, end + LONGEST_BEFORE)) ?? [];
  const isPart = (word: string): boolean => word !== '' && maybeName(word.replace(/^-(?:.* )?|-$/, ''));
  return { start: start - (isPart(first) ? first.length : 0), end: end + (isPart(last) ? last.length : 0) };
}

function endOf(text: string, start: number, from: number, neighbours: Neighbours): number {
  let [end, unknown] = [from, neighbours === 'any' ? 1 : 0];
  for (let count = 0; count < MAX_NEIGHBOURS; count += 1) {
    NEXT.lastIndex = end;
    const next = NEXT.exec(text);
    if (!next) return end;
    const [found, together, name] = [next[0], next[1], next[2]!];
    const after = end + found.length;
    const isPart = isInitial(name) || isKnown(name);
    if (!isPart && (together !== undefined || unknown === 0 || !mayBeName(text, name, after, text.slice(start, from)))) return end;
    if (!isPart) unknown -= 1;
    end = after;
  }
  return end;
}

function startOf(text: string, from: number, end: number, neighbours: Neighbours): number {
  const [first = ''] = /^\p{L}+/u.exec(text.slice(from, end)) ?? [];
  let [start, unknown] = [from, neighbours === 'any' && isCapitals(first) && isFamilyName(first) && !isGivenName(first) ? 1 : 0];
  for (let count = 0; count < MAX_NEIGHBOURS; count += 1) {
    const before = BEFORE.exec(text.slice(Math.max(0, start - LONGEST_BEFORE), start));
    if (!before) return start;
    const [found, particles, name, together] = [before[0], before[1]!, before[2]!, before[3]];
    const isWithParticles = particles !== '' && isFamilyName(`${particles}${name}`);
    const isPart = isWithParticles || (together === undefined ? isInitial(name) || isKnown(name) || isJan(name) : isGivenName(name));
    const begin = start - found.length + (isWithParticles ? 0 : particles.length);
    if (!isPart && (together !== undefined || unknown === 0 || !mayBeName(text, name, begin + name.length, first))) return start;
    if (!isPart) unknown -= 1;
    start = begin;
  }
  return start;
}

const isInitial = (name: string): boolean => name.length === 1;
/** Words that are also words of statements, such as months, are not part of a name for sure. */
const isKnown = (name: string): boolean => ((isGivenName(name) || isFamilyName(name)) && !isOfStatement(name)) || isPatronymic(name);
const isCapitals = (name: string): boolean => name === name.toUpperCase();

/** Whether a word of no list may be a name beside a name that is written in the same way. */
function mayBeName(text: string, word: string, end: number, beside: string): boolean {
  if (kindOf(word) !== 'unknown' || word.length < MIN_LENGTH || isCapitals(word) !== isCapitals(beside)) return false;
  if (!VOWEL.test(word) || NOUN.test(word) || OF_LABEL.test(text.slice(end, end + LONGEST_LABEL_END))) return false;
  return !startsKnownPlaceOrMerchant(text.slice(end - word.length, end + LONGEST_BEFORE));
}

/** Overlapping ranges as one, since only one of them would be masked. */
function merged(ranges: readonly Range[]): Range[] {
  const kept: { start: number; end: number }[] = [];
  for (const { start, end } of ranges.toSorted((one, other) => one.start - other.start)) {
    const last = kept.at(-1);
    if (last && start < last.end) last.end = Math.max(last.end, end);
    else kept.push({ start, end });
  }
  return kept;
}

const WORDS = /(?<![\p{L}\p{N}])\p{Lu}(?:[\p{L}'’]+(?:-\p{Lu}[\p{L}'’]+)*|(?=[. ]))(?![\p{L}\p{N}])/gu;
const PARTICLES_OF_NAMES = 'van|von|vom|de|der|den|del|della|di|da|dos|du|la|le|el|al|af|av|zu|ten|ter';
const IS_PARTICLE = new RegExp(`^(?:${PARTICLES_OF_NAMES})$`, 'i');
/** Between the names of a person: a blank, the dot of an initial, particles. */
const WITHIN_NAME = new RegExp(`^\\.? (?:(?:${PARTICLES_OF_NAMES}) ){0,3}$`, 'i');
const COMMA = /^, ?$/;
const MIN_BEFORE_COMMA = 3;
const MAX_GIVEN = 3;
const MIN_GIVEN_BEFORE_RARE = 3;

/** Names of people without a word before them: `Erika Mustermann`, `MUSTERMANN ERIKA`, `Mustermann, Erika`. */
export function findFullNames(text: string): Range[] {
  const words = wordsIn(text, WORDS, (word) => !IS_PARTICLE.test(word));
  // Card payments go to shops, and many shops are named after people.
  if (!words.some(({ text: word }) => isGivenName(word) || isJan(word)) || isCardPaymentText(text)) return [];
  return words.flatMap((_word, index) => (isGiven(words, index) ? (namesAt(words, index, text) ?? []) : []));
}

const isGiven = (words: readonly Word[], index: number): boolean =>
  isGivenName(words[index]!.text) || (isJan(words[index]!.text) && nextIsFamily(words[index + 1]));

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
