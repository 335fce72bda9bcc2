import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { newId } from '../../src/kernel/ids.js';
import { startApp, type TestApp } from '../support/app.js';
import { aTenant } from '../support/builders.js';
import { Client, type Answer } from '../support/client.js';
import { createDatabase, rowsOf } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { StatementProxy } from '../support/postgres-statements.js';
import type { Link } from '../support/tcp-proxy.js';

/** What is promised while the database refuses connections, and once it is back. */
const REFUSED_WITHIN_MS = 2000;
const RECOVERED_WITHIN_MS = 5000;
/** More than there are connections. */
const CALLS = 20;

const PERIOD = { periodStart: '2026-01-01', periodEnd: '2026-12-31' };

// Messages of Postgres.
const READY_FOR_QUERY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);
const FATAL = 'SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0';
const SESSION_ENDED = Buffer.from(`E\0\0\0${String.fromCharCode(4 + FATAL.length)}${FATAL}`, 'latin1');

let database: { url: string; drop: () => Promise<void> };
let proxy: StatementProxy;
let app: TestApp;
let api: Client;
beforeAll(async () => {
  database = await createDatabase();
  proxy = await StatementProxy.to(database.url);
  app = await startApp({ DATABASE_URL: proxy.tcp.url });
});
afterAll(async () => {
  await app.close();
  await proxy.tcp.close();
  await database.drop();
});
beforeEach(async () => {
  const { key } = await aTenant(app);
  api = new Client(app.url, key);
});
afterEach(() => {
  proxy.handle = undefined;
  proxy.tcp.change = undefined;
  proxy.tcp.restore();
});

const create = (name: string): Promise<Answer> => api.post('/v1/claim-projects', { name, ...PERIOD }, { 'Idempotency-Key': name });

/** Callers are told to retry soon with the same key while the database is unavailable. */
function expectUnavailable(answer: Answer): void {
  expect([answer.status, answer.body.code, answer.body.retry]).toEqual([503, 'unavailable', 'same_key']);
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
}

async function projectsNamed(name: string): Promise<number> {
  return (await rowsOf(database.url, 'SELECT 1 FROM claim_projects WHERE name = $1', [name])).length;
}

it('answers 503 while the database is down, and recovers by itself when it is back', async () => {
  const name = newId();
  proxy.tcp.cut();
  for (const answer of [
    await api.get('/v1/claim-projects'),
    await create(name),
    await api.get('/v1/usage'),
    await api.get('/health/dependencies'),
  ])
    expectUnavailable(answer);
  for (const path of ['/health/live', '/health/ready']) expect((await api.get(path)).status, path).toBe(200);
  proxy.tcp.restore();
  await eventually(async () => expect((await api.get('/health/dependencies')).status).toBe(200));
  await eventually(async () => expect((await create(name)).status).toBe(201));
  await eventually(async () => expect((await api.get('/v1/claim-projects')).body.data).toHaveLength(1));
});

it('refuses every call within 2 s while the database is away, and answers every kind of call within 5 s of its return', async () => {
  for (let round = 0; round < 2; round += 1) {
    expect((await create(newId())).status).toBe(201);
    proxy.tcp.cut();
    const away = performance.now();
    const calls = Array.from({ length: CALLS }, () => [create(newId()), api.get('/v1/claim-projects'), api.get('/v1/usage')]).flat();
    for (const answer of await Promise.all(calls)) expectUnavailable(answer);
    expect(performance.now() - away).toBeLessThan(REFUSED_WITHIN_MS);
    proxy.tcp.restore();
    const back = performance.now();
    for (const [call, status] of [
      [() => create(newId()), 201],
      [() => api.get('/v1/claim-projects'), 200],
      [() => api.get('/v1/usage'), 200],
    ] as const)
      await eventually(async () => expect((await call()).status).toBe(status), RECOVERED_WITHIN_MS);
    expect(performance.now() - back).toBeLessThan(RECOVERED_WITHIN_MS);
  }
});

it('lives on if the server ends each session in the packet that opens it, and answers 503 meanwhile', async () => {
  let times = 0;
  proxy.tcp.change = (chunk) => {
    if (!chunk.includes('server_version') || !chunk.subarray(-6).equals(READY_FOR_QUERY)) return chunk;
    times += 1;
    return Buffer.concat([chunk, SESSION_ENDED]);
  };
  await endSessions();
  await eventually(async () => {
    expectUnavailable(await create(newId()));
    expect(times).toBeGreaterThan(2);
  });
  proxy.tcp.change = undefined;
  await eventually(async () => expect((await create(newId())).status).toBe(201));
});

it('writes nothing if the connection is lost before the COMMIT, and a retry executes the call', async () => {
  const lostAt: string[] = [];
  let lostByOthers = 0;
  do {
    const name = newId();
    const seenOn = new Map<Link, number>();
    proxy.handle = (text, link, pass) => {
      const before = seenOn.get(link) ?? 0;
      const seen = text === 'BEGIN' || before > 0 ? before + 1 : 0;
      seenOn.set(link, seen);
      if (seen <= lostAt.length) return pass();
      proxy.handle = undefined;
      lostAt.push(text);
      link.client.destroy();
    };
    const answer = await create(name);
    // The process writes usage in transactions of its own, every few seconds, and one of them may be the one that was lost.
    if (answer.status === 201 && (lostByOthers += 1) <= 2) {
      lostAt.pop();
      continue;
    }
    expectUnavailable(answer);
    expect(await projectsNamed(name), `lost before ${lostAt.at(-1)}`).toBe(0);
    const repeated = await create(name);
    expect([repeated.status, repeated.headers['idempotent-replayed']]).toEqual([201, undefined]);
    expect(await projectsNamed(name)).toBe(1);
  } while (lostAt.at(-1) !== 'COMMIT');
  expect(lostAt.length).toBeGreaterThanOrEqual(5);
});

it('answers 503 if the connection is lost after the COMMIT was sent, and a retry replays the answer of the write', async () => {
  const name = newId();
  proxy.handle = (text, link, pass) => {
    if (text === 'COMMIT') {
      proxy.handle = undefined;
      link.muted = true;
      link.server.once('data', () => link.client.destroy());
    }
    pass();
  };
  expectUnavailable(await create(name));
  const repeated = await create(name);
  expect([repeated.status, repeated.body.name, repeated.headers['idempotent-replayed']]).toEqual([201, name, 'true']);
  expect(await projectsNamed(name)).toBe(1);
});

it('executes each call once and never answers 500, however often the database goes down and comes back', async () => {
  const names = Array.from({ length: 40 }, () => newId());
  const comesAndGoes = (async () => {
    for (let times = 0; times < 12; times += 1) {
      await new Promise((resolve) => setTimeout(resolve, times % 2 === 0 ? 25 : 60));
      if (times % 2 === 0) proxy.tcp.cut();
      else proxy.tcp.restore();
    }
  })();
  const persist = (name: string) =>
    eventually(async () => {
      const [written, read] = await Promise.all([create(name), api.get('/v1/claim-projects?page_size=1')]);
      expect([201, 503]).toContain(written.status);
      expect([200, 503]).toContain(read.status);
      if (written.status === 503) expectUnavailable(written);
      expect(written.status).toBe(201);
    });
  await Promise.all([comesAndGoes, ...names.map(persist)]);
  expect((await api.get('/v1/claim-projects')).body.pagination.total).toBe(names.length);
});

it('answers 503, not 500, if the database server ends the session of a call, and serves the next call', async () => {
  const name = newId();
  proxy.handle = (text, _link, pass) => {
    if (text !== 'COMMIT') return pass();
    proxy.handle = undefined;
    void endSessions().then(pass);
  };
  expectUnavailable(await create(name));
  // All sessions were ended. The pool may not have noticed yet, and may still give an ended one to the next calls.
  await eventually(async () => {
    const repeated = await create(name);
    if (repeated.status === 503) expectUnavailable(repeated);
    expect(repeated.status).toBe(201);
  });
  expect(await projectsNamed(name)).toBe(1);
  await endSessions();
  await eventually(async () => expect((await api.get('/v1/claim-projects')).status).toBe(200));
});

it('answers 503 to writes and still serves reads while the database is read-only, like a standby', async () => {
  const name = newId();
  await setReadOnly(true);
  await eventually(async () => expect((await api.get('/v1/claim-projects')).status).toBe(200));
  expectUnavailable(await create(name));
  await setReadOnly(false);
  await eventually(async () => expect((await create(name)).status).toBe(201));
});

async function setReadOnly(on: boolean): Promise<void> {
  const url = new URL(database.url);
  url.searchParams.set('options', '-c default_transaction_read_only=off');
  await rowsOf(url.href, `ALTER DATABASE "${url.pathname.slice(1)}" SET default_transaction_read_only = ${on ? 'on' : 'off'}`);
  await endSessions();
}

async function endSessions(): Promise<void> {
  await rowsOf(
    database.url,
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  );
}
