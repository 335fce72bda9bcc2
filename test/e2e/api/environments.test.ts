import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/app.js';
import { aKey, anOrganization } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { rowsOf } from '../../support/database.js';

const PROJECT = { name: 'Berlin office', periodStart: '2026-01-01', periodEnd: '2026-12-31' };

let app: TestApp;
let organizationId: string;
let test: Client;
let live: Client;
beforeAll(async () => {
  app = await startApp({ RATE_LIMITS: JSON.stringify({ enterprise: { perMinute: 2, burst: 25 } }) });
});
afterAll(() => app.close());
beforeEach(async () => {
  organizationId = (await anOrganization(app)).id;
  test = new Client(app.url, (await aKey(app, organizationId, { environment: 'test' })).key);
  live = new Client(app.url, (await aKey(app, organizationId, { environment: 'live' })).key);
});

it('test and live have separate rows, even identical ones', async () => {
  const inTest = await test.post('/v1/claim-projects', PROJECT);
  const inLive = await live.post('/v1/claim-projects', PROJECT);
  expect([inTest.status, inTest.body.environment, inLive.status, inLive.body.environment]).toEqual([201, 'test', 201, 'live']);
  expect((await test.get('/v1/claim-projects?search=berlin')).body).toMatchObject({ data: [inTest.body], pagination: { total: 1 } });
  expect((await live.get('/v1/claim-projects?search=berlin')).body).toMatchObject({ data: [inLive.body], pagination: { total: 1 } });
});

it('reading or changing a record of the other environment returns 404', async () => {
  const { body: project } = await live.post('/v1/claim-projects', PROJECT);
  const path = `/v1/claim-projects/${project.id}`;
  for (const answer of [await test.get(path), await test.patch(path, { name: 'Hamburg office' }), await test.patch(path, {})])
    expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
  expect((await live.get(path)).body).toEqual(project);
});

it('each environment has its own Idempotency-Keys', async () => {
  const headers = { 'Idempotency-Key': 'monthly' };
  const inTest = await test.post('/v1/claim-projects', PROJECT, headers);
  const inLive = await live.post('/v1/claim-projects', { ...PROJECT, name: 'Something else' }, headers);
  expect([inTest.status, inLive.status]).toEqual([201, 201]);
  expect(inLive.headers['idempotent-replayed']).toBeUndefined();
  expect((await test.post('/v1/claim-projects', PROJECT, headers)).body).toEqual(inTest.body);
  expect((await live.post('/v1/claim-projects', PROJECT, headers)).status).toBe(409);
});

it('each environment has its own usage counts', async () => {
  for (let times = 0; times < 3; times += 1) await test.get('/v1/claim-projects');
  await live.post('/v1/claim-projects', PROJECT);
  const projectsOf = async (api: Client) => {
    const { body } = await api.get('/v1/usage');
    return [
      body.environment,
      body.total,
      body.capabilities.find(({ capability }: { capability: string }) => capability === 'claim_projects'),
    ];
  };
  expect(await projectsOf(test)).toEqual(['test', 3, { capability: 'claim_projects', reads: 3, writes: 0, failed: 0, total: 3 }]);
  expect(await projectsOf(live)).toEqual(['live', 1, { capability: 'claim_projects', reads: 0, writes: 1, failed: 0, total: 1 }]);
});

it('each environment has its own rate limit', async () => {
  for (let times = 0; times < 25; times += 1) await test.get('/v1');
  expect((await test.get('/v1')).status).toBe(429);
  const { body } = await live.get('/v1/auth/context');
  expect(body.rateLimit.remaining).toBe(24);
});

it('every event and audit entry has its environment', async () => {
  await test.post('/v1/claim-projects', PROJECT);
  await live.post('/v1/claim-projects', PROJECT);
  for (const [table, what, order] of [
    ['events', 'kind', 'id'],
    ['audit_entries', 'action', 'ordinal'],
  ]) {
    const rows = await rowsOf(
      app.databaseUrl,
      `SELECT environment FROM ${table} WHERE organization_id = $1 AND ${what} = 'claim_project.created' ORDER BY ${order}`,
      [organizationId],
    );
    expect(rows).toEqual([{ environment: 'test' }, { environment: 'live' }]);
  }
});

it('only the key decides the environment, nothing else in the request', async () => {
  for (const answer of [
    await test.post('/v1/claim-projects', { ...PROJECT, environment: 'live' }),
    await test.get('/v1/claim-projects?environment=live'),
    await test.post('/v1/claim-projects?environment=live', PROJECT),
  ]) {
    expect([answer.status, answer.body.code]).toEqual([400, 'validation_failed']);
  }
  const { body } = await test.post('/v1/claim-projects', PROJECT, { 'X-Environment': 'live' });
  expect(body.environment).toBe('test');
});

it('both environments have the same organization', async () => {
  const [seenByTest, seenByLive] = [await test.get('/v1/organization'), await live.get('/v1/organization')];
  expect(seenByTest.body).toEqual(seenByLive.body);
  expect(seenByTest.body).toMatchObject({ id: organizationId });
  expect(seenByTest.body).not.toHaveProperty('environment');
});
