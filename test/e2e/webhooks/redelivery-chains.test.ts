import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EndpointOperations } from '../../../src/modules/webhooks/index.js';
import { OPERATOR } from '../../../src/kernel/context.js';
import type { TestApp } from '../../support/app.js';
import { eventually } from '../../support/eventually.js';
import { aProject, openHook, startDelivering, untilReceived, type Delivery, type Hook } from '../../support/webhooks.js';

let app: TestApp;
beforeAll(async () => {
  app = await startDelivering({ WEBHOOK_RETRY_SCHEDULE: `0s${',1h'.repeat(30)}` });
});
afterAll(() => app.close());

const redeliver = (id: string) => app.app.get(EndpointOperations).redeliver(OPERATOR, id);

/** The delivery log, newest first, once so many attempts are in it and only the last is pending. */
const untilRetryIsPending = (hook: Hook, attempts: number): Promise<[Delivery, Delivery, ...Delivery[]]> =>
  eventually(async () => {
    const log = await hook.log();
    expect(log.map(({ status }) => status)).toEqual(['pending', ...Array.from({ length: attempts - 1 }, () => 'failed')]);
    return log as [Delivery, Delivery, ...Delivery[]];
  });

describe('a redelivery', () => {
  it('while a retry is pending sends that retry now: the event has one chain of attempts', async () => {
    const hook = await openHook(app);
    hook.receiver.answer = (_received, response) => void response.writeHead(503).end();
    await aProject(hook.api);
    const [retry, first] = await untilRetryIsPending(hook, 2);
    expect(Date.parse(retry.scheduledAt)).toBeGreaterThan(Date.now() + 30_000);
    // Not answered before both are made: otherwise the second one could come after the attempt of the first.
    const answers: (() => void)[] = [];
    hook.receiver.answer = (_received, response) => void answers.push(() => response.writeHead(503).end());
    const made = await Promise.all([redeliver(first.id), redeliver(retry.id)]);
    expect(made.map(({ id }) => id)).toEqual([retry.id, retry.id]);
    await untilReceived(hook.receiver, 2);
    answers[0]!();
    const [next, again, before] = await untilRetryIsPending(hook, 3);
    expect(again).toMatchObject({ id: retry.id, trigger: 'manual', status: 'failed', nextAttemptAt: next.scheduledAt });
    expect(again.attemptedAt! >= again.scheduledAt).toBe(true);
    expect(before).toMatchObject({ id: first.id, trigger: 'automatic', nextAttemptAt: again.scheduledAt });
    expect(hook.receiver.received).toHaveLength(2);
  });

  it('of an attempt that is being sent starts no other', async () => {
    const hook = await openHook(app);
    const answers: (() => void)[] = [];
    hook.receiver.answer = (_received, response) => void answers.push(() => response.writeHead(500).end());
    await aProject(hook.api);
    await untilReceived(hook.receiver, 1);
    const [sending] = await hook.log();
    expect((await redeliver(sending!.id)).id).toBe(sending!.id);
    answers[0]!();
    const [, first] = await untilRetryIsPending(hook, 2);
    expect(first).toMatchObject({ id: sending!.id, trigger: 'automatic', scheduledAt: sending!.scheduledAt });
  });

  it('while a failure is being written never makes a second retry', async () => {
    const hook = await openHook(app);
    hook.receiver.answer = (_received, response) => void response.writeHead(500).end();
    await aProject(hook.api);
    let [pending] = await untilRetryIsPending(hook, 2);
    // Each redelivery fails at once, so the next one often comes while its result is written.
    for (let count = 0; count < 4; count += 1) {
      await Promise.all(Array.from({ length: 5 }, () => redeliver(pending.id)));
      [pending] = await eventually(async () => {
        const waiting = await hook.log('?status=pending');
        expect(waiting[0]?.id).not.toBe(pending.id);
        expect(waiting).toHaveLength(1);
        return waiting as [Delivery];
      });
    }
    const attempts = (await hook.log()).map(({ attempt }) => attempt);
    expect(attempts).toEqual(attempts.map((_attempt, index) => attempts.length - index));
  });
});
