import type { SearchableText } from './searchable-text.js';

export type Kind =
  | 'email'
  | 'iban'
  | 'uk_account'
  | 'us_routing'
  | 'account'
  | 'national_id'
  | 'document'
  | 'birth_date'
  | 'card'
  | 'phone'
  | 'postal_address'
  | 'person';

/** A range of a text with personal data. */
export interface Finding {
  readonly kind: Kind;
  readonly start: number;
  readonly end: number;
  /** What the token is made from, for an account or a person. Defaults to the text of the range. */
  readonly value?: string;
}

/** Finds ranges, in any order. Of overlapping ranges, the first one is used. */
export type Detector = (searchable: SearchableText) => readonly Finding[];

/**
 * The ranges that a pattern finds: its last group, which must end the match, so that context may come before it. The pattern must
 * be global and all its repetitions bounded, so that it takes linear time on any text.
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

/** Like `matchAll`, but without its copy of the pattern, which would take most of the time of a redaction. */
export function matchesOf(pattern: RegExp, text: string): readonly RegExpExecArray[] {
  pattern.lastIndex = 0;
  let match = pattern.exec(text);
  if (!match) return NONE;
  const matches: RegExpExecArray[] = [];
  for (; match; match = pattern.exec(text)) matches.push(match);
  return matches;
}
