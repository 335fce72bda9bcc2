import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { Redis } from 'ioredis';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';
import { aTenant } from '../support/builders.js';
import { Client } from '../support/client.js';
import { createDatabase, rowsOf } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { startProcess, type TestProcess } from '../support/process.js';
import { Receiver } from '../support/receiver.js';
import { TcpProxy } from '../support/tcp-proxy.js';

const PATIENCE_MS = 60_000;
const ENV = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', WEBHOOK_TIMEOUT_MS: '2000', WEBHOOK_RETRY_SCHEDULE: '0s,1s,1s' };
const redisUrl = inject('redisUrl');
/** 100 MB of zeros, compressed. */
const BOMB = gzipSync(Buffer.alloc(100 * 1024 * 1024));

let database: Awaited<ReturnType<typeof createDatabase>>;
let app: TestApp;
let receiver: Receiver;
let workers: TestProcess[];
beforeAll(async () => {
  database = await createDatabase();
  app = await startApp({ DATABASE_URL: database.url, ...ENV });
});
afterAll(async () => {
  await app.close();
  await database.drop();
});
beforeEach(async () => {
  receiver = await Receiver.start();
  workers = [];
});
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.kill()));
  await receiver.close();
});

async function aWorker(env: Record<string, string> = {}): Promise<TestProcess> {
  const worker = await startProcess({ DATABASE_URL: database.url, ...ENV, ROLE: 'worker', ...env });
  workers.push(worker);
  return worker;
}

/** An endpoint at the receiver. `makeEvent` creates an event for it, and returns the id of the record. */
async function anEndpoint(url = app.url, path = '/') {
  const { key } = await aTenant(app);
  const api = new Client(url, key);
  const webhook = await api.post('/v1/webhooks', {
    name: 'Sync',
    targetUrl: `${receiver.url}${path}`,
    subscribedEvents: ['claim_project.created'],
  });
  expect(webhook.status, webhook.text).toBe(201);
  let count = 0;
  const makeEvent = async (): Promise<string> => {
    count += 1;
    const made = await api.post('/v1/claim-projects', { name: `Project ${count}`, periodStart: '2026-01-01', periodEnd: '2026-12-31' });
    expect(made.status, made.text).toBe(201);
    return (made.body as { id: string }).id;
  };
  const log = async () =>
    (await api.get(`/v1/webhooks/${(webhook.body as { id: string }).id}/deliveries?page_size=200`)).body.data as Record<string, unknown>[];
  return { makeEvent, log };
}

/** What the receiver was sent: the webhook-ids for the id of each record. */
function receivedOf(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { body, headers } of receiver.received) {
    const { data } = JSON.parse(body) as { data: { id: string } };
    found.set(data.id, [...(found.get(data.id) ?? []), String(headers['webhook-id'])]);
  }
  return found;
}

const untilReceived = (ids: readonly string[]) =>
  eventually(() => {
    const found = receivedOf();
    expect(ids.filter((id) => !found.has(id))).toEqual([]);
    return found;
  }, PATIENCE_MS);

describe('a worker that is killed while it delivers', () => {
  it(
    'loses no event: another worker continues, and an event that is sent twice has the same webhook-id',
    async () => {
      const { makeEvent } = await anEndpoint();
      const EVENTS = 150;
      const ids: string[] = [];
      for (let count = 0; count < EVENTS; count += 1) ids.push(await makeEvent());
      // Slow enough that the worker is killed in the middle.
      receiver.answer = (_received, response) => void setTimeout(() => response.end(), 50);
      const first = await aWorker();
      await eventually(() => expect(receiver.received.length).toBeGreaterThan(40), PATIENCE_MS);
      await first.kill();
      const sentByFirst = receiver.received.length;
      expect(sentByFirst).toBeLessThan(EVENTS);
      await aWorker();
      const found = await untilReceived(ids);
      for (const webhookIds of found.values()) expect(new Set(webhookIds).size).toBe(1);
      const twice = [...found.values()].filter(({ length }) => length > 1);
      expect(twice.length).toBeLessThanOrEqual(sentByFirst);
      expect([...found.values()].every(({ length }) => length <= 2)).toBe(true);
    },
    2 * PATIENCE_MS,
  );
});

describe('a worker that is killed while an endpoint fails or recovers', () => {
  it(
    'neither loses nor repeats what others are told, and the endpoint gets what it has missed',
    async () => {
      const { key, organization } = await aTenant(app);
      const api = new Client(app.url, key);
      const endpoint = { name: 'Sync', targetUrl: `${receiver.url}/`, subscribedEvents: ['claim_project.created'] };
      expect((await api.post('/v1/webhooks', endpoint)).status).toBe(201);
      const make = async (name: string) => {
        const made = await api.post('/v1/claim-projects', { name, periodStart: '2026-01-01', periodEnd: '2026-12-31' });
        return (made.body as { id: string }).id;
      };
      const written = async () =>
        (
          await rowsOf<{ kind: string }>(
            database.url,
            "SELECT kind FROM events WHERE organization_id = $1 AND kind LIKE 'webhook.%' ORDER BY id",
            [organization.id],
          )
        ).map(({ kind }) => kind);
      receiver.answer = (_received, response) => void response.writeHead(500).end();
      const missed = [await make('First'), await make('Second')];
      let worker = await aWorker();
      // It may die before it has written the fourth failure, or after.
      await eventually(() => expect(receiver.received.length).toBeGreaterThanOrEqual(4), PATIENCE_MS);
      await worker.kill();
      worker = await aWorker();
      await eventually(async () => expect(await written()).toEqual(['webhook.failing']), PATIENCE_MS);
      const settled = async () => {
        const [found] = await rowsOf<{ pending: number }>(
          database.url,
          "SELECT count(*)::int AS pending FROM webhook_deliveries WHERE organization_id = $1 AND status = 'pending'",
          [organization.id],
        );
        expect(found).toEqual({ pending: 0 });
      };
      await eventually(settled, PATIENCE_MS);
      receiver.received.length = 0;
      receiver.answer = (_received, response) => void response.end();
      const next = await make('Third');
      await eventually(() => expect(receiver.received.length).toBeGreaterThanOrEqual(1), PATIENCE_MS);
      await worker.kill();
      await aWorker();
      const found = await untilReceived([next, ...missed]);
      await eventually(settled, PATIENCE_MS);
      expect(await written()).toEqual(['webhook.failing', 'webhook.recovered']);
      // The killed worker may have sent what it could not write down.
      for (const webhookIds of found.values()) expect([1, 2]).toContain(webhookIds.length);
    },
    4 * PATIENCE_MS,
  );
});

if (redisUrl) describe('Redis', () => deliveriesWithoutRedis(redisUrl));

function deliveriesWithoutRedis(url: string): void {
  let proxy: TcpProxy;
  let api: TestProcess;
  let redis: Redis;
  beforeAll(async () => {
    // A Redis database of its own, which may be flushed.
    const own = new URL(url);
    own.pathname = '/11';
    redis = new Redis(own.href);
    proxy = await TcpProxy.to(own.href);
    api = await startProcess({ DATABASE_URL: database.url, ...ENV, REDIS_URL: proxy.url });
  });
  afterAll(async () => {
    await api.stop();
    await proxy.close();
    redis.disconnect();
  });

  it(
    'may be down while events are created: they are delivered anyway, and wake-ups resume when it is back',
    async () => {
      const { makeEvent } = await anEndpoint(api.url);
      await aWorker({ REDIS_URL: proxy.url });
      await untilReceived([await makeEvent()]);
      proxy.cut();
      const away: string[] = [];
      for (let count = 0; count < 30; count += 1) away.push(await makeEvent());
      await untilReceived(away);
      proxy.restore();
      await untilReceived([await makeEvent()]);
      for (const webhookIds of receivedOf().values()) expect(webhookIds).toHaveLength(1);
    },
    3 * PATIENCE_MS,
  );

  it(
    'may lose all its data at any moment: every event is delivered anyway',
    async () => {
      const { makeEvent } = await anEndpoint(api.url);
      await aWorker({ REDIS_URL: proxy.url });
      const ids: string[] = [];
      for (let count = 0; count < 60; count += 1) {
        ids.push(await makeEvent());
        if (count % 5 === 0) await redis.flushdb();
      }
      await untilReceived(ids);
    },
    2 * PATIENCE_MS,
  );
}

/** Hostile receivers, by the path of their endpoint: what they do, and the status of an attempt in the delivery log. */
const ILL_WILL: readonly [path: string, what: string, status: string, answer: (response: ServerResponse) => void][] = [
  ['/endless', 'an endless body', 'delivered', (response) => endless(response, Buffer.alloc(64 * 1024, 'x'), 0)],
  ['/drip', 'a slow body', 'delivered', (response) => endless(response.writeHead(200), Buffer.from('x'), 50)],
  ['/bomb', 'a gzip bomb', 'delivered', (response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(BOMB)],
  ['/silence', 'no answer at all', 'failed', () => undefined],
  ['/head', 'a slow header', 'failed', (response) => dripHead(response)],
];

const residentBytes = (pid: number): number => Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1024;

describe('an organization with 50 endpoints that never answer, and 100 events of 32 KiB', () => {
  const ENDPOINTS = 50;
  const EVENTS = 100;
  const CONCURRENCY = 8;

  it(
    'costs a worker little memory, and leaves room for the delivery of another organization',
    async () => {
      receiver.answer = ({ path }, response) => void (path === '/neighbour' && response.end());
      const silent = (await aTenant(app)).key;
      const api = new Client(app.url, silent);
      const targetUrl = `${receiver.url}/silent`;
      for (let count = 0; count < ENDPOINTS; count += 1)
        await api.post('/v1/webhooks', { name: `Silent ${count}`, targetUrl, subscribedEvents: ['claim_project.created'] });
      const worker = await aWorker({ ROLE: 'all', WEBHOOK_TIMEOUT_MS: '30000' });
      const neighbour = await anEndpoint(worker.url, '/neighbour');
      const before = residentBytes(worker.pid);
      let most = before;
      const sampling = setInterval(() => (most = Math.max(most, residentBytes(worker.pid))), 50);
      try {
        // 32 KiB of JSON that is several hundred as objects.
        const metadata = { lines: Array.from({ length: 10_900 }, () => ({})) };
        const project = { periodStart: '2026-01-01', periodEnd: '2026-12-31', metadata };
        for (let count = 0; count < EVENTS; count += 1)
          expect((await api.post('/v1/claim-projects', { ...project, name: `Large ${count}` })).status).toBe(201);
        const hanging = () => receiver.received.filter(({ path }) => path === '/silent').length;
        await eventually(() => expect(hanging()).toBe(ENDPOINTS * CONCURRENCY), PATIENCE_MS);
        const delays: number[] = [];
        for (let count = 0; count < 10; count += 1) {
          const start = performance.now();
          await untilReceived([await neighbour.makeEvent()]);
          delays.push(performance.now() - start);
        }
        // On a busy machine any single one may take longer. The others hang for 30 seconds.
        expect(delays.sort((a, b) => a - b)[5], 'the usual delay of a delivery of the neighbour in ms').toBeLessThan(3000);
        expect(hanging()).toBe(ENDPOINTS * CONCURRENCY);
      } finally {
        clearInterval(sampling);
      }
      expect((most - before) / 1024 / 1024, 'memory in MiB').toBeLessThan(200);
    },
    3 * PATIENCE_MS,
  );
});

describe('hostile receivers', () => {
  it(
    'do not hold up the worker or fill its memory, even all at once: endless bodies, slow answers, compression bombs, silence',
    async () => {
      receiver.answer = ({ path }, response) => ILL_WILL.find(([own]) => own === path)![3](response);
      const hooks = await Promise.all(
        ILL_WILL.map(async ([path, what, status]) => ({ ...(await anEndpoint(app.url, path)), what, status })),
      );
      const worker = await aWorker();
      const before = residentBytes(worker.pid);
      let most = before;
      for (const { makeEvent } of hooks) for (let count = 0; count < 8; count += 1) await makeEvent();
      for (const { log, what, status } of hooks) {
        const attempts = await eventually(async () => {
          most = Math.max(most, residentBytes(worker.pid));
          const first = (await log()).filter(({ attempt }) => attempt === 1);
          expect(
            first.map((attempt) => attempt.status),
            what,
          ).toEqual(Array.from({ length: 8 }, () => status));
          return first;
        }, PATIENCE_MS);
        for (const { durationMs } of attempts) expect(Number(durationMs), what).toBeLessThan(2000 + 1500);
      }
      expect((most - before) / 1024 / 1024).toBeLessThan(50);
    },
    2 * PATIENCE_MS,
  );
});

/** Writes until the other side closes the connection. */
function endless(response: ServerResponse, chunk: Buffer, pauseMs: number): void {
  const write = (): void => {
    if (response.destroyed || response.socket?.destroyed) return;
    if (response.write(chunk)) setTimeout(write, pauseMs);
    else response.once('drain', () => setTimeout(write, pauseMs));
  };
  write();
}

/** Sends a header line byte by byte. */
function dripHead(response: ServerResponse): void {
  const { socket } = response;
  socket?.write('HTTP/1.1 200 OK\r\nX-Drip: ');
  const drip = setInterval(() => (socket?.destroyed ? clearInterval(drip) : socket?.write('x')), 50);
}
