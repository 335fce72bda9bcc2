/** What the steps of a release share. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

export const CHART = 'docker/helm/claims-api';
export const MANIFESTS = 'docker/kubernetes';

export const read = (root, path) => readFileSync(join(root, path), 'utf8');
export const git = (root, ...args) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1e8, stdio: ['ignore', 'pipe', 'pipe'] }).trim();
export const sha256 = (content) => createHash('sha256').update(content).digest('hex');
export const versionOf = (root) => JSON.parse(read(root, 'package.json')).version;

/** When the commit was made: the time of all that a release writes, so that a second run writes the same. */
export const commitTime = (root) => new Date(Number(git(root, 'log', '-1', '--format=%ct')) * 1000).toISOString();

/** The files of a folder that git has, for an archive. */
export function trackedFiles(root, folder = '.') {
  const listed = git(root, 'ls-files', '-z', '--', folder).split('\0').filter(Boolean);
  return listed.map((name) => ({
    name,
    mode: statSync(join(root, name)).mode & 0o100 ? 0o755 : 0o644,
    content: readFileSync(join(root, name)),
  }));
}

export const below = (folder, files) => files.map((file) => ({ ...file, name: `${folder}/${file.name}` }));
