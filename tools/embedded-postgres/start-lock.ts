import { closeSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedDatabaseError } from './embedded-database-error.js';
import { isRunning, identify, type ProcessIdentity } from './processes.js';

const POLL_MS = 10;
/** Longer than any first start or crash recovery takes. */
const LOCK_TIMEOUT_MS = 180_000;
/** A process fills its lock right after creating it. One that is still empty after this belongs to a process that died. */
const EMPTY_LOCK_STALE_MS = 5_000;

/** Only one process at a time may start the engine. The lock of a killed process is taken over. */
export async function withLock<T>(file: string, action: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + LOCK_TIMEOUT_MS;
  while (!take(file)) {
    removeWhenStale(file);
    if (Date.now() > deadline) throw stillLocked(file);
    await delay(POLL_MS);
  }
  try {
    return await action();
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
    writeSync(handle, JSON.stringify(identify(process.pid)));
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  } finally {
    closeSync(handle);
  }
  return true;
}

/**
 * Two processes may find the same stale lock, and the slower one must not remove the lock that the faster one has taken since.
 * So the removal needs a second lock, held only within this function, and staleness is checked again under it.
 */
function removeWhenStale(file: string): void {
  if (!isStale(file)) return;
  const guard = `${file}.break`;
  if (!take(guard)) {
    if (isOlderThan(guard, EMPTY_LOCK_STALE_MS)) rmSync(guard, { force: true });
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
  return holder === 'unreadable' ? isOlderThan(file, EMPTY_LOCK_STALE_MS) : !isRunning(holder);
}

function readHolder(file: string): ProcessIdentity | 'gone' | 'unreadable' {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 'gone';
    throw error;
  }
  try {
    const value: unknown = JSON.parse(text);
    return isProcessIdentity(value) ? value : 'unreadable';
  } catch {
    return 'unreadable';
  }
}

function isProcessIdentity(value: unknown): value is ProcessIdentity {
  if (typeof value !== 'object' || value === null || !('pid' in value) || !('started' in value)) return false;
  return typeof value.pid === 'number' && typeof value.started === 'string';
}

function isOlderThan(file: string, ageMs: number): boolean {
  const made = statSync(file, { throwIfNoEntry: false });
  return made !== undefined && Date.now() - made.mtimeMs > ageMs;
}

function stillLocked(file: string): EmbeddedDatabaseError {
  const holder = readHolder(file);
  const holderName = typeof holder === 'string' ? 'Another process' : `Another process (pid ${holder.pid})`;
  return new EmbeddedDatabaseError(
    `${holderName} has been starting the embedded database for ${LOCK_TIMEOUT_MS / 1000} s: end it, or remove ${file} if there is none.`,
  );
}
