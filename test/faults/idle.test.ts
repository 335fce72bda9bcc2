import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase } from '../support/database.js';
import { StatementProxy } from '../support/postgres-statements.js';
import { startProcess, type TestProcess } from '../support/process.js';

const COUNTED_S = 60;
const TIMEOUT_MS = 240_000;

let database: Awaited<ReturnType<typeof createDatabase>>;
let proxy: StatementProxy;
let processes: TestProcess[] = [];
beforeAll(async () => {
  database = await createDatabase();
  proxy = await StatementProxy.to(database.url);
}, TIMEOUT_MS);
afterAll(async () => {
  await Promise.all(processes.map((process) => process.stop()));
  await proxy.tcp.close();
  await database.drop();
}, TIMEOUT_MS);

it('two APIs and two workers ask Postgres at most five times a second while nothing happens', { timeout: TIMEOUT_MS }, async () => {
  const counts = new Map<string, number>();
  const env = { DATABASE_URL: proxy.tcp.url, DATABASE_POOLER: 'transaction' };
  processes = await Promise.all(['api', 'api', 'worker', 'worker'].map((ROLE) => startProcess({ ...env, ROLE })));
  await delay(15_000);
  proxy.handle = (text, _link, pass) => {
    const name = text.replaceAll(/\s+/g, ' ').slice(0, 90);
    counts.set(name, (counts.get(name) ?? 0) + 1);
    pass();
  };
  await delay(COUNTED_S * 1000);
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const most = [...counts].sort(([, one], [, other]) => other - one).slice(0, 20);
  expect(all / COUNTED_S, most.map(([text, count]) => `${count} × ${text}`).join('\n')).toBeLessThanOrEqual(5);
});

it('an idle API keeps at most 150 MB of memory of its own, an idle worker 100', { timeout: TIMEOUT_MS }, async () => {
  const kept = await Promise.all(processes.map(({ pid }) => ownMegabytes(pid)));
  expect(Math.max(...kept.slice(0, 2)), `of all: ${kept.join(', ')}`).toBeLessThanOrEqual(150);
  expect(Math.max(...kept.slice(2)), `of all: ${kept.join(', ')}`).toBeLessThanOrEqual(100);
});

/** What no other process shares: the program of Node is shared with the tests. */
async function ownMegabytes(pid: number): Promise<number> {
  const smaps = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Math.round([...smaps.matchAll(/^Private_\w+: +(\d+) kB$/gm)].reduce((sum, [, kilobytes]) => sum + Number(kilobytes), 0) / 1024);
}
