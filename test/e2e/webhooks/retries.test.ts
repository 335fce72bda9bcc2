import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CatchingUp } from '../../../src/modules/webhooks/sending/catching-up.js';
import type { TestApp } from '../../support/app.js';
import { rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { stepsOf } from '../../support/law-database.js';
import { Receiver } from '../../support/receiver.js';
import { aProject, openHook, startDelivering, untilReceived, untilSettled, type Delivery, type Hook } from '../../support/webhooks.js';

const STEPS_MS = [300, 1200];
/** How late an attempt may be on a busy machine. */
const LAG_MS = 400;

let app: TestApp;
beforeAll(async () => {
  app = await startDelivering({ WEBHOOK_RETRY_SCHEDULE: `0s,${STEPS_MS.map((ms) => `${ms}ms`).join()}`, WEBHOOK_TIMEOUT_MS: '300' });
});
afterAll(() => app.close());

const answering =
  (status: number, headers: Record<string, string> = {}) =>
  (_received: unknown, response: ServerResponse) =>
    void response.writeHead(status, headers).end();
const failingSince = async ({ webhook }: Hook) =>
  (
    await rowsOf<{ since: Date | null }>(app.databaseUrl, 'SELECT failing_since AS since FROM webhook_endpoints WHERE id = $1', [
      webhook.id,
    ])
  )[0]!.since;
const disablings = async ({ webhook }: Hook) => (await stepsOf(app, webhook.id)).filter(({ action }) => action === 'webhook.disabled');

/** The delay between the end of a failed attempt and the next one. */
const waitOf = ({ attemptedAt, durationMs, nextAttemptAt }: Delivery): number =>
  Date.parse(nextAttemptAt!) - Date.parse(attemptedAt!) - durationMs!;

/** The first attempt, once it has failed. */
const firstAttempt = (hook: Hook): Promise<Delivery> =>
  eventually(async () => {
    const first = (await hook.log()).find(({ attempt }) => attempt === 1);
    expect(first?.status).toBe('failed');
    return first!;
  });

describe('after a failed attempt', () => {
  it('the same request is retried according to the schedule until the schedule ends', async () => {
    const hook = await openHook(app);
    hook.receiver.answer = answering(500);
    await aProject(hook.api);
    const log = await eventually(async () => {
      const rows = await untilSettled(hook);
      expect(rows).toHaveLength(3);
      return rows;
    });
    expect(
      log.map(({ attempt, status, responseStatus, errorCode, trigger }) => [attempt, status, responseStatus, errorCode, trigger]),
    ).toEqual([3, 2, 1].map((attempt) => [attempt, 'failed', 500, 'http_error', 'automatic']));
    const { received } = hook.receiver;
    expect(received).toHaveLength(3);
    expect(new Set(received.map(({ body, headers }) => `${body} ${String(headers['webhook-id'])}`)).size).toBe(1);
    expect(new Set(log.map(({ eventId, requestId }) => `${eventId} ${requestId}`)).size).toBe(1);
    STEPS_MS.forEach((step, index) => {
      const [before, after] = [log[2 - index]!, log[1 - index]!];
      expect(after.scheduledAt).toBe(before.nextAttemptAt);
      expect(waitOf(before)).toBeGreaterThanOrEqual(step * 0.8 - 5);
      expect(waitOf(before)).toBeLessThanOrEqual(step * 1.2 + LAG_MS);
      expect(received[index + 1]!.at - received[index]!.at).toBeGreaterThanOrEqual(step * 0.8 - 50);
      expect(Date.parse(after.attemptedAt!)).toBeLessThan(Date.parse(after.scheduledAt) + 3000);
    });
    expect(log[0]!.nextAttemptAt).toBeNull();
  });

  it('the next attempt is in the delivery log as pending', async () => {
    const hook = await openHook(app);
    hook.receiver.answer = (_received, response) => (hook.receiver.received.length < 3 ? answering(503)(_received, response) : undefined);
    await aProject(hook.api);
    const first = await firstAttempt(hook);
    const [pending] = await eventually(async () => {
      const rows = await hook.log('?status=pending');
      expect(rows).toHaveLength(1);
      return rows;
    });
    expect(pending).toMatchObject({
      eventId: first.eventId,
      trigger: 'automatic',
      responseStatus: null,
      errorCode: null,
      durationMs: null,
      attemptedAt: null,
      nextAttemptAt: null,
    });
  });

  it.each([
    ['seconds', (): string => '1', 1000],
    ['a date', (): string => new Date(Date.now() + 2000).toUTCString(), 1200],
    ['more than the next step', (): string => '3600', 1200],
    ['a date in the past', (): string => 'Sat, 21 Nov 2015 12:00:00 GMT', 300],
    ['nonsense', (): string => 'after lunch', 300],
  ] as const)('Retry-After with %s is respected, up to the next step of the schedule', async (what, value, wantedMs) => {
    const hook = await openHook(app);
    hook.receiver.answer = (_received, response) =>
      answering(hook.receiver.received.length > 1 ? 200 : 429, { 'Retry-After': value() })(_received, response);
    await aProject(hook.api);
    const wait = waitOf(await firstAttempt(hook));
    // The schedule varies by up to a fifth, and a date has whole seconds only.
    const slack = { 'a date': 250, 'a date in the past': 60, nonsense: 60 }[what as string] ?? 0;
    expect(wait).toBeGreaterThanOrEqual(wantedMs - slack - 5);
    expect(wait).toBeLessThanOrEqual(wantedMs + slack + LAG_MS);
  });

  it.each([301, 302, 307, 308, 304, 400, 404, 503])('status %i counts as a failure, and a redirect is not followed', async (status) => {
    const [hook, elsewhere] = [await openHook(app), await Receiver.start()];
    hook.receiver.answer = answering(status, { Location: `${elsewhere.url}/other` });
    await aProject(hook.api);
    expect(await firstAttempt(hook)).toMatchObject({
      responseStatus: status,
      errorCode: 'http_error',
      nextAttemptAt: expect.any(String) as string,
    });
    expect(elsewhere.received).toEqual([]);
    expect((await hook.current()).status).toBe('active');
  });

  it('a success ends the retries, and the endpoint no longer counts as failing', async () => {
    const hook = await openHook(app);
    let works = false;
    hook.receiver.answer = (received, response) => answering(works ? 201 : 500)(received, response);
    await aProject(hook.api);
    await firstAttempt(hook);
    expect(await failingSince(hook)).not.toBeNull();
    expect((await hook.current()).lastDeliveryAt).toBeNull();
    works = true;
    const [last] = await eventually(async () => {
      const rows = await hook.log('?status=delivered');
      expect(rows).toHaveLength(1);
      return rows;
    });
    // The last one of a slow machine is the third.
    expect(last).toMatchObject({ attempt: hook.receiver.received.length, responseStatus: 201, nextAttemptAt: null });
    expect(await failingSince(hook)).toBeNull();
    expect(await hook.current()).toMatchObject({ lastDeliveryAt: last!.attemptedAt, updatedAt: hook.webhook.updatedAt });
    expect(await untilSettled(hook)).toHaveLength(last!.attempt);
  });
});

describe('an endpoint is disabled', () => {
  const auditRow = (hook: Hook, reason: string) => ({
    action: 'webhook.disabled',
    organization_id: hook.organizationId,
    environment: 'test',
    actor_type: 'system',
    actor_id: null,
    actor_name: 'webhook dispatcher',
    request_id: null,
    ip_address: null,
    changes: {
      status: { from: 'active', to: 'disabled' },
      disabledReason: { from: null, to: reason },
      disabledAt: { from: null, to: expect.any(String) as string },
    },
  });

  it('when it responds with 410: nothing more is sent to it, and the audit log records it', async () => {
    const hook = await openHook(app);
    hook.receiver.answer = answering(410);
    await aProject(hook.api);
    const disabled = await eventually(async () => {
      const now = await hook.current();
      expect(now).toMatchObject({ status: 'disabled', disabledReason: 'gone' });
      return now;
    });
    expect(disabled.updatedAt > hook.webhook.updatedAt).toBe(true);
    expect(await hook.log()).toMatchObject([{ attempt: 1, status: 'failed', responseStatus: 410, nextAttemptAt: null }]);
    expect(await disablings(hook)).toEqual([auditRow(hook, 'gone')]);
    await aProject(hook.api);
    expect(await hook.log()).toHaveLength(1);
    expect(hook.receiver.received).toHaveLength(1);
  });

  it('when no delivery has succeeded for five days, and not after four', async () => {
    const hook = await openHook(app);
    hook.receiver.answer = answering(500);
    const failFor = (days: number) =>
      rowsOf(
        app.databaseUrl,
        `UPDATE webhook_endpoints SET failing_since = now() - make_interval(days => $2), updated_at = now() WHERE id = $1`,
        [hook.webhook.id, days],
      );
    await failFor(4);
    await aProject(hook.api);
    await eventually(async () => expect((await untilSettled(hook)).length).toBe(3));
    expect((await hook.current()).status).toBe('active');
    await failFor(5);
    await aProject(hook.api);
    await eventually(async () => expect(await hook.current()).toMatchObject({ status: 'disabled', disabledReason: 'failing' }));
    expect(await disablings(hook)).toEqual([auditRow(hook, 'failing')]);
    expect((await hook.log())[0]).toMatchObject({ attempt: 1, status: 'failed', responseStatus: 500, nextAttemptAt: null });
    hook.receiver.answer = answering(200);
    expect(await hook.change({ status: 'active' })).toMatchObject({ disabledReason: null });
    await aProject(hook.api);
    // And the two that were given up.
    await app.app.get(CatchingUp).catchUp();
    await untilReceived(hook.receiver, 7);
    expect((await hook.current()).status).toBe('active');
  });

  it('by a PATCH: pending deliveries are not sent, and the log says why', async () => {
    const hook = await openHook(app);
    hook.receiver.answer = answering(503, { 'Retry-After': '60' });
    await aProject(hook.api);
    await firstAttempt(hook);
    await hook.change({ status: 'disabled' });
    expect(await hook.log()).toMatchObject([
      { attempt: 2, status: 'failed', errorCode: 'endpoint_disabled', attemptedAt: null },
      { attempt: 1, status: 'failed', errorCode: 'http_error' },
    ]);
    hook.receiver.answer = answering(200);
    await hook.change({ status: 'active' });
    await aProject(hook.api);
    await untilReceived(hook.receiver, 2);
    expect(await untilSettled(hook)).toHaveLength(3);
  });
});

describe('a response counts by its status', () => {
  it.each([
    ['never ends', (response: ServerResponse) => void response.writeHead(200).write('x')],
    ['is very long', (response: ServerResponse) => void response.writeHead(200).end(Buffer.alloc(10 * 1024 * 1024))],
    [
      'is cut off',
      (response: ServerResponse) => void response.writeHead(200, { 'Content-Length': '10' }).write('x', () => response.destroy()),
    ],
  ])('even if its body %s', async (_how, answer) => {
    const hook = await openHook(app);
    hook.receiver.answer = (_received, response) => answer(response);
    await aProject(hook.api);
    expect(await untilSettled(hook)).toMatchObject([{ status: 'delivered', responseStatus: 200 }]);
    expect(hook.receiver.received).toHaveLength(1);
  });
});

it('an endpoint that hangs does not delay others', async () => {
  const [dead, alive] = [await openHook(app), await openHook(app)];
  dead.receiver.answer = () => undefined;
  await Promise.all(Array.from({ length: 40 }, () => aProject(dead.api)));
  const start = performance.now();
  await aProject(alive.api);
  await untilReceived(alive.receiver, 1);
  expect(performance.now() - start).toBeLessThan(1000);
});
