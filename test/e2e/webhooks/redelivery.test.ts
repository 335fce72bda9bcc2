import { Webhook as Verifier } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EndpointOperations } from '../../../src/modules/webhooks/index.js';
import { OPERATOR } from '../../../src/kernel/context.js';
import { newId } from '../../../src/kernel/ids.js';
import type { TestApp } from '../../support/app.js';
import { aKey } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { stepsOf } from '../../support/law-database.js';
import { Receiver } from '../../support/receiver.js';
import {
  aProject,
  openHook,
  renameProject,
  replay,
  startDelivering,
  untilReceived,
  untilSettled,
  type Hook,
} from '../../support/webhooks.js';

let app: TestApp;
beforeAll(async () => {
  app = await startDelivering({ WEBHOOK_RETRY_SCHEDULE: '0s' });
});
afterAll(() => app.close());

const redelivery = () => app.app.get(EndpointOperations);
const bodiesOf = ({ receiver }: Hook) =>
  receiver.received.map(({ body }) => JSON.parse(body) as { id: string; type: string; data: { name: string } });
const auditOf = async ({ webhook }: Hook, wanted: string) => (await stepsOf(app, webhook.id)).filter(({ action }) => action === wanted);

describe('a redelivery', () => {
  it('is a new attempt of the same event with the same webhook-id and body, and a new signature', async () => {
    const hook = await openHook(app);
    await aProject(hook.api);
    const [first] = await untilSettled(hook);
    const made = await redelivery().redeliver(OPERATOR, first!.id);
    expect(made.webhookId).toBe(hook.webhook.id);
    await untilReceived(hook.receiver, 2);
    const [once, again] = hook.receiver.received;
    expect([again!.body, again!.headers['webhook-id']]).toEqual([once!.body, once!.headers['webhook-id']]);
    expect(new Verifier(hook.webhook.secret!).verify(again!.body, again!.headers as Record<string, string>)).toBeDefined();
    expect(await untilSettled(hook)).toMatchObject([
      { id: made.id, attempt: 2, trigger: 'manual', status: 'delivered', eventId: first!.eventId, requestId: first!.requestId },
      first,
    ]);
    expect(await auditOf(hook, 'webhook.redelivered')).toMatchObject([
      {
        actor_type: 'system',
        actor_name: 'claims command',
        environment: 'test',
        changes: { deliveryId: { from: first!.id, to: made.id } },
      },
    ]);
  });

  it('is sent to the current target of the endpoint', async () => {
    const [hook, elsewhere] = [await openHook(app), await Receiver.start()];
    hook.receiver.answer = (_received, response) => void response.writeHead(500).end();
    await aProject(hook.api);
    const [failed] = await untilSettled(hook);
    await hook.change({ targetUrl: elsewhere.url });
    await redelivery().redeliver(OPERATOR, failed!.id);
    await untilReceived(elsewhere, 1);
    expect(elsewhere.received[0]!.body).toBe(hook.receiver.received[0]!.body);
  });

  it('stays pending until a disabled endpoint is enabled', async () => {
    const hook = await openHook(app);
    await aProject(hook.api);
    const [first] = await untilSettled(hook);
    await hook.change({ status: 'disabled' });
    await redelivery().redeliver(OPERATOR, first!.id);
    await hook.change({ name: 'Still disabled' });
    expect((await hook.log('?status=pending')).map(({ attempt }) => attempt)).toEqual([2]);
    await hook.change({ status: 'active' });
    await untilReceived(hook.receiver, 2);
  });

  it('of an unknown delivery, or one whose event is no longer kept, is not_found', async () => {
    const hook = await openHook(app);
    await aProject(hook.api);
    const [first] = await untilSettled(hook);
    await rowsOf(app.databaseUrl, 'DELETE FROM events WHERE id = $1', [first!.eventId]);
    for (const id of [newId(), 'x', first!.id])
      await expect(redelivery().redeliver(OPERATOR, id)).rejects.toMatchObject({ code: 'not_found' });
    expect(await hook.log()).toHaveLength(1);
    expect(await auditOf(hook, 'webhook.redelivered')).toEqual([]);
  });
});

describe('a replay', () => {
  it('sends failed events and those from while the endpoint was disabled, oldest first, but none that it has received', async () => {
    const hook = await openHook(app);
    const start = new Date().toISOString();
    const delivered = await aProject(hook.api);
    await untilReceived(hook.receiver, 1);
    hook.receiver.answer = (_received, response) => void response.writeHead(500).end();
    const failed = await aProject(hook.api);
    await untilReceived(hook.receiver, 2);
    await untilSettled(hook);
    await hook.change({ status: 'disabled' });
    const missed = [await aProject(hook.api), await aProject(hook.api)];
    await hook.change({ status: 'active' });
    hook.receiver.answer = (_received, response) => void response.writeHead(200).end();
    expect(await replay(app, hook, start)).toBe(3);
    await untilReceived(hook.receiver, 5);
    expect(bodiesOf(hook).map(({ data }) => data.name)).toEqual(
      expect.arrayContaining([delivered, failed, ...missed].map(({ name }) => name)),
    );
    const log = await untilSettled(hook);
    expect(log.map(({ trigger, attempt, status }) => [trigger, attempt, status])).toEqual([
      ['manual', 1, 'delivered'],
      ['manual', 1, 'delivered'],
      ['manual', 2, 'delivered'],
      ['automatic', 1, 'failed'],
      ['automatic', 1, 'delivered'],
    ]);
    const eventIds = log.slice(0, 3).map(({ eventId }) => eventId);
    expect(eventIds).toEqual([...eventIds].sort().reverse());
    expect(log.slice(0, 3).every(({ id }) => id > log[3]!.id && /^.{14}7.{4}[89ab]/.test(id))).toBe(true);
    expect(await replay(app, hook, start)).toBe(0);
    expect(await auditOf(hook, 'webhook.replayed')).toMatchObject([
      { changes: { since: { from: null, to: start }, deliveries: { from: null, to: 3 } } },
      { changes: { deliveries: { to: 0 } } },
    ]);
  });

  it('sends only events the endpoint subscribes to, of its environment and organization, since the given time', async () => {
    const hook = await openHook(app, { status: 'disabled', subscribedEvents: ['claim_project.updated'] });
    const live = new Client(app.url, (await aKey(app, hook.organizationId, { environment: 'live' })).key);
    const [theirs, ours] = [await aProject(live), await aProject(hook.api)];
    await renameProject(live, theirs.id, 'Live');
    await renameProject(hook.api, ours.id, 'Too early');
    const since = ((await renameProject(hook.api, ours.id, 'In time')).body as { updatedAt: string }).updatedAt;
    await hook.change({ status: 'active' });
    await rowsOf(app.databaseUrl, `UPDATE events SET occurred_at = $1 WHERE data->>'name' = 'Too early' AND resource_id = $2`, [
      new Date(Date.parse(since) - 3_600_000).toISOString(),
      ours.id,
    ]);
    expect(await replay(app, hook, since)).toBe(1);
    await untilReceived(hook.receiver, 1);
    expect(bodiesOf(hook)).toMatchObject([{ type: 'claim_project.updated', data: { name: 'In time' } }]);
  });

  it('of thousands of events gives the deliveries ids in the order of the events', async () => {
    const hook = await openHook(app, { status: 'disabled' });
    await rowsOf(
      app.databaseUrl,
      `INSERT INTO events (id, organization_id, environment, kind, resource_id, occurred_at, data)
      SELECT overlay(gen_random_uuid()::text PLACING to_char(number, 'FM00000000') FROM 1 FOR 8)::uuid, $1, 'test',
        'claim_project.created', gen_random_uuid(), now(), '{}' FROM generate_series(1, 9000) AS number`,
      [hook.organizationId],
    );
    expect(await replay(app, hook, new Date(Date.now() - 60_000).toISOString())).toBe(9000);
    const rows = await rowsOf<{ eventId: string }>(
      app.databaseUrl,
      'SELECT event_id AS "eventId" FROM webhook_deliveries WHERE webhook_id = $1 ORDER BY id',
      [hook.webhook.id],
    );
    expect(rows.map(({ eventId }) => eventId.slice(0, 8))).toEqual(
      Array.from({ length: 9000 }, (_, index) => String(index + 1).padStart(8, '0')),
    );
  });

  it('of an unknown endpoint is not_found', async () => {
    for (const id of [newId(), 'x'])
      await expect(app.app.get(EndpointOperations).replay(OPERATOR, id, { since: new Date().toISOString() })).rejects.toMatchObject({
        code: 'not_found',
      });
  });
});

describe('a ping', () => {
  const ping = (id: string) => app.app.get(EndpointOperations).ping(OPERATOR, id);

  it('is sent at once and unsigned, and is neither logged nor stored as an event', async () => {
    const hook = await openHook(app);
    expect(await ping(hook.webhook.id)).toMatchObject({ responseStatus: 200, errorCode: null, durationMs: expect.any(Number) as number });
    const [{ headers, body }] = hook.receiver.received as [Hook['receiver']['received'][number]];
    expect(JSON.parse(body)).toEqual({
      id: expect.any(String) as string,
      type: 'webhook.test',
      timestamp: expect.any(String) as string,
      apiVersion: 'v1',
      environment: 'test',
      organizationId: hook.organizationId,
      data: { webhookId: hook.webhook.id },
    });
    expect(headers['x-service-event']).toBe('webhook.test');
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'x-service-timestamp', 'x-service-signature'])
      expect(headers).not.toHaveProperty(name);
    expect(await hook.log()).toEqual([]);
    expect(await rowsOf(app.databaseUrl, 'SELECT 1 FROM events WHERE organization_id = $1', [hook.organizationId])).toEqual([]);
  });

  it('returns the outcome and never changes the endpoint', async () => {
    const hook = await openHook(app);
    hook.receiver.answer = (_received, response) => void response.writeHead(410).end();
    expect(await ping(hook.webhook.id)).toMatchObject({ responseStatus: 410, errorCode: 'http_error' });
    await hook.receiver.close();
    expect(await ping(hook.webhook.id)).toMatchObject({ responseStatus: null, errorCode: 'connection_failed' });
    expect(await hook.current()).toMatchObject({ status: 'active', lastDeliveryAt: null });
  });

  it('reaches a disabled endpoint too, but no forbidden address', async () => {
    const hook = await openHook(app, { status: 'disabled' });
    expect(await ping(hook.webhook.id)).toMatchObject({ responseStatus: 200 });
    await rowsOf(app.databaseUrl, `UPDATE webhook_endpoints SET target_url = 'http://169.254.169.254/latest/meta-data' WHERE id = $1`, [
      hook.webhook.id,
    ]);
    expect(await ping(hook.webhook.id)).toMatchObject({ responseStatus: null, errorCode: 'target_not_allowed' });
    for (const id of [newId(), 'x']) await expect(ping(id)).rejects.toMatchObject({ code: 'not_found' });
    await eventually(() => expect(hook.receiver.received).toHaveLength(1));
  });
});
