import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeKey } from '../../../src/modules/api-keys/key-format.js';
import { billingPeriod } from '../../../src/modules/usage/billing-period.js';
import { newId } from '../../../src/kernel/ids.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aKey, anOrganization, aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { startProcess } from '../../support/process.js';
import { TcpProxy } from '../../support/tcp-proxy.js';

const PROJECT = { name: 'A project', periodStart: '2026-01-01', periodEnd: '2026-12-31' };
const today = (): string => new Date().toISOString().slice(0, 10);
const dayBefore = (day: string): string => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);

interface Counts {
  readonly reads: number;
  readonly writes: number;
  readonly failed: number;
  readonly total: number;
}

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ RATE_LIMITS: JSON.stringify({ starter: { perMinute: 2, burst: 5 } }) });
});
afterAll(() => app.close());

/** The counts of one capability. The call itself counts under `usage`. */
async function countsOf(api: Client, capability: string): Promise<Counts> {
  const { body } = await api.get('/v1/usage');
  const { capability: _name, ...counts } = body.capabilities.find(
    (candidate: { capability: string }) => candidate.capability === capability,
  );
  return counts;
}

const callTimes = async (times: number, api: Client): Promise<void> => {
  for (let index = 0; index < times; index += 1) expect((await api.get('/v1')).status).toBe(200);
};

describe('usage', () => {
  it('counts each call once under its capability: as read (GET) or write, and also if it failed', async () => {
    const api = new Client(app.url, (await aTenant(app)).key);
    const { body } = await api.post('/v1/claim-projects', PROJECT);
    await api.get('/v1/claim-projects');
    await api.get(`/v1/claim-projects/${body.id}`);
    await api.patch(`/v1/claim-projects/${body.id}`, { name: 'Renamed' });
    expect(await countsOf(api, 'claim_projects')).toEqual({ reads: 2, writes: 2, failed: 0, total: 4 });
    await api.get(`/v1/claim-projects/${newId()}`);
    await api.get('/v1/claim-projects?page=0');
    await api.get('/v1/claim-projects', { Accept: 'text/html' });
    await api.post('/v1/claim-projects', {});
    await api.post('/v1/claim-projects', PROJECT, { 'Idempotency-Key': '' });
    await api.patch(`/v1/claim-projects/${newId()}`, {});
    expect(await countsOf(api, 'claim_projects')).toEqual({ reads: 5, writes: 5, failed: 6, total: 10 });
  });

  it('counts replays and conflicts of an Idempotency-Key', async () => {
    const api = new Client(app.url, (await aTenant(app)).key);
    const create = (name: string) => api.post('/v1/claim-projects', { ...PROJECT, name }, { 'Idempotency-Key': 'once' });
    expect([(await create('One')).status, (await create('One')).status, (await create('Two')).status]).toEqual([201, 201, 409]);
    expect(await countsOf(api, 'claim_projects')).toEqual({ reads: 0, writes: 3, failed: 1, total: 3 });
  });

  it('counts calls refused for a missing scope or by the rate limit', async () => {
    const { id } = await anOrganization(app, { plan: 'starter' });
    const [narrow, live] = [
      new Client(app.url, (await aKey(app, id, { scopes: [] })).key),
      new Client(app.url, (await aKey(app, id, { environment: 'live' })).key),
    ];
    expect((await narrow.get('/v1/claim-projects')).status).toBe(403);
    expect((await narrow.post('/v1/claim-projects', PROJECT)).status).toBe(403);
    await callTimes(3, narrow);
    expect((await narrow.get('/v1/claim-projects')).status).toBe(429);
    expect((await narrow.post('/v1/claim-projects', PROJECT)).status).toBe(429);
    await eventually(async () => expect(await totalsInDatabase(id, 'claim_projects')).toEqual([{ reads: 2, writes: 2, failed: 4 }]));
    expect((await countsOf(live, 'claim_projects')).total).toBe(0);
  });

  it('does not count calls without a valid credential, from a blocked address, or to an unknown path', async () => {
    const { organization, key } = await aTenant(app);
    const api = new Client(app.url, key);
    const foreign = new Client(app.url, (await aKey(app, organization.id, { ipAllowlist: ['203.0.113.7'] })).key);
    const calls = [
      new Client(app.url).get('/v1/claim-projects'),
      new Client(app.url, makeKey('test')).get('/v1/claim-projects'),
      foreign.get('/v1/claim-projects'),
      api.get('/v1/nowhere'),
      api.get('/health/live'),
    ];
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([401, 401, 403, 404, 200]);
    const { body } = await api.get('/v1/usage');
    expect(body.total).toBe(0);
  });

  it('lists every capability, including those without calls, and their sum', async () => {
    const api = new Client(app.url, (await aTenant(app)).key);
    const catalog = (await api.get('/v1')).body.capabilities.map(({ capability }: { capability: string }) => capability);
    await api.get('/v1/claim-projects');
    const { body } = await api.get('/v1/usage');
    expect(body.capabilities.map(({ capability }: { capability: string }) => capability)).toEqual(catalog);
    expect(body.total).toBe(2);
    expect(body.capabilities.reduce((sum: number, { total }: Counts) => sum + total, 0)).toBe(2);
    expect(body.capabilities.find(({ capability }: { capability: string }) => capability === 'organization')).toEqual({
      capability: 'organization',
      reads: 0,
      writes: 0,
      failed: 0,
      total: 0,
    });
  });

  it('counts concurrent calls exactly once each', async () => {
    const api = new Client(app.url, (await aTenant(app)).key);
    await Promise.all(
      Array.from({ length: 300 }, (_, index) => (index % 3 === 0 ? api.post('/v1/claim-projects', {}) : api.get('/v1/claim-projects'))),
    );
    expect(await countsOf(api, 'claim_projects')).toEqual({ reads: 200, writes: 100, failed: 100, total: 300 });
  });

  it('covers the current billing period, from the anchor of the organization', async () => {
    const { organization, key } = await aTenant(app);
    const api = new Client(app.url, key);
    for (const anchor of ['2024-02-29', '2025-01-31', '2025-06-15', '2020-01-01']) {
      await rowsOf(app.databaseUrl, 'UPDATE organizations SET billing_cycle_anchor = $2 WHERE id = $1', [organization.id, anchor]);
      const { body } = await api.get('/v1/usage');
      expect(body.billingPeriod).toEqual(billingPeriod(anchor, today()));
    }
    const { start } = billingPeriod('2020-01-01', today());
    const add = (day: string, reads: number) =>
      rowsOf(app.databaseUrl, `INSERT INTO usage_days VALUES ($1, 'test', $2, 'claim_projects', $3, 0, 0) ON CONFLICT DO NOTHING`, [
        organization.id,
        day,
        reads,
      ]);
    await add(start, 40);
    await add(dayBefore(start), 900);
    expect(await countsOf(api, 'claim_projects')).toMatchObject({ reads: 40 });
  });
});

describe('counts', () => {
  it('are visible on all replicas within a second, and survive a stop without losing a call', async () => {
    const { key } = await aTenant(app);
    const replica = await startProcess({ DATABASE_URL: app.databaseUrl });
    const [there, here] = [new Client(replica.url, key), new Client(app.url, key)];
    await callTimes(7, there);
    await eventually(async () => expect(await countsOf(here, 'api')).toMatchObject({ reads: 7 }), 1000);
    await callTimes(4, there);
    await replica.stop();
    expect(await countsOf(here, 'api')).toMatchObject({ reads: 11 });
  });

  it('survive kill -9, except those of the last second', async () => {
    const { key, organization } = await aTenant(app);
    const replica = await startProcess({ DATABASE_URL: app.databaseUrl });
    const api = new Client(replica.url, key);
    await callTimes(5, api);
    await eventually(
      async () => expect(await totalsInDatabase(organization.id, 'api')).toEqual([{ reads: 5, writes: 0, failed: 0 }]),
      1000,
    );
    await callTimes(3, api);
    await replica.kill();
    const { reads } = await countsOf(new Client(app.url, key), 'api');
    expect(reads).toBeGreaterThanOrEqual(5);
    expect(reads).toBeLessThanOrEqual(8);
  });

  it('are kept while the database is unavailable, and written when it is back', async () => {
    const { key, organization } = await aTenant(app);
    const proxy = await TcpProxy.to(app.databaseUrl);
    const replica = await startProcess({ DATABASE_URL: proxy.url });
    await callTimes(6, new Client(replica.url, key));
    proxy.cut();
    // Meanwhile it tries to write and fails. The health check shows that it has noticed.
    await eventually(async () => expect((await new Client(replica.url).get('/health/dependencies')).status).toBe(503));
    proxy.restore();
    await eventually(async () => expect(await totalsInDatabase(organization.id, 'api')).toEqual([{ reads: 6, writes: 0, failed: 0 }]));
    await replica.stop();
    await proxy.close();
  });

  it('are added once if the database has written them but its answer is lost', async () => {
    const { key, organization } = await aTenant(app);
    const proxy = await TcpProxy.to(app.databaseUrl);
    const replica = await startProcess({ DATABASE_URL: proxy.url });
    const api = new Client(replica.url, key);
    let lost = 0;
    proxy.intercept = (chunk, link) => {
      if (lost === 0 && chunk.includes('usage_days')) {
        lost += 1;
        link.muted = true;
        link.server.once('data', () => link.client.destroy());
      }
      link.server.write(chunk);
    };
    await callTimes(6, api);
    await eventually(() => expect(lost).toBe(1));
    await callTimes(3, api);
    await eventually(async () => expect(await totalsInDatabase(organization.id, 'api')).toEqual([{ reads: 9, writes: 0, failed: 0 }]));
    await replica.stop();
    expect(await totalsInDatabase(organization.id, 'api')).toEqual([{ reads: 9, writes: 0, failed: 0 }]);
    await proxy.close();
  });
});

async function totalsInDatabase(organizationId: string, capability: string) {
  return rowsOf(
    app.databaseUrl,
    `SELECT reads, writes, failed FROM usage_days WHERE organization_id = $1 AND environment = 'test' AND capability = $2`,
    [organizationId, capability],
  );
}
