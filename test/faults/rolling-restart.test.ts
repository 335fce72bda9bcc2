import { Agent, request } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../src/kernel/ids.js';
import { startApp } from '../support/app.js';
import { Balancer } from '../support/balancer.js';
import { aTenant } from '../support/builders.js';
import { Client } from '../support/client.js';
import { createDatabase, rowsOf } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { report } from '../support/figures.js';
import { runClaims, startProcess, type TestProcess } from '../support/process.js';
import { Receiver } from '../support/receiver.js';
import { aWebhook } from '../support/webhooks.js';

const RESTARTS = Number(process.env.TEST_RESTARTS ?? 4);
const CALLS_PER_SECOND = Number(process.env.TEST_CALLS_PER_SECOND ?? 50);
/** A folder with an earlier version, built: its processes run first, and beside those that replace them. */
const BEFORE = process.env.TEST_VERSION_BEFORE;
const TIMEOUT_MS = 60_000 + RESTARTS * 15_000;
/** Every fifth call is a write. */
const WRITE_EVERY = 5;
const EVERY_MS = 1000 / CALLS_PER_SECOND;

let database: Awaited<ReturnType<typeof createDatabase>>;
let balancer: Balancer;
let receiver: Receiver;
let key: string;
let apis: TestProcess[];
let workers: TestProcess[];
const start = (role: 'api' | 'worker', folder?: string) =>
  startProcess({ DATABASE_URL: database.url, ROLE: role, DRAIN_DELAY: '1s', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' }, { folder });
const startTwice = (role: 'api' | 'worker') => Promise.all([start(role, BEFORE), start(role, BEFORE)]);

/** As with an upgrade: the earlier version runs on its own tables, which are then migrated. */
async function upgradeTables(folder: string): Promise<void> {
  await rowsOf(database.url, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  expect(await runClaims(['migrate'], { DATABASE_URL: database.url }, folder)).toMatchObject({ code: 0 });
  [apis, workers] = await Promise.all([startTwice('api'), startTwice('worker')]);
  expect(await runClaims(['migrate'], { DATABASE_URL: database.url })).toMatchObject({ code: 0 });
}

beforeAll(async () => {
  [database, balancer, receiver] = await Promise.all([createDatabase(), Balancer.start(), Receiver.start()]);
  if (BEFORE) await upgradeTables(BEFORE);
  const app = await startApp({ DATABASE_URL: database.url, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' });
  ({ key } = await aTenant(app));
  await aWebhook(new Client(app.url, key), { targetUrl: receiver.url, subscribedEvents: ['claim_project.created'] });
  await app.close();
  if (!BEFORE) [apis, workers] = await Promise.all([startTwice('api'), startTwice('worker')]);
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

/**
 * A process may close a connection in the moment in which a call is sent on it. Clients and balancers know that from it having been used
 * before, and send the call again.
 */
function call(agent: Agent, method: 'GET' | 'POST', name = newId()): Promise<string> {
  const headers = { 'X-API-Key': key, ...(method === 'POST' && { 'Idempotency-Key': name, 'Content-Type': 'application/json' }) };
  return new Promise((resolve) => {
    const sent = request(
      `${balancer.url}/v1/claim-projects${method === 'GET' ? '?page_size=1' : ''}`,
      { method, headers, agent },
      (answer) => {
        answer.resume().on('end', () => resolve(String(answer.statusCode)));
      },
    );
    sent.on('error', (error: NodeJS.ErrnoException) => {
      const isClosed = sent.reusedSocket && error.code === 'ECONNRESET';
      resolve(isClosed ? call(agent, method, name) : error.message);
    });
    sent.end(method === 'POST' ? JSON.stringify({ name, periodStart: '2026-01-01', periodEnd: '2026-12-31' }) : undefined);
  });
}

it('restarts of every process under load fail no call and lose no delivery', { timeout: TIMEOUT_MS }, async () => {
  const agent = new Agent({ keepAlive: true });
  const outcomes: Promise<string>[] = [];
  const calling = setInterval(() => outcomes.push(call(agent, outcomes.length % WRITE_EVERY === 0 ? 'POST' : 'GET')), EVERY_MS);
  for (let round = 0; round < RESTARTS / 2; round += 1) {
    await restart(apis, 'api');
    await restart(workers, 'worker');
  }
  clearInterval(calling);
  const counts: Record<string, number> = {};
  for (const outcome of await Promise.all(outcomes)) counts[outcome] = (counts[outcome] ?? 0) + 1;
  agent.destroy();
  const delivered = () => new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size;
  await eventually(() => expect(delivered()).toBe(counts['201']));
  const fault = `${RESTARTS} rolling restarts of two APIs and two workers at ${CALLS_PER_SECOND} calls a second`;
  const failed = outcomes.length - counts['200']! - counts['201']!;
  report({ fault, calls: outcomes.length, failed, lost: 0, doubled: receiver.received.length - delivered() });
  expect(Object.keys(counts).sort(), JSON.stringify(counts)).toEqual(['200', '201']);
});
