import { format } from 'node:util';
import { run } from '../../src/cli/program.js';
import { inTime } from '../../src/kernel/in-time.js';
import { throughPooler } from './pooled.js';
import type { Ended } from './process.js';

/** One that does not end would hold up all that follow, each until its own test is given up. */
const LONGEST_MS = 240_000;
const lasting = (args: readonly string[], { stdout, stderr }: { stdout: string; stderr: string }): Error =>
  new Error(`claims ${args.join(' ')} does not end. It has said:\n${stdout}${stderr}`);

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a `claims` command in the test's own process, for tests of what a command does: a process takes much longer to start.
 * One command runs at a time, because the process has only one environment and one output.
 */
export function runCommand(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const ended = last.then(() => runAlone(args, env));
  last = ended.catch(() => undefined);
  return ended;
}

async function runAlone(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Ended> {
  const output = { stdout: '', stderr: '' };
  const restore = replace([
    [process, 'env', { PATH: process.env.PATH, DATA_DIR: '/dev/null/none', ...throughPooler(env) }],
    [process, 'exitCode', undefined],
    [process.stdout, 'write', (text: string) => Boolean((output.stdout += text))],
    [process.stderr, 'write', (text: string) => Boolean((output.stderr += text))],
    [console, 'log', (...values: unknown[]) => (output.stdout += `${format(...values)}\n`)],
    [console, 'error', (...values: unknown[]) => (output.stderr += `${format(...values)}\n`)],
  ]);
  try {
    return { code: await inTime(run(['node', 'claims', ...args]), LONGEST_MS, () => lasting(args, output)), ...output };
  } finally {
    restore();
  }
}

/** Sets properties, and returns a function that restores them. */
function replace(properties: readonly [target: object, name: string, value: unknown][]): () => void {
  const before = properties.map(([target, name]) => [target, name, Reflect.get(target, name)] as const);
  for (const [target, name, value] of properties) Reflect.set(target, name, value);
  return () => {
    for (const [target, name, value] of before) Reflect.set(target, name, value);
  };
}
