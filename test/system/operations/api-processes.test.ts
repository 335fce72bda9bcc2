import { Agent, get } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { NO_RATE_LIMITS, type TestApp } from '../../support/app.js';
import { aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { KeepAliveCalls } from '../../support/keep-alive-calls.js';
import { startProcess, type TestProcess } from '../../support/process.js';
import { childrenOf, isAlive } from '../../support/processes-of.js';
import { aProject, DELIVERING, openHook, startDelivering } from '../../support/webhooks.js';

const PATIENCE_MS = 30_000;
const PER_SECOND = 50;
const PROJECTS = '/v1/claim-projects';

let app: TestApp;
// A machine without Redis has said so at the start.
const redisUrl = inject('redisUrl');
const started: TestProcess[] = [];

async function twoApis(env: Record<string, string> = {}): Promise<TestProcess> {
  const own = { DATABASE_URL: app.databaseUrl, REDIS_URL: redisUrl!, API_PROCESSES: '2', HEALTH_PORT: '0', ...env };
  const service = await startProcess(own);
  started.push(service);
  return service;
}

beforeAll(async () => {
  app = await startDelivering({ ROLE: 'api' });
});
afterAll(() => app.close());
afterEach(async () => {
  await Promise.all(started.splice(0).map((service) => service.stop()));
});

/** Calls, each on a connection of its own. */
async function callOnNewConnections(url: string, key: string, count: number): Promise<number[]> {
  const agent = new Agent({ maxSockets: count });
  const call = () =>
    new Promise<number>((resolve, reject) => {
      get(url, { agent, headers: { 'X-API-Key': key } }, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode!));
      }).on('error', reject);
    });
  return Promise.all(Array.from({ length: count }, call));
}

/** How many calls each process has answered, by its log. */
function answeredBy({ lines }: TestProcess): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const line of lines) {
    const { api, path } = JSON.parse(line) as { api?: number; path?: string };
    if (api !== undefined && path === PROJECTS) counts[api] = (counts[api] ?? 0) + 1;
  }
  return counts;
}

const sum = (counts: Record<number, number>): number => Object.values(counts).reduce((total, count) => total + count, 0);

const statusOf = async ({ probes }: TestProcess, path: string): Promise<number> => (await fetch(`${probes}${path}`)).status;

/** Reads and writes, each write once. */
const load = ({ url }: TestProcess, key: string, name: string) =>
  new KeepAliveCalls(url, key, {
    perSecond: PER_SECOND,
    next: (index) =>
      index % 2 === 0
        ? { method: 'GET', path: PROJECTS }
        : { method: 'POST', path: PROJECTS, body: { name: `${name} ${index}`, periodStart: '2026-01-01', periodEnd: '2026-12-31' } },
  });

const madeWith = async (name: string): Promise<number> =>
  (await rowsOf(app.databaseUrl, 'SELECT 1 FROM claim_projects WHERE name LIKE $1', [`${name} %`])).length;

describe.runIf(redisUrl)('two processes of an API', () => {
  it('share its port: each gets its part of the connections', async () => {
    const service = await twoApis();
    const { key } = await aTenant(app);
    expect(new Set(await callOnNewConnections(`${service.url}${PROJECTS}`, key, 40))).toEqual(new Set([200]));
    await eventually(() => expect(sum(answeredBy(service))).toBe(40));
    for (const answered of Object.values(answeredBy(service))) expect(answered).toBeGreaterThanOrEqual(10);
  });

  it('share the limits of a key', async () => {
    const service = await twoApis({ RATE_LIMITS: '{"starter":{"perMinute":1,"burst":4}}' });
    const { key } = await aTenant(app, { plan: 'starter' });
    const statuses = await callOnNewConnections(`${service.url}${PROJECTS}`, key, 12);
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(5);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
  });

  it('end when told to stop without failing a call, and none is carried out twice', async () => {
    const service = await twoApis({ DRAIN_DELAY: '500ms', ...NO_RATE_LIMITS });
    const pids = childrenOf(service.pid);
    const { key } = await aTenant(app);
    const calls = load(service, key, 'Stop');
    await eventually(() => expect(calls.made).toBeGreaterThan(PER_SECOND));
    const stopping = service.stop();
    await eventually(() => expect(service.lines.join('\n')).toContain('"stopping"'));
    const counts = await calls.stop();
    expect(await stopping).toMatchObject({ code: 0, stderr: '' });
    expect(Object.keys(counts).sort()).toEqual(['GET 200', 'POST 201']);
    expect(await madeWith('Stop')).toBe(counts['POST 201']);
    expect(pids.filter(isAlive)).toEqual([]);
  });

  it('go on when one of them is killed, which is started again', async () => {
    const service = await twoApis(NO_RATE_LIMITS);
    const { key } = await aTenant(app);
    const [killed, other] = childrenOf(service.pid) as [number, number];
    process.kill(killed, 'SIGKILL');
    await eventually(async () => expect(await statusOf(service, '/health/ready')).toBe(503));
    expect(await statusOf(service, '/health/live')).toBe(200);
    expect(new Set(await callOnNewConnections(`${service.url}${PROJECTS}`, key, 10))).toEqual(new Set([200]));
    await eventually(async () => expect(await statusOf(service, '/health/ready')).toBe(200), PATIENCE_MS);
    expect(childrenOf(service.pid)).toContain(other);
    expect(childrenOf(service.pid)).toHaveLength(2);
    const before = answeredBy(service);
    await callOnNewConnections(`${service.url}${PROJECTS}`, key, 20);
    await eventually(() => {
      const after = answeredBy(service);
      for (const number of [1, 2]) expect(after[number]).toBeGreaterThan(before[number] ?? 0);
    });
  });

  it('stop by themselves when the process above them is killed', async () => {
    const service = await twoApis();
    const pids = childrenOf(service.pid);
    await service.kill();
    await eventually(() => expect(pids.filter(isAlive)).toEqual([]), PATIENCE_MS);
  });

  it('have workers beside them where one process had both roles', async () => {
    const service = await twoApis({ ROLE: 'all', ...DELIVERING });
    expect(childrenOf(service.pid)).toHaveLength(3);
    const hook = await openHook(app);
    await aProject(new Client(service.url, hook.key));
    await eventually(() => expect(hook.receiver.received).toHaveLength(1), PATIENCE_MS);
  });

  it('do not start without what they share: the error says why', async () => {
    await expect(twoApis({ DATABASE_URL: '' })).rejects.toThrow('API_PROCESSES above 1 needs DATABASE_URL');
    await expect(twoApis({ REDIS_URL: '' })).rejects.toThrow('API_PROCESSES above 1 needs REDIS_URL');
    const { port } = new URL(app.url);
    await expect(twoApis({ PORT: port })).rejects.toThrow(`Port ${port} of 127.0.0.1 is taken`);
  });
});
