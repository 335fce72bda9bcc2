import type { DataSource } from 'typeorm';
import { type Settings, StartError } from '../../kernel/settings/settings.js';
import { Secrets } from './secrets.js';

/** What the known text of each key is bound to. */
const OWNER = 'encryption key check';

interface Check {
  readonly id: string;
  /** A known text under the key. */
  readonly canary: Buffer;
}

type Connection = Pick<DataSource, 'query'>;

/** Throws unless ENCRYPTION_KEY has each key that has encrypted secrets of this database. Returns whether the first one is known. */
export async function requireEncryptionKeys(source: Connection, settings: Settings): Promise<boolean> {
  // The key in DATA_DIR is made when the first secret is.
  if (settings.encryptionKeys === undefined) return true;
  const checks = await source.query<Check[]>('SELECT key_id AS id, canary FROM encryption_key_checks ORDER BY created_at');
  const secrets = new Secrets(settings);
  const keyId = keyIdOf(secrets);
  const missing = checks.filter((check) => !isOpened(check, secrets)).map(({ id }) => id);
  if (missing.length === 0) return checks.some(({ id }) => id === keyId);
  throw new StartError(
    `ENCRYPTION_KEY (${keyId}) lacks the key ${missing.join(' and ')}, which has encrypted secrets of this database: set it, ` +
      'after the new one if that replaces it; docs/operating.md says how to retire a key.',
  );
}

/** At start: the same, and notes the key that encrypts from now on. */
export async function noteEncryptionKey(source: DataSource, settings: Settings): Promise<void> {
  if (await requireEncryptionKeys(source, settings)) return;
  await source.transaction(async (manager) => {
    // Of processes that start at once with different keys, all but one are refused.
    await manager.query('LOCK TABLE encryption_key_checks IN SHARE ROW EXCLUSIVE MODE');
    if (await requireEncryptionKeys(manager, settings)) return;
    const secrets = new Secrets(settings);
    const values = [keyIdOf(secrets), secrets.encrypt(OWNER, OWNER)];
    await manager.query('INSERT INTO encryption_key_checks (key_id, canary, created_at) VALUES ($1, $2, now())', values);
  });
}

export const keyIdOf = ({ prefixes }: Secrets): string => prefixes[0]!.subarray(1).toString('hex');

function isOpened({ canary }: Check, secrets: Secrets): boolean {
  try {
    return secrets.decrypt(canary, OWNER) === OWNER;
  } catch {
    return false;
  }
}
