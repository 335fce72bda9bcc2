import { hkdfSync, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { StartError } from '../../../kernel/settings/settings.js';
import { Arriving, DATA_KEY_BYTES, sealParts, unseal } from '../../../store/files/sealed-file.js';

// An organization on its way to another installation: a salt, then documents of JSON, each compressed and encrypted. They are bound to
// their places, so none can be changed, left out or moved. The first says what the others are.
export const FORMAT = 'claims-move/1';
const SALT_BYTES = 16;
/** A document has one row at least, and a row may have a large document of its own. */
const MAX_BYTES = 1 << 30;

/** Each archive is encrypted under a key of its own. */
const keyFor = (key: Buffer, salt: Buffer): Buffer => Buffer.from(hkdfSync('sha256', key, salt, FORMAT, DATA_KEY_BYTES));

export async function* pack(documents: AsyncIterable<object>, key: Buffer): AsyncGenerator<Buffer> {
  const salt = randomBytes(SALT_BYTES);
  yield salt;
  yield* sealParts(compressed(documents), keyFor(key, salt), FORMAT, MAX_BYTES);
}

async function* compressed(documents: AsyncIterable<object>): AsyncGenerator<Buffer> {
  for await (const document of documents) yield gzipSync(JSON.stringify(document));
}

/** Throws at the first document that was changed, and at the end if the end is missing. */
export async function* unpack<Document>(path: string, key: Buffer): AsyncGenerator<Document> {
  const parts = readParts(new Arriving(createReadStream(path)), key);
  try {
    for await (const part of parts) yield JSON.parse(gunzipSync(part).toString('utf8')) as Document;
  } finally {
    await parts.return(undefined);
  }
}

async function* readParts(arriving: Arriving, key: Buffer): AsyncGenerator<Buffer> {
  try {
    yield* unseal(arriving, keyFor(key, await arriving.take(SALT_BYTES)), FORMAT, MAX_BYTES);
  } catch (error) {
    throw new StartError('The archive cannot be read: it is missing or damaged, or this is not its key.', { cause: error });
  }
}
