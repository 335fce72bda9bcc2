import { createHash, verify } from 'node:crypto';
import { keyOf } from './checkpoint-note.js';

// Cosignatures of witnesses, in the forms of C2SP: tlog-cosignature for what is signed, tlog-witness for what is asked.

/** Ed25519 cosignatures, as signed-note numbers the kinds of keys. */
const KIND = 4;
const KEY_BYTES = 32;
const TIME_BYTES = 8;
const SIGNATURE_BYTES = 64;

export interface Witness {
  readonly name: string;
  readonly key: Buffer;
}

export interface Cosignature {
  readonly witness: string;
  /** When the witness saw the checkpoint. */
  readonly at: Date;
  readonly line: string;
}

const idOf = ({ name, key }: Witness): Buffer =>
  createHash('sha256')
    .update(`${name}\n`)
    .update(Buffer.concat([Buffer.of(KIND), key]))
    .digest()
    .subarray(0, 4);

/** The witness of a verifier key, `name+id+key`; undefined if the text is none, or its parts do not fit each other. */
export function witnessOf(text: string): Witness | undefined {
  const [, name = '', id, encoded = ''] = /^([^+\s]+)\+([\da-f]{8})\+([A-Za-z0-9+/=]+)$/.exec(text.trim()) ?? [];
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.length !== KEY_BYTES + 1 || bytes[0] !== KIND) return undefined;
  const witness = { name, key: bytes.subarray(1) };
  return idOf(witness).toString('hex') === id ? witness : undefined;
}

/** What a witness has signed of a checkpoint, if one of the lines is its own. A checkpoint is what is signed before the empty line. */
export function cosignatureIn(lines: string, note: string, witness: Witness): Cosignature | undefined {
  const text = note.slice(0, note.indexOf('\n\n') + 1);
  for (const line of lines.split('\n')) {
    const [dash, name, encoded = ''] = line.split(' ');
    const bytes = Buffer.from(encoded, 'base64');
    if (dash !== '—' || name !== witness.name || bytes.length !== 4 + TIME_BYTES + SIGNATURE_BYTES) continue;
    const [id, time, signature] = [bytes.subarray(0, 4), bytes.readBigUInt64BE(4), bytes.subarray(4 + TIME_BYTES)];
    const signed = Buffer.from(`cosignature/v1\ntime ${time}\n${text}`);
    if (!id.equals(idOf(witness)) || !verify(null, signed, keyOf(witness.key), signature)) continue;
    return { witness: name, at: new Date(Number(time) * 1000), line };
  }
  return undefined;
}

/** The body of a request to cosign: the checkpoint, and the proof that the log begins with what the witness has seen last. */
export const cosigningRequest = (old: number, proof: readonly Buffer[], note: string): string =>
  [`old ${old}`, ...proof.map((hash) => hash.toString('base64')), '', note].join('\n');
