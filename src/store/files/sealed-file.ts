import { createCipheriv, createDecipheriv } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';

// A file in a foreign store: a version, then its parts, each with its length, its ciphertext and its tag. A part is bound to its place
// and to whether it is the last, so a store can neither swap, nor repeat, nor cut off anything. The key is of this file alone.
const CIPHER = 'aes-256-gcm';
const VERSION = 1;
const HEAD = 4;
const TAG = 16;
const NONCE = 12;
const LAST = 0x8000_0000;
/** A part has a mebibyte, and compression can make it a little larger. */
const MAX_PART_BYTES = 2 << 20;
export const DATA_KEY_BYTES = 32;

/** Encrypts the parts of a file, whose key must not have been used before. */
export async function seal(parts: readonly Uint8Array[], key: Uint8Array, file: string): Promise<Buffer[]> {
  const sealed: Buffer[] = [];
  for await (const piece of sealParts(parts, key, file)) sealed.push(piece);
  return sealed;
}

/** The same while the parts arrive: one waits until it is known whether it is the last. */
export async function* sealParts(
  parts: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  key: Uint8Array,
  file: string,
  maxBytes = MAX_PART_BYTES,
): AsyncGenerator<Buffer> {
  yield Buffer.of(VERSION);
  let index = 0;
  let waiting: Uint8Array | undefined;
  for await (const part of parts) {
    if (part.length > maxBytes) throw new RangeError('A part of a file is too large.');
    if (waiting) yield* sealPart(waiting, index++, false, key, file);
    // Others have their turn after each mebibyte.
    if (waiting) await nextTurn();
    waiting = part;
  }
  yield* sealPart(waiting ?? Buffer.alloc(0), index, true, key, file);
}

function* sealPart(part: Uint8Array, index: number, isLast: boolean, key: Uint8Array, file: string): Generator<Buffer> {
  const head = headOf(part.length + TAG, isLast);
  const cipher = createCipheriv(CIPHER, key, nonceOf(index)).setAAD(boundTo(file, head));
  yield* [head, cipher.update(part), cipher.final(), cipher.getAuthTag()];
}

/** Decrypts a file while it arrives, part by part. Throws if anything of it was changed or is missing. */
export async function* unseal(
  bytes: AsyncIterable<Uint8Array> | Arriving,
  key: Uint8Array,
  file: string,
  maxBytes = MAX_PART_BYTES,
): AsyncGenerator<Buffer> {
  const arriving = bytes instanceof Arriving ? bytes : new Arriving(bytes);
  try {
    if ((await arriving.take(1))[0] !== VERSION) throw damaged(file);
    for (let index = 0; ; index += 1) {
      const head = await arriving.take(HEAD);
      const isLast = (head.readUInt32BE() & LAST) !== 0;
      const length = head.readUInt32BE() & ~LAST;
      if (length < TAG || length > maxBytes + TAG) throw damaged(file);
      const sealed = await arriving.take(length);
      const decipher = createDecipheriv(CIPHER, key, nonceOf(index))
        .setAAD(boundTo(file, head))
        .setAuthTag(sealed.subarray(length - TAG));
      yield Buffer.concat([decipher.update(sealed.subarray(0, length - TAG)), decipher.final()]);
      if (isLast) return;
    }
  } finally {
    await arriving.close();
  }
}

const damaged = (file: string): Error => new Error(`The file ${file} in the store is damaged.`);

function headOf(length: number, isLast: boolean): Buffer {
  const head = Buffer.alloc(HEAD);
  head.writeUInt32BE(isLast ? length + LAST : length);
  return head;
}

function nonceOf(index: number): Buffer {
  const nonce = Buffer.alloc(NONCE);
  nonce.writeUInt32BE(index, NONCE - 4);
  return nonce;
}

const boundTo = (file: string, head: Buffer): Buffer => Buffer.concat([Buffer.from(file), head]);
const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, byteLength);

/** Gives the bytes of a stream in the lengths that its reader asks for. */
export class Arriving {
  private readonly iterator: AsyncIterator<Uint8Array>;
  private pieces: Uint8Array[] = [];
  private length = 0;

  constructor(bytes: AsyncIterable<Uint8Array>) {
    this.iterator = bytes[Symbol.asyncIterator]();
  }

  async take(wanted: number): Promise<Buffer> {
    while (this.length < wanted) {
      const next = await this.iterator.next();
      if (next.done === true) throw new Error('A file in the store ends too early.');
      this.pieces.push(next.value);
      this.length += next.value.length;
    }
    // One piece may be a whole file: it is not copied for each part.
    const [first] = this.pieces;
    const all = first && this.pieces.length === 1 ? bufferOf(first) : Buffer.concat(this.pieces);
    this.pieces = all.length > wanted ? [all.subarray(wanted)] : [];
    this.length -= wanted;
    return all.subarray(0, wanted);
  }

  async close(): Promise<void> {
    this.pieces = [];
    await this.iterator.return?.();
  }
}
