import type { SearchableText } from './searchable-text.js';

export type Kind =
  'email' | 'iban' | 'uk_account' | 'us_routing' | 'account' | 'national_id' | 'card' | 'phone' | 'postal_address' | 'person';

/** A place in a text that tells of a person. */
export interface Finding {
  readonly kind: Kind;
  readonly start: number;
  readonly end: number;
  /** Of an account or a person: what the token is made of. Where it is not given, it is the text of the place. */
  readonly value?: string;
}

/** Finds places, in any order; where some overlap, the first one counts. */
export type Detector = (searchable: SearchableText) => readonly Finding[];

/**
 * The places that a pattern finds: its last group, which has to end the match, so that words of context may stand before it.
 * The pattern has to be global, and to have a bound on all that it repeats, so that no text takes it more than linear time.
 */
export function findingsOf(
  kind: Kind,
  pattern: RegExp,
  text: string,
  accepts: (found: string) => boolean = () => true,
): readonly Finding[] {
  return matchesOf(pattern, text)
    .map((match) => ({ end: match.index + match[0].length, found: match.at(-1)! }))
    .filter(({ found }) => accepts(found))
    .map(({ end, found }) => ({ kind, start: end - found.length, end }));
}

const NONE: readonly RegExpExecArray[] = [];

/** As `matchAll`, which makes a copy of the pattern each time: that would take most of the time of a redaction. */
export function matchesOf(pattern: RegExp, text: string): readonly RegExpExecArray[] {
  pattern.lastIndex = 0;
  let match = pattern.exec(text);
  if (!match) return NONE;
  const matches: RegExpExecArray[] = [];
  for (; match; match = pattern.exec(text)) matches.push(match);
  return matches;
}
