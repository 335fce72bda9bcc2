import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeKey } from '../../../src/modules/api-keys/key-format.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aKey, anOrganization, aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { rowsOf } from '../../support/database.js';
import { startProcess, type TestProcess } from '../../support/process.js';

// Trusts its proxies, so that a test can set any client address.
let app: TestApp;
/** The same without trusted proxies. */
let direct: TestProcess;
beforeAll(async () => {
  app = await startApp({ TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8, 2001:db8:ffff::/48' });
  direct = await startProcess({ DATABASE_URL: app.databaseUrl });
});
afterAll(async () => {
  await direct.stop();
  await app.close();
});

const from = (...addresses: string[]) => ({ 'X-Forwarded-For': addresses.join(', ') });

async function aKeyFor(...ipAllowlist: string[]): Promise<string> {
  return (await aKey(app, (await anOrganization(app)).id, { ipAllowlist })).key;
}

describe('the IP allowlist of a key', () => {
  it.each([
    ['203.0.113.7', ['203.0.113.7'], ['203.0.113.8', '203.0.113.70', '::1']],
    ['203.0.113.0/24', ['203.0.113.0', '203.0.113.255'], ['203.0.112.255', '203.0.114.0']],
    ['203.0.113.64/26', ['203.0.113.64', '203.0.113.127'], ['203.0.113.63', '203.0.113.128']],
    ['203.0.113.99/26', ['203.0.113.64', '203.0.113.127'], ['203.0.113.63', '203.0.113.128']],
    ['0.0.0.0/0', ['1.2.3.4', '255.255.255.255'], ['2001:db8::1']],
    ['2001:db8::1', ['2001:db8::1', '2001:0DB8:0:0:0:0:0:1'], ['2001:db8::2', '2001:db8::1:1']],
    ['2001:db8:a::/48', ['2001:db8:a::', '2001:db8:a:ffff:ffff:ffff:ffff:ffff'], ['2001:db8:9:ffff::', '2001:db8:b::']],
    ['::/0', ['2001:db8::1'], ['203.0.113.7']],
    ['203.0.113.7', ['::ffff:203.0.113.7', '::ffff:cb00:7107'], ['::ffff:203.0.113.8']],
  ])('with %s accepts %j and refuses %j', async (entry, inside, outside) => {
    const api = new Client(app.url, await aKeyFor('198.51.100.1', entry));
    for (const address of [...inside, '198.51.100.1']) expect((await api.get('/v1', from(address))).status, address).toBe(200);
    for (const address of outside) {
      const { status, body } = await api.get('/v1', from(address));
      expect([status, body.code], address).toEqual([403, 'ip_not_allowed']);
    }
  });

  it('is checked for every call, before scope and rate limit', async () => {
    const { id } = await anOrganization(app);
    const api = new Client(app.url, (await aKey(app, id, { scopes: [], ipAllowlist: ['203.0.113.7'] })).key);
    const calls = [
      api.get('/v1'),
      api.get('/v1/auth/context'),
      api.get('/v1/usage'),
      api.post('/v1/claim-projects', {}),
      api.get('/v1/claim-projects/nonsense'),
    ];
    for (const answer of await Promise.all(calls)) {
      expect([answer.status, answer.body.code]).toEqual([403, 'ip_not_allowed']);
      expect(answer.body.detail).toContain('127.0.0.1');
    }
  });

  it('is in the context of the credential', async () => {
    const api = new Client(app.url, await aKeyFor('203.0.113.0/24', '2001:db8::1'));
    expect((await api.get('/v1/auth/context', from('203.0.113.9'))).body.credential.ipAllowlist).toEqual(['203.0.113.0/24', '2001:db8::1']);
  });
});

describe('X-Forwarded-For', () => {
  it('is ignored if the connection is not from a trusted proxy', async () => {
    const key = await aKeyFor('203.0.113.7');
    for (const [name, value] of [
      ['X-Forwarded-For', '203.0.113.7'],
      ['Forwarded', 'for=203.0.113.7'],
      ['X-Real-IP', '203.0.113.7'],
    ] as const) {
      const { status, body } = await new Client(direct.url, key).get('/v1', { [name]: value });
      expect([status, body.code]).toEqual([403, 'ip_not_allowed']);
      expect(body.detail).toContain('127.0.0.1');
    }
    expect((await new Client(direct.url, await aKeyFor('127.0.0.1')).get('/v1', from('203.0.113.7'))).status).toBe(200);
  });

  it('is read from the right, up to the first address that is not a trusted proxy', async () => {
    const api = new Client(app.url, await aKeyFor('203.0.113.7'));
    const statusFrom = async (...addresses: string[]) => (await api.get('/v1', from(...addresses))).status;
    expect(await statusFrom('203.0.113.7', '10.1.2.3')).toBe(200);
    expect(await statusFrom('198.51.100.66', '203.0.113.7', '10.1.2.3', '10.3.2.1')).toBe(200);
    expect(await statusFrom('203.0.113.7', '2001:db8:ffff::5')).toBe(200);
    expect(await statusFrom('203.0.113.7', '198.51.100.66')).toBe(403);
    expect(await statusFrom('203.0.113.7', '198.51.100.66', '10.1.2.3')).toBe(403);
  });

  it.each([
    'nonsense',
    '::ffff:nonsense',
    '203.0.113.7:4711',
    '[2001:db8::1]',
    '203.0.113.7 203.0.113.7',
    ',',
    '999.1.1.1',
    'unknown',
    '203.0.113.7,',
  ])('with the value %j never passes an allowlist, and causes no error', async (text) => {
    const { status, body } = await new Client(app.url, await aKeyFor('198.51.100.1')).get('/v1', { 'X-Forwarded-For': text });
    expect([status, body.code]).toEqual([403, 'ip_not_allowed']);
    expect((await new Client(app.url, await aKeyFor()).get('/v1', { 'X-Forwarded-For': text })).status).toBe(200);
  });

  it('decides which address the audit event has', async () => {
    const { key, organization } = await aTenant(app);
    const create = (name: string, address: string) =>
      new Client(app.url, key).post('/v1/claim-projects', { name, periodStart: '2026-01-01', periodEnd: '2026-12-31' }, from(address));
    await create('One', '::ffff:203.0.113.9');
    await create('Two', '2001:db8::9');
    const rows = await rowsOf<{ ip_address: string }>(
      app.databaseUrl,
      `SELECT ip_address FROM audit_entries WHERE organization_id = $1 AND actor_type = 'api' ORDER BY ordinal`,
      [organization.id],
    );
    expect(rows.map(({ ip_address: address }) => address)).toEqual(['203.0.113.9', '2001:db8::9']);
  });
});

describe('failed credentials', () => {
  it('get 401 for 60 a minute from one address, then 429, while valid keys from there still work', async () => {
    const address = from('203.0.113.60');
    const failures = [undefined, makeKey('test'), 'nonsense'].map((key) => new Client(app.url, key));
    const answers = await Promise.all(Array.from({ length: 120 }, (_, index) => failures[index % 3]!.get('/v1', address)));
    const limited = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 401).length).toBeGreaterThanOrEqual(60);
    expect(limited.length).toBeGreaterThan(40);
    for (const { body, headers } of limited) {
      expect(body).toMatchObject({ code: 'rate_limited', retry: 'later' });
      expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
      expect(headers['www-authenticate']).toBeUndefined();
    }
    const { key } = await aTenant(app);
    for (let times = 0; times < 5; times += 1) expect((await new Client(app.url, key).get('/v1', address)).status).toBe(200);
    expect((await failures[0]!.get('/v1', from('203.0.113.61'))).status).toBe(401);
  });

  it('are counted by address, not by key or by headers of the caller', async () => {
    const api = new Client(app.url, makeKey('live'));
    const answers = await Promise.all(Array.from({ length: 90 }, (_, index) => api.get('/v1', from(`192.0.2.${index}`, '203.0.113.62'))));
    expect(answers.some(({ status }) => status === 429)).toBe(true);
  });

  it('do not include refusals of a valid key', async () => {
    const address = from('203.0.113.63');
    const api = new Client(app.url, await aKeyFor('198.51.100.1'));
    const answers = await Promise.all(Array.from({ length: 90 }, () => api.get('/v1', address)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([403]));
    expect((await new Client(app.url).get('/v1', address)).status).toBe(401);
  });
});
