import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** What git says; nothing outside of a repository, and where it was copied without its tags. */
const git = async (...args: readonly string[]): Promise<string[]> => {
  const answered = await execute('git', args).catch(() => ({ stdout: '' }));
  return answered.stdout.split('\n').filter(Boolean);
};

/** The tag of a version, if it is released and known here. */
export const tagsOf = (version: string): Promise<string[]> => git('tag', '--list', `v${version}`);

/** The files of a folder in a release. */
export const filesOfRelease = (version: string, folder: string): Promise<string[]> =>
  git('ls-tree', '-r', '--name-only', `v${version}`, '--', folder);
