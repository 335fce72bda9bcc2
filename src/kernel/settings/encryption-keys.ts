import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const KEY_BYTES = 32;

/** 32 bytes in base64, several separated by commas: the first encrypts, all decrypt. Throws what completes “ENCRYPTION_KEY …”. */
export function parseEncryptionKeys(text: string): Buffer[] {
  const keys = text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean)
    .map((item) => Buffer.from(item, 'base64'));
  if (keys.length === 0 || keys.some((key) => key.length !== KEY_BYTES))
    throw new Error(`must be ${KEY_BYTES} bytes in base64 (openssl rand -base64 ${KEY_BYTES}); several separated by commas`);
  return keys;
}

/** Tells keys apart without giving anything of them away. */
export function keyIdOf(key: Buffer): Buffer {
  return createHash('sha256').update('claims encryption key').update(key).digest().subarray(0, 4);
}

/** In development the key is made once and kept beside the data that it encrypts. */
export function keptEncryptionKey(dataDir: string): Buffer[] {
  const file = join(dataDir, 'encryption-key');
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true });
    // Of two processes that start together the second finds the first one's key.
    try {
      writeFileSync(file, `${randomBytes(KEY_BYTES).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  return parseEncryptionKeys(readFileSync(file, 'utf8'));
}
