import { execFile, spawn, type ChildProcessByStdio } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PATIENCE_MS = 60_000;

/** A whole program of a guide. Its first line names its file and the command that runs it. */
export interface GuideProgram {
  readonly file: string;
  readonly command: string;
  readonly text: string;
}

/** The program in a block of JavaScript or Python; undefined if its first line does not say how it is run. */
export function programIn(text: string): GuideProgram | undefined {
  const [, file, command] = /^(?:\/\/|#) (\S+): (.+)\n/.exec(text) ?? [];
  return file !== undefined && command!.split(' ').includes(file) ? { file, command: command!, text } : undefined;
}

/** Puts the program into a new folder, which has nothing else. */
async function saved({ file, text }: GuideProgram, parent: string): Promise<string> {
  const folder = await mkdtemp(join(parent, 'claims-program-'));
  await writeFile(join(folder, file), text);
  return folder;
}

/** What it prints, run by its command. */
export async function outputOf(program: GuideProgram, given: Record<string, string>, node = process.execPath): Promise<string> {
  const folder = await saved(program, tmpdir());
  const env = { ...given, PATH: `${dirname(node)}:${process.env.PATH}` };
  try {
    return (await run('sh', ['-c', program.command], { cwd: folder, env, timeout: PATIENCE_MS })).stdout.trim();
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Starts a program that serves, by its command. It finds its packages in our node_modules. */
export async function startProgram(text: string, given: Record<string, string>): Promise<ChildProcessByStdio<null, Readable, null>> {
  const program = programIn(text)!;
  const folder = await saved(program, join(process.cwd(), 'node_modules'));
  const env = { ...given, PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
  const child = spawn('sh', ['-c', `exec ${program.command}`], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  child.once('close', () => void rm(folder, { recursive: true }));
  return child;
}
