import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../src/kernel/ids.js';
import { startApp } from '../support/app.js';
import { Balancer } from '../support/balancer.js';
import { aTenant } from '../support/builders.js';
import { Client } from '../support/client.js';
import { createDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { report } from '../support/figures.js';
import { KeepAliveCalls } from '../support/keep-alive-calls.js';
import { startProcess, type TestProcess } from '../support/process.js';
import { Receiver } from '../support/receiver.js';
import { aWebhook } from '../support/webhooks.js';

const RESTARTS = Number(process.env.TEST_RESTARTS ?? 4);
const CALLS_PER_SECOND = Number(process.env.TEST_CALLS_PER_SECOND ?? 50);
const TIMEOUT_MS = 60_000 + RESTARTS * 15_000;
/** Every fifth call is a write. */
const WRITE_EVERY = 5;

let database: Awaited<ReturnType<typeof createDatabase>>;
let balancer: Balancer;
let receiver: Receiver;
let key: string;
let apis: TestProcess[];
let workers: TestProcess[];
const start = (role: 'api' | 'worker') =>
  startProcess({ DATABASE_URL: database.url, ROLE: role, DRAIN_DELAY: '1s', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' });
const startTwice = (role: 'api' | 'worker') => Promise.all([start(role), start(role)]);

beforeAll(async () => {
  [database, balancer, receiver] = await Promise.all([createDatabase(), Balancer.start(), Receiver.start()]);
  const app = await startApp({ DATABASE_URL: database.url, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' });
  ({ key } = await aTenant(app));
  await aWebhook(new Client(app.url, key), { targetUrl: receiver.url, subscribedEvents: ['claim_project.created'] });
  await app.close();
  [apis, workers] = await Promise.all([startTwice('api'), startTwice('worker')]);
  for (const { url } of apis) await balancer.add(url);
});
afterAll(async () => {
  await Promise.all([...apis, ...workers].map((process) => process.stop()));
  await Promise.all([balancer.close(), receiver.close()]);
  await database.drop();
});

/** Starts another process before the oldest is told to stop, as an orchestrator does. */
async function restart(processes: TestProcess[], role: 'api' | 'worker'): Promise<void> {
  const next = await start(role);
  processes.push(next);
  if (role === 'api') await balancer.add(next.url);
  const old = processes.shift()!;
  expect(await old.stop()).toMatchObject({ code: 0, stderr: '' });
  if (role === 'api') balancer.remove(old.url);
}

it('restarts of every process under load fail no call and lose no delivery', { timeout: TIMEOUT_MS }, async () => {
  const project = () => ({ name: newId(), periodStart: '2026-01-01', periodEnd: '2026-12-31' });
  const calls = new KeepAliveCalls(balancer.url, key, {
    perSecond: CALLS_PER_SECOND,
    next: (index) =>
      index % WRITE_EVERY === 0
        ? { method: 'POST', path: '/v1/claim-projects', body: project() }
        : { method: 'GET', path: '/v1/claim-projects?page_size=1' },
  });
  for (let round = 0; round < RESTARTS / 2; round += 1) {
    await restart(apis, 'api');
    await restart(workers, 'worker');
  }
  const counts = await calls.stop();
  const delivered = () => new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size;
  await eventually(() => expect(delivered()).toBe(counts['POST 201']));
  const fault = `${RESTARTS} rolling restarts of two APIs and two workers at ${CALLS_PER_SECOND} calls a second`;
  const failed = calls.made - counts['GET 200']! - counts['POST 201']!;
  report({ fault, calls: calls.made, failed, lost: 0, doubled: receiver.received.length - delivered() });
  expect(Object.keys(counts).sort(), JSON.stringify(counts)).toEqual(['GET 200', 'POST 201']);
});
