import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/app.js';
import { rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { stepsOf } from '../../support/law-database.js';
import { expectFieldErrors } from '../../support/problem.js';
import { Receiver } from '../../support/receiver.js';
import {
  aProject,
  DELIVERING,
  openHook,
  startDelivering,
  untilReceived,
  untilSettled,
  WEBHOOKS,
  webhookInput,
  type Hook,
} from '../../support/webhooks.js';

let app: TestApp;
let second: TestApp;
beforeAll(async () => {
  app = await startDelivering();
  second = await startApp({ DATABASE_URL: app.databaseUrl, ROLE: 'all', ...DELIVERING });
});
afterAll(async () => {
  await second.close();
  await app.close();
});

const auditOf = async ({ webhook }: Hook): Promise<string> => JSON.stringify(await stepsOf(app, webhook.id));

describe('headers of the endpoint’s own', () => {
  const headers = { Authorization: 'Bearer 7f3c9a55e0d14b', 'X-Tenant': 'berlin-office' };

  it('are sent with each delivery, encrypted at rest, and shown again by name only', async () => {
    const hook = await openHook(app, { headers });
    hook.receiver.answer = ({ headers: seen }, response) => void response.writeHead(200).end(JSON.stringify(seen));
    expect(hook.webhook).toMatchObject({ headerNames: ['Authorization', 'X-Tenant'] });
    await aProject(hook.api);
    const [delivery] = await untilSettled(hook);
    expect(hook.receiver.received[0]!.headers).toMatchObject({ authorization: headers.Authorization, 'x-tenant': headers['X-Tenant'] });
    const details = (await hook.api.get(`${hook.path}/deliveries/${delivery!.id}`)).text;
    expect(details).toContain('"Authorization":"(hidden)"');
    const stored = await rowsOf(app.databaseUrl, 'SELECT * FROM webhook_endpoints WHERE id = $1', [hook.webhook.id]);
    const log = await rowsOf(app.databaseUrl, 'SELECT * FROM webhook_deliveries WHERE webhook_id = $1', [hook.webhook.id]);
    for (const text of [details, JSON.stringify([hook.webhook, await hook.current(), stored, log]), await auditOf(hook)])
      for (const secret of ['7f3c9a55e0d14b', 'berlin-office']) expect(text).not.toContain(secret);
  });

  it('are replaced as a whole, removed by null, and kept by a change that leaves them out', async () => {
    const hook = await openHook(app, { headers });
    const before = hook.webhook.updatedAt;
    expect(await hook.change({ headers })).toMatchObject({ updatedAt: before });
    const replaced = await hook.change({ headers: { ...headers, Authorization: 'Bearer another-one' } });
    expect(replaced.updatedAt).not.toBe(before);
    expect(await auditOf(hook)).toContain('"headersReplaced"');
    await hook.change({ name: 'Renamed' });
    await aProject(hook.api);
    await untilReceived(hook.receiver, 1);
    expect(hook.receiver.received[0]!.headers.authorization).toBe('Bearer another-one');
    expect(await hook.change({ headers: null })).toMatchObject({ headerNames: [] });
    await aProject(hook.api);
    await untilReceived(hook.receiver, 2);
    expect(hook.receiver.received[1]!.headers.authorization).toBeUndefined();
  });

  it('stay with the server that they were given for: a `targetUrl` of another origin, which used to get them, removes them', async () => {
    const hook = await openHook(app, { headers });
    const elsewhere = await Receiver.start();
    try {
      expect(await hook.change({ targetUrl: `${hook.receiver.url}/another-path` })).toMatchObject({ headerNames: Object.keys(headers) });
      expect(await hook.change({ targetUrl: `${elsewhere.url}/hook` })).toMatchObject({ headerNames: [] });
      expect(await auditOf(hook)).toContain('"headersReplaced"');
      await aProject(hook.api);
      await untilReceived(elsewhere, 1);
      expect(elsewhere.received[0]!.headers).not.toHaveProperty('authorization');
      expect(elsewhere.received[0]!.headers).not.toHaveProperty('x-tenant');
      const both = { targetUrl: `${hook.receiver.url}/hook`, headers: { 'X-Tenant': 'meant for it' } };
      expect(await hook.change(both)).toMatchObject({ headerNames: ['X-Tenant'] });
    } finally {
      await elsewhere.close();
    }
  });

  it.each([
    ...[
      'Host',
      'content-type',
      'Content-Length',
      'webhook-id',
      'X-Service-Event',
      'Connection',
      'Transfer-Encoding',
      'Expect',
      'User-Agent',
    ],
    ...['', 'a,b', 'ä', 'a:b', 'x'.repeat(101)],
  ])('cannot be named %s', async (name) => {
    const { api } = await openHook(app);
    const answer = await api.post(WEBHOOKS, webhookInput({ headers: { [name]: 'secret value' } }));
    const code = name.length > 100 ? 'too_long' : 'not_allowed';
    expectFieldErrors(answer, `body headers["${name.slice(0, 100)}"] ${code}`);
    expect(answer.text).not.toContain('secret value');
  });

  it.each([['', ' x', 'x ', 'a\nb', 'ü', 'x'.repeat(1025), 1, null, ['x']]])('cannot have the value %j', async (...values) => {
    const { api } = await openHook(app);
    for (const value of values)
      expectFieldErrors(await api.post(WEBHOOKS, webhookInput({ headers: { 'X-One': value } })), 'body headers["X-One"]');
  });

  it('are at most 20, and differ by more than case', async () => {
    const { api } = await openHook(app);
    const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_none, index) => [`X-${index}`, 'x'.repeat(1024)]));
    expect((await api.post(WEBHOOKS, webhookInput({ headers: many(20) }))).status).toBe(201);
    expectFieldErrors(await api.post(WEBHOOKS, webhookInput({ headers: many(21) })), 'body headers too_many');
    expectFieldErrors(await api.post(WEBHOOKS, webhookInput({ headers: { 'X-A': '1', 'x-a': '2' } })), 'body headers["x-a"] repeated');
  });
});

describe('a thin payload', () => {
  it('says where the record is instead of having it, and can be changed', async () => {
    const hook = await openHook(app, { payload: 'thin' });
    const { id } = await aProject(hook.api);
    await untilReceived(hook.receiver, 1);
    const [thin] = hook.receiver.received.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
    expect(thin).not.toHaveProperty('data');
    expect(thin!.record).toEqual({ id, type: 'claim_project', path: `/v1/claim-projects/${id}` });
    const [delivery] = await untilSettled(hook);
    expect(await hook.change({ payload: 'full' })).toMatchObject({ payload: 'full' });
    const { body } = await hook.api.get(`${hook.path}/deliveries/${delivery!.id}`);
    expect((body as { request: object }).request).toMatchObject({ body: hook.receiver.received[0]!.body });
    await aProject(hook.api);
    await untilReceived(hook.receiver, 2);
    expect(JSON.parse(hook.receiver.received[1]!.body)).toHaveProperty('data.name');
  });
});

describe('a rate limit', () => {
  /** From the first delivery to the last. On a busy machine the first may arrive late, but not by most of this time. */
  const spanOf = ({ receiver }: Hook): number => receiver.received.at(-1)!.at - receiver.received[0]!.at;

  it('spreads the deliveries of an endpoint and loses none', async () => {
    const hook = await openHook(app, { rateLimit: 120 });
    for (let count = 0; count < 6; count += 1) await aProject(hook.api);
    await untilReceived(hook.receiver, 6);
    expect(spanOf(hook)).toBeGreaterThan(0.7 * 5 * 500);
    expect(new Set(hook.receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(6);
    expect((await untilSettled(hook)).every(({ status, attempt }) => status === 'delivered' && attempt === 1)).toBe(true);
  });

  it('holds across the workers of two processes, also with waits of more than a second', async () => {
    const hook = await openHook(app, { rateLimit: 40 });
    for (let count = 0; count < 4; count += 1) await aProject(hook.api);
    await untilReceived(hook.receiver, 4);
    expect(spanOf(hook)).toBeGreaterThan(0.7 * 3 * 1500);
    await untilSettled(hook);
  });

  it('does not delay another endpoint', async () => {
    const [slow, other] = [await openHook(app, { rateLimit: 1 }), await openHook(app)];
    for (let count = 0; count < 3; count += 1) await Promise.all([aProject(slow.api), aProject(other.api)]);
    await untilReceived(other.receiver, 3);
    await untilReceived(slow.receiver, 1);
    // What has arrived is written as delivered a moment later.
    await eventually(async () => expect(await slow.log('?status=delivered')).toHaveLength(1));
    expect(await slow.log('?status=pending')).toHaveLength(2);
  });

  it.each([0, 6001, 1.5, '10', true])('cannot be %j', async (rateLimit) => {
    const { api } = await openHook(app);
    expectFieldErrors(await api.post(WEBHOOKS, webhookInput({ rateLimit })), 'body rateLimit');
  });

  it('that is removed lets waiting deliveries go', async () => {
    const hook = await openHook(app, { rateLimit: 1 });
    for (let count = 0; count < 3; count += 1) await aProject(hook.api);
    await untilReceived(hook.receiver, 1);
    await eventually(async () => expect(await hook.log('?status=delivered')).toHaveLength(1));
    await hook.change({ rateLimit: null });
    await aProject(hook.api);
    await untilReceived(hook.receiver, 4);
  });
});
