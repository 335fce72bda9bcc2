import { hkdfSync, randomBytes } from 'node:crypto';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { StartError } from '../../../kernel/settings/settings.js';
import { Arriving, sealParts, unseal } from '../../../store/files/sealed-file.js';

// An organization on its way to another installation: a salt, then records, compressed and encrypted in parts that are bound to their
// places. Each record is a head and a body, both with their lengths before them.
export const FORMAT = 'claims-move/1';
const KEY_BYTES = 32;
const SALT_BYTES = 16;
const LENGTH_BYTES = 4;
/** How much is encrypted at once. */
const PART_BYTES = 1 << 20;

export interface MoveRecord<Head = object> {
  readonly head: Head;
  /** A row as Postgres writes it in JSON: JavaScript would change its numbers. */
  readonly body: string;
}

export const makeMoveKey = (): string => randomBytes(KEY_BYTES).toString('base64url');

export function readMoveKey(text: string): Buffer {
  const key = Buffer.from(text.trim(), 'base64url');
  if (key.length === KEY_BYTES) return key;
  throw new StartError('This is not the key of a move. `claims org move key` makes one, where the organization moves to.');
}

/** Each archive is encrypted under a key of its own. */
const keyFor = (key: Buffer, salt: Buffer): Buffer => Buffer.from(hkdfSync('sha256', key, salt, FORMAT, KEY_BYTES));

export async function* pack(records: AsyncIterable<MoveRecord>, key: Buffer): AsyncGenerator<Buffer> {
  const salt = randomBytes(SALT_BYTES);
  yield salt;
  const compressed = createGzip({ chunkSize: PART_BYTES });
  // What fails there fails here, too, since it is read from.
  pipeline(Readable.from(framesOf(records)), compressed).catch(() => undefined);
  yield* sealParts(compressed, keyFor(key, salt), FORMAT);
}

/** Throws at the first part that was changed, and at the end if the end is missing. */
export async function* unpack(path: string, key: Buffer): AsyncGenerator<MoveRecord> {
  const file = await open(path).catch((error: unknown) => {
    throw new StartError(`${path} cannot be read (${(error as { code?: string }).code}).`);
  });
  try {
    const salt = Buffer.alloc(SALT_BYTES);
    await file.read(salt, 0, SALT_BYTES, 0);
    const sealed = file.createReadStream({ start: SALT_BYTES, autoClose: false, highWaterMark: PART_BYTES });
    const records = createGunzip({ chunkSize: PART_BYTES });
    pipeline(Readable.from(genuine(unseal(sealed, keyFor(key, salt), FORMAT))), records).catch(() => undefined);
    yield* recordsIn(new Arriving(records));
  } finally {
    await file.close();
  }
}

async function* genuine(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* parts;
  } catch (error) {
    throw new StartError('Nothing was imported: the key is not that of this archive, or the archive is damaged.', { cause: error });
  }
}

async function* framesOf(records: AsyncIterable<MoveRecord>): AsyncGenerator<Buffer> {
  for await (const { head, body } of records) yield Buffer.concat([frame(JSON.stringify(head)), frame(body)]);
  yield frame('');
}

function frame(text: string): Buffer {
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(Buffer.byteLength(text));
  return Buffer.concat([length, Buffer.from(text)]);
}

/** The empty head after the last record is read together with the end of the file, so that a missing end is noticed. */
async function* recordsIn(arriving: Arriving): AsyncGenerator<MoveRecord> {
  try {
    for (;;) {
      const head = await textIn(arriving);
      if (head === '') return;
      yield { head: JSON.parse(head) as object, body: await textIn(arriving) };
    }
  } finally {
    await arriving.close();
  }
}

async function textIn(arriving: Arriving): Promise<string> {
  const length = (await arriving.take(LENGTH_BYTES)).readUInt32BE();
  return (await arriving.take(length)).toString('utf8');
}
