import { closeSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

import { EmbeddedDatabaseError } from './embedded-database-error.js';
import { isRunning, markOf, type ProcessMark } from './processes.js';

const pollMs = 10;
/** Longer than any first start or crash recovery this is made for. */
const patienceMs = 180_000;
/** A lock is filled right after it is made; one that stays empty belongs to a process that died in between. */
const emptyLockIsStaleAfterMs = 5_000;

/** One process at a time decides who starts the engine. A lock left behind by a killed process is taken over. */
export async function underLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + patienceMs;
  while (!take(file)) {
    removeWhenStale(file);
    if (Date.now() > deadline) throw stillLocked(file);
    await delay(pollMs);
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

function take(file: string): boolean {
  let handle: number;
  try {
    handle = openSync(file, 'wx', 0o644);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
  try {
    writeSync(handle, JSON.stringify(markOf(process.pid)));
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  } finally {
    closeSync(handle);
  }
  return true;
}

/**
 * Two processes may find the same stale lock, and the slower one must not remove the lock the faster one has taken since.
 * So a second lock, held only within this function, stands before the removal, and staleness is looked at again behind it.
 */
function removeWhenStale(file: string): void {
  if (!isStale(file)) return;
  const guard = `${file}.break`;
  if (!take(guard)) {
    if (isOlderThan(guard, emptyLockIsStaleAfterMs)) rmSync(guard, { force: true });
    return;
  }
  try {
    if (isStale(file)) rmSync(file, { force: true });
  } finally {
    rmSync(guard, { force: true });
  }
}

function isStale(file: string): boolean {
  const holder = readHolder(file);
  if (holder === 'gone') return false;
  return holder === 'unreadable' ? isOlderThan(file, emptyLockIsStaleAfterMs) : !isRunning(holder);
}

function readHolder(file: string): ProcessMark | 'gone' | 'unreadable' {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 'gone';
    throw error;
  }
  try {
    const value: unknown = JSON.parse(text);
    return isMark(value) ? value : 'unreadable';
  } catch {
    return 'unreadable';
  }
}

function isMark(value: unknown): value is ProcessMark {
  if (typeof value !== 'object' || value === null || !('pid' in value) || !('started' in value)) return false;
  return typeof value.pid === 'number' && typeof value.started === 'string';
}

function isOlderThan(file: string, ageMs: number): boolean {
  const made = statSync(file, { throwIfNoEntry: false });
  return made !== undefined && Date.now() - made.mtimeMs > ageMs;
}

function stillLocked(file: string): EmbeddedDatabaseError {
  const holder = readHolder(file);
  const who = typeof holder === 'string' ? 'Another process' : `Another process (pid ${holder.pid})`;
  return new EmbeddedDatabaseError(
    `${who} has been starting the embedded database for ${patienceMs / 1000} s: end it, or remove ${file} if there is none.`,
  );
}
