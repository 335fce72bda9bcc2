import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { declaredEvents } from '../../../src/kernel/declare-event.js';
import { newId } from '../../../src/kernel/ids.js';
import type { TestApp } from '../../support/app.js';
import { aKey, aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { stepsOf } from '../../support/law-database.js';
import { expectFieldErrors, expectProblem } from '../../support/problem.js';
import { openHook, startDelivering, untilReceived, untilSettled } from '../../support/webhooks.js';

const EVENTS = '/v1/test/events';
const OLDEST = '00000000-0000-0000-0000-000000000000';
const EMITTED = declaredEvents().flatMap(({ kind, status }) => (status === 'emitted' ? [kind] : []));

interface FeedEvent {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly id: string };
}

let app: TestApp;
beforeAll(async () => {
  app = await startDelivering();
});
afterAll(() => app.close());

const feedOf = async (api: Client) => (await api.get(`/v1/events?after=${OLDEST}&limit=200`)).body.data as FeedEvent[];
const sent = async (api: Client, kind: string, headers?: Record<string, string>): Promise<string> => {
  const { status, text, body } = await api.post(EVENTS, { kind }, headers);
  expect(status, text).toBe(200);
  return body.eventId as string;
};

it('an event of every kind can be sent: it is in the feed, and reaches the endpoint signed and logged like one that happened', async () => {
  const hook = await openHook(app, { subscribedEvents: EMITTED });
  const ids = new Map<string, string>();
  for (const kind of EMITTED) ids.set(await sent(hook.api, kind), kind);
  await untilReceived(hook.receiver, EMITTED.length);
  const records = new Set<string>();
  for (const { headers, body } of hook.receiver.received) {
    expect(headers['x-service-example']).toBeUndefined();
    const event = new Webhook(hook.webhook.secret!).verify(body, headers as Record<string, string>) as FeedEvent & {
      changedFields?: string[];
    };
    expect(event).toMatchObject({ type: ids.get(event.id), environment: 'test', organizationId: hook.organizationId });
    expect(event.changedFields !== undefined).toBe(event.type.endsWith('.updated'));
    records.add(event.data.id);
  }
  expect(records.size).toBe(EMITTED.length);
  const log = await untilSettled(hook);
  expect(log.map(({ eventId, eventKind, status }) => [eventId, eventKind, status]).sort()).toEqual(
    [...ids].map(([id, kind]) => [id, kind, 'delivered']).sort(),
  );
  await expect.poll(async () => (await feedOf(hook.api)).map(({ id, type }) => [id, type]), { timeout: 15_000 }).toEqual([...ids]);
});

it('a test event that is refused is sent again', async () => {
  const hook = await openHook(app, { subscribedEvents: ['claim_report.failed'] });
  hook.receiver.answer = (_received, response) => void response.writeHead(hook.receiver.received.length === 1 ? 503 : 200).end('answered');
  const eventId = await sent(hook.api, 'claim_report.failed');
  await untilReceived(hook.receiver, 2);
  expect(hook.receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([eventId, eventId]);
});

it('it is one audit entry, which names the event and its kind, and one event for a repeated call', async () => {
  const { organization, key } = await aTenant(app);
  const api = new Client(app.url, key);
  const once = { 'Idempotency-Key': newId() };
  const eventId = await sent(api, 'claim_project.updated', once);
  expect(await sent(api, 'claim_project.updated', once)).toBe(eventId);
  expect(await stepsOf(app as never, eventId)).toMatchObject([
    {
      organization_id: organization.id,
      action: 'test_event.sent',
      environment: 'test',
      changes: { kind: { from: null, to: 'claim_project.updated' } },
    },
  ]);
});

it('it is seen in the test environment of its organization only', async () => {
  const [{ organization, key }, other] = [await aTenant(app), await aTenant(app)];
  const eventId = await sent(new Client(app.url, key), 'claim_project.created');
  const { key: live } = await aKey(app, organization.id, { environment: 'live' });
  await expect.poll(async () => (await feedOf(new Client(app.url, key))).map(({ id }) => id), { timeout: 15_000 }).toEqual([eventId]);
  for (const stranger of [live, other.key]) expect(await feedOf(new Client(app.url, stranger))).toEqual([]);
});

it('a kind without an example, an unknown kind and a kind whose record the caller may not read are refused', async () => {
  const { organization, key } = await aTenant(app);
  const api = new Client(app.url, key);
  for (const kind of ['integration.connected', 'webhook.test', '__proto__'])
    expectFieldErrors(await api.post(EVENTS, { kind }), 'body kind not_allowed');
  const narrow = await aKey(app, organization.id, { scopes: ['test:write', 'claim_reports:read'] });
  const reader = new Client(app.url, narrow.key);
  expectProblem(await reader.post(EVENTS, { kind: 'claim_project.created' }), 'event_not_allowed');
  expect((await reader.post(EVENTS, { kind: 'claim_report.failed' })).status).toBe(200);
});
