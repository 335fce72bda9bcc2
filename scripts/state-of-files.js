import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';

/** A hash of all files and of what is installed, by which a script knows what it has looked at; undefined outside of a repository. */
export function stateOfFiles() {
  const listed = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8', maxBuffer: 1e8 });
  if (listed.status !== 0) return undefined;
  const hash = createHash('sha256').update(process.version);
  for (const name of [...listed.stdout.split('\0').filter(Boolean), 'node_modules/.package-lock.json'])
    hash.update(name).update(existsSync(name) ? readFileSync(name) : '');
  return hash.digest('hex');
}
