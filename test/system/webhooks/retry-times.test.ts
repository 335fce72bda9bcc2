import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApp } from '../../support/app.js';
import { atTime } from '../../support/audit.js';
import { eventually } from '../../support/eventually.js';
import { startProcess, type TestProcess } from '../../support/process.js';
import { aProject, DELIVERING, openHook, startDelivering, untilReceived, untilSettled, type Hook } from '../../support/webhooks.js';

/** A delay longer than the interval at which workers poll. It varies by a fifth. */
const retryingAfter = (delay: string) => ({ WEBHOOK_RETRY_SCHEDULE: `0s,${delay}` });
const ENDPOINTS = 20;
const HOUR_MS = 3_600_000;

/** An endpoint that fails each first attempt. */
async function failingHook(app: TestApp): Promise<Hook> {
  const hook = await openHook(app);
  hook.receiver.answer = (_received, response) => void response.writeHead(hook.receiver.received.length > 1 ? 200 : 503).end();
  return hook;
}

/** How long after its due time the second attempt arrived. */
async function latenessOf({ receiver, log }: Hook): Promise<number> {
  await untilReceived(receiver, 2);
  const retry = (await log()).find(({ attempt }) => attempt === 2)!;
  return performance.timeOrigin + receiver.received[1]!.at - Date.parse(retry.scheduledAt);
}

describe('one worker', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startDelivering(retryingAfter('6s'));
  });
  afterAll(() => app.close());

  it('sends a retry within a second of its due time, although it polls every five', async () => {
    const hooks = await Promise.all(Array.from({ length: ENDPOINTS }, () => failingHook(app)));
    await Promise.all(hooks.map(({ api }) => aProject(api)));
    const lateness = (await Promise.all(hooks.map(latenessOf))).map(Math.round).sort((a, b) => a - b);
    console.log(`Retries were late by ${lateness[ENDPOINTS / 2]} ms in the median, by ${lateness.at(-1)} ms at most.`);
    expect(lateness[0]).toBeGreaterThanOrEqual(-10);
    expect(lateness.at(-1)).toBeLessThan(1000);
  });

  it('sends an event at once, although the clock of the process that made it was an hour ahead', async () => {
    const hook = await openHook(app);
    await atTime(app, new Date(Date.now() + HOUR_MS).toISOString(), () => aProject(hook.api));
    await untilReceived(hook.receiver, 1);
    const [delivery] = await untilSettled(hook);
    expect(Date.parse(delivery!.scheduledAt)).toBeLessThanOrEqual(Date.now());
  });
});

describe('several workers', () => {
  // Time enough to start two workers.
  const env = retryingAfter('10s');
  let app: TestApp;
  const workers: TestProcess[] = [];
  beforeAll(async () => {
    app = await startDelivering({ ROLE: 'api', ...env });
  });
  afterAll(async () => {
    await Promise.all(workers.map((worker) => worker.kill()));
    await app.close();
  });

  async function aWorker(): Promise<TestProcess> {
    const worker = await startProcess({ ...DELIVERING, ...env, ROLE: 'worker', DATABASE_URL: app.databaseUrl });
    workers.push(worker);
    return worker;
  }

  it('send a retry once and in time, also if the worker of the first attempt is killed', async () => {
    const hooks = await Promise.all(Array.from({ length: 5 }, () => failingHook(app)));
    const first = await aWorker();
    await Promise.all(hooks.map(({ api }) => aProject(api)));
    await eventually(async () => {
      for (const { log } of hooks) expect(await log('?status=pending')).toMatchObject([{ attempt: 2 }]);
    });
    await Promise.all([aWorker(), aWorker()]);
    await first.kill();
    for (const lateness of await Promise.all(hooks.map(latenessOf))) expect(lateness).toBeLessThan(1000);
    for (const { receiver } of hooks) expect(receiver.received).toHaveLength(2);
  });
});
