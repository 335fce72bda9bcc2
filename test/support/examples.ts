import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { folderWithClient } from './client-package.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const EXAMPLES = join(ROOT, 'examples');

/** The programs in examples/. An extension is none: it has no package of its own. */
export async function exampleNames(): Promise<string[]> {
  const entries = await readdir(EXAMPLES, { withFileTypes: true });
  return entries.map(({ name }) => name).filter((name) => existsSync(join(EXAMPLES, name, 'package.json')));
}

/** A copy of an example whose dependencies are installed, with the client library from its archive. Whoever makes it removes it. */
export async function folderOfExample(name: string): Promise<string> {
  const folder = await folderWithClient();
  await cp(join(EXAMPLES, name), folder, { recursive: true, filter: (path) => !path.includes('node_modules', EXAMPLES.length) });
  const { dependencies } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { dependencies: Record<string, string> };
  const others = Object.keys(dependencies).filter((dependency) => dependency !== '@claims-api/client');
  for (const dependency of [...others, '@types']) {
    const link = join(folder, 'node_modules', dependency);
    await mkdir(dirname(link), { recursive: true });
    const [ours = '', theirs = ''] = ['', 'test/compatibility/'].map((from) => join(ROOT, from, 'node_modules', dependency));
    await symlink(existsSync(ours) ? ours : theirs, link);
  }
  return folder;
}

export interface RunningExample {
  /** What it has printed, also as errors. */
  readonly output: readonly string[];
  /** Ends it, and removes its folder. */
  stop(): Promise<void>;
}

/** Starts an example that is a server. Returns when it has printed its first line. */
export async function startExample(name: string, env: Readonly<Record<string, string>>): Promise<RunningExample> {
  const folder = await folderOfExample(name);
  const { scripts } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { scripts: { start: string } };
  const [command, ...args] = scripts.start.split(' ');
  const child = spawn(command === 'node' ? process.execPath : command!, args, { cwd: folder, env: { PATH: process.env.PATH, ...env } });
  const kill = (): boolean => child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on('line', (line) => output.push(line));
  const ready = new Promise<void>((resolve) => child.stdout.once('data', () => resolve()));
  const stop = async (): Promise<void> => {
    child.kill();
    await ended;
    process.off('exit', kill);
    await rm(folder, { recursive: true });
  };
  const isReady = await Promise.race([ready.then(() => true), ended.then(() => false)]);
  if (isReady) return { output, stop };
  await stop();
  throw new Error(`The example ended before it was ready: ${output.join('\n')}`);
}
