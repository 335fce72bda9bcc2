import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { EmbeddedDatabaseError } from './embedded-database-error.js';

/** A pid alone may be handed out again after its process died; together with its start it means one process for ever. */
export interface ProcessMark {
  pid: number;
  started: string;
}

const pollMs = 10;
const stragglerPatienceMs = 5_000;

/** Fast shutdown first, then immediate (recovery at the next start), and at last the kernel's word. */
const shutdownSteps = [
  { signal: 'SIGINT', patienceMs: 10_000 },
  { signal: 'SIGQUIT', patienceMs: 5_000 },
  { signal: 'SIGKILL', patienceMs: 5_000 },
] as const;

export function markOf(pid: number): ProcessMark | undefined {
  const started = process.platform === 'linux' ? startFromProc(pid) : ask('lstart=', pid);
  return started === undefined ? undefined : { pid, started };
}

export function isRunning(mark: ProcessMark): boolean {
  return markOf(mark.pid)?.started === mark.started;
}

/** Whether any process has this pid, ours to signal or not. */
export function isPidTaken(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** The pid a cluster's folder names: `undefined` without the file, NaN when a crash left it empty. */
export function readPostmasterPid(folder: string): number | undefined {
  try {
    return Number.parseInt(readFileSync(join(folder, 'postmaster.pid'), 'utf8'), 10);
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return undefined;
    throw error;
  }
}

/** The live server of this folder. A stale file whose pid went to an unrelated process does not count. */
export function findPostmaster(folder: string): number | undefined {
  const pid = readPostmasterPid(folder);
  return pid !== undefined && pid > 0 && isPostgresOf(pid, folder) ? pid : undefined;
}

export function isPostgresOf(pid: number, folder: string): boolean {
  if (process.platform !== 'linux') {
    const command = ask('command=', pid) ?? '';
    return command.includes('postgres') && `${command} `.includes(` -D ${folder} `);
  }
  const [program, ...args] = readProc(pid, 'cmdline').split('\0');
  if (program === undefined || basename(program) !== 'postgres') return false;
  // The folder of a running server may have been renamed, so its working directory counts as well as its arguments.
  return args.includes(folder) || workingDirectory(pid) === folder;
}

/** Ends one server for certain; each signal goes out only after checking that the pid still is that server. */
export async function stopPostmaster(pid: number, folder: string): Promise<void> {
  for (const { signal, patienceMs } of shutdownSteps) {
    const deadline = Date.now() + patienceMs;
    if (isPostgresOf(pid, folder)) send(pid, signal, folder);
    while (isPostgresOf(pid, folder)) {
      if (Date.now() > deadline) break;
      await delay(pollMs);
    }
    if (!isPostgresOf(pid, folder)) return;
  }
  throw new EmbeddedDatabaseError(`Postgres (pid ${pid}) does not let go of ${folder}: end it by hand and try again.`);
}

/**
 * Processes of a killed server notice it within moments, but one that waits for the disk may take longer, and as long as any
 * of them lives no other server may start. Only Linux tells which folder they work in; elsewhere a start is tried again.
 */
export async function outliveStragglers(folder: string): Promise<void> {
  const deadline = Date.now() + stragglerPatienceMs;
  for (;;) {
    const stragglers = stragglersIn(folder);
    if (stragglers.length === 0) return;
    // With their server gone there is nothing left that they could still do for it.
    if (Date.now() > deadline) stragglers.forEach((pid) => send(pid, 'SIGKILL', folder));
    if (Date.now() > deadline + stragglerPatienceMs) return;
    await delay(pollMs);
  }
}

function stragglersIn(folder: string): number[] {
  if (process.platform !== 'linux') return [];
  const pids = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  return pids.filter((pid) => workingDirectory(pid) === folder && readProc(pid, 'cmdline').startsWith('postgres: '));
}

function send(pid: number, signal: NodeJS.Signals, folder: string): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!isPostgresOf(pid, folder)) return;
    throw new EmbeddedDatabaseError(`Postgres (pid ${pid}) of another user still runs in ${folder}: end it as that user and try again.`, {
      cause: error,
    });
  }
}

/** A zombie counts as dead: it holds nothing any more, and its parent may never ask for it. */
function startFromProc(pid: number): string | undefined {
  const stat = readProc(pid, 'stat');
  // The program's name stands in brackets and may itself contain spaces and brackets.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, ticks] = [fields[0], fields[19]];
  if (state === 'Z' || state === 'X' || ticks === undefined) return undefined;
  return `${bootId()}/${ticks}`;
}

/** Ticks count from the machine's start, so the same pid and tick can come again after a reboot. */
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

function ask(column: string, pid: number): string | undefined {
  const answer = spawnSync('ps', ['-ww', '-o', column, '-p', String(pid)], { encoding: 'utf8' });
  const text = answer.status === 0 ? answer.stdout.trim() : '';
  return text === '' ? undefined : text;
}
