import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { StartError } from '../kernel/settings/settings.js';

/** How much is collected before it is written. */
const CHUNK_CHARACTERS = 1 << 16;

/** Only its owner can read it. It gets its name when it is whole; until then it has another one beside it. Returns its size. */
export async function writeWholeFile(path: string, lines: AsyncIterable<string> | Iterable<string>): Promise<number> {
  const unfinished = `${path}.${randomBytes(4).toString('hex')}.part`;
  const file = await open(unfinished, 'wx', 0o600).catch((error: unknown) => cannotWrite(path, error));
  try {
    let bytes = 0;
    let chunk = '';
    const flush = async (): Promise<void> => {
      const encoded = Buffer.from(chunk);
      await file.writeFile(encoded).catch((error: unknown) => cannotWrite(path, error));
      bytes += encoded.length;
      chunk = '';
    };
    for await (const line of lines) {
      chunk += `${line}\n`;
      if (chunk.length >= CHUNK_CHARACTERS) await flush();
    }
    await flush();
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
