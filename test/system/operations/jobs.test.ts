import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { createContext } from '../../../src/program/app.js';
import { Settings } from '../../../src/kernel/settings/settings.js';
import { newId } from '../../../src/kernel/ids.js';
import { WakeUps } from '../../../src/store/jobs/wake-ups.js';
import { createLog } from '../../../src/kernel/log.js';
import { startApp } from '../../support/app.js';
import { aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { createDatabase, rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { StatementProxy } from '../../support/postgres-statements.js';
import { startProcess } from '../../support/process.js';

const redisUrl = inject('redisUrl');
const EXPIRE = 'idempotency.expire';

let database: { url: string; drop: () => Promise<void> };
// A worker processes the rows of all organizations, so these tests have a database of their own.
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

/** Stored answers of a given age, for an organization of their own. */
async function anAnswer(hoursAgo: number, count = 1): Promise<string> {
  const organizationId = newId();
  await rowsOf(
    database.url,
    `INSERT INTO idempotency_keys (organization_id, environment, key, fingerprint, created_at, status, answer)
      SELECT $1, 'test', 'key ' || number, '', now() - make_interval(hours => $2), 201, '{}' FROM generate_series(1, $3) AS number`,
    [organizationId, hoursAgo, count],
  );
  return organizationId;
}

async function answersOf(organizationId: string): Promise<number> {
  const [row] = await rowsOf<{ count: number }>(
    database.url,
    'SELECT count(*)::int AS count FROM idempotency_keys WHERE organization_id = $1',
    [organizationId],
  );
  return row!.count;
}

const untilDeleted = (organizationId: string): Promise<void> => eventually(async () => expect(await answersOf(organizationId)).toBe(0));

it('deletes all answers older than 24 hours and no others', async () => {
  const [many, old, young] = [await anAnswer(48, 11_000), await anAnswer(25), await anAnswer(23)];
  const app = await startApp({ DATABASE_URL: database.url, ROLE: 'all' });
  await untilDeleted(many);
  await untilDeleted(old);
  expect(await answersOf(young)).toBe(1);
  await app.close();
});

it('deletes answers after IDEMPOTENCY_RETENTION in a worker process', async () => {
  const [old, young] = [await anAnswer(3), await anAnswer(1)];
  const settings = Settings.from({ DATABASE_URL: database.url, ROLE: 'worker', LOG_LEVEL: 'silent', IDEMPOTENCY_RETENTION: '2h' });
  const worker = await createContext(settings, createLog(settings));
  await untilDeleted(old);
  expect(await answersOf(young)).toBe(1);
  await worker.close();
});

it('accepts an idempotency key again after its answer was deleted', async () => {
  const app = await startApp({ DATABASE_URL: database.url, ROLE: 'all', IDEMPOTENCY_RETENTION: '1h' });
  const { key, organization } = await aTenant(app);
  const api = new Client(app.url, key);
  const create = (name: string) =>
    api.post('/v1/claim-projects', { name, periodStart: '2026-01-01', periodEnd: '2026-12-31' }, { 'Idempotency-Key': 'monthly' });
  expect((await create('January')).status).toBe(201);
  expect((await create('February')).status).toBe(409);
  await rowsOf(database.url, `UPDATE idempotency_keys SET created_at = now() - interval '61 minutes' WHERE organization_id = $1`, [
    organization.id,
  ]);
  app.app.get(WakeUps).wake(EXPIRE);
  await untilDeleted(organization.id);
  const created = await create('February');
  expect([created.status, created.body.name, created.headers['idempotent-replayed']]).toEqual([201, 'February', undefined]);
  await app.close();
});

it('runs a job once more if it is woken while it runs', async () => {
  const proxy = await StatementProxy.to(database.url);
  const runs: (() => void)[] = [];
  proxy.handle = (text, _link, pass) => void (text.includes('DELETE FROM idempotency_keys') ? runs.push(pass) : pass());
  const app = await startApp({ DATABASE_URL: proxy.tcp.url, ROLE: 'all' });
  await eventually(() => expect(runs).toHaveLength(1));
  for (let times = 0; times < 5; times += 1) app.app.get(WakeUps).wake(EXPIRE);
  runs[0]!();
  await eventually(() => expect(runs).toHaveLength(2));
  runs[1]!();
  await app.close();
  await proxy.tcp.close();
});

it('runs a job again after it has failed', async () => {
  const proxy = await StatementProxy.to(database.url);
  const old = await anAnswer(25);
  let failed = false;
  proxy.handle = (text, link, pass) => {
    if (!text.includes('DELETE FROM idempotency_keys')) return pass();
    proxy.handle = undefined;
    failed = true;
    link.client.destroy();
  };
  const app = await startApp({ DATABASE_URL: proxy.tcp.url, ROLE: 'all' });
  await eventually(() => expect(failed).toBe(true));
  await eventually(async () => {
    app.app.get(WakeUps).wake(EXPIRE);
    expect(await answersOf(old)).toBe(0);
  });
  await app.close();
  await proxy.tcp.close();
});

if (redisUrl)
  it('wakes a worker in another process through Redis', async () => {
    const own = new URL(redisUrl);
    own.pathname = '/10';
    const env = { DATABASE_URL: database.url, REDIS_URL: own.href };
    const [worker, api] = await Promise.all([startProcess({ ...env, ROLE: 'worker' }), startApp(env)]);
    // The first answer may be deleted when the worker starts. The second one is only deleted because the job was woken.
    for (let round = 0; round < 2; round += 1) {
      const old = await anAnswer(25);
      await eventually(async () => {
        api.app.get(WakeUps).wake(EXPIRE);
        expect(await answersOf(old)).toBe(0);
      });
    }
    expect((await worker.stop()).code).toBe(0);
    await api.close();
  });
