import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CALLS_AT_ONCE } from '../../../src/api/limits/calls-at-once.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aTenant } from '../../support/builders.js';
import { rowsOfAllServers } from '../../support/citus.js';
import { Client } from '../../support/client.js';
import { createDatabase, rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { readAnswer, requestText, sendRaw } from '../../support/raw.js';
import { openSession } from '../../support/session.js';
import { aProject } from '../../support/webhooks.js';

const LIST = '/v1/claim-projects';

let database: Awaited<ReturnType<typeof createDatabase>>;
let app: TestApp;
let locker: pg.Client;
beforeAll(async () => {
  // Of its own: the test counts what waits for locks.
  database = await createDatabase();
  app = await startApp({ DATABASE_URL: database.url, DATABASE_POOL_SIZE: String(CALLS_AT_ONCE + 5) });
});
afterAll(async () => {
  await app.close();
  await database.drop();
});
beforeEach(async () => {
  locker = await openSession(app.databaseUrl);
});
afterEach(() => locker.end());

/** An organization with so many calls in progress, which end with `letGo`. */
async function aBusyTenant(calls: number) {
  const { key, organization } = await aTenant(app);
  const api = new Client(app.url, key);
  const { id } = await aProject(api);
  await locker.query('BEGIN');
  await locker.query('SELECT 1 FROM claim_projects WHERE organization_id = $1 AND id = $2 FOR UPDATE', [organization.id, id]);
  const busy = Array.from({ length: calls }, (_none, number) => api.patch(`${LIST}/${id}`, { name: `Name ${number}` }));
  // Postgres lets the first wait for the lock, and the others for the first.
  const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND pg_blocking_pids(pid) <> '{}'
    AND query LIKE '%claim_projects%' AND datname = current_database()`;
  await eventually(async () => expect(await rowsOfAllServers(app.databaseUrl, waiting)).toHaveLength(calls));
  const letGo = async (): Promise<void> => {
    await locker.query('ROLLBACK');
    for (const answer of await Promise.all(busy)) expect(answer.status, answer.text).toBe(200);
  };
  return { api, headers: { 'X-API-Key': key }, letGo };
}

describe('an organization with as many calls in progress as it may have', () => {
  it('waits with the next one until one of them has ended, and others do not wait', async () => {
    const { api, letGo } = await aBusyTenant(CALLS_AT_ONCE);
    let isAnswered = false;
    const next = api.get(LIST).finally(() => (isAnswered = true));
    const other = new Client(app.url, (await aTenant(app)).key);
    for (let count = 0; count < 20; count += 1) expect((await other.get(LIST)).status).toBe(200);
    expect(isAnswered).toBe(false);
    await letGo();
    expect((await next).status).toBe(200);
  });

  it('is refused what has waited for five seconds', async () => {
    const { api, letGo } = await aBusyTenant(CALLS_AT_ONCE);
    const { status, headers, body } = await api.get(LIST);
    expect({ status, after: headers['retry-after'], body }).toMatchObject({
      status: 429,
      after: '1',
      body: { code: 'rate_limited', detail: expect.stringMatching(`^Calls are limited to ${CALLS_AT_ONCE} at once`) as string },
    });
    await letGo();
  });

  it('has its places back at once when callers hang up that waited, however many they were', async () => {
    const { api, headers, letGo } = await aBusyTenant(CALLS_AT_ONCE);
    const impatient = await Promise.allSettled(
      Array.from({ length: 50 }, () => fetch(new URL(LIST, app.url), { headers, signal: AbortSignal.timeout(300) })),
    );
    expect(impatient.map(({ status }) => status)).toEqual(impatient.map(() => 'rejected'));
    await letGo();
    const since = performance.now();
    const answers = await Promise.all(Array.from({ length: 10 }, () => api.get(LIST)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(performance.now() - since).toBeLessThan(3000);
  });

  it('has no room for a large page sooner than for a small one', async () => {
    const { api, letGo } = await aBusyTenant(CALLS_AT_ONCE - 9);
    expect((await api.get(`${LIST}?page_size=150`)).status).toBe(200);
    expect((await api.get(`${LIST}?page_size=200`)).status).toBe(429);
    await letGo();
  });
});

it('requests that announce huge bodies are refused, and do not lock their organization out', async () => {
  const { key } = await aTenant(app);
  const headers = { 'X-API-Key': key, 'Idempotency-Key': 'large', 'Content-Type': 'application/json', 'Content-Length': '1000000000' };
  const refused = await Promise.all(Array.from({ length: CALLS_AT_ONCE }, () => sendRaw(app.url, requestText('POST', LIST, headers))));
  expect(refused.map((answer) => readAnswer(answer).status)).toEqual(refused.map(() => 413));
  expect((await new Client(app.url, key).get(LIST)).status).toBe(200);
});

it('answers of many megabytes take up their places for seconds: further ones wait, and small calls do not', async () => {
  const { organization, key } = await aTenant(app);
  const api = new Client(app.url, key);
  const large = { note: 'x'.repeat(31 * 1024) };
  const input = { name: 'Large', periodStart: '2026-01-01', periodEnd: '2026-12-31', categoryFilter: large, outputOptions: large };
  expect((await api.post('/v1/report-configurations', input)).status).toBe(201);
  await rowsOf(
    app.databaseUrl,
    `INSERT INTO report_configurations
     SELECT (jsonb_populate_record(own, jsonb_build_object('id', gen_random_uuid()))).*
     FROM report_configurations own, generate_series(1, 119) WHERE organization_id = $1`,
    [organization.id],
  );
  let ended = 0;
  const pages = Array.from({ length: 4 }, () => api.get('/v1/report-configurations?page_size=120').finally(() => (ended += 1)));
  await eventually(() => expect(ended).toBe(3));
  expect((await api.get(LIST)).status).toBe(200);
  expect(ended).toBe(3);
  expect((await Promise.all(pages)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});
