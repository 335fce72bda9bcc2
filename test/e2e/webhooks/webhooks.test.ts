import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import { DEFAULT_RECORD_LIMITS } from '../../../src/kernel/record-limits.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aKey, aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { rowsOf } from '../../support/database.js';
import { expectFieldErrors, expectProblem } from '../../support/problem.js';
import { aWebhook, WEBHOOKS, webhookInput, type Webhook } from '../../support/webhooks.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** An organization with a client for each environment. */
async function bothEnvironments() {
  const { organization, key } = await aTenant(app);
  const live = await aKey(app, organization.id, { environment: 'live' });
  return { organizationId: organization.id, test: new Client(app.url, key), live: new Client(app.url, live.key) };
}

const MAX_WEBHOOKS = DEFAULT_RECORD_LIMITS.webhooks;
const idsOf = async (api: Client): Promise<string[]> => ((await api.get(WEBHOOKS)).body as { data: Webhook[] }).data.map(({ id }) => id);
const actionsOf = (organizationId: string) =>
  rowsOf<{ action: string; environment: string; changes: Record<string, { from: unknown; to: unknown }> }>(
    app.databaseUrl,
    `SELECT action, environment, changes FROM audit_entries WHERE organization_id = $1 AND resource_type = 'webhook' ORDER BY ordinal`,
    [organizationId],
  );

describe('a new endpoint', () => {
  it('has the properties that were sent, and defaults for the rest', async () => {
    const { test } = await bothEnvironments();
    const created = await test.post(WEBHOOKS, webhookInput());
    expect(created.status, created.text).toBe(201);
    const { secret, ...rest } = created.body as Webhook;
    expect(rest).toEqual({
      id: expect.any(String) as string,
      environment: 'test',
      ...webhookInput(),
      description: null,
      status: 'active',
      disabledReason: null,
      secretHint: secret!.slice(-4),
      previousSecretExpiresAt: null,
      lastDeliveryAt: null,
      headerNames: [],
      rateLimit: null,
      projectIds: null,
      ordered: false,
      payload: 'full',
      signature: 'hmac',
      publicKey: null,
      createdAt: expect.any(String) as string,
      updatedAt: rest.createdAt,
    });
    expect((await test.get(`${WEBHOOKS}/${rest.id}`)).body).toEqual(rest);
  });

  it('has all optional properties when they are sent', async () => {
    const { live } = await bothEnvironments();
    const all = {
      ...webhookInput({ targetUrl: 'http://hooks.example.com:8080/a?b=c' }),
      description: 'Für das Büro',
      environment: 'test',
      status: 'disabled',
    };
    const created = await live.post(WEBHOOKS, all);
    expect(created.body).toMatchObject({ ...all, disabledReason: 'manual' });
  });

  it('belongs to the environment of its credential, unless a live credential chooses another', async () => {
    const { test, live } = await bothEnvironments();
    expect((await aWebhook(test)).environment).toBe('test');
    expect((await aWebhook(test, { environment: 'test' })).environment).toBe('test');
    expect((await aWebhook(live)).environment).toBe('live');
    expect((await aWebhook(live, { environment: 'test' })).environment).toBe('test');
    const { errors } = expectProblem(await test.post(WEBHOOKS, webhookInput({ environment: 'live' })), 'environment_mismatch');
    expect(errors).toMatchObject([{ location: 'body', field: 'environment' }]);
  });

  it('may subscribe to planned kinds, but not to webhook.test, unknown kinds, no kind or the same kind twice', async () => {
    const { test } = await bothEnvironments();
    expect((await aWebhook(test, { subscribedEvents: ['integration.connected'] })).subscribedEvents).toEqual(['integration.connected']);
    for (const [subscribedEvents, place = ''] of [
      [['webhook.test'], '[0]'],
      [[]],
      [['claim_project.created', 'claim_project.created'], '[1]'],
      [['claim_project.*'], '[0]'],
      [['*'], '[0]'],
      [['Claim_Project.created'], '[0]'],
      ['claim_project.created'],
      [null],
    ] as [unknown, string?][]) {
      expectFieldErrors(await test.post(WEBHOOKS, webhookInput({ subscribedEvents })), `body subscribedEvents${place}`);
    }
  });

  it.each([
    ['name', 200],
    ['description', 1000],
    ['targetUrl', 2048],
  ] as const)('accepts a %s of up to %i code points', async (field, max) => {
    const { test } = await bothEnvironments();
    const text = (length: number) => (field === 'targetUrl' ? 'https://hooks.example.com/'.padEnd(length, 'x') : '😀'.repeat(length));
    expect((await aWebhook(test, { [field]: text(max) }))[field]).toBe(text(max));
    expectFieldErrors(await test.post(WEBHOOKS, webhookInput({ [field]: text(max + 1) })), `body ${field} too_long`);
  });
});

describe('the list', () => {
  it('is one page, newest first: a live credential sees both environments, a test credential its own', async () => {
    const { test, live } = await bothEnvironments();
    const made: string[] = [];
    for (const environment of ['live', 'test', 'live', 'test']) made.unshift((await aWebhook(live, { environment })).id);
    expect(await idsOf(live)).toEqual(made);
    expect(await idsOf(test)).toEqual([made[0], made[2]]);
    expect((await live.get(WEBHOOKS)).body).toMatchObject({ pagination: { page: 1, total: 4, totalRelation: 'exact', hasMore: false } });
    for (const { secret } of (await live.get(WEBHOOKS)).body.data as Webhook[]) expect(secret).toBeUndefined();
  });

  it('shows no endpoints of another organization', async () => {
    await aWebhook((await bothEnvironments()).live);
    expect((await (await bothEnvironments()).live.get(WEBHOOKS)).body).toMatchObject({ data: [], pagination: { total: 0 } });
  });
});

describe('a live credential', () => {
  it('manages endpoints of both environments', async () => {
    const { test, live } = await bothEnvironments();
    const { id } = await aWebhook(test);
    expect((await live.get(`${WEBHOOKS}/${id}`)).body).toMatchObject({ id, environment: 'test' });
    expect((await live.patch(`${WEBHOOKS}/${id}`, { name: 'Renamed' })).body).toMatchObject({ name: 'Renamed', environment: 'test' });
    expect((await live.get(`${WEBHOOKS}/${id}/deliveries`)).status).toBe(200);
    expect((await live.send('DELETE', `${WEBHOOKS}/${id}`, undefined, { 'Idempotency-Key': '' })).status).toBe(204);
    expect(await idsOf(test)).toEqual([]);
  });

  it('moves an endpoint to the other environment if its target is allowed there', async () => {
    const { organizationId, test, live } = await bothEnvironments();
    const { id } = await aWebhook(live);
    expect((await live.patch(`${WEBHOOKS}/${id}`, { environment: 'test' })).body).toMatchObject({ environment: 'test' });
    expect((await test.get(`${WEBHOOKS}/${id}`)).status).toBe(200);
    expectProblem(await test.patch(`${WEBHOOKS}/${id}`, { environment: 'live' }), 'environment_mismatch');
    await test.patch(`${WEBHOOKS}/${id}`, { targetUrl: 'http://hooks.example.com/' });
    const { errors } = expectProblem(await live.patch(`${WEBHOOKS}/${id}`, { environment: 'live' }), 'target_not_allowed');
    expect(errors).toMatchObject([{ location: 'body', field: 'targetUrl' }]);
    expect((await actionsOf(organizationId))[1]).toMatchObject({
      action: 'webhook.updated',
      environment: 'test',
      changes: { environment: { from: 'live', to: 'test' } },
    });
  });
});

describe('a change', () => {
  it.each([
    ['name', 'Renamed'],
    ['targetUrl', 'https://other.example.com/x'],
    ['subscribedEvents', ['organization.updated']],
    ['description', 'Now with one'],
    ['status', 'disabled'],
  ])('of %s changes only that property and updatedAt', async (field, value) => {
    const { organizationId, test } = await bothEnvironments();
    const { id } = await aWebhook(test);
    const before = (await test.get(`${WEBHOOKS}/${id}`)).body as Webhook;
    const after = (await test.patch(`${WEBHOOKS}/${id}`, { [field]: value })).body as Webhook;
    const further = field === 'status' ? { disabledReason: 'manual' } : {};
    expect(after).toEqual({ ...before, [field]: value, ...further, updatedAt: after.updatedAt });
    expect(after.updatedAt > before.updatedAt).toBe(true);
    expect((await test.get(`${WEBHOOKS}/${id}`)).body).toEqual(after);
    const [, { action, changes }] = (await actionsOf(organizationId)) as [unknown, { action: string; changes: object }];
    expect([action, Object.keys(changes).sort()]).toEqual(['webhook.updated', [field, ...Object.keys(further)].sort()]);
  });

  it('removes the description with null, which no other property accepts', async () => {
    const { test } = await bothEnvironments();
    const { id } = await aWebhook(test, { description: 'Something' });
    expect((await test.patch(`${WEBHOOKS}/${id}`, { description: null })).body).toMatchObject({ description: null });
    for (const field of ['name', 'targetUrl', 'subscribedEvents', 'status', 'environment', 'rotateSecret'])
      expectFieldErrors(await test.patch(`${WEBHOOKS}/${id}`, { [field]: null }), `body ${field}`);
  });

  it('enables an endpoint again after a PATCH or repeated failures disabled it', async () => {
    const { test } = await bothEnvironments();
    const { id } = await aWebhook(test, { status: 'disabled' });
    expect((await test.patch(`${WEBHOOKS}/${id}`, { status: 'active' })).body).toMatchObject({ status: 'active', disabledReason: null });
    await rowsOf(
      app.databaseUrl,
      `UPDATE webhook_endpoints SET status = 'disabled', disabled_reason = 'failing', failing_since = now() - interval '6 days'
      WHERE id = $1`,
      [id],
    );
    expect((await test.patch(`${WEBHOOKS}/${id}`, { status: 'disabled' })).body).toMatchObject({
      status: 'disabled',
      disabledReason: 'failing',
    });
    expect((await test.patch(`${WEBHOOKS}/${id}`, { status: 'active' })).body).toMatchObject({ status: 'active', disabledReason: null });
    expect(await rowsOf(app.databaseUrl, 'SELECT failing_since FROM webhook_endpoints WHERE id = $1', [id])).toEqual([
      { failing_since: null },
    ]);
  });

  it('that changes nothing keeps updatedAt and writes no audit entry', async () => {
    const { organizationId, test } = await bothEnvironments();
    const { id } = await aWebhook(test);
    const before = (await test.get(`${WEBHOOKS}/${id}`)).body as object;
    for (const body of [{}, webhookInput(), { status: 'active', environment: 'test' }])
      expect((await test.patch(`${WEBHOOKS}/${id}`, body)).body).toEqual(before);
    expect(await actionsOf(organizationId)).toHaveLength(1);
  });
});

describe('a deletion', () => {
  it('returns 204, and 404 when it is repeated, and writes an audit entry', async () => {
    const { organizationId, test } = await bothEnvironments();
    const { id, name, targetUrl } = await aWebhook(test);
    const remove = () => test.send('DELETE', `${WEBHOOKS}/${id}`, undefined, { 'Idempotency-Key': '' });
    const first = await remove();
    expect([first.status, first.text]).toEqual([204, '']);
    for (const gone of [
      await remove(),
      await test.get(`${WEBHOOKS}/${id}`),
      await test.patch(`${WEBHOOKS}/${id}`, { name: 'x' }),
      await test.get(`${WEBHOOKS}/${id}/deliveries`),
    ])
      expectProblem(gone, 'not_found');
    expect((await actionsOf(organizationId)).slice(1)).toEqual([
      {
        action: 'webhook.deleted',
        environment: 'test',
        changes: { name: { from: name, to: null }, targetUrl: { from: targetUrl, to: null } },
      },
    ]);
  });
});

/** Names of hosts are looked up one after the other, and a machine without a name server takes its time. Nothing is sent there. */
const NOT_LOOKED_UP = 'https://93.184.215.14/hook';

describe('the limit', () => {
  /** Inserts endpoints without a request for each. */
  async function fill(organizationId: string, environment: string, count: number): Promise<void> {
    await rowsOf(
      app.databaseUrl,
      `INSERT INTO webhook_endpoints (id, organization_id, environment, created_at, updated_at, name, target_url, subscribed_events,
        status, secret, secret_hint)
      SELECT gen_random_uuid(), $1, $2, now(), now(), 'One of many', 'https://hooks.example.com', ARRAY['claim_project.created'],
        'active', '', '' FROM generate_series(1, $3)`,
      [organizationId, environment, count],
    );
  }

  it('is 50 in each environment, even for concurrent requests', async () => {
    const { organizationId, test, live } = await bothEnvironments();
    await fill(organizationId, 'test', MAX_WEBHOOKS - 1);
    const answers = await Promise.all(Array.from({ length: 20 }, () => test.post(WEBHOOKS, webhookInput({ targetUrl: NOT_LOOKED_UP }))));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const detail = (count: number) =>
      `The test environment of the organization has ${count} webhook endpoints. The limit \`webhooks\` is 50.`;
    for (const answer of answers.filter(({ status }) => status !== 201))
      expect(expectProblem(answer, 'limit_exceeded')).toMatchObject({ status: 409, detail: detail(50) });
    expect(await idsOf(test)).toHaveLength(MAX_WEBHOOKS);
    const { id } = await aWebhook(live);
    expect(expectProblem(await live.patch(`${WEBHOOKS}/${id}`, { environment: 'test' }), 'limit_exceeded').detail).toBe(detail(50));
    expect(await idsOf(live)).toHaveLength(MAX_WEBHOOKS + 1);
    expect((await live.get(`${WEBHOOKS}/${id}`)).body.environment).toBe('live');
    await test.send('DELETE', `${WEBHOOKS}/${(await idsOf(test))[0]}`, undefined);
    expect((await test.post(WEBHOOKS, webhookInput(), { 'Idempotency-Key': newId() })).status).toBe(201);
  });

  it('holds for endpoints that are created and moved at the same time', async () => {
    const { organizationId, test, live } = await bothEnvironments();
    await fill(organizationId, 'test', MAX_WEBHOOKS - 3);
    const moved = await Promise.all(Array.from({ length: 5 }, () => aWebhook(live)));
    const answers = await Promise.all([
      ...moved.map(({ id }) => live.patch(`${WEBHOOKS}/${id}`, { environment: 'test' })),
      ...moved.map(() => test.post(WEBHOOKS, webhookInput({ targetUrl: NOT_LOOKED_UP }))),
    ]);
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(3);
    expect(await idsOf(test)).toHaveLength(MAX_WEBHOOKS);
  });

  it.each([
    ['enterprise', 50],
    ['growth', 0],
    ['starter', 0],
  ] as const)('of an organization on the plan %s is shown as %i', async (plan, webhooks) => {
    const { key } = await aTenant(app, { plan });
    expect((await new Client(app.url, key).get('/v1/organization')).body).toMatchObject({ limits: { webhooks } });
  });
});
