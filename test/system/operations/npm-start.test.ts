import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TEST_ENCRYPTION_KEY } from '../../support/app.js';
import { createDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { childrenOf, isAlive } from '../../support/processes-of.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const PATIENCE_MS = 30_000;

let database: Awaited<ReturnType<typeof createDatabase>>;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

const below = (pid: number): number[] => childrenOf(pid).flatMap((child) => [child, ...below(child)]);

/** Returns npm's process and those below it, when the service answers. */
async function startByNpm(): Promise<number[]> {
  const env = { DATABASE_URL: database.url, ENCRYPTION_KEY: TEST_ENCRYPTION_KEY, ROLE: 'api', PORT: '0', LOG_FORMAT: 'json' };
  const given = { PATH: process.env.PATH, HOME: process.env.HOME, ...env };
  const npm = spawn('npm', ['start'], { cwd: ROOT, env: given, stdio: ['ignore', 'pipe', 'ignore'] });
  const lines = createInterface({ input: npm.stdout });
  await new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => line.includes('"msg":"ready"') && resolve());
    npm.once('close', (code) => reject(new Error(`npm ended with ${code} before the service was ready`)));
  });
  return [npm.pid!, ...below(npm.pid!)];
}

describe('the service that npm start has started', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGKILL'] as const)('ends when npm gets %s', async (signal) => {
    const pids = await startByNpm();
    expect(pids.length).toBeGreaterThan(1);
    process.kill(pids[0]!, signal);
    await eventually(() => expect(pids.filter(isAlive)).toEqual([]), PATIENCE_MS);
  });
});
