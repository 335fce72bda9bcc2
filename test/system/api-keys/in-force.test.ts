import { afterAll, beforeAll, expect, it } from 'vitest';
import { ApiKeysService } from '../../../src/modules/api-keys/index.js';
import { OrganizationService } from '../../../src/modules/organization/index.js';
import { OPERATOR } from '../../../src/kernel/context.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aKey, aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { eventually } from '../../support/eventually.js';
import { startProcess, type TestProcess } from '../../support/process.js';

/** How soon a change must take effect everywhere. */
const SOON_MS = 1000;

// A change on one replica must take effect on the other.
let here: TestApp;
let replica: TestProcess;
beforeAll(async () => {
  here = await startApp();
  replica = await startProcess({ DATABASE_URL: here.databaseUrl });
});
afterAll(async () => {
  await replica.stop();
  await here.close();
});

/** A tenant whose key is in the cache of the other replica. */
async function aTenantInUse() {
  const tenant = await aTenant(here);
  const api = new Client(replica.url, tenant.key);
  const context = () => api.get('/v1/auth/context');
  expect((await context()).status).toBe(200);
  return { ...tenant, api, context };
}

const organizations = () => here.app.get(OrganizationService);

it('refuses a revoked key on every replica within a second, and for good', async () => {
  const { keyId, context } = await aTenantInUse();
  await here.app.get(ApiKeysService).revoke(OPERATOR, keyId);
  await eventually(async () => expect((await context()).status).toBe(401), SOON_MS);
  for (let times = 0; times < 5; times += 1) expect((await context()).status).toBe(401);
});

it('refuses the keys of a suspended organization within a second, and accepts them again when it is active', async () => {
  const { organization, api, context } = await aTenantInUse();
  const other = new Client(replica.url, (await aKey(here, organization.id, { environment: 'live' })).key);
  await organizations().change(OPERATOR, organization.id, { status: 'suspended' });
  await eventually(async () => {
    for (const client of [api, other])
      expect((await client.get('/v1')).body).toMatchObject({ status: 403, code: 'organization_suspended', retry: 'never' });
  }, SOON_MS);
  await organizations().change(OPERATOR, organization.id, { status: 'active' });
  await eventually(async () => expect((await context()).status).toBe(200), SOON_MS);
});

it('applies a change of plan within a second, with its limits', async () => {
  const { organization, context } = await aTenantInUse();
  for (const [plan, limit] of [
    ['starter', 120],
    ['growth', 600],
    ['enterprise', 3000],
  ] as const) {
    await organizations().change(OPERATOR, organization.id, { plan });
    await eventually(async () => {
      const { body, headers } = await context();
      expect(body).toMatchObject({ organization: { plan }, rateLimit: { tier: plan, limit } });
      expect(headers['ratelimit-policy']).toContain(`"${plan}";q=${limit};w=60`);
    }, SOON_MS);
  }
});

it('applies a change of name within a second', async () => {
  const { organization, context } = await aTenantInUse();
  await organizations().change(OPERATOR, organization.id, { name: 'Renamed Accountants' });
  await eventually(async () => expect((await context()).body.organization.name).toBe('Renamed Accountants'), SOON_MS);
});

it('applies a change of scopes within a second', async () => {
  const { keyId, api } = await aTenantInUse();
  const create = () =>
    api.post(
      '/v1/claim-projects',
      { name: 'A project', periodStart: '2026-01-01', periodEnd: '2026-12-31' },
      { 'Idempotency-Key': 'once' },
    );
  expect((await create()).status).toBe(201);
  await here.app.get(ApiKeysService).change(OPERATOR, keyId, { scopes: ['claim_projects:read'] });
  await eventually(async () => expect((await create()).body).toMatchObject({ status: 403, code: 'scope_missing' }), SOON_MS);
  expect((await api.get('/v1/claim-projects')).status).toBe(200);
});

it('applies a change of the allowlist within a second', async () => {
  const { keyId, api } = await aTenantInUse();
  await here.app.get(ApiKeysService).change(OPERATOR, keyId, { ipAllowlist: ['203.0.113.7'] });
  await eventually(async () => expect((await api.get('/v1')).body).toMatchObject({ status: 403, code: 'ip_not_allowed' }), SOON_MS);
  await here.app.get(ApiKeysService).change(OPERATOR, keyId, { ipAllowlist: ['127.0.0.1'] });
  await eventually(async () => expect((await api.get('/v1')).status).toBe(200), SOON_MS);
});

it('accepts a key as soon as it is created', async () => {
  const { organization } = await aTenantInUse();
  const { key } = await aKey(here, organization.id);
  expect((await new Client(replica.url, key).get('/v1')).status).toBe(200);
});

it('a credential of another scheme is refused, also right after the credential was used properly', async () => {
  const { key } = await aTenant(here);
  const withHeader = (authorization: string) => new Client(here.url).get('/v1/auth/context', { Authorization: authorization });
  for (const other of [`Digest ${key}`, `Secret:${key}`, `Basic  ${key}`, `1234567${key}`]) {
    expect((await withHeader(`Bearer ${key}`)).status).toBe(200);
    expect((await withHeader(other)).status, other.slice(0, 7)).toBe(401);
  }
});
