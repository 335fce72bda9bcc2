import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, rename, rm, symlink } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** What git says; nothing outside of a repository, and where it was copied without its tags. */
const git = async (...args: readonly string[]): Promise<string[]> => {
  const answered = await execute('git', args, { maxBuffer: 1e8 }).catch(() => ({ stdout: '' }));
  return answered.stdout.split('\n').filter(Boolean);
};

/** The commits of the releases, for copies that have the history without its tags. */
export const COMMITS = JSON.parse(readFileSync('test/data/release-commits.json', 'utf8')) as Readonly<Record<string, string>>;

/** The commit that a version was released from, if it is known here. */
export async function commitOf(version: string): Promise<string | undefined> {
  const [tagged] = await git('rev-parse', '--verify', '--quiet', `v${version}^{commit}`);
  const noted = tagged ?? COMMITS[version];
  return noted && (await git('cat-file', '-t', noted))[0] === 'commit' ? noted : undefined;
}

/** The files of a folder in a release. */
export async function filesOfRelease(version: string, folder: string): Promise<string[]> {
  const commit = await commitOf(version);
  return commit ? git('ls-tree', '-r', '--name-only', commit, '--', folder) : [];
}

/** Where a release was built from its sources. It stays there for the next time. */
export async function builtRelease(version: string): Promise<string> {
  const commit = await commitOf(version);
  if (!commit) throw new Error(`The commit of ${version} is not in this copy: clone with the whole history.`);
  const folder = resolve('.test-data/releases', commit);
  if (existsSync(join(folder, 'dist/bundle/main.js'))) return folder;
  const making = `${folder}.${process.pid}`;
  await mkdir(making, { recursive: true });
  const inFolder = (command: string) => execute('bash', ['-euo', 'pipefail', '-c', command], { cwd: making, maxBuffer: 1e8 });
  await inFolder(`git -C "${resolve('.')}" archive ${commit} | tar -x`);
  // Most versions were built with what is installed here.
  if (readFileSync('package-lock.json', 'utf8') === readFileSync(join(making, 'package-lock.json'), 'utf8'))
    await symlink(resolve('node_modules'), join(making, 'node_modules'));
  else await inFolder('npm ci --silent');
  await inFolder('npm run --silent build');
  await rm(folder, { recursive: true, force: true });
  await rename(making, folder);
  return folder;
}

const NOT_OURS = /(?:^|\/)(?:\.git|node_modules|dist|\.data|\.test-data|coverage|\.env|[^/]+\.(?:log|tgz))(?:\/|$)|^release\//;

/** The files that git has; in a copy without it, those that it would have. */
export async function ownFiles(): Promise<string[]> {
  const tracked = await git('ls-files');
  if (tracked.length > 0) return tracked;
  const found = await readdir('.', { recursive: true, withFileTypes: true });
  const paths = found.filter((entry) => entry.isFile()).map(({ parentPath, name }) => relative('.', join(parentPath, name)));
  return paths.filter((path) => !NOT_OURS.test(path));
}
