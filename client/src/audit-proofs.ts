import { ClaimsError } from './errors.js';
import type { AuditEvent, AuditProof, AuditConsistency } from './generated-types.js';
import { hashOfRow } from '../../public/verify-chain.js';

/** A proof, or what it is about, is not what the service has signed. */
export class AuditProofError extends ClaimsError<'audit_proof'> {
  constructor(message: string) {
    super('audit_proof', message);
  }
}

/** What a checkpoint says: that the log named `origin` has `size` events, with this root (Base64) over them. */
export interface AuditCheckpointHead {
  readonly origin: string;
  readonly size: number;
  readonly root: string;
}

type Bytes = Uint8Array<ArrayBuffer>;

const utf8 = (text: string): Bytes => new TextEncoder().encode(text);
const fromBase64 = (text: string): Bytes => Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
const toBase64 = (bytes: Bytes): string => btoa(String.fromCharCode(...bytes));
const fromHex = (text: string): Bytes => Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
const toHex = (bytes: Bytes): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

function joined(...parts: readonly Bytes[]): Bytes {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

const sha256 = async (...parts: readonly Bytes[]): Promise<Bytes> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', joined(...parts)));
const nodeOf = (left: Bytes, right: Bytes): Promise<Bytes> => sha256(Uint8Array.of(1), left, right);

function hashesIn(text: string): Bytes[] {
  const bytes = fromBase64(text);
  if (bytes.length % 32 !== 0) throw new AuditProofError('The proof is not made of hashes of 32 bytes.');
  return Array.from({ length: bytes.length / 32 }, (_none, at) => bytes.slice(at * 32, at * 32 + 32));
}

/**
 * What a signed checkpoint says. `keys`: those of the service, as a checkpoint or an operator gives them (`name+id+key`). Keep them from
 * the first time: a key that comes with the checkpoint itself shows only that both come from the same place.
 */
export async function openAuditCheckpoint(note: string, keys: readonly string[]): Promise<AuditCheckpointHead> {
  const end = note.lastIndexOf('\n\n');
  const [text, signatures] = [note.slice(0, end + 1), note.slice(end + 2)];
  for (const line of signatures.split('\n')) {
    const [, signer, signature = ''] = line.split(' ');
    for (const key of keys) {
      const [, name, id, encoded = ''] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(key) ?? [];
      if (name === undefined || name !== signer || !(await isSigned(text, fromBase64(signature), { name, id, key: fromBase64(encoded) })))
        continue;
      const [origin, size, root] = text.split('\n');
      if (origin === name && root !== undefined && /^\d+$/.test(size ?? '')) return { origin, size: Number(size), root };
    }
  }
  throw new AuditProofError('None of these keys has signed the checkpoint.');
}

async function isSigned(text: string, signature: Bytes, by: { name: string; id: string | undefined; key: Bytes }): Promise<boolean> {
  const id = toHex((await sha256(utf8(`${by.name}\n`), by.key)).slice(0, 4));
  // The first byte is the kind of the key: Ed25519.
  if (by.key[0] !== 1 || by.key.length !== 33 || id !== by.id || toHex(signature.slice(0, 4)) !== id) return false;
  const publicKey = await crypto.subtle.importKey('raw', by.key.slice(1), 'Ed25519', false, ['verify']);
  return crypto.subtle.verify('Ed25519', publicKey, signature.slice(4), utf8(text));
}

/** Throws an `AuditProofError` unless the event is in the log of the checkpoint. Returns what the checkpoint says. */
export async function verifyAuditProof(event: AuditEvent, proof: AuditProof, keys: readonly string[]): Promise<AuditCheckpointHead> {
  const head = await openAuditCheckpoint(proof.checkpoint.note, keys);
  let hash = await sha256(Uint8Array.of(0), fromHex(await hashOfRow(event)));
  let [place, last] = [BigInt(event.sequence) - 1n, BigInt(head.size) - 1n];
  let isWhole = place >= 0n && place <= last;
  for (const next of hashesIn(proof.hashes)) {
    isWhole &&= last > 0n;
    if (place % 2n === 1n || place === last) {
      hash = await nodeOf(next, hash);
      while (place % 2n === 0n && place !== 0n) [place, last] = [place >> 1n, last >> 1n];
    } else hash = await nodeOf(hash, next);
    [place, last] = [place >> 1n, last >> 1n];
  }
  if (isWhole && last === 0n && toBase64(hash) === head.root) return head;
  throw new AuditProofError(`Event ${event.sequence} is not in the log of the checkpoint, or was changed.`);
}

/** Throws an `AuditProofError` unless the log of the newest checkpoint begins with that of an earlier one. Returns what the newest says. */
export async function verifyAuditConsistency(
  earlier: string,
  proof: AuditConsistency,
  keys: readonly string[],
): Promise<AuditCheckpointHead> {
  const [old, head] = [await openAuditCheckpoint(earlier, keys), await openAuditCheckpoint(proof.checkpoint.note, keys)];
  const given = hashesIn(proof.hashes);
  if (old.origin !== head.origin) throw new AuditProofError('The two checkpoints are about different logs.');
  const isSame = old.size === head.size && given.length === 0 && old.root === head.root;
  if (isSame || (await isContinued(old, head, given))) return head;
  throw new AuditProofError(`The log does not begin with the ${old.size} events of the earlier checkpoint: it was rewritten.`);
}

/** RFC 9162, 2.1.4.2. */
async function isContinued(old: AuditCheckpointHead, head: AuditCheckpointHead, given: readonly Bytes[]): Promise<boolean> {
  const isPower = Number.isInteger(Math.log2(old.size));
  const [first, ...rest] = isPower ? [fromBase64(old.root), ...given] : given;
  if (!first || old.size >= head.size) return false;
  let [place, last] = [BigInt(old.size) - 1n, BigInt(head.size) - 1n];
  while (place % 2n === 1n) [place, last] = [place >> 1n, last >> 1n];
  let [before, after] = [first, first];
  for (const next of rest) {
    if (last === 0n) return false;
    if (place % 2n === 1n || place === last) {
      [before, after] = [await nodeOf(next, before), await nodeOf(next, after)];
      while (place % 2n === 0n && place !== 0n) [place, last] = [place >> 1n, last >> 1n];
    } else after = await nodeOf(after, next);
    [place, last] = [place >> 1n, last >> 1n];
  }
  return last === 0n && toBase64(before) === old.root && toBase64(after) === head.root;
}
