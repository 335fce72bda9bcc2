import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aKey, anOrganization, aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { rowsOf } from '../../support/database.js';
import { expectProblem } from '../../support/problem.js';

const PROJECTS = '/v1/claim-projects';
const aProject = () => ({ name: `Berlin ${newId()}`, periodStart: '2026-01-01', periodEnd: '2026-12-31' });

interface Recorded {
  readonly organization_id: string;
  readonly environment: string;
  readonly actor_type: string;
  readonly actor_id: string;
  readonly actor_name: string;
  readonly ip_address: string;
}

let direct: TestApp;
let behind: TestApp;
beforeAll(async () => {
  direct = await startApp();
  behind = await startApp({ TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8, 2001:db8::/32' });
});
afterAll(() => Promise.all([direct.close(), behind.close()]));

/** The audit entry of a call. */
async function recordedOf(requestId: string): Promise<Recorded> {
  const [row, ...others] = await rowsOf<Recorded>(direct.databaseUrl, 'SELECT * FROM audit_entries WHERE request_id = $1', [requestId]);
  expect(others).toEqual([]);
  return row!;
}

/** The address in the audit entry of a change that was sent with this X-Forwarded-For. */
async function addressOf(app: TestApp, forwardedFor: string): Promise<string> {
  const { key } = await aTenant(app);
  const made = await new Client(app.url, key).post(PROJECTS, aProject(), { 'X-Forwarded-For': forwardedFor });
  expect(made.status).toBe(201);
  return (await recordedOf(made.headers['x-request-id']!)).ip_address;
}

it('the audit entry of a change has its tenant, actor, request id and address', async () => {
  const organization = await anOrganization(direct);
  const { id, key } = await aKey(direct, organization.id, { environment: 'live', name: 'Month-end sync' });
  const requestId = newId();
  await new Client(direct.url, key).post(PROJECTS, aProject(), { 'X-Request-Id': requestId });
  expect(await recordedOf(requestId)).toMatchObject({
    organization_id: organization.id,
    environment: 'live',
    actor_type: 'api',
    actor_id: id,
    actor_name: 'Month-end sync',
    ip_address: '127.0.0.1',
  });
});

it('concurrent calls do not mix up their contexts', async () => {
  const tenants = await Promise.all(Array.from({ length: 6 }, () => aTenant(direct)));
  const calls = tenants.flatMap((tenant) =>
    Array.from({ length: 5 }, async () => ({ tenant, answer: await new Client(direct.url, tenant.key).post(PROJECTS, aProject()) })),
  );
  for (const { tenant, answer } of await Promise.all(calls)) {
    expect(await recordedOf(answer.headers['x-request-id']!)).toMatchObject({
      organization_id: tenant.organization.id,
      actor_id: tenant.keyId,
      resource_id: (answer.body as { id: string }).id,
    });
  }
});

describe('the address of the caller', () => {
  it('is that of the connection if no proxy is trusted, whatever the header says', async () => {
    for (const claimed of ['203.0.113.9', '127.0.0.2, 10.0.0.1', 'nonsense']) expect(await addressOf(direct, claimed)).toBe('127.0.0.1');
  });

  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['198.51.100.1, 203.0.113.9', '203.0.113.9'],
    ['198.51.100.1, 203.0.113.9, 10.1.2.3', '203.0.113.9'],
    ['203.0.113.9, 10.1.2.3, 10.9.9.9', '203.0.113.9'],
    ['10.1.2.3', '10.1.2.3'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['2a00:1450::7, 2001:db8::1', '2a00:1450::7'],
  ])('is the last address in “%s” that is not a trusted proxy', async (forwardedFor, address) => {
    expect(await addressOf(behind, forwardedFor)).toBe(address);
  });

  it('is accepted by an allowlist only if it comes from a trusted proxy', async () => {
    const organization = await anOrganization(behind);
    const { key } = await aKey(behind, organization.id, { ipAllowlist: ['203.0.113.0/24'] });
    const call = (app: TestApp, forwardedFor: string) => new Client(app.url, key).get('/v1', { 'X-Forwarded-For': forwardedFor });
    expect((await call(behind, '203.0.113.9')).status).toBe(200);
    expect((await call(behind, '198.51.100.1, 203.0.113.9, 10.1.2.3')).status).toBe(200);
    expect(expectProblem(await call(direct, '203.0.113.9'), 'ip_not_allowed').detail).toContain('127.0.0.1');
    expect(expectProblem(await call(behind, '203.0.113.9, 198.51.100.1'), 'ip_not_allowed').detail).toContain('198.51.100.1');
    for (const odd of ['nonsense', '203.0.113.9, nonsense', '203.0.113.9:8080', '', ',', 'x'.repeat(5000)])
      expectProblem(await call(behind, odd || ' '), 'ip_not_allowed');
  });
});
