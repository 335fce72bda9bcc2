import { spawn, type ChildProcess } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createInterface } from 'node:readline';
import { TEST_ENCRYPTION_KEY } from './app.js';
import { throughPooler } from './pooled.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MAIN = 'dist/bundle/main.js';
const COMMAND = 'bin/claims.js';
const NODE = [process.execPath, '--import', new URL('reserved-names.js', import.meta.url).href];
const PATIENCE_MS = 120_000;

export interface Ended {
  /** null if a signal ended the process. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface TestProcess {
  /** Undefined for a worker, which does not listen. */
  readonly url: string;
  /** The address of HEALTH_PORT. */
  readonly probes?: string;
  /** The address of METRICS_PORT. */
  readonly metrics?: string;
  readonly pid: number;
  /** The lines that it has printed so far. */
  readonly lines: readonly string[];
  /** Resolves when it has ended, whatever ended it. */
  readonly ended: Promise<Ended>;
  /** Sends SIGKILL, as if the machine was lost: the process cannot react. */
  kill(): Promise<Ended>;
  /** Sends SIGTERM, like an orchestrator, and waits until the process has ended. */
  stop(): Promise<Ended>;
}

/** The line of the log that says so. */
interface Ready {
  readonly msg?: string;
  readonly address?: string;
  readonly probes?: string;
  readonly metrics?: string;
  readonly api?: number;
  readonly worker?: number;
}

const running = new Set<ChildProcess>();
// No process may outlive the tests, however they end.
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/**
 * Starts the service in a process of its own, from the output of `npm run build` in a folder. `group` is a command that starts it with
 * something else of its own, such as the memory of a group. Returns when it is ready.
 */
export async function startProcess(
  env: Readonly<Record<string, string>>,
  { folder = ROOT, group }: { folder?: string; group?: { readonly wrap: readonly string[] } } = {},
): Promise<TestProcess> {
  const own = {
    PORT: '0',
    ROLE: 'api',
    LOG_FORMAT: 'json',
    LOG_LEVEL: 'info',
    DATABASE_POOL_SIZE: '4',
    ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
    METRICS_PORT: '0',
    ...env,
  };
  const { child, ended } = run([...(group?.wrap ?? []), ...NODE, join(folder, MAIN)], own);
  const lines: string[] = [];
  const ready = new Promise<{ url: string; probes?: string; metrics?: string }>((resolve) => {
    createInterface({ input: child.stdout! }).on('line', (line) => {
      lines.push(line);
      if (!line.startsWith('{')) return;
      const { msg, address, api, worker, ...listeners } = JSON.parse(line) as Ready;
      // Each of several processes says so, too.
      if (msg === 'ready' && (api ?? worker) === undefined) resolve({ url: address ?? '', ...listeners });
    });
  });
  const failed = ended.then(({ code, stderr }): never => {
    throw new Error(`The process ended with ${code} before it was ready: ${stderr}`);
  });
  const { url, probes, metrics } = await Promise.race([ready, failed]);
  failed.catch(() => undefined);
  const end = (signal: NodeJS.Signals) => (): Promise<Ended> => {
    child.kill(signal);
    return ended;
  };
  return { url, probes, metrics, pid: child.pid!, lines, ended, kill: end('SIGKILL'), stop: end('SIGTERM') };
}

export interface RunningCommand {
  /** The lines that it has printed so far. */
  readonly lines: readonly string[];
  /** The same for its standard error. */
  readonly errors: readonly string[];
  /** Sends SIGINT, like Ctrl-C. */
  interrupt(): Promise<Ended>;
  /** Sends SIGKILL: the command cannot react. */
  kill(): Promise<Ended>;
  /** Resolves when it has ended by itself. */
  readonly ended: Promise<Ended>;
}

/** Starts a `claims` command that runs until it is interrupted. `input` is its standard input. */
export function startClaims(args: readonly string[], env: Readonly<Record<string, string>> = {}, input?: string): RunningCommand {
  const { child, ended } = run([...NODE, join(ROOT, COMMAND), ...args], env, undefined, input);
  const [lines, errors]: [string[], string[]] = [[], []];
  createInterface({ input: child.stdout! }).on('line', (line) => lines.push(line));
  createInterface({ input: child.stderr! }).on('line', (line) => errors.push(line));
  const end = (signal: NodeJS.Signals) => (): Promise<Ended> => {
    child.kill(signal);
    return ended;
  };
  return { lines, errors, interrupt: end('SIGINT'), kill: end('SIGKILL'), ended };
}

/** Runs a `claims` command until it ends. */
export function runClaims(args: readonly string[], env: Readonly<Record<string, string>> = {}, folder = ROOT): Promise<Ended> {
  return run([...NODE, join(folder, COMMAND), ...args], env, PATIENCE_MS).ended;
}

function run(
  [program, ...args]: readonly string[],
  env: Readonly<Record<string, string>>,
  timeout?: number,
  input?: string,
): { child: ChildProcess; ended: Promise<Ended> } {
  // The process must not see the settings of whoever runs the tests, nor a `.env` beside the sources.
  // Without a DATABASE_URL, it must not start a database of its own.
  const clean = { PATH: process.env.PATH, DATA_DIR: '/dev/null/none', ...throughPooler(env) };
  const child = spawn(program!, args, {
    cwd: tmpdir(),
    env: clean,
    stdio: 'pipe',
    timeout,
    killSignal: 'SIGKILL',
  });
  running.add(child);
  // A process that ends at once does not read it.
  child.stdin.on('error', () => undefined).end(input ?? '');
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
