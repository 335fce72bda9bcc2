import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiKeysService } from '../../../src/modules/api-keys/index.js';
import { verifyChain } from '../../../src/modules/audit/index.js';
import { OrganizationService } from '../../../src/modules/organization/index.js';
import { NO_LIMITS } from '../../../src/api/limits/own-limits.js';
import { OPERATOR } from '../../../src/kernel/context.js';
import { startApp, type TestApp } from '../../support/app.js';
import { anEntry, auditPage, wholeLog, type AuditRow } from '../../support/audit.js';
import { aKey, anOrganization, aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { expectProblem } from '../../support/problem.js';

const PROJECTS = '/v1/claim-projects';
const PROJECT = { name: 'Berlin office', periodStart: '2026-01-01', periodEnd: '2026-12-31' };
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const HASH = /^[0-9a-f]{64}$/;

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** An organization with a live key, which can read the whole log. */
async function aLiveTenant() {
  const tenant = await aTenant(app, { environment: 'live' });
  return { ...tenant, organizationId: tenant.organization.id, api: new Client(app.url, tenant.key) };
}

const lastOf = async (api: Client): Promise<AuditRow> => (await wholeLog(api)).at(-1)!;
const actionsOf = (rows: readonly AuditRow[]): string[] => rows.map(({ action }) => action);
const whatIsNew = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).map(([field, to]) => [field, { from: null, to: to as unknown }]));

describe('the audit log', () => {
  it('lists every change, oldest first, with exactly the documented members', async () => {
    const { organizationId, keyId, api } = await aLiveTenant();
    const test = await aKey(app, organizationId, { name: 'Sandbox', scopes: ['claim_projects:write'] });
    const project = await api.post(PROJECTS, { ...PROJECT, metadata: { officeCode: 'BER-1' } }, { 'X-Request-Id': 'call-1' });
    const other = await new Client(app.url, test.key).post(PROJECTS, PROJECT);
    const rows = await wholeLog(api);
    const system = { type: 'system', id: null, name: 'claims command' };
    const byOperator = { actor: system, ipAddress: null, requestId: null };
    const common = {
      name: PROJECT.name,
      clientReference: null,
      periodStart: PROJECT.periodStart,
      periodEnd: PROJECT.periodEnd,
      status: 'draft',
    };
    const keyOf = (name: string, scopes: unknown) =>
      whatIsNew({ name, scopes, ipAllowlist: [], ...NO_LIMITS, projectIds: null, expiresAt: null });
    const expected = [
      {
        ...byOperator,
        environment: null,
        action: 'organization.created',
        resource: { type: 'organization', id: organizationId },
        changes: expect.objectContaining(whatIsNew({ name: 'Example Accountants', plan: 'enterprise', country: null })),
      },
      {
        ...byOperator,
        environment: 'live',
        action: 'api_key.created',
        resource: { type: 'api_key', id: keyId },
        changes: keyOf('A key', expect.arrayContaining(['audit:read'])),
      },
      {
        ...byOperator,
        environment: 'test',
        action: 'api_key.created',
        resource: { type: 'api_key', id: test.id },
        changes: keyOf('Sandbox', ['claim_projects:write']),
      },
      {
        environment: 'live',
        actor: { type: 'api', id: keyId, name: 'A key' },
        ipAddress: '127.0.0.1',
        requestId: 'call-1',
        action: 'claim_project.created',
        resource: { type: 'claim_project', id: project.body.id },
        changes: whatIsNew({ ...common, metadata: { officeCode: 'BER-1' } }),
      },
      {
        environment: 'test',
        actor: { type: 'api', id: test.id, name: 'Sandbox' },
        ipAddress: '127.0.0.1',
        requestId: other.headers['x-request-id'],
        action: 'claim_project.created',
        resource: { type: 'claim_project', id: other.body.id },
        changes: whatIsNew({ ...common, metadata: {} }),
      },
    ];
    const sealed = {
      id: expect.stringMatching(UUID),
      occurredAt: expect.stringMatching(TIME),
      createdAt: expect.stringMatching(TIME),
      previousHash: expect.stringMatching(HASH),
      hash: expect.stringMatching(HASH),
    };
    expect(rows).toEqual(expected.map((row, index) => ({ ...sealed, ...row, sequence: index + 1 })));
    const times = rows.slice(-2).flatMap(({ occurredAt }, index) => [[project, other][index]!.body.createdAt as string, occurredAt]);
    expect(times).toEqual([...times].sort());
    for (const { occurredAt, createdAt } of rows) expect(createdAt >= occurredAt).toBe(true);
  });

  it('can be verified by anyone who can read it', async () => {
    const { api } = await aLiveTenant();
    await api.post(PROJECTS, {
      ...PROJECT,
      name: 'Zürich 🏔 "quoted" \u2028',
      metadata: { 'b €': [1.5, -0, 1e21, true, null], a: { ä: 1, Z: 'x\n', z: {} } },
    });
    // A second implementation of RFC 8785: the promise must hold without ours.
    const canonical = (value: unknown): string => {
      if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
      if (value === null || typeof value !== 'object') return JSON.stringify(value);
      const named = value as Record<string, unknown>;
      return `{${Object.keys(named)
        .sort()
        .map((name) => `${JSON.stringify(name)}:${canonical(named[name])}`)
        .join()}}`;
    };
    let previous = '0'.repeat(64);
    for (const { hash, ...row } of await wholeLog(api)) {
      expect(row.previousHash).toBe(previous);
      expect(hash).toBe(
        createHash('sha256')
          .update(previous + canonical(row), 'utf8')
          .digest('hex'),
      );
      previous = hash;
    }
  });

  it('shows a client its own write in the next request', async () => {
    const { api } = await aLiveTenant();
    const { body: project } = await api.post(PROJECTS, PROJECT);
    expect(await lastOf(api)).toMatchObject({ action: 'claim_project.created', resource: { id: project.id } });
    for (const name of ['Hamburg office', 'Bremen office', 'Kiel office']) {
      const { headers } = await api.patch(`${PROJECTS}/${project.id}`, { name });
      expect(await lastOf(api)).toMatchObject({
        action: 'claim_project.updated',
        resource: { id: project.id },
        requestId: headers['x-request-id'],
        changes: { name: { to: name } },
      });
    }
  });

  it('shows the change of an operator in the next request', async () => {
    const { organizationId, api } = await aLiveTenant();
    const keys = app.app.get(ApiKeysService);
    const start = (await wholeLog(api)).length;
    const since = async () =>
      (await wholeLog(api))
        .slice(start)
        .map(({ action, environment, resource, changes }) => ({ action, environment, id: resource.id, changes }));
    const { id } = await aKey(app, organizationId, { environment: 'test' });
    expect(await since()).toMatchObject([{ action: 'api_key.created', id }]);
    await keys.change(OPERATOR, id, { name: 'Sync' });
    expect((await since()).at(-1)).toEqual({
      action: 'api_key.updated',
      environment: 'test',
      id,
      changes: { name: { from: 'A key', to: 'Sync' } },
    });
    const next = await keys.rotate(OPERATOR, id, 60_000);
    expect((await since()).slice(-2)).toMatchObject([
      { action: 'api_key.rotated', id, changes: { expiresAt: { from: null, to: expect.stringMatching(TIME) } } },
      { action: 'api_key.created', id: next.row.id },
    ]);
    const revoked = await keys.revoke(OPERATOR, next.row.id);
    expect((await since()).at(-1)).toEqual({
      action: 'api_key.revoked',
      environment: 'test',
      id: next.row.id,
      changes: { revokedAt: { from: null, to: revoked.revokedAt } },
    });
    await app.app.get(OrganizationService).change(OPERATOR, organizationId, { name: 'Renamed', status: 'active' });
    expect((await since()).at(-1)).toEqual({
      action: 'organization.updated',
      environment: null,
      id: organizationId,
      changes: { name: { from: 'Example Accountants', to: 'Renamed' } },
    });
    expect(JSON.stringify(await wholeLog(api))).not.toContain(next.key.slice(8));
  });

  it('has no event for a request that was replayed, was refused or changed nothing', async () => {
    const { api } = await aLiveTenant();
    const create = () => api.post(PROJECTS, PROJECT, { 'Idempotency-Key': 'monthly' });
    const { body: project } = await create();
    const change = () => api.patch(`${PROJECTS}/${project.id}`, { name: 'Hamburg office' }, { 'Idempotency-Key': 'change' });
    expect((await change()).status).toBe(200);
    const before = await wholeLog(api);
    expect(actionsOf(before).slice(-2)).toEqual(['claim_project.created', 'claim_project.updated']);
    for (const replay of [create, change]) expect((await replay()).headers['idempotent-replayed']).toBe('true');
    for (const nothing of [{}, { name: 'Hamburg office' }, { status: 'draft', metadata: {} }])
      expect((await api.patch(`${PROJECTS}/${project.id}`, nothing)).status).toBe(200);
    for (const refused of [
      await api.post(PROJECTS, { ...PROJECT, name: 'Hamburg office' }),
      await api.patch(`${PROJECTS}/${project.id}`, { name: '' }),
    ])
      expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(await wholeLog(api)).toEqual(before);
  });
});

describe('access', () => {
  it('a test key sees only the events of the test environment, a live key sees all', async () => {
    const { organizationId, api: live } = await aLiveTenant();
    const test = new Client(app.url, (await aKey(app, organizationId)).key);
    for (const api of [live, test, live, test])
      expect((await api.post(PROJECTS, { ...PROJECT, name: `${Math.random()}` })).status).toBe(201);
    const [whole, part] = [await wholeLog(live), await wholeLog(test)];
    expect(whole.map(({ sequence, environment }) => [sequence, environment])).toEqual([
      [1, null],
      [2, 'live'],
      [3, 'test'],
      [4, 'live'],
      [5, 'test'],
      [6, 'live'],
      [7, 'test'],
    ]);
    expect(part).toEqual(whole.filter(({ environment }) => environment === 'test'));
    expect(part.map(({ sequence }) => sequence)).toEqual([3, 5, 7]);
    expect(verifyChain(whole)).toMatchObject({ rows: 7, fault: null });
  });

  it.each(['starter', 'growth'] as const)('is refused on the plan %s', async (plan) => {
    const { key } = await aTenant(app, { plan, environment: 'live' });
    expectProblem(await new Client(app.url, key).get('/v1/audit/events'), 'plan_required');
  });

  it('is refused without the scope audit:read, and from an address that is not on the allowlist', async () => {
    const { id } = await anOrganization(app);
    const [unscoped, elsewhere] = [
      await aKey(app, id, { scopes: ['claim_projects:read'] }),
      await aKey(app, id, { ipAllowlist: ['198.51.100.0/24'] }),
    ];
    expect(expectProblem(await new Client(app.url, unscoped.key).get('/v1/audit/events'), 'scope_missing').detail).toContain('audit:read');
    expectProblem(await new Client(app.url, elsewhere.key).get('/v1/audit/events'), 'ip_not_allowed');
  });

  it('an organization sees no events of another', async () => {
    const [mine, theirs] = [await aLiveTenant(), await aLiveTenant()];
    await theirs.api.post(PROJECTS, PROJECT);
    await wholeLog(theirs.api);
    expect(actionsOf(await wholeLog(mine.api))).toEqual(['organization.created', 'api_key.created']);
  });
});

describe('changes', () => {
  it('list exactly the fields that an update changed, with old and new values', async () => {
    const { api } = await aLiveTenant();
    const { body: project } = await api.post(PROJECTS, { ...PROJECT, clientReference: 'C-1', metadata: { a: 1, b: [2] } });
    await api.patch(`${PROJECTS}/${project.id}`, {
      name: PROJECT.name,
      clientReference: null,
      status: 'archived',
      periodEnd: '2027-01-31',
      metadata: { b: [2] },
    });
    expect((await lastOf(api)).changes).toEqual({
      clientReference: { from: 'C-1', to: null },
      periodEnd: { from: '2026-12-31', to: '2027-01-31' },
      status: { from: 'draft', to: 'archived' },
      metadata: { from: { a: 1, b: [2] }, to: { b: [2] } },
    });
  });

  it('contain a free-form object of up to 1 KiB, and the digest of a larger one', async () => {
    const { api } = await aLiveTenant();
    const frame = '{"a":"","b":[1,2]}';
    const filling = (bytes: number) => 'é'.repeat((bytes - frame.length) / 2);
    // Not in canonical order: size and hash are those of the canonical form.
    const metadata = (bytes: number) => ({ b: [1, 2], a: filling(bytes) });
    const { body: project } = await api.post(PROJECTS, { ...PROJECT, metadata: metadata(1024) });
    expect((await lastOf(api)).changes.metadata).toEqual({ from: null, to: metadata(1024) });
    await api.patch(`${PROJECTS}/${project.id}`, { metadata: metadata(1026) });
    const canonical = `{"a":"${filling(1026)}","b":[1,2]}`;
    const digest = { sha256: createHash('sha256').update(canonical).digest('hex'), bytes: 1026 };
    expect(Buffer.byteLength(canonical)).toBe(1026);
    expect((await lastOf(api)).changes).toEqual({ metadata: { from: metadata(1024), to: digest } });
    await api.patch(`${PROJECTS}/${project.id}`, { metadata: metadata(32_768) });
    const last = await lastOf(api);
    expect(last.changes.metadata).toEqual({ from: digest, to: { sha256: expect.stringMatching(HASH), bytes: 32_768 } });
    expect(verifyChain(await wholeLog(api)).fault).toBeNull();
    expect((await api.get(`${PROJECTS}/${project.id}`)).body.metadata).toEqual(metadata(32_768));
  });

  it('keep member names of any kind as they were sent', async () => {
    const { api } = await aLiveTenant();
    const sent = '{"__proto__":{"constructor":1},"toString":"x","ключ":"💶","1":2,"":null}';
    await api.send('POST', PROJECTS, `{"name":"x","periodStart":"2026-01-01","periodEnd":"2026-01-01","metadata":${sent}}`);
    const { text, body } = await api.get('/v1/audit/events');
    expect(text).toContain('"__proto__":{"constructor":1}');
    expect(verifyChain((body as { data: AuditRow[] }).data)).toMatchObject({ rows: 3, fault: null });
    expect(JSON.stringify((body as { data: AuditRow[] }).data[2]!.changes.metadata!.to)).toBe(JSON.stringify(JSON.parse(sent)));
  });

  it('never contain a secret', async () => {
    const { organizationId, api } = await aLiveTenant();
    await anEntry(app, organizationId, {
      action: 'user.updated',
      changes: { passwordHash: { from: null, to: 'tiny' }, token: { from: 'old', to: null }, secretHint: { from: null, to: 'ab12' } },
    });
    const { changes } = await lastOf(api);
    const digestOf = (text: string) => ({
      sha256: createHash('sha256').update(JSON.stringify(text)).digest('hex'),
      bytes: text.length + 2,
    });
    expect(changes).toEqual({
      passwordHash: { from: null, to: digestOf('tiny') },
      token: { from: digestOf('old'), to: null },
      secretHint: { from: null, to: 'ab12' },
    });
    expect((await auditPage(api, { action_prefix: 'user.' })).data).toHaveLength(1);
  });
});
