import { createServer } from 'node:net';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { TestApp } from '../../support/app.js';
import { eventually } from '../../support/eventually.js';
import { startProcess, type TestProcess } from '../../support/process.js';
import { childrenOf, isAlive } from '../../support/processes-of.js';
import { aProject, DELIVERING, openHook, startDelivering, type Hook } from '../../support/webhooks.js';

const HOOKS = 6;
const EVENTS = 40;
const PATIENCE_MS = 60_000;

let app: TestApp;
const workers: TestProcess[] = [];

async function twoWorkers(env: Record<string, string> = {}): Promise<TestProcess> {
  const { databaseUrl, settings } = app;
  const worker = await startProcess({
    ...DELIVERING,
    // A lease of a lost worker ends after five seconds.
    WEBHOOK_TIMEOUT_MS: '2000',
    ROLE: 'worker',
    WORKER_PROCESSES: '2',
    HEALTH_PORT: '0',
    DATABASE_URL: databaseUrl,
    ...(settings.redisUrl && { REDIS_URL: settings.redisUrl }),
    ...env,
  });
  workers.push(worker);
  return worker;
}

beforeAll(async () => {
  app = await startDelivering({ ROLE: 'api' });
});
afterAll(() => app.close());
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
});

/** Endpoints with due deliveries. */
async function hooksWithMuchDue(): Promise<Hook[]> {
  const hooks = await Promise.all(Array.from({ length: HOOKS }, () => openHook(app)));
  for (const { receiver } of hooks) receiver.answer = (_received, response) => void setTimeout(() => response.writeHead(200).end(), 50);
  for (const { api } of hooks)
    for (let made = 0; made < EVENTS; made += 10) await Promise.all(Array.from({ length: 10 }, () => aProject(api)));
  return hooks;
}

const idsOf = (hooks: readonly Hook[]): unknown[] =>
  hooks.flatMap(({ receiver }) => receiver.received.map(({ headers }) => headers['webhook-id']));

/** How many deliveries the log has with a status. */
const loggedAs = async (hooks: readonly Hook[], status: string): Promise<number> =>
  (await Promise.all(hooks.map((hook) => hook.log(`?status=${status}&page_size=200`)))).flat().length;

const statusOf = async ({ probes }: TestProcess, path: string): Promise<number> => (await fetch(`${probes}${path}`)).status;

describe('two worker processes', () => {
  it('both send: each of them while the other one hangs', async () => {
    const worker = await twoWorkers();
    const pids = childrenOf(worker.pid);
    for (const pid of pids) {
      process.kill(pid, 'SIGSTOP');
      const hook = await openHook(app);
      await aProject(hook.api);
      await eventually(() => expect(hook.receiver.received).toHaveLength(1), 20_000);
      process.kill(pid, 'SIGCONT');
    }
  });

  it('end within the time of a request when told to stop, and what is due is delivered exactly once', async () => {
    const hooks = await hooksWithMuchDue();
    const first = await twoWorkers();
    const pids = childrenOf(first.pid);
    expect(pids).toHaveLength(2);
    await eventually(() => expect(idsOf(hooks).length).toBeGreaterThan(HOOKS));
    const begin = performance.now();
    const { code, stdout, stderr } = await first.stop();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(performance.now() - begin).toBeLessThan(5000);
    // Each line is whole, and says which process has written it.
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { worker?: number });
    expect(new Set(lines.map(({ worker }) => worker))).toEqual(new Set([undefined, 1, 2]));
    expect(pids.filter(isAlive)).toEqual([]);
    expect(await loggedAs(hooks, 'delivered')).toBe(idsOf(hooks).length);
    await twoWorkers();
    await eventually(async () => expect(await loggedAs(hooks, 'delivered')).toBe(HOOKS * EVENTS), PATIENCE_MS);
    expect(idsOf(hooks)).toHaveLength(HOOKS * EVENTS);
    expect(new Set(idsOf(hooks)).size).toBe(HOOKS * EVENTS);
  });

  it('go on when one of them is killed, which is started again, and all that was due is delivered', async () => {
    const hooks = await hooksWithMuchDue();
    const worker = await twoWorkers();
    expect(await statusOf(worker, '/health/ready')).toBe(200);
    await eventually(() => expect(idsOf(hooks).length).toBeGreaterThan(HOOKS));
    const [killed, other] = childrenOf(worker.pid) as [number, number];
    process.kill(killed, 'SIGKILL');
    // Also before the process above is told that it has ended: a restart of all would only take longer.
    const lives: number[] = [];
    await eventually(async () => {
      lives.push(await statusOf(worker, '/health/live'));
      expect(await statusOf(worker, '/health/ready')).toBe(503);
    });
    expect(new Set([...lives, await statusOf(worker, '/health/live')])).toEqual(new Set([200]));
    await eventually(async () => expect(await loggedAs(hooks, 'delivered')).toBe(HOOKS * EVENTS), PATIENCE_MS);
    expect(new Set(idsOf(hooks)).size).toBe(HOOKS * EVENTS);
    await eventually(async () => expect(await statusOf(worker, '/health/ready')).toBe(200), PATIENCE_MS);
    expect(await statusOf(worker, '/health/dependencies')).toBe(200);
    expect(await statusOf(worker, '/v1')).toBe(404);
    expect(childrenOf(worker.pid)).toContain(other);
    expect(await worker.stop()).toMatchObject({ code: 0, stderr: '' });
  });

  it('end with 1 when none of them is left, so that their orchestrator starts them again', async () => {
    const worker = await twoWorkers();
    for (const pid of childrenOf(worker.pid)) process.kill(pid, 'SIGKILL');
    await eventually(() => expect(isAlive(worker.pid)).toBe(false));
    const { code, stdout } = await worker.stop();
    expect(code).toBe(1);
    expect(stdout).toContain('no process of the worker is left');
  });

  it('stop by themselves when the process above them is killed', async () => {
    const worker = await twoWorkers();
    const pids = childrenOf(worker.pid);
    await worker.kill();
    await eventually(() => expect(pids.filter(isAlive)).toEqual([]), PATIENCE_MS);
  });

  it('hang: the probes of the process above them say so', async () => {
    const worker = await twoWorkers();
    const [pid] = childrenOf(worker.pid) as [number];
    process.kill(pid, 'SIGSTOP');
    expect(await statusOf(worker, '/health/live')).toBe(503);
    process.kill(pid, 'SIGCONT');
    await eventually(async () => expect(await statusOf(worker, '/health/live')).toBe(200));
  });

  it('do not start without a database, or when their port is taken: the error says why', async () => {
    const none = { DATABASE_URL: '' };
    await expect(twoWorkers(none)).rejects.toThrow('WORKER_PROCESSES above 1 needs DATABASE_URL');
    await expect(twoWorkers({ DATABASE_URL: 'postgres://127.0.0.1:1/none' })).rejects.toThrow(
      /The process of worker [12] ended with 1 before it was ready\./,
    );
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    await expect(twoWorkers({ HEALTH_PORT: String(port) })).rejects.toThrow(`Port ${port} of 127.0.0.1 is taken`);
    server.close();
  });
});
