import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../kernel/settings/settings.js';
import { keptEncryptionKey, keyIdOf } from '../../kernel/settings/encryption-keys.js';

const CIPHER = 'aes-256-gcm';
const VERSION = 1;
const KEY_ID = 4;
const IV = 12;
const TAG = 16;
const HEAD = 1 + KEY_ID + IV + TAG;

/**
 * Encrypts at rest what must come back as it was: webhook secrets, remembered answers that hold one. A text is bound to its
 * place, so that one cannot be put in another's stead: version, key id, IV, tag, ciphertext.
 */
@Injectable()
export class Secrets {
  private known: readonly Buffer[] | undefined;

  constructor(private readonly settings: Settings) {}

  /** Asked for with the first secret: who has none needs no key. */
  private get keys(): readonly Buffer[] {
    return (this.known ??= this.settings.encryptionKeys ?? keptEncryptionKey(this.settings.dataDir));
  }

  /** Keys for a purpose of its own, one for each that is in force; the first is the newest. */
  keysFor(purpose: string): Buffer[] {
    return this.keys.map((key) => Buffer.from(hkdfSync('sha256', key, '', purpose, 32)));
  }

  /** `place` says whose secret it is, such as `webhook 0199…`. */
  encrypt(text: string, place: string): Buffer {
    return this.encryptBytes(Buffer.from(text), place);
  }

  decrypt(stored: Buffer, place: string): string {
    return this.decryptBytes(stored, place).toString('utf8');
  }

  encryptBytes(bytes: Uint8Array, place: string): Buffer {
    const key = this.keys[0]!;
    const iv = randomBytes(IV);
    const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(place));
    const encrypted = Buffer.concat([cipher.update(bytes), cipher.final()]);
    return Buffer.concat([Buffer.of(VERSION), keyIdOf(key), iv, cipher.getAuthTag(), encrypted]);
  }

  decryptBytes(stored: Buffer, place: string): Buffer {
    const keyId = stored.subarray(1, 1 + KEY_ID);
    const key = this.keys.find((candidate) => keyIdOf(candidate).equals(keyId));
    if (stored[0] !== VERSION || !key)
      throw new Error(`The secret of ${place} was encrypted under a key that is not among those of ENCRYPTION_KEY.`);
    const iv = stored.subarray(1 + KEY_ID, 1 + KEY_ID + IV);
    const decipher = createDecipheriv(CIPHER, key, iv)
      .setAAD(Buffer.from(place))
      .setAuthTag(stored.subarray(HEAD - TAG, HEAD));
    return Buffer.concat([decipher.update(stored.subarray(HEAD)), decipher.final()]);
  }
}
