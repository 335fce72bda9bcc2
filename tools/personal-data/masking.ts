import { TOKEN_IN_TEXT, type TokenKind, tokenOf } from './tokens/tokens.js';
import { type Detector, type Finding, isLetterOrDigit, isMask, type Kind, MASK, PERSON_MASK, SearchableText } from './finding.js';

/** A masked range may have hidden another one, such as a card beside an IBAN, so detectors run again. Few texts need a third round. */
const MAX_ROUNDS = 4;

export type MaskOf = (kind: Kind, value: string) => string;

/** A text while it is being masked. One character stands for each mask, so that no detector matches in or across a mask. */
interface Draft {
  readonly searchable: SearchableText;
  readonly masks: readonly string[];
}

export interface Masked {
  readonly text: string;
  /** The kind of a finding that is left after the last round. Then the text must not be stored. */
  readonly remaining: Kind | undefined;
}

/** All search the whole text before anything is masked: a mask over a part of a number would hide the rest of it from its detector. */
export function maskText(text: string, detectors: readonly Detector[], maskOf: MaskOf): Masked {
  if (text === '') return { text, remaining: undefined };
  let draft: Draft = { searchable: new SearchableText(text), masks: [] };
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const findings = detectors.flatMap((detector) => detector(draft.searchable));
    if (findings.length === 0) return { text: unhide(draft), remaining: undefined };
    draft = hide(draft, findings, maskOf);
  }
  return { text: unhide(draft), remaining: firstKindFound(draft.searchable, detectors) };
}

/** A text that was masked before. Its tokens are no words: beside numbers they would look like the street of an address. */
export const searchableOfMasked = (text: string): SearchableText =>
  new SearchableText(text.replace(TOKEN_IN_TEXT, (_token, kind) => (kind === 'PERSON' ? PERSON_MASK : MASK)));

export function firstKindFound(searchable: SearchableText, detectors: readonly Detector[]): Kind | undefined {
  for (const detector of detectors) {
    const [finding] = detector(searchable);
    if (finding) return finding.kind;
  }
  return undefined;
}

function hide(draft: Draft, findings: readonly Finding[], maskOf: MaskOf): Draft {
  const { text } = draft.searchable;
  const earlier = draft.masks.values();
  const masks: string[] = [];
  let hidden = '';
  const keep = (part: string): void => {
    hidden += part;
    for (const character of part) if (isMask(character)) masks.push(earlier.next().value!);
  };
  let from = 0;
  for (const { kind, start, end, value = text.slice(start, end) } of withoutOverlaps(findings, text)) {
    keep(text.slice(from, start));
    masks.push(maskOf(kind, value));
    hidden += kind === 'person' ? PERSON_MASK : MASK;
    from = end;
  }
  keep(text.slice(from));
  return { searchable: new SearchableText(hidden), masks };
}

/** Puts the masks in, separated by blanks from adjacent words. */
function unhide({ searchable: { text }, masks }: Draft): string {
  const left = masks.values();
  return text.replace(/[\ue000\ue001]/g, (_mask, offset: number) => {
    const before = isLetterOrDigit(text[offset - 1]) || isMask(text[offset - 1]) ? ' ' : '';
    const after = isLetterOrDigit(text[offset + 1]) ? ' ' : '';
    return `${before}${left.next().value!}${after}`;
  });
}

/** The longest has the range, then the earlier, more certain detector. What another has beyond it may be the rest of a number. */
function withoutOverlaps(findings: readonly Finding[], text: string): Finding[] {
  const owners = new Array<Finding | undefined>(text.length);
  for (const finding of findings.toSorted((one, other) => other.end - other.start - (one.end - one.start))) {
    for (let at = finding.start; at < finding.end; at += 1) owners[at] ??= finding;
  }
  const kept: Finding[] = [];
  for (let from = 0, to = 1; to <= text.length; to += 1) {
    const owner = owners[from];
    if (to < text.length && owners[to] === owner) continue;
    if (owner) kept.push(...partOf(owner, from, to, text));
    from = to;
  }
  return kept;
}

/** The whole finding, or what longer ones left of it, without the blanks and signs around that. */
function partOf(finding: Finding, from: number, to: number, text: string): Finding[] {
  if (from === finding.start && to === finding.end) return [finding];
  const part = text.slice(from, to);
  const first = part.search(/[\p{L}\p{N}]/u);
  if (first < 0) return [];
  return [{ kind: finding.kind, start: from + first, end: from + part.replace(/[^\p{L}\p{N}]+$/u, '').length }];
}

/** Equal values have equal tokens, so that programs can tell them apart. */
const WITH_TOKENS: readonly Kind[] = ['iban', 'uk_account', 'account', 'person'];

/** Such as `[NATIONAL-ID]`; of `postal_address` and `us_routing` the second word. */
export const maskWith = (kind: Kind, value: string, token: (kind: TokenKind, value: string) => string): string =>
  WITH_TOKENS.includes(kind)
    ? token(kind === 'person' ? 'person' : 'account', value)
    : `[${kind
        .replace(/^(?:postal|us)_/, '')
        .replace('_', '-')
        .toUpperCase()}]`;

export const maskOf = (key: Buffer, kind: Kind, value: string): string =>
  maskWith(kind, value, (tokenKind, same) => tokenOf(key, tokenKind, same));
