import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp } from '../support/app.js';
import { aTenant } from '../support/builders.js';
import { Client } from '../support/client.js';
import { report } from '../support/figures.js';
import { startProcess, type TestProcess } from '../support/process.js';
import { startPair, type Pair } from '../support/standby.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { WITHOUT_LIMITS, Writers } from '../support/writers.js';

/** From the moment when the standby accepts writes and the address leads to it. */
const WRITTEN_AGAIN_WITHIN_MS = 3000;

let pair: Pair;
let proxy: TcpProxy;
let service: TestProcess;
let key: string;
let organizationId: string;
beforeAll(async () => {
  pair = await startPair();
  const app = await startApp({ DATABASE_URL: pair.primary });
  const tenant = await aTenant(app);
  [key, organizationId] = [tenant.key, tenant.organization.id];
  await app.close();
  proxy = await TcpProxy.to(pair.primary);
  service = await startProcess({ DATABASE_URL: proxy.url, DATABASE_READ_URL: pair.standby, DATABASE_POOL_SIZE: '8', ...WITHOUT_LIMITS });
});
afterAll(async () => {
  await service.stop();
  await proxy.close();
  await pair.stop();
});

it('a primary that is lost under load loses no acknowledged write and doubles none; writes go on once the standby leads', async () => {
  const writers = new Writers(new Client(service.url, key));
  await writers.untilMore();
  await pair.killPrimary();
  await pair.promote();
  proxy.leadTo(pair.standby);
  const firstWriteMs = await writers.firstAfter(performance.now());
  await writers.untilMore();
  await writers.stop();
  const compared = await writers.comparedWith(pair.standby, organizationId);
  report({
    fault: 'primary killed, synchronous standby promoted (first write from when it leads)',
    ...compared,
    firstWriteMs,
    longestPauseMs: writers.longestPauseMs,
  });
  expect(compared).toMatchObject({ lost: 0, doubled: 0 });
  expect(new Set(writers.refusals)).toEqual(new Set([503]));
  expect(firstWriteMs).toBeLessThan(WRITTEN_AGAIN_WITHIN_MS);
  // What was the replica for reads has all of it.
  const { status, body } = await new Client(service.url, key).get('/v1/claim-projects?page_size=1');
  expect([status, body.pagination?.total]).toEqual([200, writers.names.length]);
});
