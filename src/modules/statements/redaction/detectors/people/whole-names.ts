import type { Range } from '../../finding.js';
import { startsKnownPlaceOrMerchant } from '../../names/phrases.js';
import { isFamilyName, isGivenName, isJan, isOfStatement, isPatronymic, kindOf, maybeName } from '../../names/word-kinds.js';

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
export function mayBeName(text: string, word: string, end: number, beside: string): boolean {
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
