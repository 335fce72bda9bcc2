import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FileSink } from './report.js';

const CHUNK_LENGTH = 1 << 16;

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

export async function writeTexts(file: FileSink, texts: Iterable<string>, encode = toUtf8): Promise<void> {
  for await (const chunk of chunksOf(texts, encode)) file.add(chunk);
}
