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
  const all = parts.length === 0 ? [Buffer.alloc(0)] : parts;
  const sealed: Buffer[] = [Buffer.of(VERSION)];
  for (const [index, part] of all.entries()) {
    if (part.length > MAX_PART_BYTES) throw new RangeError('A part of a file is too large.');
    const head = headOf(part.length + TAG, index === all.length - 1);
    const cipher = createCipheriv(CIPHER, key, nonceOf(index)).setAAD(boundTo(file, head));
    sealed.push(head, cipher.update(part), cipher.final(), cipher.getAuthTag());
    // Others have their turn after each mebibyte.
    await nextTurn();
  }
  return sealed;
}

/** Decrypts a file while it arrives, part by part. Throws if anything of it was changed or is missing. */
export async function* unseal(bytes: AsyncIterable<Uint8Array>, key: Uint8Array, file: string): AsyncGenerator<Buffer> {
  const arriving = new Arriving(bytes);
  try {
    yield* unsealNext(arriving, key, file);
  } finally {
    await arriving.close();
  }
}

/** The same for one of several files that arrive one after the other. */
export async function* unsealNext(arriving: Arriving, key: Uint8Array, file: string): AsyncGenerator<Buffer> {
  if ((await arriving.take(1))[0] !== VERSION) throw damaged(file);
  for (let index = 0; ; index += 1) {
    const head = await arriving.take(HEAD);
    const isLast = (head.readUInt32BE() & LAST) !== 0;
    const length = head.readUInt32BE() & ~LAST;
    if (length < TAG || length > MAX_PART_BYTES + TAG) throw damaged(file);
    const sealed = await arriving.take(length);
    const decipher = createDecipheriv(CIPHER, key, nonceOf(index))
      .setAAD(boundTo(file, head))
      .setAuthTag(sealed.subarray(length - TAG));
    yield Buffer.concat([decipher.update(sealed.subarray(0, length - TAG)), decipher.final()]);
    if (isLast) return;
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
