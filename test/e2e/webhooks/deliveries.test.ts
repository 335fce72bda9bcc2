import { Webhook as Verifier } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import { aKey } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { Receiver, type Received } from '../../support/receiver.js';
import type { TestApp } from '../../support/app.js';
import {
  aProject,
  openHook,
  renameProject,
  startDelivering,
  untilReceived,
  untilSettled,
  WEBHOOKS,
  type Webhook,
} from '../../support/webhooks.js';

let app: TestApp;
beforeAll(async () => {
  app = await startDelivering();
});
afterAll(() => app.close());

const verified = ({ body, headers }: Received, secret: string | undefined): unknown =>
  new Verifier(secret!).verify(body, headers as Record<string, string>);
const eventOf = ({ body }: Received) => JSON.parse(body) as { id: string; type: string; data: { name: string } };

describe('a delivery', () => {
  it('contains the record as REST returned it, in an envelope', async () => {
    const { api, receiver, organizationId } = await openHook(app);
    const project = await aProject(api);
    await untilReceived(receiver, 1);
    const [received] = receiver.received as [Received];
    const id = received.headers['webhook-id'];
    expect(JSON.parse(received.body)).toEqual({
      id,
      type: 'claim_project.created',
      timestamp: expect.any(String) as string,
      apiVersion: 'v1',
      environment: 'test',
      organizationId,
      data: project,
    });
    expect(Object.keys(JSON.parse(received.body) as object)).toEqual([
      'id',
      'type',
      'timestamp',
      'apiVersion',
      'environment',
      'organizationId',
      'data',
    ]);
    expect(received.body).toContain(JSON.stringify(project));
    const updated = (await renameProject(api, project.id, 'Renamed')).body as object;
    await untilReceived(receiver, 2);
    expect(JSON.parse(receiver.received[1]!.body)).toMatchObject({ type: 'claim_project.updated', data: updated, changedFields: ['name'] });
  });

  it('is posted as JSON, with the headers of Standard Webhooks and their X-Service copies', async () => {
    const { api, receiver } = await openHook(app);
    const start = Math.floor(Date.now() / 1000);
    await aProject(api);
    await untilReceived(receiver, 1);
    const { headers, body, path } = receiver.received[0]!;
    expect([headers['content-type'], path, headers['x-service-event']]).toEqual(['application/json', '/hook', 'claim_project.created']);
    expect(headers['webhook-id']).toBe((JSON.parse(body) as { id: string }).id);
    expect([headers['x-service-timestamp'], headers['x-service-signature']]).toEqual([
      headers['webhook-timestamp'],
      headers['webhook-signature'],
    ]);
    expect(Number(headers['webhook-timestamp'])).toBeGreaterThanOrEqual(start);
    expect(Number(headers['webhook-timestamp'])).toBeLessThanOrEqual(Date.now() / 1000);
    expect(headers['webhook-signature']).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/);
    expect(headers).not.toHaveProperty('authorization');
  });

  it('is verified by a Standard Webhooks library with the secret of its endpoint only', async () => {
    const [{ api, receiver, webhook }, other] = [await openHook(app), await openHook(app)];
    const project = await aProject(api);
    await untilReceived(receiver, 1);
    expect(verified(receiver.received[0]!, webhook.secret)).toMatchObject({ data: project });
    expect(() => verified(receiver.received[0]!, other.webhook.secret)).toThrow();
  });

  it('is signed with both secrets after a rotation, and only with the new one after the old one expires', async () => {
    const { api, receiver, webhook, change } = await openHook(app);
    const { secret } = await change({ rotateSecret: true });
    await aProject(api);
    await untilReceived(receiver, 1);
    for (const known of [webhook.secret, secret])
      expect(verified(receiver.received[0]!, known)).toMatchObject({ type: 'claim_project.created' });
    await rowsOf(
      app.databaseUrl,
      `UPDATE webhook_endpoints SET previous_secret_expires_at = now() - interval '1 second', updated_at = now() WHERE id = $1`,
      [webhook.id],
    );
    await aProject(api);
    await untilReceived(receiver, 2);
    expect(verified(receiver.received[1]!, secret)).toBeDefined();
    expect(() => verified(receiver.received[1]!, webhook.secret)).toThrow();
  });
});

describe('an event is delivered', () => {
  it('to where the endpoint points when it is made, although one was delivered a moment ago', async () => {
    const { api, receiver, change } = await openHook(app);
    const next = await Receiver.start();
    await aProject(api);
    await untilReceived(receiver, 1);
    await change({ targetUrl: next.url });
    await aProject(api);
    await untilReceived(next, 1);
    expect(receiver.received).toHaveLength(1);
  });

  it('to every endpoint that subscribes to its kind, and to no others', async () => {
    const created = await openHook(app, { subscribedEvents: ['claim_project.created'] });
    const second = await Receiver.start();
    await created.api.post(WEBHOOKS, {
      name: 'Second',
      targetUrl: second.url,
      subscribedEvents: ['claim_project.updated', 'claim_project.created'],
    });
    const { id } = await aProject(created.api);
    await renameProject(created.api, id, 'Renamed');
    await untilReceived(second, 2);
    await aProject(created.api);
    await untilReceived(second, 3);
    await untilReceived(created.receiver, 2);
    expect(created.receiver.received.map((received) => eventOf(received).type)).toEqual(['claim_project.created', 'claim_project.created']);
    expect(second.received.map((received) => eventOf(received).type).sort()).toEqual([
      'claim_project.created',
      'claim_project.created',
      'claim_project.updated',
    ]);
  });

  it('only to endpoints of its own environment and organization', async () => {
    const [hook, stranger] = [await openHook(app), await openHook(app)];
    const live = new Client(app.url, (await aKey(app, hook.organizationId, { environment: 'live' })).key);
    await aProject(live);
    await aProject(stranger.api);
    await untilReceived(stranger.receiver, 1);
    const { name } = await aProject(hook.api);
    await untilReceived(hook.receiver, 1);
    expect(hook.receiver.received.map((received) => eventOf(received).data.name)).toEqual([name]);
    expect(await hook.log()).toHaveLength(1);
  });

  it('not to a disabled endpoint, not even after it is enabled again', async () => {
    const hook = await openHook(app, { status: 'disabled' });
    await aProject(hook.api);
    await hook.change({ status: 'active' });
    const { name } = await aProject(hook.api);
    await untilReceived(hook.receiver, 1);
    expect(hook.receiver.received.map((received) => eventOf(received).data.name)).toEqual([name]);
    expect(await hook.log()).toHaveLength(1);
  });

  it('once, even if the request that caused it is replayed', async () => {
    const hook = await openHook(app);
    const body = { name: newId(), periodStart: '2026-01-01', periodEnd: '2026-12-31' };
    const again = { 'Idempotency-Key': newId() };
    const answers = [
      await hook.api.post('/v1/claim-projects', body, again),
      await hook.api.post('/v1/claim-projects', body, again),
      await hook.api.post('/v1/claim-projects', body),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 409]);
    const last = await aProject(hook.api);
    await untilReceived(hook.receiver, 2);
    expect(hook.receiver.received.map((received) => eventOf(received).data.name).sort()).toEqual([body.name, last.name].sort());
    expect(await untilSettled(hook)).toHaveLength(2);
  });
});

it('a change that is rolled back delivers nothing', async () => {
  const hook = await openHook(app);
  // One statement writes event, deliveries and audit entry; if the entry is refused, nothing is written.
  await rowsOf(app.databaseUrl, `ALTER TABLE audit_entries ADD CONSTRAINT surprising CHECK (changes::text NOT LIKE '%roll me back%')`);
  const refused = await hook.api.post('/v1/claim-projects', { name: 'roll me back', periodStart: '2026-01-01', periodEnd: '2026-12-31' });
  expect(refused.status).toBe(500);
  const { name } = await aProject(hook.api);
  await untilReceived(hook.receiver, 1);
  expect(hook.receiver.received.map((received) => eventOf(received).data.name)).toEqual([name]);
  expect(await untilSettled(hook)).toHaveLength(1);
});

describe('a change of the endpoint', () => {
  it('applies to the next delivery', async () => {
    const { api, receiver, change } = await openHook(app);
    await aProject(api);
    await untilReceived(receiver, 1);
    const elsewhere = await Receiver.start();
    await change({ targetUrl: `${elsewhere.url}/new?a=b` });
    await aProject(api);
    await untilReceived(elsewhere, 1);
    expect(elsewhere.received[0]!.path).toBe('/new?a=b');
    expect(receiver.received).toHaveLength(1);
  });

  it('applies soon even while deliveries never stop', async () => {
    const hook = await openHook(app);
    const elsewhere = await Receiver.start();
    hook.receiver.answer = (_received, response) => void setTimeout(() => response.writeHead(200).end(), 50);
    let isDone = false;
    const busy = (async () => {
      while (!isDone) await Promise.all(Array.from({ length: 4 }, () => aProject(hook.api)));
    })();
    await eventually(() => expect(hook.receiver.received.length).toBeGreaterThan(20));
    await hook.change({ targetUrl: elsewhere.url });
    await eventually(() => expect(elsewhere.received.length).toBeGreaterThan(0), 5000).finally(() => (isDone = true));
    await busy;
  });

  it('to another environment gives up the pending deliveries of the old one', async () => {
    const hook = await openHook(app);
    const live = new Client(app.url, (await aKey(app, hook.organizationId, { environment: 'live' })).key);
    const receiver = await Receiver.start();
    const { id } = (
      await live.post(WEBHOOKS, { name: 'Live', targetUrl: 'https://no-such-name.invalid/', subscribedEvents: ['claim_project.created'] })
    ).body as Webhook;
    await rowsOf(app.databaseUrl, `UPDATE webhook_endpoints SET lease = id, leased_until = now() + interval '1 hour' WHERE id = $1`, [id]);
    await aProject(live);
    const moved = await live.patch(`${WEBHOOKS}/${id}`, { environment: 'test', targetUrl: receiver.url });
    expect(moved.status, moved.text).toBe(200);
    await rowsOf(app.databaseUrl, 'UPDATE webhook_endpoints SET leased_until = NULL WHERE id = $1', [id]);
    const { name } = await aProject(hook.api);
    await untilReceived(receiver, 1);
    expect(receiver.received.map((received) => eventOf(received).data.name)).toEqual([name]);
    expect(
      await rowsOf(
        app.databaseUrl,
        `SELECT status, error_code AS code FROM webhook_deliveries WHERE webhook_id = $1 AND environment = 'live'`,
        [id],
      ),
    ).toEqual([{ status: 'failed', code: 'environment_changed' }]);
  });
});

describe('the delivery log', () => {
  it('has a record for each attempt with exactly the documented fields, and none of the body', async () => {
    const hook = await openHook(app);
    const requestId = newId();
    await hook.api.post(
      '/v1/claim-projects',
      { name: 'Very secret', periodStart: '2026-01-01', periodEnd: '2026-12-31' },
      { 'X-Request-Id': requestId },
    );
    const [row] = await untilSettled(hook);
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
    expect(row).toEqual({
      id: expect.any(String) as string,
      environment: 'test',
      webhookId: hook.webhook.id,
      eventId: hook.receiver.received[0]!.headers['webhook-id'],
      eventKind: 'claim_project.created',
      attempt: 1,
      trigger: 'automatic',
      status: 'delivered',
      responseStatus: 200,
      errorCode: null,
      durationMs: expect.any(Number) as number,
      scheduledAt: time,
      attemptedAt: time,
      nextAttemptAt: null,
      requestId,
      createdAt: time,
      updatedAt: time,
    });
    expect(
      await rowsOf(app.databaseUrl, `SELECT 1 FROM webhook_deliveries delivery WHERE webhook_id = $1 AND delivery::text LIKE '%secret%'`, [
        hook.webhook.id,
      ]),
    ).toEqual([]);
  });

  it('is paged, newest first, and filtered by status', async () => {
    const hook = await openHook(app);
    hook.receiver.answer = (received, response) =>
      void response.writeHead(eventOf(received).type === 'claim_project.updated' ? 500 : 204).end();
    const { id } = await aProject(hook.api);
    await untilReceived(hook.receiver, 1);
    await renameProject(hook.api, id, 'Renamed');
    await untilReceived(hook.receiver, 4);
    const all = await untilSettled(hook);
    expect(all.map(({ eventKind, attempt, status }) => [eventKind, attempt, status])).toEqual([
      ['claim_project.updated', 3, 'failed'],
      ['claim_project.updated', 2, 'failed'],
      ['claim_project.updated', 1, 'failed'],
      ['claim_project.created', 1, 'delivered'],
    ]);
    expect([...(await hook.log('?page_size=3')), ...(await hook.log('?page_size=3&page=2'))]).toEqual(all);
    expect(await hook.log('?status=failed')).toEqual(all.slice(0, 3));
    expect(await hook.log('?status=delivered')).toEqual(all.slice(3));
    expect(await hook.log('?status=pending')).toEqual([]);
  });
});
