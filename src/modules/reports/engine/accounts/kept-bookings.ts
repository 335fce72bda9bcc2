import { getOrCreate } from '../amounts/currency-ledger.js';
import type { RunLine, RunStatement } from '../inputs.js';

/** Words that banks add to any booking, and words of tokens. They say nothing about which booking it is. */
// oxfmt-ignore
const GENERIC = new Set([
  'ACCOUNT', 'PERSON', 'CARD', 'PAYMENT', 'TRANSFER', 'DIRECT', 'DEBIT', 'CREDIT', 'STANDING', 'ORDER', 'PURCHASE', 'SEPA', 'FASTER',
  'FROM',
  'DATE', 'REFERENCE', 'INSTANT', 'ONLINE', 'BANK', 'EREF', 'MREF', 'SVWZ', 'CRED', 'NOTPROVIDED',
  'LASTSCHRIFT', 'ÜBERWEISUNG', 'UEBERWEISUNG', 'GUTSCHRIFT', 'KARTENZAHLUNG', 'BASISLASTSCHRIFT', 'FOLGELASTSCHRIFT', 'DAUERAUFTRAG',
  'VIREMENT', 'PRELEVEMENT', 'PRLV', 'CARTE', 'ACHAT', 'PAIEMENT', 'BETAALPAS', 'PASVOLGNR', 'OVERBOEKING', 'INCASSO', 'IDEAL', 'TRTP',
  'IBAN', 'NAAM', 'OMSCHRIJVING', 'TRANSFERENCIA', 'RECIBO', 'COMPRA', 'TARJETA', 'BONIFICO', 'PAGAMENTO', 'ADDEBITO', 'CARTA', 'PRZELEW',
]);
const WORD = /[\p{L}\p{N}]{4,}/gu;
/** Years, days and short numbers, which many bookings have in common. */
const COMMON_NUMBER = /^(?:\d{4,5}|(?:19|20)\d{6}|\d{4}(?:19|20)\d{2})$/;

/** The words of a line that can tell it from others of the same day and amount, as numbers, which take less memory. */
function saidWords({ description, counterparty, reference }: RunLine): ReadonlySet<number> {
  const words = `${description} ${counterparty ?? ''} ${reference ?? ''}`.normalize('NFKC').toUpperCase().match(WORD) ?? [];
  return new Set(words.filter((word) => !GENERIC.has(word) && !COMMON_NUMBER.test(word)).map(numberOf));
}

function sharedWords(one: ReadonlySet<number>, other: ReadonlySet<number>): number {
  let shared = 0;
  for (const word of one) if (other.has(word)) shared += 1;
  return shared;
}

/** FNV-1a. */
function numberOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < word.length; index += 1) hash = Math.imul(hash ^ word.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

/** A line that may be compared with lines of other statements. */
export interface Candidate {
  readonly statement: RunStatement;
  readonly line: RunLine;
  readonly words: ReadonlySet<number>;
}

export const candidateOf = (statement: RunStatement, line: RunLine): Candidate => ({ statement, line, words: saidWords(line) });

/** A line and the earlier line with the same account, day, amount and currency that it was compared with. */
export interface Pair {
  readonly later: Candidate;
  readonly earlier: Candidate;
  /**
   * `same`: one booking. `similar`: one booking as other formats write it, or two; nothing but account, day and amount tells.
   * `separate`: the same format writes it in another way, so it is another booking, unless the bank has changed its text.
   */
  readonly is: 'same' | 'similar' | 'separate';
}

/** More comparisons of texts than this would take too long: all of these lines have the same day and amount. */
const MAX_COMPARISONS = 10_000;

/** Compares the lines of a statement with earlier ones of the same account, day, amount and currency. Each is in one pair at most. */
export function pairsOf(lines: readonly Candidate[], earlier: readonly Candidate[]): Pair[] {
  const [open, free] = [new Set(lines), new Set(earlier)];
  const pairs: Pair[] = [];
  const pair = (later: Candidate, other: Candidate, is: Pair['is']): void => {
    open.delete(later);
    free.delete(other);
    pairs.push({ later, earlier: other, is });
  };
  for (const [later, other] of byFingerprint(lines, earlier)) pair(later, other, 'same');
  for (const [later, other] of byWords([...open], [...free])) if (open.has(later) && free.has(other)) pair(later, other, 'same');
  for (const later of [...open]) {
    const [other] = free;
    if (other) pair(later, other, sameFormat(later, other) ? 'separate' : 'similar');
  }
  return pairs;
}

function* byFingerprint(lines: readonly Candidate[], earlier: readonly Candidate[]): Generator<readonly [Candidate, Candidate]> {
  const byPrint = new Map<string, Candidate[]>();
  for (const other of earlier) getOrCreate(byPrint, other.line.fingerprint, () => []).push(other);
  for (const later of lines) {
    const other = byPrint.get(later.line.fingerprint)?.pop();
    if (other) yield [later, other];
  }
}

/** Pairs with words in common, those with the most first. The same format would not write a booking in two ways. */
function byWords(lines: readonly Candidate[], earlier: readonly Candidate[]): (readonly [Candidate, Candidate])[] {
  if (lines.length * earlier.length > MAX_COMPARISONS) return [];
  const found = lines.flatMap((later) =>
    earlier
      .filter((other) => !sameFormat(later, other))
      .map((other) => ({ pair: [later, other] as const, shared: sharedWords(later.words, other.words) })),
  );
  return found
    .filter(({ shared }) => shared > 0)
    .sort((a, b) => b.shared - a.shared)
    .map(({ pair }) => pair);
}

const sameFormat = (one: Candidate, other: Candidate): boolean => one.statement.format === other.statement.format;
