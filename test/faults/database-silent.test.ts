import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { newId } from '../../src/kernel/ids.js';
import { startApp, type TestApp } from '../support/app.js';
import { aTenant } from '../support/builders.js';
import { Client, type Answer } from '../support/client.js';
import { createDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { TcpProxy } from '../support/tcp-proxy.js';

const PERIOD = { periodStart: '2026-01-01', periodEnd: '2026-12-31' };
/** What is promised: an answer within five seconds, and recovery within five. A probe is answered within one. */
const ANSWERED_WITHIN_MS = 5000;
const PROBED_WITHIN_MS = 1000;

let database: { url: string; drop: () => Promise<void> };
let proxy: TcpProxy;
let app: TestApp;
let api: Client;
beforeAll(async () => {
  database = await createDatabase();
  proxy = await TcpProxy.to(database.url);
  app = await startApp({ DATABASE_URL: proxy.url, DATABASE_POOL_SIZE: '4' });
  api = new Client(app.url, (await aTenant(app)).key);
});
afterEach(() => proxy.restore());
afterAll(async () => {
  await app.close();
  await proxy.close();
  await database.drop();
});

const create = (): Promise<Answer> => api.post('/v1/claim-projects', { name: newId(), ...PERIOD });

async function timed(call: Promise<Answer>): Promise<{ answer: Answer; ms: number }> {
  const start = performance.now();
  const answer = await call;
  return { answer, ms: performance.now() - start };
}

it('answers 503 within 5 s to calls of every kind while the database takes bytes and says nothing, and recovers within 5 s', async () => {
  expect((await create()).status).toBe(201);
  for (let round = 0; round < 2; round += 1) {
    proxy.silence();
    // More than there are connections, so that some wait for one.
    const calls = [...Array(6).keys()].flatMap(() => [create(), api.get('/v1/claim-projects'), api.get('/v1/usage')]);
    for (const { answer, ms } of await Promise.all(calls.map(timed))) {
      expect([answer.status, answer.body.code]).toEqual([503, 'unavailable']);
      expect(ms).toBeLessThan(ANSWERED_WITHIN_MS);
    }
    proxy.restore();
    const { ms } = await timed(
      eventually(async () => {
        for (let times = 0; times < 10; times += 1) expect((await create()).status).toBe(201);
        return create();
      }),
    );
    expect(ms).toBeLessThan(ANSWERED_WITHIN_MS);
  }
});

it('answers the probes within a second while the database is silent: live and ready, but its dependencies are not', async () => {
  await eventually(async () => expect((await api.get('/health/dependencies')).status).toBe(200));
  proxy.silence();
  for (let times = 0; times < 8; times += 1) {
    const [live, ready, there] = await Promise.all([
      timed(api.get('/health/live')),
      timed(api.get('/health/ready')),
      timed(api.get('/health/dependencies')),
    ]);
    expect([live.answer.status, ready.answer.status, there.answer.status]).toEqual([200, 200, 503]);
    expect(there.ms).toBeLessThan(PROBED_WITHIN_MS);
  }
  proxy.restore();
  await eventually(async () => expect((await api.get('/health/dependencies')).status).toBe(200));
});
