import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, inject } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TIMEOUT_MS = 600_000;
/** What .gitignore names, and git itself. */
const NOT_TRACKED = /^(?:\.git|node_modules|dist|\.data|\.test-data|coverage|\.env)$|\.(?:log|tgz)$/;

export interface Finished {
  readonly code: number | null;
  readonly output: string;
}

export const expectSuccess = ({ code, output }: Finished): void => expect(code, output).toBe(0);

/** A copy of the repository as git has it, with its dependencies: a test may change anything in it. */
export class CleanCheckout {
  private constructor(readonly root: string) {}

  static async make(): Promise<CleanCheckout> {
    const root = await mkdtemp(join(tmpdir(), 'claims-checkout-'));
    const isTracked = (path: string): boolean =>
      !relative(ROOT, path)
        .split('/')
        .some((name) => NOT_TRACKED.test(name));
    await cp(ROOT, root, { recursive: true, filter: isTracked });
    // What was built is built faster again.
    if (existsSync(join(ROOT, 'dist/src'))) await cp(join(ROOT, 'dist'), join(root, 'dist'), { recursive: true, preserveTimestamps: true });
    await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'));
    return new CleanCheckout(root);
  }

  path(...names: readonly string[]): string {
    return join(this.root, ...names);
  }

  /** Runs a command line with the tools of the repository. Tests use the database server of these tests, and one worker. */
  run(command: string, env: Readonly<Record<string, string>> = {}): Promise<Finished> {
    const own = { NO_COLOR: '1', TEST_DATABASE_URL: inject('templateUrl'), VITEST_MAX_WORKERS: '1' };
    const PATH = `${this.path('node_modules/.bin')}:${process.env.PATH}`;
    const child = spawn(command, { shell: true, cwd: this.root, env: { PATH, HOME: tmpdir(), ...own, ...env }, timeout: TIMEOUT_MS });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })));
  }

  /** Each tracked file that is not in one of the folders, with a hash of its content. */
  async files(...without: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const entries = await readdir(this.root, { recursive: true, withFileTypes: true });
    const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => relative(this.root, join(parentPath, name)));
    const counted = paths.filter((path) => !path.split('/').some((name) => NOT_TRACKED.test(name)));
    const wanted = counted.filter((path) => !without.some((folder) => path.startsWith(`${folder}/`))).sort();
    const hashOf = async (path: string) =>
      createHash('sha256')
        .update(await readFile(this.path(path)))
        .digest('hex');
    return new Map(await Promise.all(wanted.map(async (path) => [path, await hashOf(path)] as const)));
  }

  /** The files that are there since, or no longer, or have another content. */
  async changesSince(known: ReadonlyMap<string, string>, ...without: readonly string[]): Promise<string[]> {
    const now = await this.files(...without);
    const isCounted = (path: string): boolean => !without.some((folder) => path.startsWith(`${folder}/`));
    return [...new Set([...known.keys(), ...now.keys()])].filter(isCounted).filter((path) => known.get(path) !== now.get(path));
  }

  remove(): Promise<void> {
    return rm(this.root, { recursive: true, force: true });
  }
}
