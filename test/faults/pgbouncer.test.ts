import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp } from '../support/app.js';
import { aTenant } from '../support/builders.js';
import { Client } from '../support/client.js';
import { createDatabase } from '../support/database.js';
import { report } from '../support/figures.js';
import { startPgBouncer } from '../support/pgbouncer.js';
import { startProcess, type TestProcess } from '../support/process.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { WITHOUT_LIMITS, Writers } from '../support/writers.js';

const SERVER_CONNECTIONS = 4;
const WRITTEN_AGAIN_WITHIN_MS = 3000;

let database: Awaited<ReturnType<typeof createDatabase>>;
let poolers: Awaited<ReturnType<typeof startPgBouncer>>[];
let proxy: TcpProxy;
let service: TestProcess;
let key: string;
let organizationId: string;
beforeAll(async () => {
  database = await createDatabase();
  const app = await startApp({ DATABASE_URL: database.url });
  const tenant = await aTenant(app);
  [key, organizationId] = [tenant.key, tenant.organization.id];
  await app.close();
  poolers = await Promise.all([1, 2].map(() => startPgBouncer(database.url, SERVER_CONNECTIONS)));
  proxy = await TcpProxy.to(poolers[0]!.url);
  service = await startProcess({
    DATABASE_URL: proxy.url,
    DATABASE_POOLER: 'transaction',
    DATABASE_POOL_SIZE: '8',
    ...WITHOUT_LIMITS,
  });
});
afterAll(async () => {
  await service.stop();
  await proxy.close();
  await Promise.all(poolers.map((pooler) => pooler.stop()));
  await database.drop();
});

it('a PgBouncer that is killed under load loses no acknowledged write and doubles none; writes go on through another one', async () => {
  const writers = new Writers(new Client(service.url, key));
  await writers.untilMore();
  await poolers[0]!.kill();
  const killed = performance.now();
  proxy.leadTo(poolers[1]!.url);
  const firstWriteMs = await writers.firstAfter(killed);
  await writers.untilMore();
  await writers.stop();
  const compared = await writers.comparedWith(database.url, organizationId);
  report({ fault: 'PgBouncer in transaction mode killed, another one takes over', ...compared, firstWriteMs });
  expect(compared).toMatchObject({ lost: 0, doubled: 0 });
  for (const status of writers.refusals) expect(status).toBe(503);
  expect(firstWriteMs).toBeLessThan(WRITTEN_AGAIN_WITHIN_MS);
});
