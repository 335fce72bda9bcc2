import { type ChildProcess, spawn } from 'node:child_process';
import { writeSync } from 'node:fs';
import { Socket } from 'node:net';

import { engineEnvironment } from './binaries.js';
import type { RunAs } from './drop-privileges.js';

/** What a shell answers for a command it may not run, and for one it does not find. */
const notExecutable = 126;
const notFound = 127;

/**
 * Holds a pipe from us, and when the pipe closes (we let go, or we died, however suddenly) asks the engine for a fast shutdown.
 * Signals from outside are for the engine or for us; the watchdog outlives them, or nobody would be left to do its work.
 */
const script = `
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

export interface Watched {
  /** The shell's exit code, which is the command's; undefined while it runs. */
  exitCode: number | undefined;
  ended: Promise<void>;
  /** For as long as somebody waits for its end. */
  keepUsAlive(): void;
  /** Closes the pipe. */
  letGo(): void;
  /** The last resort: the watchdog and all of its group. */
  kill(): void;
}

export function couldNotRun({ exitCode }: Watched): boolean {
  return exitCode === notExecutable || exitCode === notFound;
}

/** Runs in a session of its own, so that a terminal's Ctrl-C reaches us alone and the order of shutdown stays ours. */
export function runWatched(program: string[], runAs: RunAs, logHandle: number): Watched {
  const [command = '/bin/sh', ...args] = [...runAs.wrap, '/bin/sh', '-c', script, 'watchdog', ...program];
  const child = spawn(command, args, {
    ...runAs.account,
    cwd: '/',
    env: engineEnvironment,
    detached: true,
    stdio: ['pipe', logHandle, logHandle],
  });
  const watched: Watched = {
    exitCode: undefined,
    ended: new Promise((resolve) => {
      child.once('exit', (code) => {
        watched.exitCode = code ?? 1;
        resolve();
      });
      child.once('error', (error) => {
        watched.exitCode = notFound;
        writeSync(logHandle, `${error.message}\n`);
        resolve();
      });
    }),
    keepUsAlive: () => child.ref(),
    letGo: () => {
      child.ref();
      child.stdin?.end();
    },
    kill: () => {
      if (child.pid !== undefined && watched.exitCode === undefined) process.kill(-child.pid, 'SIGKILL');
    },
  };
  doNotKeepUsAlive(child);
  return watched;
}

/** A command that forgets to stop its database shall end all the same; the pipe closes with it. */
function doNotKeepUsAlive(child: ChildProcess): void {
  child.unref();
  child.stdin?.on('error', () => undefined);
  if (child.stdin instanceof Socket) child.stdin.unref();
}
