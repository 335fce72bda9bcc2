import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** The files that differ from `main`, also those that are not committed. */
export function changedFiles() {
  const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean);
  const names = [...git('diff', '--name-only', 'main'), ...git('ls-files', '--others', '--exclude-standard')];
  return [...new Set(names)].filter((name) => existsSync(name));
}
