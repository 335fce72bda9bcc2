import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiKeysService } from '../../../src/modules/api-keys/index.js';
import { OPERATOR } from '../../../src/kernel/context.js';
import { newId } from '../../../src/kernel/ids.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aKey, anOrganization, aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';

const DAY_MS = 86_400_000;

let app: TestApp;
let keys: ApiKeysService;
beforeAll(async () => {
  app = await startApp();
  keys = app.app.get(ApiKeysService);
});
afterAll(() => app.close());

const statusOf = async (key: string): Promise<number> => (await new Client(app.url, key).get('/v1')).status;
const rowOf = async (organizationId: string, id: string) => (await keys.ofOrganization(organizationId)).find((row) => row.id === id)!;

async function auditOf(organizationId: string) {
  const rows = await rowsOf<{ action: string; resource_id: string; changes: object }>(
    app.databaseUrl,
    `SELECT action, resource_id, changes FROM audit_entries WHERE organization_id = $1 AND resource_type = 'api_key' ORDER BY ordinal`,
    [organizationId],
  );
  return rows.map(({ action, resource_id: id }) => [action, id]);
}

/** The tables with a row that contains the text. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await rowsOf<{ name: string }>(
    app.databaseUrl,
    `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
  );
  const found = await Promise.all(
    tables.map(async ({ name }) =>
      (await rowsOf(app.databaseUrl, `SELECT 1 FROM ${name} AS any_row WHERE strpos(any_row::text, $1) > 0 LIMIT 1`, [text])).length > 0
        ? [name]
        : [],
    ),
  );
  return found.flat().sort();
}

describe('a key', () => {
  it.each(['test', 'live'] as const)('has a prefix for the %s environment', async (environment) => {
    const { id } = await anOrganization(app);
    const { key } = await aKey(app, id, { environment });
    expect(key).toMatch(new RegExp(`^pk_${environment}_[0-9A-Za-z]{38}$`));
    const { body } = await new Client(app.url, key).get('/v1/auth/context');
    expect(body.credential).toMatchObject({ type: 'api_key', prefix: `pk_${environment}_`, environment });
  });

  it('works as a bearer credential as well', async () => {
    const { key, organization } = await aTenant(app);
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      const { status, body } = await new Client(app.url).get('/v1/auth/context', { Authorization: `${scheme} ${key}` });
      expect([status, body.organization.id]).toEqual([200, organization.id]);
    }
  });

  it('is never stored: the database has only its hash and its last four characters', async () => {
    const { organization, key, keyId } = await aTenant(app);
    const api = new Client(app.url, key);
    await api.post('/v1/claim-projects', { name: 'A project', periodStart: '2026-01-01', periodEnd: '2026-12-31' });
    await api.get('/v1/claim-projects');
    const next = await keys.rotate(OPERATOR, keyId, 0);
    await keys.revoke(OPERATOR, next.row.id);
    for (const secret of [key, next.key]) {
      const parts = [
        secret,
        secret.slice(8),
        secret.slice(8, 24),
        Buffer.from(secret).toString('hex'),
        Buffer.from(secret).toString('base64').slice(0, 40),
      ];
      for (const part of parts) expect(await tablesWith(part)).toEqual([]);
    }
    const row = await rowOf(organization.id, keyId);
    expect(await tablesWith(row.keyHash.toString('hex'))).toEqual(['api_keys']);
    expect(row.last4).toBe(key.slice(-4));
  });

  it('has its last use recorded within seconds', async () => {
    const { organization, key, keyId } = await aTenant(app);
    expect((await rowOf(organization.id, keyId)).lastUsedAt).toBeNull();
    const start = new Date().toISOString();
    await statusOf(key);
    const end = new Date().toISOString();
    const { lastUsedAt } = await eventually(async () => {
      const row = await rowOf(organization.id, keyId);
      expect(row.lastUsedAt).not.toBeNull();
      return row;
    });
    expect(lastUsedAt! >= start && lastUsedAt! <= end).toBe(true);
  });

  it('works until it expires, and not after', async () => {
    const { id: organizationId } = await anOrganization(app);
    const { key, id } = await aKey(app, organizationId, { expiresInMs: 1500 });
    const expiresAt = Date.parse((await rowOf(organizationId, id)).expiresAt!);
    const calls: { startedAt: number; endedAt: number; status: number }[] = [];
    do {
      const startedAt = Date.now();
      calls.push({ status: await statusOf(key), startedAt, endedAt: Date.now() });
    } while (calls.at(-1)!.status === 200);
    expect(calls.length).toBeGreaterThan(1);
    expect(calls.at(-1)).toMatchObject({ status: 401 });
    expect(calls.at(-1)!.endedAt).toBeGreaterThanOrEqual(expiresAt);
    expect(calls.at(-2)!.startedAt).toBeLessThan(expiresAt);
  });

  it('has audit entries for its creation, rotation and revocation', async () => {
    const { organization, keyId } = await aTenant(app);
    const next = await keys.rotate(OPERATOR, keyId, 0);
    await keys.revoke(OPERATOR, next.row.id);
    await keys.revoke(OPERATOR, next.row.id);
    const expected = [
      ['api_key.created', keyId],
      ['api_key.rotated', keyId],
      ['api_key.created', next.row.id],
      ['api_key.revoked', next.row.id],
    ];
    expect(await auditOf(organization.id)).toEqual(expected);
  });
});

describe('a change', () => {
  it('updates name, scopes and allowlist, keeps omitted fields, and records the changes in the audit log', async () => {
    const { id: organizationId } = await anOrganization(app);
    const { id } = await aKey(app, organizationId, { name: 'Month-end sync', scopes: ['usage:read'], ipAllowlist: ['127.0.0.0/8'] });
    expect(await keys.change(OPERATOR, id, { scopes: ['organization:read', 'usage:read', 'usage:read'] })).toMatchObject({
      name: 'Month-end sync',
      scopes: ['organization:read', 'usage:read'],
      ipAllowlist: ['127.0.0.0/8'],
    });
    expect(await keys.change(OPERATOR, id, { name: 'Sync', ipAllowlist: [] })).toMatchObject({
      name: 'Sync',
      scopes: ['organization:read', 'usage:read'],
      ipAllowlist: [],
    });
    const rows = await rowsOf<{ changes: object }>(
      app.databaseUrl,
      "SELECT changes FROM audit_entries WHERE organization_id = $1 AND action = 'api_key.updated' ORDER BY ordinal",
      [organizationId],
    );
    expect(rows.map(({ changes }) => changes)).toEqual([
      { scopes: { from: ['usage:read'], to: ['organization:read', 'usage:read'] } },
      { name: { from: 'Month-end sync', to: 'Sync' }, ipAllowlist: { from: ['127.0.0.0/8'], to: [] } },
    ]);
  });

  it('that changes nothing writes no audit entry', async () => {
    const { organization, keyId } = await aTenant(app);
    const before = await rowOf(organization.id, keyId);
    expect(await keys.change(OPERATOR, keyId, { name: before.name, scopes: 'all' })).toEqual(before);
    expect(await auditOf(organization.id)).toEqual([['api_key.created', keyId]]);
  });

  it('is refused for an invalid value and for an unknown key', async () => {
    const { organization, keyId } = await aTenant(app);
    const before = await rowOf(organization.id, keyId);
    for (const change of [{ name: '' }, { name: 'x'.repeat(201) }, { scopes: ['no_such:scope'] }, { ipAllowlist: ['300.0.0.1'] }]) {
      await expect(keys.change(OPERATOR, keyId, change)).rejects.toMatchObject({ code: 'validation_failed' });
    }
    await expect(keys.change(OPERATOR, newId(), { name: 'Sync' })).rejects.toMatchObject({ code: 'not_found' });
    expect(await rowOf(organization.id, keyId)).toEqual(before);
  });
});

describe('rotation', () => {
  it('issues a key with the same settings, and both work until the overlap ends', async () => {
    const { id } = await anOrganization(app);
    const wanted = { environment: 'live' as const, name: 'Month-end sync', scopes: ['claim_projects:read'], ipAllowlist: ['127.0.0.0/8'] };
    const old = await aKey(app, id, wanted);
    const next = await keys.rotate(OPERATOR, old.id, 1000);
    expect(next.row).toMatchObject({ ...wanted, expiresAt: null, organizationId: id });
    expect(next.key).not.toBe(old.key);
    expect([await statusOf(old.key), await statusOf(next.key)]).toEqual([200, 200]);
    await eventually(async () => expect(await statusOf(old.key)).toBe(401));
    expect(await statusOf(next.key)).toBe(200);
  });

  it('without an overlap ends the old key within a second', async () => {
    const { key, keyId } = await aTenant(app);
    expect(await statusOf(key)).toBe(200);
    const next = await keys.rotate(OPERATOR, keyId, 0);
    expect(await statusOf(next.key)).toBe(200);
    await eventually(async () => expect(await statusOf(key)).toBe(401), 1000);
  });

  it('accepts an overlap of up to seven days', async () => {
    const { organization, keyId } = await aTenant(app);
    await expect(keys.rotate(OPERATOR, keyId, 7 * DAY_MS + 1)).rejects.toMatchObject({ code: 'validation_failed' });
    expect(await rowOf(organization.id, keyId)).toMatchObject({ expiresAt: null });
    await keys.rotate(OPERATOR, keyId, 7 * DAY_MS);
    const leftMs = Date.parse((await rowOf(organization.id, keyId)).expiresAt!) - Date.now();
    expect(leftMs).toBeGreaterThan(7 * DAY_MS - 60_000);
    expect(leftMs).toBeLessThanOrEqual(7 * DAY_MS);
  });

  it('never extends the expiry of a key', async () => {
    const { id } = await anOrganization(app);
    const old = await aKey(app, id, { expiresInMs: 3_600_000 });
    const { expiresAt } = await rowOf(id, old.id);
    const next = await keys.rotate(OPERATOR, old.id, DAY_MS);
    expect(next.row.expiresAt).toBe(expiresAt);
    expect((await rowOf(id, old.id)).expiresAt).toBe(expiresAt);
  });

  it('is refused for a key that is revoked, expired or unknown', async () => {
    const { id } = await anOrganization(app);
    const [revoked, expired] = [await aKey(app, id), await aKey(app, id, { expiresInMs: 0 })];
    await keys.revoke(OPERATOR, revoked.id);
    for (const gone of [revoked.id, expired.id, id, 'nonsense'])
      await expect(keys.rotate(OPERATOR, gone, 0)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('an organization', () => {
  it('has at most as many valid keys in an environment as RECORD_LIMITS says; revoked and expired ones do not count', async () => {
    const { id } = await anOrganization(app);
    const first = await aKey(app, id);
    await aKey(app, id, { expiresInMs: 0 });
    for (let count = 1; count < 200; count += 1) await aKey(app, id);
    const detail = 'The test environment of the organization has 200 valid API keys. The limit `apiKeys` is 200.';
    await expect(aKey(app, id)).rejects.toMatchObject({ code: 'limit_exceeded', detail });
    await aKey(app, id, { environment: 'live' });
    await keys.revoke(OPERATOR, first.id);
    const last = await aKey(app, id);
    await expect(aKey(app, id)).rejects.toMatchObject({ code: 'limit_exceeded' });
    // The old key ends before the new one is created, so this stays within the limit.
    await keys.rotate(OPERATOR, last.id, 0);
  });

  it('has no more than 200 keys if many are created concurrently', async () => {
    const { id } = await anOrganization(app);
    for (let count = 0; count < 195; count += 1) await aKey(app, id);
    const made = await Promise.allSettled(Array.from({ length: 16 }, () => aKey(app, id)));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    expect(await keys.ofOrganization(id)).toHaveLength(200);
  });

  it.each([
    ['no name', { name: '' }],
    ['a name of 201 characters', { name: 'x'.repeat(201) }],
    ['a scope that does not exist', { scopes: ['claim_projects:read', 'claim_projects:delete'] }],
    ['an invalid address', { ipAllowlist: ['10.0.0.0/8', '10.0.0.256'] }],
    ['an incomplete address', { ipAllowlist: ['10.1'] }],
    ['a CIDR with a prefix that is too long', { ipAllowlist: ['10.0.0.0/33'] }],
    ['a host name', { ipAllowlist: ['example.com'] }],
  ])('cannot have a key with %s', async (_name, wanted) => {
    const { id } = await anOrganization(app);
    await expect(aKey(app, id, wanted)).rejects.toMatchObject({ code: 'validation_failed' });
    expect(await keys.ofOrganization(id)).toEqual([]);
  });
});
