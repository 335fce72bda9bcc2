import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** What git says; nothing outside of a repository, and where it was copied without its tags. */
const git = async (...args: readonly string[]): Promise<string[]> => {
  const answered = await execute('git', args, { maxBuffer: 1e8 }).catch(() => ({ stdout: '' }));
  return answered.stdout.split('\n').filter(Boolean);
};

/** The tag of a version, if it is released and known here. */
export const tagsOf = (version: string): Promise<string[]> => git('tag', '--list', `v${version}`);

/** The files of a folder in a release. */
export const filesOfRelease = (version: string, folder: string): Promise<string[]> =>
  git('ls-tree', '-r', '--name-only', `v${version}`, '--', folder);

const NOT_OURS = /(?:^|\/)(?:\.git|node_modules|dist|\.data|\.test-data|coverage|\.env|[^/]+\.(?:log|tgz))(?:\/|$)|^release\//;

/** The files that git has; in a copy without it, those that it would have. */
export async function ownFiles(): Promise<string[]> {
  const tracked = await git('ls-files');
  if (tracked.length > 0) return tracked;
  const found = await readdir('.', { recursive: true, withFileTypes: true });
  const paths = found.filter((entry) => entry.isFile()).map(({ parentPath, name }) => relative('.', join(parentPath, name)));
  return paths.filter((path) => !NOT_OURS.test(path));
}
