import { createHash, createPublicKey, verify } from 'node:crypto';

// Verifies proofs of audit logs from the specifications alone (RFC 9162 sections 2.1.3 and 2.1.4, C2SP signed-note and tlog-checkpoint):
// it shares no code with the service or the client library.

const sha256 = (...parts: readonly Buffer[]): Buffer => createHash('sha256').update(Buffer.concat(parts)).digest();
const node = (left: Buffer, right: Buffer): Buffer => sha256(Buffer.of(1), left, right);

/** The root by its definition: slow, and obviously right. */
export function rootByDefinition(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 1) return leaves[0]!;
  let half = 1;
  while (half * 2 < leaves.length) half *= 2;
  return node(rootByDefinition(leaves.slice(0, half)), rootByDefinition(leaves.slice(half)));
}

export const leafOf = (bytes: Buffer): Buffer => sha256(Buffer.of(0), bytes);

export function split(base64: string): Buffer[] {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length % 32 !== 0) throw new Error('not hashes of 32 bytes');
  return Array.from({ length: bytes.length / 32 }, (_none, at) => bytes.subarray(at * 32, at * 32 + 32));
}

/** RFC 9162, 2.1.3.2. */
export function isIncluded(leaf: Buffer, index: number, size: number, path: readonly Buffer[], root: Buffer): boolean {
  if (index >= size) return false;
  let [fn, sn, r] = [BigInt(index), BigInt(size) - 1n, leaf];
  for (const p of path) {
    if (sn === 0n) return false;
    if (fn % 2n === 1n || fn === sn) {
      r = node(p, r);
      while (fn % 2n === 0n && fn !== 0n) [fn, sn] = [fn >> 1n, sn >> 1n];
    } else r = node(r, p);
    [fn, sn] = [fn >> 1n, sn >> 1n];
  }
  return sn === 0n && r.equals(root);
}

/** RFC 9162, 2.1.4.2. */
export function isConsistent(
  [first, firstRoot]: readonly [number, Buffer],
  [second, secondRoot]: readonly [number, Buffer],
  given: readonly Buffer[],
): boolean {
  if (first === second) return given.length === 0 && firstRoot.equals(secondRoot);
  const path = Number.isInteger(Math.log2(first)) ? [firstRoot, ...given] : [...given];
  if (path.length === 0) return false;
  let [fn, sn] = [BigInt(first) - 1n, BigInt(second) - 1n];
  while (fn % 2n === 1n) [fn, sn] = [fn >> 1n, sn >> 1n];
  let [fr, sr] = [path[0]!, path[0]!];
  for (const c of path.slice(1)) {
    if (sn === 0n) return false;
    if (fn % 2n === 1n || fn === sn) {
      [fr, sr] = [node(c, fr), node(c, sr)];
      while (fn % 2n === 0n && fn !== 0n) [fn, sn] = [fn >> 1n, sn >> 1n];
    } else sr = node(sr, c);
    [fn, sn] = [fn >> 1n, sn >> 1n];
  }
  return fr.equals(firstRoot) && sr.equals(secondRoot) && sn === 0n;
}

export interface Checkpoint {
  readonly origin: string;
  readonly size: number;
  readonly root: Buffer;
}

/** What a note says, if it was signed by the key of `name+id+key`; else it throws. */
export function openedNote(note: string, verifierKey: string): Checkpoint {
  const end = note.lastIndexOf('\n\n');
  const [text, signatures] = [note.slice(0, end + 1), note.slice(end + 2)];
  const [, name, id, encoded] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(verifierKey)!;
  const key = Buffer.from(encoded!, 'base64');
  if (key[0] !== 1 || key.length !== 33) throw new Error('not an Ed25519 key');
  if (createHash('sha256').update(`${name}\n`).update(key).digest('hex').slice(0, 8) !== id) throw new Error('not the id of the key');
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key.subarray(1).toString('base64url') }, format: 'jwk' });
  const isSigned = signatures
    .trimEnd()
    .split('\n')
    .some((line) => {
      const [dash, signer, signature] = line.split(' ');
      const bytes = Buffer.from(signature ?? '', 'base64');
      const isOfKey = dash === '—' && signer === name && bytes.subarray(0, 4).toString('hex') === id;
      return isOfKey && verify(null, Buffer.from(text), publicKey, bytes.subarray(4));
    });
  if (!isSigned) throw new Error('not signed by this key');
  const [origin, size, root, ...more] = text.trimEnd().split('\n');
  if (more.length > 0) throw new Error('more lines than a checkpoint has');
  return { origin: origin!, size: Number(size), root: Buffer.from(root!, 'base64') };
}
