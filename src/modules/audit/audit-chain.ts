import { createHash } from 'node:crypto';
import { canonicalJson } from '../../kernel/json.js';

/** What of an exported audit event the chain is made of; its other members go into the hash as they are. */
export interface ChainedRow {
  readonly id: string;
  readonly sequence: number;
  readonly previousHash: string;
  readonly hash: string;
}

/** A place in the chain: how many rows there are up to it, and the hash of the last of them. */
export interface ChainHead {
  readonly sequence: number;
  readonly hash: string;
}

export interface ChainFault {
  /** The place where the log is first not as it was sealed. */
  readonly sequence: number;
  /** The row that stands there, or in its stead; null when none does. */
  readonly id: string | null;
  readonly kind: 'altered' | 'missing' | 'out_of_order';
  readonly message: string;
}

export interface ChainVerdict {
  /** How many rows were found to be in order. */
  readonly rows: number;
  readonly head: ChainHead;
  readonly fault: ChainFault | null;
}

/** Before the first row. */
export const CHAIN_START: ChainHead = { sequence: 0, hash: '0'.repeat(64) };

/** Lower-case hex SHA-256 of the hash before it and the row as it is exported, without its own hash, in canonical form (RFC 8785). */
export function hashOfRow({ hash: _hash, ...row }: Omit<ChainedRow, 'hash'> & { readonly hash?: string }): string {
  return createHash('sha256')
    .update(`${row.previousHash}${canonicalJson(row)}`)
    .digest('hex');
}

/**
 * Recomputes the chain over exported rows, in the order of the export, from its start or from a head that is known to be good.
 * It needs nothing but the rows; `head` is where to go on with the next page, or what to keep as proof of all that is before it.
 * Heads that are `known` from elsewhere are places that the chain has to lead through.
 */
export function verifyChain(rows: Iterable<ChainedRow>, after: ChainHead = CHAIN_START, known: readonly ChainHead[] = []): ChainVerdict {
  let head = after;
  for (const row of rows) {
    const fault = faultOf(row, head) ?? faultAtHead(row, known);
    if (fault) return { rows: head.sequence - after.sequence, head, fault };
    head = { sequence: row.sequence, hash: row.hash };
  }
  return { rows: head.sequence - after.sequence, head, fault: null };
}

function faultOf(row: ChainedRow, before: ChainHead): ChainFault | undefined {
  const expected = before.sequence + 1;
  if (!isWhole(row))
    return {
      sequence: expected,
      id: null,
      kind: 'altered',
      message: `Row ${expected} is no audit event: its id, sequence or hashes are not what they must be.`,
    };
  const at = (sequence: number, kind: ChainFault['kind'], message: string): ChainFault => ({ sequence, id: row.id, kind, message });
  if (row.sequence > expected)
    return at(expected, 'missing', `Row ${expected} is not there; after row ${before.sequence} comes row ${row.sequence} (${row.id}).`);
  if (row.sequence < expected)
    return at(row.sequence, 'out_of_order', `Row ${row.sequence} (${row.id}) stands after row ${before.sequence}.`);
  if (hashOfRow(row) !== row.hash)
    return at(expected, 'altered', `Row ${expected} (${row.id}) is not what was sealed: its hash is that of another content.`);
  if (row.previousHash !== before.hash)
    return at(expected, 'altered', `Row ${expected} (${row.id}) does not follow from row ${before.sequence}: one of the two was replaced.`);
  return undefined;
}

/** What is checked may come from a file that anybody has written. */
function isWhole({ id, sequence, previousHash, hash }: ChainedRow): boolean {
  return Number.isSafeInteger(sequence) && [id, previousHash, hash].every((text) => typeof text === 'string');
}

function faultAtHead({ sequence, id, hash }: ChainedRow, known: readonly ChainHead[]): ChainFault | undefined {
  if (known.every((head) => head.sequence !== sequence || head.hash === hash)) return undefined;
  return {
    sequence,
    id,
    kind: 'altered',
    message: `Row ${sequence} (${id}) is not the one that was the head: it, or rows before it, were replaced.`,
  };
}

/** The log comes as far as every head that is known from elsewhere; the fault where it does not. */
export function faultAtEnd(known: readonly ChainHead[], last: ChainHead): ChainFault | null {
  const farthest = Math.max(...known.map(({ sequence }) => sequence));
  const first = last.sequence + 1;
  if (farthest < first) return null;
  const which = first === farthest ? `Row ${first} is` : `Rows ${first} to ${farthest} are`;
  return { sequence: first, id: null, kind: 'missing', message: `${which} not there: the log was cut off.` };
}
