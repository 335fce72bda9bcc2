import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { Settings } from '../../../src/kernel/settings/settings.js';
import { Secrets } from '../../../src/store/secrets/secrets.js';
import type { TestApp } from '../../support/app.js';
import { rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { startProcess, type TestProcess } from '../../support/process.js';
import { aProject, DELIVERING, openHook, startDelivering, untilReceived, untilSettled, type Hook } from '../../support/webhooks.js';

const EVENTS = 60;

let app: TestApp;
const workers: TestProcess[] = [];

/** A worker process for the application's database. */
async function aWorker(env: Record<string, string> = {}): Promise<TestProcess> {
  const { databaseUrl, settings } = app;
  const worker = await startProcess({
    ...DELIVERING,
    ROLE: 'worker',
    DATABASE_URL: databaseUrl,
    ...(settings.redisUrl && { REDIS_URL: settings.redisUrl }),
    ...env,
  });
  workers.push(worker);
  return worker;
}
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
});

const idsOf = ({ receiver }: Hook): unknown[] => receiver.received.map(({ headers }) => headers['webhook-id']);

describe('workers', () => {
  beforeAll(async () => {
    app = await startDelivering({ ROLE: 'api' });
  });
  afterAll(() => app.close());

  it('deliver events that were emitted while no worker was running', async () => {
    const hook = await openHook(app);
    await aProject(hook.api);
    expect(await hook.log()).toMatchObject([{ status: 'pending', attempt: 1, attemptedAt: null }]);
    await aWorker();
    await untilReceived(hook.receiver, 1);
    expect(await untilSettled(hook)).toMatchObject([{ status: 'delivered' }]);
  });

  it('never deliver anything twice while none of them dies, however many there are', async () => {
    const hooks = await Promise.all([openHook(app), openHook(app), openHook(app)]);
    for (const { receiver } of hooks) receiver.answer = (_received, response) => void setTimeout(() => response.writeHead(200).end(), 3);
    await Promise.all([aWorker(), aWorker(), aWorker()]);
    await Promise.all(
      hooks.map(async ({ api }) => {
        for (let made = 0; made < EVENTS; made += 10) await Promise.all(Array.from({ length: 10 }, () => aProject(api)));
      }),
    );
    for (const hook of hooks) {
      await eventually(() => expect(new Set(idsOf(hook)).size).toBe(EVENTS), 30_000);
      await eventually(async () => expect(await hook.log('?status=pending')).toEqual([]));
      expect(idsOf(hook)).toHaveLength(EVENTS);
    }
  });

  it('respect the concurrency limit of an endpoint, however much is due', async () => {
    const hook = await openHook(app);
    let [now, most] = [0, 0];
    hook.receiver.answer = (_received, response) => {
      now += 1;
      most = Math.max(most, now);
      setTimeout(() => ((now -= 1), response.writeHead(200).end()), 20);
    };
    await Promise.all(Array.from({ length: 40 }, () => aProject(hook.api)));
    await Promise.all([aWorker(), aWorker()]);
    await untilReceived(hook.receiver, 40);
    expect(most).toBe(app.settings.webhookMaxConcurrency);
  });

  it('take over an endpoint when the lease of a lost worker ends', async () => {
    const hook = await openHook(app);
    const [{ until }] = (await rowsOf<{ until: Date }>(
      app.databaseUrl,
      `UPDATE webhook_endpoints SET lease = id, leased_until = now() + interval '3 seconds' WHERE id = $1 RETURNING leased_until AS until`,
      [hook.webhook.id],
    )) as [{ until: Date }];
    await aProject(hook.api);
    await aWorker();
    await untilReceived(hook.receiver, 1);
    expect(Date.now()).toBeGreaterThanOrEqual(until.getTime() - 50);
    expect(await untilSettled(hook)).toMatchObject([{ status: 'delivered', attempt: 1 }]);
  });

  it('record nothing after losing the lease: the late result is dropped, and that of the new worker is logged', async () => {
    const hook = await openHook(app);
    const answers: (() => void)[] = [];
    hook.receiver.answer = (_received, response) => void answers.push(() => response.writeHead(answers.length === 1 ? 500 : 200).end());
    await aWorker();
    await aProject(hook.api);
    await untilReceived(hook.receiver, 1);
    await rowsOf(app.databaseUrl, `UPDATE webhook_endpoints SET lease = id, leased_until = now() + interval '1 second' WHERE id = $1`, [
      hook.webhook.id,
    ]);
    answers[0]!();
    await untilReceived(hook.receiver, 2);
    expect(await hook.log()).toMatchObject([{ status: 'pending', attempt: 1 }]);
    answers[1]!();
    expect(await untilSettled(hook)).toMatchObject([{ status: 'delivered', attempt: 1, responseStatus: 200 }]);
    expect(new Set(idsOf(hook)).size).toBe(1);
  });

  it('stop soon although much is due: they finish requests in flight and leave the rest to others', async () => {
    const hook = await openHook(app);
    hook.receiver.answer = (_received, response) => void setTimeout(() => response.writeHead(200).end(), 200);
    await Promise.all(Array.from({ length: 60 }, () => aProject(hook.api)));
    const worker = await aWorker();
    await eventually(() => expect(hook.receiver.received.length).toBeGreaterThan(8));
    const start = performance.now();
    expect(await worker.stop()).toMatchObject({ code: 0, stderr: '' });
    expect(performance.now() - start).toBeLessThan(2000);
    const delivered = hook.receiver.received.length;
    expect(delivered).toBeLessThan(60);
    expect((await hook.log('?status=delivered&page_size=200')).length).toBe(delivered);
    hook.receiver.answer = (_received, response) => void response.writeHead(200).end();
    await aWorker();
    await untilReceived(hook.receiver, 60);
    expect(new Set(idsOf(hook)).size).toBe(60);
  });

  it('that cannot decrypt a secret leave the delivery to one that can', async () => {
    const hook = await openHook(app);
    await aProject(hook.api);
    // A process with other keys does not start, so it is the secret that is under another one.
    const others = new Secrets(Settings.from({ ENCRYPTION_KEY: Buffer.alloc(32, 'another key').toString('base64') }));
    const exchange = (value: Buffer) =>
      rowsOf<{ secret: Buffer }>(
        app.databaseUrl,
        `WITH before AS (SELECT id, secret FROM webhook_endpoints WHERE id = $1)
          UPDATE webhook_endpoints SET secret = $2 FROM before WHERE webhook_endpoints.id = before.id RETURNING before.secret`,
        [hook.webhook.id, value],
      );
    const [{ secret }] = (await exchange(others.encrypt('whsec_other', 'its owner'))) as [{ secret: Buffer }];
    const worker = await aWorker();
    await eventually(() => expect(worker.lines.join('\n')).toContain('not among those of ENCRYPTION_KEY'));
    await worker.stop();
    // It has released the lease.
    expect(await rowsOf(app.databaseUrl, 'SELECT lease, leased_until FROM webhook_endpoints WHERE id = $1', [hook.webhook.id])).toEqual([
      { lease: null, leased_until: null },
    ]);
    expect(await hook.log()).toMatchObject([{ status: 'pending' }]);
    await exchange(secret);
    await aWorker();
    await untilReceived(hook.receiver, 1);
  });
});

const redisUrl = inject('redisUrl');

if (redisUrl)
  describe('with Redis', () => {
    beforeAll(async () => {
      // A database of Redis of its own, so that these workers take no wake-ups of other tests.
      const own = new URL(redisUrl);
      own.pathname = '/11';
      app = await startDelivering({ ROLE: 'api', REDIS_URL: own.href });
    });
    afterAll(() => app.close());

    it('the API wakes a worker in another process at once, which delivers and retries', async () => {
      await aWorker();
      const hook = await openHook(app);
      hook.receiver.answer = (_received, response) => void response.writeHead(hook.receiver.received.length === 2 ? 500 : 200).end();
      const start = performance.now();
      await aProject(hook.api);
      await untilReceived(hook.receiver, 1);
      // Well before the worker would poll.
      expect(performance.now() - start).toBeLessThan(1500);
      await aProject(hook.api);
      await untilReceived(hook.receiver, 3);
      expect((await untilSettled(hook)).map(({ attempt, status }) => [attempt, status])).toEqual([
        [2, 'delivered'],
        [1, 'failed'],
        [1, 'delivered'],
      ]);
    });

    it('the worker that holds an endpoint hears of the next event, whichever worker is woken', async () => {
      await Promise.all([aWorker(), aWorker()]);
      const hook = await openHook(app);
      const leases = new Set<unknown>();
      for (let made = 1; made <= 20; made += 1) {
        await aProject(hook.api);
        await untilReceived(hook.receiver, made);
        const [held] = await rowsOf<{ lease: string }>(app.databaseUrl, 'SELECT lease FROM webhook_endpoints WHERE id = $1', [
          hook.webhook.id,
        ]);
        leases.add(held!.lease);
      }
      // Half of them, if every worker that is woken waited for the other one to end.
      expect(leases.size).toBeLessThan(6);
    });

    it('several workers never deliver anything twice', async () => {
      await Promise.all([aWorker(), aWorker()]);
      const hook = await openHook(app);
      for (let made = 0; made < EVENTS; made += 10) await Promise.all(Array.from({ length: 10 }, () => aProject(hook.api)));
      await eventually(() => expect(new Set(idsOf(hook)).size).toBe(EVENTS), 30_000);
      await eventually(async () => expect(await hook.log('?status=pending')).toEqual([]));
      expect(idsOf(hook)).toHaveLength(EVENTS);
    });
  });
