import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { folderOfExample } from './examples.js';

export interface Run {
  /** null if it was killed. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}
/** A program that runs. */
export interface RunningExample {
  readonly ended: Promise<Run>;
  kill(): Promise<Run>;
}

/** A copy of an example in a folder of its own, in which the client library is installed as integrators install it. */
export async function anExample(name: string) {
  const folder = await folderOfExample(name);
  const start = (args: readonly string[], env: Readonly<Record<string, string>>): RunningExample => {
    const child = spawn(process.execPath, args, {
      cwd: folder,
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const lastly = (): boolean => child.kill('SIGKILL');
    process.once('exit', lastly);
    const output = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
    const ended = new Promise<Run>((resolve) =>
      child.once('close', (code) => {
        process.off('exit', lastly);
        resolve({ code, ...output });
      }),
    );
    const kill = (): Promise<Run> => {
      child.kill('SIGKILL');
      return ended;
    };
    return { ended, kill };
  };
  return { folder, start, remove: () => rm(folder, { recursive: true }) };
}
