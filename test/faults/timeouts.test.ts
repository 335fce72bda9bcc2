import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database, prepared } from '../../src/store/database/database.js';
import { UnitOfWork } from '../../src/store/database/unit-of-work.js';
import { startApp, type TestApp } from '../support/app.js';
import { startPgBouncer } from '../support/pgbouncer.js';
import { startPair, type Pair } from '../support/standby.js';

const SERVER_CONNECTIONS = 10;
const PATIENCE_MS = 60_000;
const LONGER_THAN_ANY_MS = 31_000;

const IN_FORCE = prepared({
  name: 'test.timeouts',
  text: `SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock,
      current_setting('idle_in_transaction_session_timeout') AS idle, pg_is_in_recovery() AS "isReplica"`,
});
const ALL = { statement: '30s', lock: '10s', idle: '30s' };
const SLEEP = prepared({ name: 'test.sleep', text: 'SELECT pg_sleep(40)::text AS slept' });

let pair: Pair;
const poolers: Awaited<ReturnType<typeof startPgBouncer>>[] = [];
const apps: TestApp[] = [];
beforeAll(async () => {
  pair = await startPair();
}, PATIENCE_MS);
afterAll(async () => {
  await Promise.all(apps.map((app) => app.close()));
  await Promise.all(poolers.map((pooler) => pooler.stop()));
  await pair.stop();
});

const WAYS: Record<string, () => Promise<TestApp>> = {
  directly: () => startApp({ DATABASE_URL: pair.primary, DATABASE_READ_URL: pair.standby, DATABASE_POOLER: 'none' }),
  'through PgBouncer': async () => {
    for (const url of [pair.primary, pair.standby]) poolers.push(await startPgBouncer(url, SERVER_CONNECTIONS));
    const [primary, standby] = poolers.slice(-2).map(({ url }) => url);
    return startApp({ DATABASE_URL: primary!, DATABASE_READ_URL: standby!, DATABASE_POOLER: 'transaction' });
  },
};

describe.each(Object.entries(WAYS))('reached %s', (_way, start) => {
  let store: Database;
  let unitOfWork: UnitOfWork;
  beforeAll(async () => {
    const app = await start();
    apps.push(app);
    [store, unitOfWork] = [app.app.get(Database), app.app.get(UnitOfWork)];
  }, PATIENCE_MS);

  it('every statement has all timeouts: alone, in a batch, in a transaction, of TypeORM and on the replica', async () => {
    const primary = [{ ...ALL, isReplica: false }];
    expect(await store.rows(IN_FORCE, [])).toEqual(primary);
    expect(await store.shortRead(IN_FORCE, [])).toEqual(primary);
    expect(await unitOfWork.transact((unit) => store.rows(IN_FORCE, [], unit))).toEqual(primary);
    // oxlint-disable-next-line house/tenant-rows -- it reads no row of a tenant
    expect(await store.manager().query(IN_FORCE.text)).toEqual(primary);
    expect(await store.longRead(IN_FORCE, [])).toEqual([{ ...ALL, isReplica: true }]);
  });

  it('a statement that takes longer and a transaction that idles longer are ended', { timeout: PATIENCE_MS }, async () => {
    const idle = unitOfWork.transact(async (unit) => {
      await store.rows(IN_FORCE, [], unit);
      await delay(LONGER_THAN_ANY_MS);
      return store.rows(IN_FORCE, [], unit);
    });
    const outcomes = await Promise.allSettled([store.rows(SLEEP, []), idle]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: { code: 'unavailable' } });
    expect(await store.rows(IN_FORCE, [])).toHaveLength(1);
  });
});
