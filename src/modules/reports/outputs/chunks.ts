import { setImmediate as nextTurn } from 'node:timers/promises';

const CHUNK_LENGTH = 1 << 16;

/** Texts as bytes, in chunks. Gives way to the event loop after each chunk. */
export async function* chunksOf(texts: Iterable<string>): AsyncGenerator<Buffer> {
  let pending = '';
  for (const text of texts) {
    pending += text;
    if (pending.length < CHUNK_LENGTH) continue;
    yield Buffer.from(pending);
    pending = '';
    await nextTurn();
  }
  yield Buffer.from(pending);
}

export async function bytesOf(texts: Iterable<string>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of chunksOf(texts)) chunks.push(chunk);
  return Buffer.concat(chunks);
}
