import { execFile, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { folderWithClient } from '../../support/client-package.js';

const run = promisify(execFile);
const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
const NEXT = join(PACKAGE, 'node_modules/next/dist/bin/next');
const ENVIRONMENT = { PATH: process.env.PATH, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' } as const;

export interface NextApp {
  readonly url: string;
  /** What it has printed. */
  readonly output: readonly string[];
  close(): Promise<void>;
}

/** Builds and serves a copy of an application of Next.js, in which the client library is installed as integrators install it. */
export async function startNext(source: string, env: Readonly<Record<string, string>>): Promise<NextApp> {
  // Within the package that has Next.js.
  await mkdir(join(PACKAGE, '.test-data'), { recursive: true });
  const folder = await mkdtemp(join(PACKAGE, '.test-data/next-'));
  const installed = await folderWithClient();
  await cp(join(installed, 'node_modules'), join(folder, 'node_modules'), { recursive: true });
  await rm(installed, { recursive: true });
  await cp(source, folder, { recursive: true });
  await run(process.execPath, [NEXT, 'build'], { cwd: folder, env: ENVIRONMENT });
  const child = spawn(process.execPath, [NEXT, 'start', '--port', '0', '--hostname', '127.0.0.1'], {
    cwd: folder,
    env: { ...ENVIRONMENT, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output: string[] = [];
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const stop = () => child.kill('SIGKILL');
  process.once('exit', stop);
  const url = await new Promise<string>((resolve, reject) => {
    let local = '';
    createInterface({ input: child.stdout }).on('line', (line) => {
      output.push(line);
      local = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0] ?? local;
      if (line.includes('Ready')) resolve(local);
    });
    ended.then(() => reject(new Error(`next start has ended: ${errors}`))).catch(reject);
  });
  const close = async () => {
    process.off('exit', stop);
    stop();
    await ended;
    await rm(folder, { recursive: true });
  };
  return { url, output, close };
}
