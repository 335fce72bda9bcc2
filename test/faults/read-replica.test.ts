import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../src/kernel/ids.js';
import { startApp, type TestApp } from '../support/app.js';
import { aTenant } from '../support/builders.js';
import { Client } from '../support/client.js';
import { runCommand } from '../support/command.js';
import { rowsOf } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { report } from '../support/figures.js';
import { startPair, type Pair } from '../support/standby.js';
import { TcpProxy } from '../support/tcp-proxy.js';

const PROJECTS = '/v1/claim-projects';
const PERIOD = { periodStart: '2026-01-01', periodEnd: '2026-12-31' };
/** The longest that a replica which has stopped, is away or silent may hold up a list. */
const ANSWERED_WITHIN_MS = 4000;

let pair: Pair;
let proxy: TcpProxy;
let app: TestApp;
let api: Client;
beforeAll(async () => {
  pair = await startPair();
  proxy = await TcpProxy.to(pair.standby);
  app = await startApp({ DATABASE_URL: pair.primary, DATABASE_READ_URL: proxy.url });
  api = new Client(app.url, (await aTenant(app)).key);
});
afterAll(async () => {
  await app.close();
  await proxy.close();
  await pair.stop();
});

let calls = 0;
let longestMs = 0;
afterAll(() => {
  const fault = `replica for reads stopped, away and silent (the longest list took ${Math.round(longestMs)} ms)`;
  report({ fault, calls, failed: 0, lost: 0, doubled: 0 });
});

/** Creates a project and lists at once; returns how many there are, and how long the list took. */
async function createAndList(): Promise<{ total: number; ms: number }> {
  const made = await api.post(PROJECTS, { name: newId(), ...PERIOD });
  expect(made.status, made.text).toBe(201);
  const begin = performance.now();
  const { status, body } = await api.get(`${PROJECTS}?page_size=1`);
  expect([status, body.data[0]?.id]).toEqual([200, made.body.id]);
  const ms = performance.now() - begin;
  calls += 2;
  longestMs = Math.max(longestMs, ms);
  return { total: body.pagination.total as number, ms };
}

/** How many connections have last asked the replica for rows of a table. */
async function askedOfReplica(table = 'claim_projects'): Promise<number> {
  const sql = `SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = 'claims' AND query LIKE '%${table}%'`;
  return (await rowsOf<{ count: number }>(pair.standby, sql))[0]!.count;
}

it('lists and the audit log come from the replica, and every list has what was written before it', async () => {
  let before = 0;
  for (let times = 0; times < 100; times += 1) {
    const { total } = await createAndList();
    expect(total).toBe(before + 1);
    before = total;
  }
  expect(await askedOfReplica()).toBeGreaterThan(0);
  expect((await api.get('/v1/audit/events')).status).toBe(200);
  expect(await askedOfReplica('audit_events')).toBeGreaterThan(0);
});

it('a replica that has stopped following is not believed: the primary answers', async () => {
  await rowsOf(pair.standby, 'SELECT pg_wal_replay_pause()');
  for (let times = 0; times < 5; times += 1) expect((await createAndList()).ms).toBeLessThan(ANSWERED_WITHIN_MS);
  await rowsOf(pair.standby, 'SELECT pg_wal_replay_resume()');
});

it.each([
  ['is away', () => proxy.cut()],
  ['is silent', () => proxy.silence()],
])('a replica that %s holds up no list for long, and is used again when it is back', async (_what, takeAway) => {
  takeAway();
  for (let times = 0; times < 3; times += 1) expect((await createAndList()).ms).toBeLessThan(ANSWERED_WITHIN_MS);
  proxy.restore();
  await eventually(async () => {
    await createAndList();
    expect(await askedOfReplica()).toBeGreaterThan(0);
  });
});

/** What `claims doctor` says of a replica. */
async function examined(readUrl: string): Promise<string> {
  const { stdout } = await runCommand(['doctor'], { DATABASE_URL: pair.primary, DATABASE_READ_URL: readUrl });
  return /^.*replica.*$/m.exec(stdout)![0];
}

it('a database that is no replica of the primary is never asked, however far it is, and claims doctor names it', async () => {
  const other = await startPair();
  // Further than the primary.
  await rowsOf(other.primary, "SELECT pg_logical_emit_message(false, 'test', repeat('x', 20000000))");
  const misled = await startApp({ DATABASE_URL: pair.primary, DATABASE_READ_URL: other.standby });
  const misledApi = new Client(misled.url, (await aTenant(app)).key);
  const made = await misledApi.post(PROJECTS, { name: newId(), ...PERIOD });
  expect((await misledApi.get(`${PROJECTS}?page_size=1`)).body.data[0]?.id).toBe(made.body.id);
  await misled.close();

  expect(await examined(other.standby)).toMatch(/^FAILED .*DATABASE_READ_URL leads to another database/);
  expect(await examined(pair.primary)).toMatch(/^WARN .*a server that follows no other one/);
  expect(await examined(pair.standby)).toMatch(/^ok .*follows the database/);
  await other.stop();
});
