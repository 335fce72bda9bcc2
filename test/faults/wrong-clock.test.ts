import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { newId } from '../../src/kernel/ids.js';
import type { TestApp } from '../support/app.js';
import { aTenant } from '../support/builders.js';
import { Client } from '../support/client.js';
import { rowsOf } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { manyLines } from '../support/hostile-work.js';
import { startProcess, type TestProcess } from '../support/process.js';
import { openReports } from '../support/reports.js';
import { SteppingClock } from '../support/stepping-clock.js';
import { PATIENCE_MS } from '../support/statements.js';
import { aProject, DELIVERING, openHook, startDelivering, untilReceived, untilSettled } from '../support/webhooks.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NEAR_MS = 10_000;
/** So many that a run takes some seconds. */
const LINES = 30_000;
/** More than the interval at which workers look for what is due. */
const ANSWERS_AFTER_MS = 7000;
const WEBHOOK_TIMEOUT_MS = 10_000;

let app: TestApp;
const clocks: SteppingClock[] = [];
const workers: TestProcess[] = [];
beforeAll(async () => {
  app = await startDelivering({ ROLE: 'api' });
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  for (const clock of clocks.splice(0)) clock.remove();
});
afterAll(() => app.close());

async function aWorker(offsetMs = 0): Promise<void> {
  const clock = new SteppingClock(offsetMs);
  clocks.push(clock);
  const env = { ...DELIVERING, ...clock.env, WEBHOOK_TIMEOUT_MS: String(WEBHOOK_TIMEOUT_MS), ROLE: 'worker' };
  workers.push(await startProcess({ ...env, DATABASE_URL: app.databaseUrl, COMPUTE_THREADS: '1' }));
}

it('a worker whose clock is an hour ahead takes no run from the worker that has it', { timeout: 4 * PATIENCE_MS }, async () => {
  const [reports, others] = await Promise.all([openReports(app), openReports(app)]);
  await aWorker();
  await manyLines(app.databaseUrl, reports, LINES);
  const configuration = await reports.configuration({ outputOptions: { formats: ['evidence'] } });
  const { id } = await reports.queue({ reportConfigurationId: configuration.id });
  await eventually(async () => expect(await reports.get(id)).toMatchObject({ status: 'running' }), PATIENCE_MS);
  await aWorker(HOUR_MS);
  // Rows of lost workers come first, so a worker that has taken another run has left this one.
  const other = await others.queue({});
  expect(await others.ended(other.id)).toMatchObject({ status: 'succeeded' });
  expect(await reports.get(id)).toMatchObject({ status: 'running' });
  expect(await reports.ended(id, 2 * PATIENCE_MS)).toMatchObject({ status: 'succeeded' });
  expect(await rowsOf(app.databaseUrl, 'SELECT lost_workers FROM claim_reports WHERE id = $1', [id])).toEqual([{ lost_workers: 0 }]);
});

it('a worker whose clock is an hour behind holds its endpoints, and nothing is sent twice', async () => {
  const hook = await openHook(app);
  hook.receiver.answer = (_received, response) => void setTimeout(() => response.writeHead(200).end(), ANSWERS_AFTER_MS);
  await aWorker(-HOUR_MS);
  await aProject(hook.api);
  await untilReceived(hook.receiver, 1);
  await aWorker();
  expect(await untilSettled(hook)).toMatchObject([{ status: 'delivered', attempt: 1 }]);
  expect(hook.receiver.received).toHaveLength(1);
});

it('a worker whose clock is two days ahead forgets no answer before its time', async () => {
  const { key, organization } = await aTenant(app);
  const api = new Client(app.url, key);
  const body = { name: 'Once', periodStart: '2026-01-01', periodEnd: '2026-12-31' };
  const create = () => api.post('/v1/claim-projects', body, { 'Idempotency-Key': 'once' });
  const { id } = (await create()).body as { id: string };
  const old = newId();
  await rowsOf(
    app.databaseUrl,
    `INSERT INTO idempotency_keys (organization_id, environment, key, fingerprint, created_at)
      VALUES ($1, 'test', $2, 'x', now() - interval '25 hours')`,
    [organization.id, old],
  );
  await aWorker(2 * DAY_MS);
  const isKept = 'SELECT 1 FROM idempotency_keys WHERE organization_id = $1 AND key = $2';
  await eventually(async () => expect(await rowsOf(app.databaseUrl, isKept, [organization.id, old])).toEqual([]));
  const again = await create();
  expect([again.headers['idempotent-replayed'], (again.body as { id: string }).id]).toEqual(['true', id]);
});

it('a worker whose clock is an hour ahead signs with the time of the database, and delays no retry', async () => {
  const hook = await openHook(app);
  hook.receiver.answer = (_received, response) => void response.writeHead(500).end();
  await aWorker(HOUR_MS);
  await aProject(hook.api);
  await untilReceived(hook.receiver, 2);
  for (const { headers } of hook.receiver.received)
    expect(Math.abs(Number(headers['webhook-timestamp']) * 1000 - Date.now())).toBeLessThan(NEAR_MS);
});
