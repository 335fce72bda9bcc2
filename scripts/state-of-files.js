import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const KEPT = 'node_modules/.cache';

/** A hash of all files and of what is installed: what has passed with them need not be run again. Undefined outside of a repository. */
export function stateOfFiles() {
  const listed = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8', maxBuffer: 1e8 });
  if (listed.status !== 0) return undefined;
  const hash = createHash('sha256').update(process.version);
  for (const name of [...listed.stdout.split('\0').filter(Boolean), 'node_modules/.package-lock.json'])
    hash.update(name).update(existsSync(name) ? readFileSync(name) : '');
  return hash.digest('hex');
}

/** What has passed with which files: `checked`, `documented`, `tested`. */
export const hasPassed = (what, state) =>
  state !== undefined && existsSync(join(KEPT, what)) && readFileSync(join(KEPT, what), 'utf8') === state;

export function rememberPassed(what, state) {
  if (state === undefined) return;
  mkdirSync(KEPT, { recursive: true });
  writeFileSync(join(KEPT, what), state);
}
