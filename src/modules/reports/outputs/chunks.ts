import { setImmediate as nextTurn } from 'node:timers/promises';
import { JobFailure } from '../../../kernel/failure.js';

const CHUNK_LENGTH = 1 << 16;

/** The bytes of a file while it is written, up to the limit of a run. Small chunks are joined, since many take far more memory than one. */
export class FileBytes {
  private readonly chunks: Uint8Array[] = [];
  private small: Uint8Array[] = [];
  private smallLength = 0;
  private length = 0;

  constructor(private readonly maxBytes: number) {}

  add(chunk: Uint8Array): void {
    this.length += chunk.length;
    if (this.length > this.maxBytes)
      throw new JobFailure(
        'file_too_large',
        `An output file is larger than ${this.maxBytes} bytes. Report a shorter period, or set outputOptions.detail to "none".`,
      );
    this.small.push(chunk);
    this.smallLength += chunk.length;
    if (this.smallLength >= CHUNK_LENGTH) this.join();
  }

  whole(): Buffer {
    this.join();
    return Buffer.concat(this.chunks);
  }

  private join(): void {
    this.chunks.push(this.small.length === 1 ? this.small[0]! : Buffer.concat(this.small));
    this.small = [];
    this.smallLength = 0;
  }
}

type Encode = (text: string) => Buffer;
const toUtf8: Encode = (text) => Buffer.from(text);

/** Texts as bytes, in chunks. Gives way to the event loop after each chunk. */
export async function* chunksOf(texts: Iterable<string>, encode = toUtf8): AsyncGenerator<Buffer> {
  let pending = '';
  for (const text of texts) {
    pending += text;
    if (pending.length < CHUNK_LENGTH) continue;
    yield encode(pending);
    pending = '';
    await nextTurn();
  }
  yield encode(pending);
}

export async function bytesOf(texts: Iterable<string>, maxBytes: number, encode = toUtf8): Promise<Buffer> {
  const bytes = new FileBytes(maxBytes);
  for await (const chunk of chunksOf(texts, encode)) bytes.add(chunk);
  return bytes.whole();
}
