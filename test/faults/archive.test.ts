import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp } from '../support/app.js';
import { aTenant } from '../support/builders.js';
import { Client } from '../support/client.js';
import { rowsOf } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { report } from '../support/figures.js';
import { startProcess, type TestProcess } from '../support/process.js';
import { RecoverableDatabase } from '../support/recoverable.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { WITHOUT_LIMITS, Writers } from '../support/writers.js';

const ARCHIVE_TIMEOUT_S = 5;
/** A segment is closed by the process that looks for it now and then, and copied, while others need the processors. */
const LATE_MS = 5000;
/** A few writes, so that segments are closed because of their age and not because they are full. */
const PACE = { clients: 2, perSecond: 20 };
const SEGMENTS = 3;
/** Four seconds of writes after a segment was archived: the server is lost shortly before it would have closed the next. */
const WRITES_NOT_ARCHIVED = 80;

let database: RecoverableDatabase;
let proxy: TcpProxy;
let service: TestProcess;
let key: string;
let organizationId: string;
beforeAll(async () => {
  database = await RecoverableDatabase.start({ archive_timeout: `${ARCHIVE_TIMEOUT_S}s` });
  const app = await startApp({ DATABASE_URL: database.url });
  const tenant = await aTenant(app);
  [key, organizationId] = [tenant.key, tenant.organization.id];
  await app.close();
  await database.backUp();
  proxy = await TcpProxy.to(database.url);
  service = await startProcess({ DATABASE_URL: proxy.url, ...WITHOUT_LIMITS });
});
afterAll(async () => {
  await service?.stop();
  await proxy?.close();
  await database?.stop();
});

it('a server lost with its disk comes back from its archive, without the writes of the last `archive_timeout` at most', async () => {
  const writers = new Writers(new Client(service.url, key), PACE);
  const before = await database.archivedSegments();
  await eventually(async () => expect(await database.archivedSegments()).toBeGreaterThanOrEqual(before + SEGMENTS), 120_000);
  await writers.untilMore(WRITES_NOT_ARCHIVED);
  await database.lose();
  const lostAt = performance.now();
  const acknowledged = writers.acknowledged.filter(({ atMs }) => atMs < lostAt);
  const restored = await database.restoreAll();
  const restoredMs = performance.now() - lostAt;
  proxy.leadTo(restored);
  const firstWriteMs = await writers.firstAfter(lostAt + restoredMs);
  await writers.stop();

  const sql = 'SELECT name FROM claim_projects WHERE organization_id = $1';
  const names = (await rowsOf<{ name: string }>(restored, sql, [organizationId])).map(({ name }) => name);
  const there = new Set(names);
  const lost = acknowledged.filter(({ name }) => !there.has(name));
  const lostMs = Math.max(0, ...lost.map(({ atMs }) => lostAt - atMs));
  const fault =
    `Postgres and its disk lost, base backup restored with its archive in ${Math.round(restoredMs)} ms ` +
    `(archive_timeout ${ARCHIVE_TIMEOUT_S} s: writes of the last ${Math.round(lostMs)} ms are lost)`;
  const calls = acknowledged.length + writers.refusals.length;
  const figures = { calls, failed: writers.refusals.length, lost: lost.length, doubled: names.length - there.size };
  report({ fault, ...figures, firstWriteMs, longestPauseMs: writers.longestPauseMs });
  expect(lost.length).toBeLessThan(acknowledged.length);
  expect(figures.doubled).toBe(0);
  expect(lostMs).toBeLessThan(ARCHIVE_TIMEOUT_S * 1000 + LATE_MS);
});
