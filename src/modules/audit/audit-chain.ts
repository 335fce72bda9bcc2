import { createHash } from 'node:crypto';
import { FORGOTTEN } from '../../kernel/audit-actions.js';
import { canonicalJson } from '../../kernel/json.js';

/** What stands for values in the hash, or opens them, by their places in the exported event, such as `changes.email.to`. */
export type ByPlace = Readonly<Record<string, string>>;

/** The members of an exported audit event that form the chain. The hash covers all other members too, those in `commitments` by these. */
export interface ChainedRow {
  readonly id: string;
  readonly sequence: number;
  readonly previousHash: string;
  readonly hash: string;
  readonly commitments?: ByPlace | undefined;
  readonly salts?: ByPlace | undefined;
}

export interface ChainHead {
  readonly sequence: number;
  readonly hash: string;
}

export interface ChainFault {
  /** The first sequence at which the log differs from what was sealed. */
  readonly sequence: number;
  readonly id: string | null;
  readonly kind: 'altered' | 'missing' | 'out_of_order';
  readonly message: string;
}

export interface ChainVerdict {
  readonly rows: number;
  readonly head: ChainHead;
  readonly fault: ChainFault | null;
}

export const CHAIN_START: ChainHead = { sequence: 0, hash: '0'.repeat(64) };

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * Lower-case hex SHA-256 of the previous hash and the exported row as canonical JSON (RFC 8785), without its own hash. A row with
 * commitments is hashed without salts and without the members that it is committed to. If one of these is not what was committed, ''.
 */
export function hashOfRow({ hash: _hash, ...row }: Omit<ChainedRow, 'hash'> & { readonly hash?: string }): string {
  const { commitments, salts, ...open } = row;
  const hashed = commitments === undefined ? row : withoutCommitted({ ...open, commitments }, salts);
  return hashed ? sha256(`${row.previousHash}${canonicalJson(hashed)}`) : '';
}

/** Nothing else can be forgotten. */
const PLACES = /^(?:actor\.name|ipAddress|changes\.[^.]+\.(?:from|to))$/;
const SALT = /^[0-9a-f]{32}$/;

export const commitmentOf = (salt: string, value: unknown): string => sha256(salt + canonicalJson(value));

/** Rows may come from a file, so their types are not certain. */
function withoutCommitted(row: { readonly commitments: ByPlace }, salts: unknown): object | undefined {
  if (!isObject(row.commitments)) return undefined;
  const rest = structuredClone(row) as object;
  for (const [place, commitment] of Object.entries(row.commitments)) {
    const path = place.split('.');
    const name = path.pop()!;
    const owner = path.reduce<unknown>((at, step) => (isObject(at) && Object.hasOwn(at, step) ? at[step] : undefined), rest);
    if (!PLACES.test(place) || !isObject(owner) || !Object.hasOwn(owner, name)) return undefined;
    const salt = isObject(salts) && Object.hasOwn(salts, place) ? String(salts[place]) : undefined;
    const isForgotten = owner[name] === (place === 'ipAddress' ? null : FORGOTTEN);
    if (salt === undefined ? !isForgotten : !SALT.test(salt) || commitmentOf(salt, owner[name]) !== commitment) return undefined;
    delete owner[name];
  }
  return rest;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** From the start, or from the head of the previous page. Needs nothing but the rows. Every `known` head must be in the chain. */
export function verifyChain(rows: Iterable<ChainedRow>, after: ChainHead = CHAIN_START, known: readonly ChainHead[] = []): ChainVerdict {
  let head = after;
  for (const row of rows) {
    const fault = faultOf(row, head) ?? faultAtKnownHead(row, known);
    if (fault) return { rows: head.sequence - after.sequence, head, fault };
    head = { sequence: row.sequence, hash: row.hash };
  }
  return { rows: head.sequence - after.sequence, head, fault: null };
}

function faultOf(row: ChainedRow, before: ChainHead): ChainFault | undefined {
  const expected = before.sequence + 1;
  if (!isWellFormed(row))
    return {
      sequence: expected,
      id: null,
      kind: 'altered',
      message: `Row ${expected} is not a valid audit event: its id, sequence or hashes have the wrong type.`,
    };
  const at = (sequence: number, kind: ChainFault['kind'], message: string): ChainFault => ({ sequence, id: row.id, kind, message });
  if (row.sequence > expected)
    return at(expected, 'missing', `Row ${expected} is missing: row ${before.sequence} is followed by row ${row.sequence} (${row.id}).`);
  if (row.sequence < expected)
    return at(row.sequence, 'out_of_order', `Row ${row.sequence} (${row.id}) is out of order: it follows row ${before.sequence}.`);
  if (hashOfRow(row) !== row.hash)
    return at(expected, 'altered', `Row ${expected} (${row.id}) was changed: its content does not match its hash.`);
  if (row.previousHash !== before.hash)
    return at(
      expected,
      'altered',
      `Row ${expected} (${row.id}) does not match the hash of row ${before.sequence}: one of the two was replaced.`,
    );
  return undefined;
}

/** Rows may come from a file, so their types are not certain. */
function isWellFormed({ id, sequence, previousHash, hash }: ChainedRow): boolean {
  return Number.isSafeInteger(sequence) && [id, previousHash, hash].every((text) => typeof text === 'string');
}

function faultAtKnownHead({ sequence, id, hash }: ChainedRow, known: readonly ChainHead[]): ChainFault | undefined {
  if (known.every((head) => head.sequence !== sequence || head.hash === hash)) return undefined;
  return {
    sequence,
    id,
    kind: 'altered',
    message: `Row ${sequence} (${id}) does not match the known head: this row or rows before it were replaced.`,
  };
}

export function faultAtEnd(known: readonly ChainHead[], last: ChainHead): ChainFault | null {
  const farthest = Math.max(...known.map(({ sequence }) => sequence));
  const first = last.sequence + 1;
  if (farthest < first) return null;
  const which = first === farthest ? `Row ${first} is` : `Rows ${first} to ${farthest} are`;
  return { sequence: first, id: null, kind: 'missing', message: `${which} missing: the end of the log was removed.` };
}
