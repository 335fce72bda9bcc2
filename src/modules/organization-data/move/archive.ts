import { hkdfSync, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { StartError } from '../../../kernel/settings/settings.js';
import { partsOf } from '../../../store/files/encrypted-files.js';
import { Arriving, DATA_KEY_BYTES, seal, unsealNext } from '../../../../tools/sealed-files/index.js';

// An organization on its way to another installation: a salt, then documents of JSON, each compressed and encrypted under a key of its own,
// which is of its place. So none can be read, changed, moved or left out; the last one says that it is.
export const FORMAT = 'claims-move/1';
const SALT_BYTES = 16;
const END = { isEnd: true };

const keyFor = (key: Buffer, salt: Buffer, place: number): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, `${FORMAT} ${place}`, DATA_KEY_BYTES));

export async function* pack(documents: AsyncIterable<object>, key: Buffer): AsyncGenerator<Buffer> {
  const salt = randomBytes(SALT_BYTES);
  yield salt;
  let place = 0;
  const sealed = (document: object): Promise<Buffer[]> =>
    seal(partsOf(gzipSync(JSON.stringify(document))), keyFor(key, salt, place++), FORMAT);
  for await (const document of documents) yield* await sealed(document);
  yield* await sealed(END);
}

/** Throws at the first document that was changed, and if the end is missing. */
export async function* unpack<Document extends object>(path: string, key: Buffer): AsyncGenerator<Document> {
  const arriving = new Arriving(createReadStream(path));
  try {
    const salt = await arriving.take(SALT_BYTES);
    for (let place = 0; ; place += 1) {
      const parts: Buffer[] = [];
      for await (const part of unsealNext(arriving, keyFor(key, salt, place), FORMAT)) parts.push(part);
      const document = JSON.parse(gunzipSync(Buffer.concat(parts)).toString('utf8')) as Document;
      if ('isEnd' in document) return;
      yield document;
    }
  } catch (error) {
    throw new StartError('Nothing was imported: the archive cannot be read. It is missing or damaged, or this is not its key.', {
      cause: error,
    });
  } finally {
    await arriving.close();
  }
}
