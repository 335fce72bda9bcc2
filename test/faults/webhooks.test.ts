import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { Redis } from 'ioredis';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';
import { aTenant } from '../support/builders.js';
import { Client } from '../support/client.js';
import { createDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { startProcess, type TestProcess } from '../support/process.js';
import { Receiver } from '../support/receiver.js';
import { TcpProxy } from '../support/tcp-proxy.js';

const PATIENCE_MS = 60_000;
const ENV = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', WEBHOOK_TIMEOUT_MS: '2000', WEBHOOK_RETRY_SCHEDULE: '0s,1s,1s' };
const redisUrl = inject('redisUrl');
/** 100 MB of nothing. */
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

/** An endpoint at the receiver, and how to make events for it; each gives the id of what the event is of. */
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

/** What the receiver was sent: by the id of the record, the webhook-ids it came with. */
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
    'loses no event: another goes on, and what comes twice comes with the same webhook-id',
    async () => {
      const { makeEvent } = await anEndpoint();
      const EVENTS = 150;
      const ids: string[] = [];
      for (let count = 0; count < EVENTS; count += 1) ids.push(await makeEvent());
      // Slow enough to be killed in the middle.
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

if (redisUrl) describe('Redis', () => deliveriesWithoutRedis(redisUrl));

function deliveriesWithoutRedis(url: string): void {
  let proxy: TcpProxy;
  let api: TestProcess;
  let redis: Redis;
  beforeAll(async () => {
    // A database of Redis that may be flushed.
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
    'may be away while events are made: they are delivered all the same, and go on when it is back',
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
    'may lose all it has at any moment',
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

/** Receivers of ill will, by the path of their endpoint: what they do, and what the log says of an attempt. */
const ILL_WILL: readonly [path: string, what: string, status: string, answer: (response: ServerResponse) => void][] = [
  ['/endless', 'an answer without end', 'delivered', (response) => endless(response, Buffer.alloc(64 * 1024, 'x'), 0)],
  ['/drip', 'an answer that drips', 'delivered', (response) => endless(response.writeHead(200), Buffer.from('x'), 50)],
  ['/bomb', 'a gzip bomb', 'delivered', (response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(BOMB)],
  ['/silence', 'no answer at all', 'failed', () => undefined],
  ['/head', 'a head that drips', 'failed', (response) => dripHead(response)],
];

describe('receivers of ill will', () => {
  const residentBytes = (pid: number): number => Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1024;

  it(
    'cost the worker neither time nor memory, all at once: without end, dripping, unpacking to much, silent',
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

/** Writes on until the other side has had enough. */
function endless(response: ServerResponse, chunk: Buffer, pauseMs: number): void {
  const write = (): void => {
    if (response.destroyed || response.socket?.destroyed) return;
    if (response.write(chunk)) setTimeout(write, pauseMs);
    else response.once('drain', () => setTimeout(write, pauseMs));
  };
  write();
}

/** One byte of a header line after the other. */
function dripHead(response: ServerResponse): void {
  const { socket } = response;
  socket?.write('HTTP/1.1 200 OK\r\nX-Drip: ');
  const drip = setInterval(() => (socket?.destroyed ? clearInterval(drip) : socket?.write('x')), 50);
}
