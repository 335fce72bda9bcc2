import { spawn, type ChildProcess } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createInterface } from 'node:readline';
import { TEST_ENCRYPTION_KEY } from './app.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MAIN = join(ROOT, 'dist/bundle/main.js');
const COMMAND = join(ROOT, 'bin/claims.js');
const PATIENCE_MS = 120_000;

export interface Ended {
  /** null: a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface TestProcess {
  /** Undefined for a worker, which does not listen. */
  readonly url: string;
  readonly pid: number;
  /** As when the machine is lost: the process is given no chance to do anything. */
  kill(): Promise<Ended>;
  /** As an orchestrator stops it; ends when the process has. */
  stop(): Promise<Ended>;
}

const running = new Set<ChildProcess>();
// Nothing that a test started may outlive it, however the test ended.
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/** The service as a process of its own, from what `npm run build` made; returns when it is ready. */
export async function startProcess(env: Readonly<Record<string, string>>): Promise<TestProcess> {
  const { child, ended } = run([MAIN], {
    PORT: '0',
    ROLE: 'api',
    LOG_FORMAT: 'json',
    LOG_LEVEL: 'info',
    DATABASE_POOL_SIZE: '4',
    ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
    ...env,
  });
  const ready = new Promise<string>((resolve) => {
    createInterface({ input: child.stdout! }).on('line', (line) => {
      if (!line.startsWith('{')) return;
      const { msg, address } = JSON.parse(line) as { msg?: string; address?: string };
      if (msg === 'ready') resolve(address ?? '');
    });
  });
  const failed = ended.then(({ code, stderr }): never => {
    throw new Error(`The process ended with ${code} before it was ready: ${stderr}`);
  });
  const url = await Promise.race([ready, failed]);
  failed.catch(() => undefined);
  const end = (signal: NodeJS.Signals) => (): Promise<Ended> => {
    child.kill(signal);
    return ended;
  };
  return { url, pid: child.pid!, kill: end('SIGKILL'), stop: end('SIGTERM') };
}

export interface RunningCommand {
  /** What it has printed so far. */
  readonly lines: readonly string[];
  /** As Ctrl-C ends it. */
  interrupt(): Promise<Ended>;
}

/** The `claims` command while it runs, of those that end only when they are told to. */
export function startClaims(args: readonly string[], env: Readonly<Record<string, string>> = {}): RunningCommand {
  const { child, ended } = run([COMMAND, ...args], env);
  const lines: string[] = [];
  createInterface({ input: child.stdout! }).on('line', (line) => lines.push(line));
  const interrupt = (): Promise<Ended> => {
    child.kill('SIGINT');
    return ended;
  };
  return { lines, interrupt };
}

/** The `claims` command, from its start to its end. */
export function runClaims(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return run([COMMAND, ...args], env, PATIENCE_MS).ended;
}

function run(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  timeout?: number,
): { child: ChildProcess; ended: Promise<Ended> } {
  // Neither the settings of whoever runs the tests nor a `.env` beside the sources may reach the process,
  // and one that is not told its database must not start one of its own.
  const clean = { PATH: process.env.PATH, DATA_DIR: '/dev/null/none', ...env };
  const child = spawn(process.execPath, args, {
    cwd: tmpdir(),
    env: clean,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout,
    killSignal: 'SIGKILL',
  });
  running.add(child);
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code) => {
      running.delete(child);
      resolve({ code, ...output });
    });
  });
  return { child, ended };
}
