import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { giveToFolderOwner } from './paths.js';
import type { ProcessIdentity } from './processes.js';

/** What another process needs to connect to the database, and to see whether its owner is still alive. */
export interface ConnectionInfo {
  port: number;
  password: string;
  /** The process that started the engine last. It may have ended since. */
  owner: ProcessIdentity;
}

/** Applications connect as the superuser: the database is for one machine, and migrations create extensions. */
export const SUPERUSER = 'postgres';

export function newPassword(): string {
  return randomBytes(24).toString('hex');
}

/** Returns undefined if the file is missing or damaged: the engine is then given a new password. */
export function readConnectionInfo(file: string): ConnectionInfo | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const value: unknown = JSON.parse(text);
    return isConnectionInfo(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Writes a draft and renames it, so that no reader sees half a file. The start lock keeps other writers out. */
export function writeConnectionInfo(file: string, connection: ConnectionInfo): void {
  const draft = `${file}.new`;
  writeFileSync(draft, `${JSON.stringify(connection, null, 2)}\n`, { mode: 0o600 });
  giveToFolderOwner(draft);
  renameSync(draft, file);
}

export function connectionUrl(connection: Pick<ConnectionInfo, 'port' | 'password'>, database: string): string {
  return `postgres://${SUPERUSER}:${connection.password}@127.0.0.1:${connection.port}/${encodeURIComponent(database)}`;
}

function isConnectionInfo(value: unknown): value is ConnectionInfo {
  if (typeof value !== 'object' || value === null) return false;
  if (!('port' in value) || !('password' in value) || !('owner' in value)) return false;
  const { port, password, owner } = value;
  if (typeof port !== 'number' || typeof password !== 'string' || typeof owner !== 'object' || owner === null) return false;
  return 'pid' in owner && typeof owner.pid === 'number' && 'started' in owner && typeof owner.started === 'string';
}
