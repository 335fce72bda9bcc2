import { Injectable } from '@nestjs/common';
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { keptEncryptionKey, keyIdOf } from '../../kernel/settings/encryption-keys.js';
import { Settings } from '../../kernel/settings/settings.js';

const CIPHER = 'aes-256-gcm';
const VERSION = 1;
const KEY_ID = 4;
const IV = 12;
const TAG = 16;
const HEAD = 1 + KEY_ID + IV + TAG;

/**
 * Encrypts at rest what must be readable again, such as signing secrets and remembered answers that hold one. Each text is
 * bound to its owner, so nobody can put one in the owner of another. Format: version, key id, IV, tag, ciphertext.
 */
@Injectable()
export class Secrets {
  /** With how many bytes a value says under which key it is. */
  static readonly PREFIX_BYTES = 1 + KEY_ID;
  private known: readonly Buffer[] | undefined;

  constructor(private readonly settings: Settings) {}

  /** Read with the first secret: a service without secrets needs no key. */
  private get keys(): readonly Buffer[] {
    return (this.known ??= this.settings.encryptionKeys ?? keptEncryptionKey(this.settings.dataDir));
  }

  /** How values under each key begin, the key that encrypts first. */
  get prefixes(): Buffer[] {
    return this.keys.map(prefixOf);
  }

  /** Keys derived for a purpose, one for each encryption key in force, the newest first. */
  keysFor(purpose: string): Buffer[] {
    return this.keys.map((key) => Buffer.from(hkdfSync('sha256', key, '', purpose, 32)));
  }

  /** `owner` says whose secret it is, such as `webhook 0199…`; the same is needed to decrypt. */
  encrypt(text: string, owner: string): Buffer {
    return this.encryptBytes(Buffer.from(text), owner);
  }

  decrypt(stored: Buffer, owner: string): string {
    return this.decryptBytes(stored, owner).toString('utf8');
  }

  /** For a browser or page to keep: nobody else can read or make it. */
  seal(content: { readonly until: number }, owner: string): string {
    return this.encrypt(JSON.stringify(content), owner).toString('base64url');
  }

  /** undefined if it was not sealed here, or its time is over. */
  unseal<Content extends { readonly until: number }>(text: string, owner: string, now: Date): Content | undefined {
    try {
      const content = JSON.parse(this.decrypt(Buffer.from(text, 'base64url'), owner)) as Content;
      return content.until > now.getTime() ? content : undefined;
    } catch {
      return undefined;
    }
  }

  encryptBytes(bytes: Uint8Array, owner: string): Buffer {
    const key = this.keys[0]!;
    const iv = randomBytes(IV);
    const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(owner));
    const encrypted = Buffer.concat([cipher.update(bytes), cipher.final()]);
    return Buffer.concat([prefixOf(key), iv, cipher.getAuthTag(), encrypted]);
  }

  decryptBytes(stored: Buffer, owner: string): Buffer {
    const keyId = stored.subarray(1, 1 + KEY_ID);
    const key = this.keys.find((candidate) => keyIdOf(candidate).equals(keyId));
    if (stored[0] !== VERSION || !key)
      throw new Error(`The secret of ${owner} was encrypted under a key that is not among those of ENCRYPTION_KEY.`);
    const iv = stored.subarray(1 + KEY_ID, 1 + KEY_ID + IV);
    const decipher = createDecipheriv(CIPHER, key, iv)
      .setAAD(Buffer.from(owner))
      .setAuthTag(stored.subarray(HEAD - TAG, HEAD));
    return Buffer.concat([decipher.update(stored.subarray(HEAD)), decipher.final()]);
  }
}

const prefixOf = (key: Buffer): Buffer => Buffer.concat([Buffer.of(VERSION), keyIdOf(key)]);

/** A column that holds what `Secrets` has encrypted. */
export interface EncryptedColumn {
  readonly table: string;
  readonly column: string;
  readonly key: readonly string[];
  /** What a value is bound to, from the values of the key in their order. */
  readonly owner: (...key: string[]) => string;
  /** Set where values are large: how many are encrypted again at once. */
  readonly rowsAtOnce?: number;
}

/** A module that stores encrypted values names their columns, so that an encryption key can be retired. */
export abstract class EncryptedColumns {
  abstract readonly encrypted: readonly EncryptedColumn[];
}
