import { Webhook as Verifier } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import { EVENT_DATA_MAX_BYTES } from '../../../src/kernel/product.js';
import type { TestApp } from '../../support/app.js';
import { rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { aProject, openHook, replay, startDelivering, untilReceived, untilSettled, type Hook } from '../../support/webhooks.js';

let app: TestApp;
beforeAll(async () => {
  app = await startDelivering();
});
afterAll(() => app.close());

/** Delivers an event whose record has so many bytes, and returns the body that was received. */
async function deliver(hook: Hook, kind: string, resourceId: string, bytes: number): Promise<Record<string, unknown>> {
  const before = hook.receiver.received.length;
  const start = new Date(Date.now() - 1000).toISOString();
  await rowsOf(
    app.databaseUrl,
    `INSERT INTO events (id, organization_id, environment, kind, resource_id, occurred_at, data)
     VALUES ($1, $2, 'test', $3, $4, now(), $5::json)`,
    [newId(), hook.organizationId, kind, resourceId, `{"x":"${'x'.repeat(bytes - '{"x":""}'.length)}"}`],
  );
  expect(await replay(app, hook, start)).toBe(1);
  await untilReceived(hook.receiver, before + 1);
  await untilSettled(hook);
  const { headers, body } = hook.receiver.received.at(-1)!;
  return new Verifier(hook.webhook.secret!).verify(body, headers as Record<string, string>) as Record<string, unknown>;
}

describe('the record of an event', () => {
  it('is not sent if it has 1 MiB: the signed message says where to fetch it, in a delivery and in the list of events', async () => {
    const hook = await openHook(app, { subscribedEvents: ['claim_report.succeeded'] });
    const id = newId();
    const { nextCursor } = (await hook.api.get('/v1/events')).body as { nextCursor: { after: string } };
    const message = await deliver(hook, 'claim_report.succeeded', id, 1024 * 1024);
    expect(message).toEqual({
      id: hook.receiver.received[0]!.headers['webhook-id'],
      type: 'claim_report.succeeded',
      timestamp: expect.any(String) as string,
      apiVersion: 'v1',
      environment: 'test',
      organizationId: hook.organizationId,
      record: { id, type: 'claim_report', path: `/v1/claim-reports/${id}` },
    });
    expect(hook.receiver.received[0]!.body.length).toBeLessThan(1024);
    await eventually(async () => {
      const listed = (await hook.api.get(`/v1/events?after=${nextCursor.after}`)).body as { data: unknown[] };
      expect(listed.data).toEqual([message]);
    });
  });

  it('can be fetched from the path in the message', async () => {
    const hook = await openHook(app);
    const { id, name } = await aProject(hook.api);
    await untilReceived(hook.receiver, 1);
    await untilSettled(hook);
    const { record } = (await deliver(hook, 'claim_project.updated', id, 2 * EVENT_DATA_MAX_BYTES)) as { record: { path: string } };
    expect((await hook.api.get(record.path)).body).toMatchObject({ id, name });
  });

  it('is sent whole up to 256 KiB, and not with a byte more', async () => {
    const hook = await openHook(app);
    const whole = await deliver(hook, 'claim_project.created', newId(), EVENT_DATA_MAX_BYTES);
    expect(JSON.stringify(whole.data)).toHaveLength(EVENT_DATA_MAX_BYTES);
    expect(whole).not.toHaveProperty('record');
    const thin = await deliver(hook, 'claim_project.created', newId(), EVENT_DATA_MAX_BYTES + 1);
    expect(thin).not.toHaveProperty('data');
    expect(thin).toHaveProperty('record');
  });
});
