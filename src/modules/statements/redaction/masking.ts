import type { Detector, Finding, Kind } from './finding.js';
import { isLetterOrDigit, MASK, SearchableText } from './searchable-text.js';

/** A masked range may have hidden another one, such as a card beside an IBAN, so detectors run again. Few texts need a third round. */
const MAX_ROUNDS = 4;

/** Returns the replacement for a finding. */
export type MaskOf = (kind: Kind, value: string) => string;

/** A text while it is being masked. One character stands for each mask, so that no detector matches in or across a mask. */
interface Draft {
  readonly searchable: SearchableText;
  /** In the order of the text. */
  readonly masks: readonly string[];
}

export interface Masked {
  readonly text: string;
  /** The kind of a finding that is left after the last round. Then the text must not be stored. */
  readonly remaining: Kind | undefined;
}

/**
 * Masks everything that the detectors find in a plain text, one detector after the other, until none of them finds anything in the text
 * as it is by then.
 */
export function maskText(text: string, detectors: readonly Detector[], maskOf: MaskOf): Masked {
  if (text === '') return { text, remaining: undefined };
  let draft: Draft = { searchable: new SearchableText(text), masks: [] };
  let [turn, foundNothing] = [0, 0];
  for (; foundNothing < detectors.length && turn < MAX_ROUNDS * detectors.length; turn += 1) {
    const before = draft;
    const detector = detectors[turn % detectors.length]!;
    draft = hide(draft, detector(draft.searchable), maskOf);
    foundNothing = draft === before ? foundNothing + 1 : 0;
  }
  const isDone = foundNothing >= detectors.length;
  return { text: unhide(draft), remaining: isDone ? undefined : firstKindFound(draft.searchable, detectors) };
}

/** The kind of the first finding; undefined if there is none. */
export function firstKindFound(searchable: SearchableText, detectors: readonly Detector[]): Kind | undefined {
  for (const detector of detectors) {
    const [finding] = detector(searchable);
    if (finding) return finding.kind;
  }
  return undefined;
}

function hide(draft: Draft, findings: readonly Finding[], maskOf: MaskOf): Draft {
  if (findings.length === 0) return draft;
  const { text } = draft.searchable;
  const earlier = draft.masks.values();
  const masks: string[] = [];
  let hidden = '';
  const keep = (part: string): void => {
    hidden += part;
    for (const character of part) if (character === MASK) masks.push(earlier.next().value!);
  };
  let from = 0;
  for (const { kind, start, end, value = text.slice(start, end) } of withoutOverlaps(findings)) {
    keep(text.slice(from, start));
    masks.push(maskOf(kind, value));
    hidden += MASK;
    from = end;
  }
  keep(text.slice(from));
  return { searchable: new SearchableText(hidden), masks };
}

/** Puts the masks in, separated by blanks from adjacent words. */
function unhide({ searchable: { text }, masks }: Draft): string {
  const left = masks.values();
  return text.replaceAll(MASK, (_mask, offset: number) => {
    const before = isLetterOrDigit(text[offset - 1]) || text[offset - 1] === MASK ? ' ' : '';
    const after = isLetterOrDigit(text[offset + 1]) ? ' ' : '';
    return `${before}${left.next().value!}${after}`;
  });
}

function withoutOverlaps(findings: readonly Finding[]): Finding[] {
  const kept: Finding[] = [];
  for (const finding of findings.toSorted((one, other) => one.start - other.start || other.end - one.end)) {
    if (finding.start >= (kept.at(-1)?.end ?? 0)) kept.push(finding);
  }
  return kept;
}
