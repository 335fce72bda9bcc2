import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { StartError } from '../kernel/settings/settings.js';

/** How much is collected before it is written. */
const CHUNK_CHARACTERS = 1 << 16;

/**
 * Writes lines, or bytes as they are. Only its owner can read the file. It gets its name when it is whole; until then it has another one
 * beside it. Returns its size.
 */
export async function writeWholeFile(
  path: string,
  pieces: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
): Promise<number> {
  const unfinished = `${path}.${randomBytes(4).toString('hex')}.part`;
  const file = await open(unfinished, 'wx', 0o600).catch((error: unknown) => cannotWrite(path, error));
  try {
    let bytes = 0;
    let chunk = '';
    const write = async (encoded: Uint8Array): Promise<void> => {
      await file.writeFile(encoded).catch((error: unknown) => cannotWrite(path, error));
      bytes += encoded.length;
      chunk = '';
    };
    for await (const piece of pieces) {
      if (typeof piece === 'string') chunk += `${piece}\n`;
      else await write(piece);
      if (chunk.length >= CHUNK_CHARACTERS) await write(Buffer.from(chunk));
    }
    await write(Buffer.from(chunk));
    await file.sync();
    await file.close();
    await rename(unfinished, path).catch((error: unknown) => cannotWrite(path, error));
    return bytes;
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(unfinished, { force: true });
    throw error;
  }
}

function cannotWrite(path: string, error: unknown): never {
  throw new StartError(`${path} cannot be written (${(error as { code?: string }).code}).`);
}
