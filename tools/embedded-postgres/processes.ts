import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedDatabaseError } from './embedded-database-error.js';

/** A pid may be reused after its process ends. Pid and start time together name one process for good. */
export interface ProcessIdentity {
  pid: number;
  started: string;
}

const POLL_MS = 10;
const BACKEND_EXIT_TIMEOUT_MS = 5_000;

/** Fast shutdown first, then immediate shutdown (recovery at the next start), then kill. */
const SHUTDOWN_STEPS = [
  { signal: 'SIGINT', timeoutMs: 10_000 },
  { signal: 'SIGQUIT', timeoutMs: 5_000 },
  { signal: 'SIGKILL', timeoutMs: 5_000 },
] as const;

export function identify(pid: number): ProcessIdentity | undefined {
  const started = process.platform === 'linux' ? startFromProc(pid) : psColumn('lstart=', pid);
  return started === undefined ? undefined : { pid, started };
}

export function isRunning(identity: ProcessIdentity): boolean {
  return identify(identity.pid)?.started === identity.started;
}

/** Whether any process has this pid, even one that we may not signal. */
export function isPidTaken(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** The pid in the cluster's postmaster.pid: undefined without the file, NaN if a crash left it empty. */
export function readPostmasterPid(clusterDir: string): number | undefined {
  try {
    return Number.parseInt(readFileSync(join(clusterDir, 'postmaster.pid'), 'utf8'), 10);
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return undefined;
    throw error;
  }
}

/** The pid of the live server of this cluster. A stale file whose pid now belongs to another process does not count. */
export function findPostmaster(clusterDir: string): number | undefined {
  const pid = readPostmasterPid(clusterDir);
  return pid !== undefined && pid > 0 && isPostgresOf(pid, clusterDir) ? pid : undefined;
}

export function isPostgresOf(pid: number, clusterDir: string): boolean {
  if (process.platform !== 'linux') {
    const command = psColumn('command=', pid) ?? '';
    return command.includes('postgres') && `${command} `.includes(` -D ${clusterDir} `);
  }
  const [program, ...args] = readProc(pid, 'cmdline').split('\0');
  if (program === undefined || basename(program) !== 'postgres') return false;
  // Checks the working directory too, because the folder of a running server may have been renamed.
  return args.includes(clusterDir) || workingDirectory(pid) === clusterDir;
}

/** Stops a server, by force if needed. Before each signal we check that the pid still belongs to that server. */
export async function stopPostmaster(pid: number, clusterDir: string): Promise<void> {
  for (const { signal, timeoutMs } of SHUTDOWN_STEPS) {
    const deadline = Date.now() + timeoutMs;
    if (isPostgresOf(pid, clusterDir)) send(pid, signal, clusterDir);
    while (isPostgresOf(pid, clusterDir)) {
      if (Date.now() > deadline) break;
      await delay(POLL_MS);
    }
    if (!isPostgresOf(pid, clusterDir)) return;
  }
  throw new EmbeddedDatabaseError(`Postgres (pid ${pid}) does not stop using ${clusterDir}: end it by hand and try again.`);
}

/**
 * Backends of a killed server notice it within moments, but one that waits for the disk may take longer, and no other server
 * can start while any of them lives. Only Linux shows their working directory; elsewhere the start is tried again.
 */
export async function waitForLeftoverBackends(clusterDir: string): Promise<void> {
  const deadline = Date.now() + BACKEND_EXIT_TIMEOUT_MS;
  for (;;) {
    const backends = leftoverBackendsIn(clusterDir);
    if (backends.length === 0) return;
    // Their server is gone, so killing them loses nothing.
    if (Date.now() > deadline) backends.forEach((pid) => send(pid, 'SIGKILL', clusterDir));
    if (Date.now() > deadline + BACKEND_EXIT_TIMEOUT_MS) return;
    await delay(POLL_MS);
  }
}

function leftoverBackendsIn(clusterDir: string): number[] {
  if (process.platform !== 'linux') return [];
  const pids = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  return pids.filter((pid) => workingDirectory(pid) === clusterDir && readProc(pid, 'cmdline').startsWith('postgres: '));
}

function send(pid: number, signal: NodeJS.Signals, clusterDir: string): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!isPostgresOf(pid, clusterDir)) return;
    throw new EmbeddedDatabaseError(
      `Postgres (pid ${pid}) of another user is still running in ${clusterDir}: end it as that user and try again.`,
      {
        cause: error,
      },
    );
  }
}

/** A zombie counts as dead: it holds no resources, and its parent may never reap it. */
function startFromProc(pid: number): string | undefined {
  const stat = readProc(pid, 'stat');
  // The second field is the program's name in brackets, which may itself contain spaces and brackets.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, ticks] = [fields[0], fields[19]];
  if (state === 'Z' || state === 'X' || ticks === undefined) return undefined;
  return `${bootId()}/${ticks}`;
}

/** Ticks count from the machine's start, so the same pid and tick may occur again after a reboot. */
function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}

function readProc(pid: number, file: 'stat' | 'cmdline'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

function workingDirectory(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

function psColumn(column: string, pid: number): string | undefined {
  const answer = spawnSync('ps', ['-ww', '-o', column, '-p', String(pid)], { encoding: 'utf8' });
  const text = answer.status === 0 ? answer.stdout.trim() : '';
  return text === '' ? undefined : text;
}
