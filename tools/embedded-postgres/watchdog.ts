import { spawn, type ChildProcess } from 'node:child_process';
import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { ENGINE_ENV } from './binaries.js';
import type { EngineUser } from './engine-user.js';

/** A shell's exit codes for a command that it may not execute, and for one that it does not find. */
const NOT_EXECUTABLE = 126;
const NOT_FOUND = 127;

/**
 * A shell script that reads from a pipe of ours. When the pipe closes (we closed it, or we died, even by kill -9), it asks the
 * engine for a fast shutdown. It ignores signals, because without it nothing would stop the engine.
 */
const WATCHDOG_SCRIPT = `
exec 3<&0 </dev/null
trap : HUP INT QUIT TERM
"$@" 3<&- &
engine=$!
( trap '' HUP INT QUIT TERM; read -r end <&3; kill -INT "$engine" ) 2>/dev/null &
reader=$!
exec 3<&-
while :; do
  wait "$engine"
  status=$?
  kill -0 "$engine" 2>/dev/null || break
done
kill -KILL "$reader" 2>/dev/null
wait "$reader" 2>/dev/null
exit "$status"
`;

export interface WatchedProcess {
  /** The shell's exit code, which is that of the command. Undefined while it is running. */
  exitCode: number | undefined;
  ended: Promise<void>;
  /** Keeps our event loop alive until the process ends, for callers that wait for it. */
  keepParentAlive(): void;
  /** Closes the pipe, which asks the engine to shut down. */
  release(): void;
  /** The last resort: kills the watchdog's whole process group. */
  kill(): void;
}

export function failedToStart({ exitCode }: WatchedProcess): boolean {
  return exitCode === NOT_EXECUTABLE || exitCode === NOT_FOUND;
}

/** Uses a session of its own, so that Ctrl-C in the terminal reaches only us and we decide the order of shutdown. */
export function spawnWatched(
  program: string[],
  engineUser: EngineUser,
  logHandle: number,
  env: Readonly<Record<string, string>> = {},
): WatchedProcess {
  const [command = '/bin/sh', ...args] = [...engineUser.wrap, '/bin/sh', '-c', WATCHDOG_SCRIPT, 'watchdog', ...program];
  const child = spawn(command, args, {
    ...engineUser.account,
    cwd: '/',
    env: { ...ENGINE_ENV, ...env },
    detached: true,
    stdio: ['pipe', logHandle, logHandle],
  });
  const watched: WatchedProcess = {
    exitCode: undefined,
    ended: new Promise((resolve) => {
      child.once('exit', (code) => {
        watched.exitCode = code ?? 1;
        resolve();
      });
      child.once('error', (error) => {
        watched.exitCode = NOT_FOUND;
        writeSync(logHandle, `${error.message}\n`);
        resolve();
      });
    }),
    keepParentAlive: () => child.ref(),
    release: () => {
      child.ref();
      child.stdin?.end();
    },
    kill: () => {
      if (child.pid !== undefined && watched.exitCode === undefined) process.kill(-child.pid, 'SIGKILL');
    },
  };
  unrefChild(child);
  return watched;
}

/** A command that forgets to stop its database must still be able to exit. The pipe closes when it does. */
function unrefChild(child: ChildProcess): void {
  child.unref();
  child.stdin?.on('error', () => undefined);
  if (child.stdin instanceof Socket) child.stdin.unref();
}
