import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';
import { Client } from '../support/client.js';
import { aVisitor, aVisitorOf, textOf, type Visitor } from '../support/console.js';
import { eventually } from '../support/eventually.js';
import { rowsOf } from '../support/database.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const PATH = '/console/test/keys';

/** Creates a key by the form. Returns the key and the path of its page. */
async function made({ browser }: Visitor, fields: Record<string, string | string[]> = {}) {
  const shown = await browser.fill(`${PATH}/new`, { name: 'Ledger', ...fields });
  const key = /pk_test_\w{38}/.exec(shown.text)?.[0] ?? '';
  return { shown, key, path: /href="(\/console\/test\/keys\/[\w-]{36})"/.exec(shown.text)?.[1] ?? '' };
}

const actionsOf = ({ organization }: Visitor) =>
  rowsOf<{ action: string; actor_type: string }>(
    app.databaseUrl,
    `SELECT action, actor_type FROM audit_entries
     WHERE organization_id = $1 AND action LIKE 'api_key.%' AND action <> 'api_key.refused' ORDER BY ordinal`,
    [organization.id],
  );

it('a new key is shown once, with a call that works', async () => {
  const visitor = await aVisitor(app);
  const { shown, key, path } = await made(visitor);
  expect(textOf(shown.text)).toContain(`curl ${app.url}/v1/auth/context -H 'X-API-Key: ${key}'`);
  expect((await new Client(app.url, key).get('/v1/auth/context')).body).toMatchObject({
    credential: { name: 'Ledger', environment: 'test' },
  });
  for (const page of [path, PATH]) expect((await visitor.browser.visit(page)).text).not.toContain(key);
  expect(await actionsOf(visitor)).toEqual([{ action: 'api_key.created', actor_type: 'user' }]);
});

it('has the scopes, addresses and expiry that were chosen', async () => {
  const visitor = await aVisitor(app);
  const { key } = await made(visitor, { scopes: ['claim_projects:read'], ipAllowlist: '127.0.0.1\n10.0.0.0/8', expires: '30' });
  const { credential } = (await new Client(app.url, key).get('/v1/auth/context')).body as { credential: Record<string, unknown> };
  expect(credential).toMatchObject({ scopes: ['claim_projects:read'], ipAllowlist: ['127.0.0.1', '10.0.0.0/8'] });
  const days = (Date.parse(credential.expiresAt as string) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(29.9);
  expect(days).toBeLessThan(30.1);
});

it('says at the field what is wrong', async () => {
  const { browser } = await aVisitor(app);
  const shown = await browser.fill(`${PATH}/new`, { name: 'Ledger', ipAllowlist: 'nowhere' });
  expect(shown.status).toBe(400);
  expect(shown.text).toMatch(/<textarea[^>]*aria-invalid="true"[^>]*>nowhere/);
  expect(textOf(shown.text)).toContain('contains nowhere, which is not an IPv4 or IPv6 address or CIDR');
});

it('can be changed, rotated and revoked, and each is recorded', async () => {
  const visitor = await aVisitor(app);
  const { key, path } = await made(visitor);
  await visitor.browser.fill(`${path}/edit`, { name: 'Ledger two', scopes: ['usage:read'] });
  const rotated = await visitor.browser.fill(path, { hours: '1' }, `${path}/rotate`);
  const next = /pk_test_\w{38}/.exec(rotated.text)![0];
  expect(next).not.toBe(key);
  expect((await new Client(app.url, next).get('/v1/usage')).status).toBe(200);
  // A change is in force within a second.
  await eventually(async () => expect((await new Client(app.url, key).get('/v1/claim-projects')).status).toBe(403));
  await eventually(async () => expect((await visitor.browser.visit(path)).text).toContain('The key was used in the last hour'));
  await visitor.browser.fill(path, {}, `${path}/revoke`);
  await eventually(async () => expect((await new Client(app.url, key).get('/v1/usage')).status).toBe(401));
  expect((await visitor.browser.visit(path)).text).toContain('Revoked');
  const actions = (await actionsOf(visitor)).map(({ action }) => action);
  expect(actions).toEqual(['api_key.created', 'api_key.updated', 'api_key.rotated', 'api_key.created', 'api_key.revoked']);
});

it('is out of reach for members, and for people of another organization or environment', async () => {
  const owner = await aVisitor(app);
  const { path, key } = await made(owner);
  const member = await aVisitorOf(app, owner.organization, { role: 'member' });
  const stranger = await aVisitor(app);
  const csrfOf = async ({ browser }: Visitor): Promise<string> =>
    /name="csrf" value="([^"]+)"/.exec((await browser.visit('/console/test')).text)![1]!;
  expect((await member.browser.visit(PATH)).status).toBe(403);
  expect((await member.browser.visit('/console/test')).text).not.toContain('API keys');
  for (const [visitor, expected] of [
    [member, 403],
    [stranger, 404],
  ] as const) {
    const csrf = await csrfOf(visitor);
    expect((await visitor.browser.visit(path)).status).toBe(expected);
    for (const action of ['edit', 'rotate', 'revoke'])
      expect((await visitor.browser.visit(`${path}/${action}`, { csrf, name: 'x', hours: '0' })).status).toBe(expected);
  }
  expect((await owner.browser.visit(path.replace('/test/', '/live/'))).status).toBe(404);
  expect((await new Client(app.url, key).get('/v1/auth/context')).status).toBe(200);
});
