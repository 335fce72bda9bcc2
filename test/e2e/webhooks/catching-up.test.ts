import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestApp } from '../../support/app.js';
import { aKey } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { eventually } from '../../support/eventually.js';
import { aProject, openHook, renameProject, startDelivering, untilReceived, untilSettled } from '../../support/webhooks.js';

let app: TestApp;
beforeAll(async () => {
  app = await startDelivering({ WEBHOOK_RETRY_SCHEDULE: '0s,1h' });
});
afterAll(() => app.close());

const since = new Date().toISOString();
it('what a receiver has missed is counted, sent again and followed by the API alone', async () => {
  const hook = await openHook(app, { status: 'disabled' });
  const path = `/v1/webhooks/${hook.webhook.id}`;
  const { id } = await aProject(hook.api);
  await renameProject(hook.api, id, 'Renamed');
  await renameProject(hook.api, id, 'Renamed again');
  expect((await hook.api.get(`${path}/missed`)).body).toMatchObject({
    deliveries: 3,
    kinds: [
      { kind: 'claim_project.created', deliveries: 1 },
      { kind: 'claim_project.updated', deliveries: 2 },
    ],
  });
  expect((await hook.api.get(`${path}/missed?since=2099-01-01T00:00:00Z`)).body).toEqual({ deliveries: 0, kinds: [] });
  const first = await hook.api.post(`${path}/replays`, { since, eventKinds: ['claim_project.created'] });
  expect([first.status, first.body]).toEqual([200, { deliveries: 1 }]);
  // A disabled endpoint is sent nothing.
  const waiting = async () => ((await hook.api.get(`${path}/deliveries?status=pending`)).body as { pagination: object }).pagination;
  expect(await waiting()).toMatchObject({ total: 1 });
  await hook.change({ status: 'active' });
  await untilReceived(hook.receiver, 1);
  expect((await hook.api.post(`${path}/replays`, { since })).body).toEqual({ deliveries: 2 });
  await eventually(async () => expect(await waiting()).toMatchObject({ total: 0 }));
  const bodies = hook.receiver.received.map(({ body }) => (JSON.parse(body) as { data: { name: string } }).data.name);
  expect(bodies.slice(1)).toEqual(['Renamed', 'Renamed again']);
  expect((await hook.api.get(`${path}/missed`)).body).toMatchObject({ deliveries: 0 });
});

it('replays are stopped by the API, all or those of a kind, and what they have not sent can be replayed', async () => {
  const hook = await openHook(app, { status: 'disabled' });
  const path = `/v1/webhooks/${hook.webhook.id}/replays`;
  const { id } = await aProject(hook.api);
  await renameProject(hook.api, id, 'Renamed');
  expect((await hook.api.post(path, { since })).body).toEqual({ deliveries: 2 });
  const stopped = await hook.api.post(`${path}/stop`, { eventKinds: ['claim_project.created'] });
  expect([stopped.status, stopped.body]).toEqual([200, { deliveries: 1 }]);
  expect((await hook.log()).map(({ eventKind, errorCode }) => [eventKind, errorCode])).toEqual([
    ['claim_project.updated', null],
    ['claim_project.created', 'replay_stopped'],
  ]);
  expect((await hook.api.post(`${path}/stop`, {})).body).toEqual({ deliveries: 1 });
  expect((await hook.api.post(path, { since })).body).toEqual({ deliveries: 2 });
});

it('a delivery is sent again by the API, with its webhook-id; one of another endpoint is not', async () => {
  const [hook, other] = [await openHook(app), await openHook(app)];
  await aProject(hook.api);
  const [delivered] = await untilSettled(hook);
  const again = await hook.api.post(`/v1/webhooks/${hook.webhook.id}/deliveries`, { deliveryId: delivered!.id });
  const { deliveryId } = again.body as { deliveryId: string };
  const found = await hook.api.get(`/v1/webhooks/${hook.webhook.id}/deliveries/${deliveryId}`);
  expect(found.body).toMatchObject({ eventId: delivered!.eventId, attempt: 2, trigger: 'manual' });
  await untilReceived(hook.receiver, 2);
  const refused = await other.api.post(`/v1/webhooks/${other.webhook.id}/deliveries`, { deliveryId: delivered!.id });
  expect([refused.status, refused.body]).toEqual([400, expect.objectContaining({ code: 'related_record_missing' })]);
});

it('a replay sends nothing that the caller may not read, and no kind that the endpoint does not subscribe to', async () => {
  const hook = await openHook(app);
  const path = `/v1/webhooks/${hook.webhook.id}/replays`;
  const { key } = await aKey(app, hook.organizationId, {
    scopes: ['webhooks:read', 'webhooks:deliveries:read', 'webhooks:deliveries:write'],
  });
  expect((await new Client(app.url, key).post(path, { since })).body).toMatchObject({ status: 403, code: 'event_not_allowed' });
  expect((await hook.api.post(path, { since, eventKinds: ['claim_report.failed'] })).body).toMatchObject({ status: 400 });
});
