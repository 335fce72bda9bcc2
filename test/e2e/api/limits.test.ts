import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OrganizationService } from '../../../src/modules/organization/index.js';
import { OPERATOR } from '../../../src/kernel/context.js';
import { newId } from '../../../src/kernel/ids.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aKey, anOrganization, aTenant } from '../../support/builders.js';
import { Client, type Answer } from '../../support/client.js';
import { eventually } from '../../support/eventually.js';
import { countRows } from '../../support/traces.js';

// Slow enough that nothing is replenished during a test, except on the plan growth.
const TIERS = { starter: { perMinute: 2, burst: 5 }, growth: { perMinute: 60, burst: 1 }, enterprise: { perMinute: 2, burst: 40 } };
const OWN_TIER = { perMinute: 3, burst: 7 };
const PROJECT = { name: 'A project', periodStart: '2026-01-01', periodEnd: '2026-12-31' };

let app: TestApp;
let special: { id: string; key: string };
beforeAll(async () => {
  const before = await startApp();
  const { organization, key } = await aTenant(before, { plan: 'starter' });
  await before.close();
  special = { id: organization.id, key };
  app = await startApp({ RATE_LIMITS: JSON.stringify({ ...TIERS, [special.id]: OWN_TIER }) });
});
afterAll(() => app.close());

const starter = async (): Promise<Client> => new Client(app.url, (await aTenant(app, { plan: 'starter' })).key);

async function callTimes(times: number, api: Client): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let index = 0; index < times; index += 1) answers.push(await api.get('/v1'));
  return answers;
}

const statuses = (answers: readonly Answer[]): number[] => answers.map(({ status }) => status);

describe('a tenant over its limit', () => {
  it('gets 429 with Retry-After in seconds', async () => {
    const answers = await callTimes(7, await starter());
    expect(statuses(answers)).toEqual([200, 200, 200, 200, 200, 429, 429]);
    const { body, headers } = answers.at(-1)!;
    expect(body).toMatchObject({ status: 429, code: 'rate_limited', retry: 'later' });
    expect(headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(Number(headers['retry-after'])).toBeGreaterThan(25);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(30);
    expect(headers['ratelimit-policy']).toBe('"starter";q=2;w=60');
    expect(headers.ratelimit).toMatch(/^"starter";r=0;t=1[45]\d$/);
  });

  it('can repeat a refused write with the same Idempotency-Key after Retry-After; the refusal wrote nothing', async () => {
    const { key, organization } = await aTenant(app, { plan: 'growth' });
    const api = new Client(app.url, key);
    const before = await countRows(app, organization.id);
    const create = () => api.post('/v1/claim-projects', PROJECT, { 'Idempotency-Key': 'once' });
    await api.get('/v1');
    const refused = await create();
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1']);
    expect(await countRows(app, organization.id)).toEqual(before);
    const created = await eventually(async () => {
      const answer = await create();
      expect(answer.status).toBe(201);
      return answer;
    }, 2500);
    expect(created.headers['idempotent-replayed']).toBeUndefined();
  });

  it('is refused before scope, Idempotency-Key and body are checked', async () => {
    const { id } = await anOrganization(app, { plan: 'starter' });
    const api = new Client(app.url, (await aKey(app, id, { scopes: [] })).key);
    await callTimes(5, api);
    const answers = [
      await api.get('/v1/claim-projects'),
      await api.post('/v1/claim-projects', {}, { 'Idempotency-Key': '' }),
      await api.get('/v1/claim-projects/nonsense?x=1'),
      await api.post('/v1/claim-projects', PROJECT),
    ];
    expect(statuses(answers)).toEqual([429, 429, 429, 429]);
  });
});

describe('a limit', () => {
  it('is shared by all keys of an organization in one environment', async () => {
    const { id } = await anOrganization(app, { plan: 'starter' });
    const clients = await Promise.all([1, 2, 3].map(async () => new Client(app.url, (await aKey(app, id)).key)));
    for (const api of clients) await callTimes(2, api);
    for (const api of clients) expect(statuses(await callTimes(1, api))).toEqual([429]);
  });

  it('is separate for other organizations and the other environment', async () => {
    const { id } = await anOrganization(app, { plan: 'starter' });
    const [test, live] = [
      new Client(app.url, (await aKey(app, id)).key),
      new Client(app.url, (await aKey(app, id, { environment: 'live' })).key),
    ];
    await callTimes(6, test);
    expect(statuses(await callTimes(6, live))).toEqual([200, 200, 200, 200, 200, 429]);
    expect(statuses(await callTimes(1, await starter()))).toEqual([200]);
  });

  it('counts only calls that pass credential, suspension and allowlist', async () => {
    const { id } = await anOrganization(app, { plan: 'starter' });
    const api = new Client(app.url, (await aKey(app, id)).key);
    const elsewhere = new Client(app.url, (await aKey(app, id, { ipAllowlist: ['203.0.113.7'] })).key);
    const organizations = app.app.get(OrganizationService);
    expect(statuses(await callTimes(8, elsewhere))).toEqual(Array.from({ length: 8 }, () => 403));
    await organizations.change(OPERATOR, id, { status: 'suspended' });
    expect(statuses(await callTimes(8, api))).toEqual(Array.from({ length: 8 }, () => 403));
    await organizations.change(OPERATOR, id, { status: 'active' });
    const answer = await eventually(async () => {
      const first = await api.get('/v1');
      expect(first.status).toBe(200);
      return first;
    });
    expect(answer.headers.ratelimit).toMatch(/^"starter";r=4;/);
  });

  it('may be set for one organization, whatever its plan', async () => {
    const api = new Client(app.url, special.key);
    const { body } = await api.get('/v1/organization');
    expect(body).toMatchObject({ plan: 'starter', limits: { rateTier: 'starter', requestsPerMinute: 3, burst: 7 } });
    const answers = await callTimes(7, api);
    expect(statuses(answers)).toEqual([200, 200, 200, 200, 200, 200, 429]);
    expect(answers[0]!.headers).toMatchObject({
      'ratelimit-policy': '"starter";q=3;w=60',
      ratelimit: expect.stringMatching(/^"starter";r=5;t=40$|^"starter";r=5;t=3\d$/),
    });
  });
});

describe('the state of the limit', () => {
  it('is in both headers of every answer to a credential that passes the allowlist', async () => {
    const { key, organization } = await aTenant(app, { plan: 'enterprise' });
    const [api, narrow] = [new Client(app.url, key), new Client(app.url, (await aKey(app, organization.id, { scopes: [] })).key)];
    const { id } = (await api.post('/v1/claim-projects', PROJECT)).body;
    const answers = {
      200: await api.get('/v1/claim-projects'),
      201: await api.post('/v1/claim-projects', { ...PROJECT, name: 'Another' }),
      400: await api.post('/v1/claim-projects', {}),
      403: await narrow.get('/v1/claim-projects'),
      404: await api.get(`/v1/claim-projects/${newId()}`),
      406: await api.get('/v1/claim-projects', { Accept: 'text/html' }),
      409: await api.post('/v1/claim-projects', PROJECT),
      413: await api.send('PATCH', `/v1/claim-projects/${id}`, JSON.stringify({ name: 'x'.repeat(1024 * 1024) })),
      415: await api.send('PATCH', `/v1/claim-projects/${id}`, 'name=x', { 'Content-Type': 'text/plain' }),
    };
    let left = TIERS.enterprise.burst - 1;
    for (const [status, answer] of Object.entries(answers)) {
      left -= 1;
      expect(answer.status).toBe(Number(status));
      expect(answer.headers['ratelimit-policy']).toBe('"enterprise";q=2;w=60');
      expect(answer.headers.ratelimit).toMatch(new RegExp(`^"enterprise";r=${left};t=\\d+$`));
    }
  });

  it('is in no answer without a valid credential', async () => {
    const api = new Client(app.url);
    for (const path of ['/v1', '/health/ready', '/openapi.json', '/nowhere']) {
      const { headers } = await api.get(path);
      expect([headers['ratelimit-policy'], headers.ratelimit]).toEqual([undefined, undefined]);
    }
  });

  it.each(['/v1/auth/context', '/v1/usage'])('is returned by %s, which counts like any call', async (path) => {
    const api = await starter();
    for (const remaining of [4, 3, 2]) {
      const { body, headers } = await api.get(path);
      expect(body.rateLimit).toMatchObject({ tier: 'starter', limit: 2, windowSeconds: 60, remaining });
      const [, inHeader, seconds] = /^"starter";r=(\d+);t=(\d+)$/.exec(headers.ratelimit!)!;
      expect(Number(inHeader)).toBe(remaining);
      const untilReset = (Date.parse(body.rateLimit.resetAt) - Date.now()) / 1000;
      expect(Math.abs(untilReset - Number(seconds))).toBeLessThan(2);
      expect(Number(seconds)).toBeGreaterThan(30 * (5 - remaining) - 3);
      expect(Number(seconds)).toBeLessThanOrEqual(30 * (5 - remaining));
    }
  });
});
