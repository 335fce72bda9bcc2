import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';

import { leaveToFolderOwner } from './place.js';
import type { ProcessMark } from './processes.js';

/** What another process must know to use the running database, or to see that nobody runs it any more. */
export interface ConnectionFacts {
  port: number;
  password: string;
  /** The process that started the engine last; it may be long gone. */
  owner: ProcessMark;
}

/** The superuser of the cluster; the database is for one machine, and migrations create extensions. */
export const superuser = 'postgres';

export function newPassword(): string {
  return randomBytes(24).toString('hex');
}

/** A missing or damaged file is no drama: the engine can be given a new password. */
export function readFacts(file: string): ConnectionFacts | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const value: unknown = JSON.parse(text);
    return isFacts(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Written aside and renamed, so no reader ever sees half of it. Only one process writes, because the start is locked. */
export function writeFacts(file: string, facts: ConnectionFacts): void {
  const draft = `${file}.new`;
  writeFileSync(draft, `${JSON.stringify(facts, null, 2)}\n`, { mode: 0o600 });
  leaveToFolderOwner(draft);
  renameSync(draft, file);
}

export function connectionUrl(facts: Pick<ConnectionFacts, 'port' | 'password'>, database: string): string {
  return `postgres://${superuser}:${facts.password}@127.0.0.1:${facts.port}/${encodeURIComponent(database)}`;
}

function isFacts(value: unknown): value is ConnectionFacts {
  if (typeof value !== 'object' || value === null) return false;
  if (!('port' in value) || !('password' in value) || !('owner' in value)) return false;
  const { port, password, owner } = value;
  if (typeof port !== 'number' || typeof password !== 'string' || typeof owner !== 'object' || owner === null) return false;
  return 'pid' in owner && typeof owner.pid === 'number' && 'started' in owner && typeof owner.started === 'string';
}
