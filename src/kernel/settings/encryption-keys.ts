import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { commaList } from '../text.js';

const KEY_BYTES = 32;

/** Parses keys of 32 bytes in base64, separated by commas. The first one encrypts, all decrypt. An error completes “ENCRYPTION_KEY …”. */
export function parseEncryptionKeys(text: string): Buffer[] {
  const keys = commaList(text).map((item) => Buffer.from(item, 'base64'));
  if (keys.length === 0 || keys.some((key) => key.length !== KEY_BYTES))
    throw new Error(`must be ${KEY_BYTES} bytes in base64 (openssl rand -base64 ${KEY_BYTES}); several separated by commas`);
  return keys;
}

/** The digest of a key that an earlier compose file had in it. Anyone can read what was encrypted with it. */
const PUBLISHED = '80efd7a29bb3af0c4d6980bb9909a807ce909df09873845725b4be8af334b507';

export const isPublished = (key: Buffer): boolean => createHash('sha256').update(key).digest('hex') === PUBLISHED;

/** Identifies a key without revealing anything about it. */
export const keyIdOf = (key: Buffer): Buffer => createHash('sha256').update('claims encryption key').update(key).digest().subarray(0, 4);

/** The key of a development setup: created once, and stored beside the data that it encrypts. */
export function keptEncryptionKey(dataDir: string): Buffer[] {
  const file = join(dataDir, 'encryption-key');
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true });
    // If two processes start at once, the second one uses the key of the first.
    try {
      writeFileSync(file, `${randomBytes(KEY_BYTES).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  return parseEncryptionKeys(readFileSync(file, 'utf8'));
}
