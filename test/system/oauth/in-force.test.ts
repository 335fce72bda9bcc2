import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApplicationsService } from '../../../src/modules/oauth/index.js';
import { OAuthExpiry } from '../../../src/modules/oauth/storage/oauth-storage.js';
import { OrganizationService } from '../../../src/modules/organization/index.js';
import { UsersService } from '../../../src/modules/users/index.js';
import { OPERATOR } from '../../../src/kernel/context.js';
import { startApp, type TestApp } from '../../support/app.js';
import { rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { allow, anApplication, aPartner, ask, authorizeUrl, bearer, Browser, tokensOf } from '../../support/oauth.js';
import { startProcess, type TestProcess } from '../../support/process.js';

/** Changes take effect within a second. The rest is slack for a busy machine. */
const SOON_MS = 1500;

// A change on one replica must take effect on both.
let here: TestApp;
let replica: TestProcess;
beforeAll(async () => {
  here = await startApp({ TRUSTED_PROXIES: '127.0.0.0/8' });
  replica = await startProcess({ DATABASE_URL: here.databaseUrl, BASE_URL: here.url, TRUSTED_PROXIES: '127.0.0.0/8' });
});
afterAll(async () => {
  await replica.stop();
  await here.close();
});

type Partner = Awaited<ReturnType<typeof aPartner>>;

const PROJECTS = '/v1/claim-projects';
const both = () => [here, { ...here, url: replica.url }];
const statusesOf = (token: string, path = PROJECTS) => Promise.all(both().map(async (app) => (await bearer(app, token, path)).status));
const soon = (token: string, status: number, path = PROJECTS) =>
  eventually(async () => expect(await statusesOf(token, path)).toEqual([status, status]), SOON_MS);
const INVALID = { status: 401, body: { error: 'invalid_client' } };

/** A partner with a client credentials token and a user's token. Both replicas have them in their caches. */
async function aPartnerInUse(wanted: Parameters<typeof aPartner>[1] = {}) {
  const partner = await aPartner(here, wanted);
  const own = (await ask(here, partner, { grant_type: 'client_credentials' })).body.access_token!;
  const { accessToken: forUser, refreshToken } = await tokensOf(here, partner, { scope: undefined });
  for (const token of [own, forUser]) expect(await statusesOf(token)).toEqual([200, 200]);
  return { ...partner, own, forUser, refreshToken };
}

const refresh = (partner: Pick<Partner, 'application'>, refreshToken: string) =>
  both().map((app) => ask(app, partner, { grant_type: 'refresh_token', refresh_token: refreshToken }));

describe('within a second, on every replica', () => {
  it('a suspended application is refused everywhere, until it is approved again', async () => {
    const partner = await aPartnerInUse();
    const { application, own, forUser, refreshToken } = partner;
    await here.app.get(ApplicationsService).setStatus(OPERATOR, application.id, 'suspended');
    for (const token of [own, forUser]) await soon(token, 401);
    await eventually(async () => {
      for (const app of both()) expect(await ask(app, partner, { grant_type: 'client_credentials' })).toMatchObject(INVALID);
      for (const answer of refresh(partner, refreshToken)) expect(await answer).toMatchObject(INVALID);
      for (const { url } of both()) expect((await fetch(authorizeUrl(url, partner), { redirect: 'manual' })).status).toBe(400);
    }, SOON_MS);
    await here.app.get(ApplicationsService).setStatus(OPERATOR, application.id, 'approved');
    for (const token of [own, forUser]) await soon(token, 200);
  });

  it('a suspended application cannot finish a consent that was started before', async () => {
    const partner = await aPartner(here);
    const browser = new Browser(here.url);
    const consent = await browser.submit(await browser.visit(authorizeUrl(here.url, partner)), {
      do: 'sign-in',
      email: partner.user.email,
      password: partner.user.password,
    });
    await here.app.get(ApplicationsService).setStatus(OPERATOR, partner.application.id, 'suspended');
    await eventually(async () => expect((await browser.visit(consent.url.href)).status).toBe(400), SOON_MS);
    const answer = await browser.submit(consent, { do: 'allow' });
    expect([answer.status, answer.url.origin]).toEqual([400, here.url]);
  });

  it('a removed user’s tokens are refused and not refreshed, and client credentials tokens still work', async () => {
    const partner = await aPartnerInUse();
    await here.app.get(UsersService).remove(OPERATOR, partner.user.id);
    await soon(partner.forUser, 401);
    for (const answer of refresh(partner, partner.refreshToken))
      expect(await answer).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(await statusesOf(partner.own)).toEqual([200, 200]);
  });

  it('a removed user’s browser is signed out', async () => {
    const partner = await aPartner(here);
    const browser = new Browser(here.url);
    await allow(here, partner, {}, browser);
    await here.app.get(UsersService).remove(OPERATOR, partner.user.id);
    const asked = await browser.visit(authorizeUrl(here.url, partner));
    expect([asked.url.origin, asked.text.includes('name="password"')]).toEqual([here.url, true]);
  });

  it('a lower plan takes effect on tokens', async () => {
    const { organization, own, forUser } = await aPartnerInUse();
    for (const token of [own, forUser]) expect(await statusesOf(token, '/v1/webhooks')).toEqual([200, 200]);
    await here.app.get(OrganizationService).change(OPERATOR, organization.id, { plan: 'growth' });
    for (const token of [own, forUser]) await soon(token, 403, '/v1/webhooks');
    expect(await statusesOf(own)).toEqual([200, 200]);
  });

  it('a suspended organization’s tokens are refused, and accepted again when it is active', async () => {
    const { organization, own, forUser } = await aPartnerInUse();
    await here.app.get(OrganizationService).change(OPERATOR, organization.id, { status: 'suspended' });
    for (const token of [own, forUser]) await soon(token, 403);
    await here.app.get(OrganizationService).change(OPERATOR, organization.id, { status: 'active' });
    for (const token of [own, forUser]) await soon(token, 200);
  });

  it('a scope that an application loses is removed from its tokens, and a refresh does not bring it back', async () => {
    const partner = await aPartnerInUse();
    await rowsOf(here.databaseUrl, `UPDATE oauth_applications SET scopes = array_remove(scopes, 'claim_projects:read') WHERE id = $1`, [
      partner.application.id,
    ]);
    for (const token of [partner.own, partner.forUser]) await soon(token, 403);
    expect(await statusesOf(partner.own, '/v1/usage')).toEqual([200, 200]);
    const refreshed = await refresh(partner, partner.refreshToken)[0]!;
    expect(refreshed).toMatchObject({ status: 200, body: { scope: expect.not.stringContaining('claim_projects:read') } });
    expect(await statusesOf(refreshed.body.access_token!)).toEqual([403, 403]);
  });

  it('a new secret works, and the old one until the overlap ends', async () => {
    const partner = await aPartner(here);
    const { id, clientId, clientSecret: old } = partner.application;
    const asks = (clientSecret: string) =>
      Promise.all(
        both().map(
          async (app) => (await ask(app, { application: { id, clientId, clientSecret } }, { grant_type: 'client_credentials' })).status,
        ),
      );
    expect(await asks(old)).toEqual([200, 200]);
    const { clientSecret } = await here.app.get(ApplicationsService).rotateSecret(OPERATOR, id, 60_000);
    await eventually(async () => expect(await asks(clientSecret!)).toEqual([200, 200]), SOON_MS);
    expect(await asks(old)).toEqual([200, 200]);
    await rowsOf(here.databaseUrl, 'UPDATE oauth_applications SET previous_secret_expires_at = now() WHERE id = $1', [id]);
    await eventually(async () => expect(await asks(old)).toEqual([401, 401]), SOON_MS);
    expect(await asks(clientSecret!)).toEqual([200, 200]);
  });

  it('a revoked token is refused', async () => {
    const partner = await aPartnerInUse();
    for (const token of [partner.own, partner.forUser]) {
      expect((await ask({ ...here, url: replica.url }, partner, { token }, '/oauth/revoke')).status).toBe(200);
      await soon(token, 401);
    }
  });
});

it('an application that is not approved yet is refused', async () => {
  const partner = await aPartner(here, { isPending: true });
  for (const app of both()) {
    expect(await ask(app, partner, { grant_type: 'client_credentials' })).toMatchObject(INVALID);
    expect((await fetch(authorizeUrl(app.url, partner), { redirect: 'manual' })).status).toBe(400);
  }
  await here.app.get(ApplicationsService).setStatus(OPERATOR, partner.application.id, 'approved');
  await eventually(async () => expect((await ask(here, partner, { grant_type: 'client_credentials' })).status).toBe(200), SOON_MS);
});

it('an application sees only data of its own environment', async () => {
  const { organization, application } = await aPartner(here);
  const live = { application: await anApplication(here, organization.id, { environment: 'live' }) };
  const [test, other] = await Promise.all(
    [{ application }, live].map(async (partner) => (await ask(here, partner, { grant_type: 'client_credentials' })).body.access_token!),
  );
  const made = await fetch(new URL(PROJECTS, here.url), {
    method: 'POST',
    headers: { authorization: `Bearer ${test}`, 'idempotency-key': 'one', 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Berlin', periodStart: '2026-01-01', periodEnd: '2026-12-31' }),
  });
  const { id } = (await made.json()) as { id: string };
  expect(await statusesOf(test!, `${PROJECTS}/${id}`)).toEqual([200, 200]);
  expect(await statusesOf(other!, `${PROJECTS}/${id}`)).toEqual([404, 404]);
  expect(await (await bearer(here, other!)).json()).toMatchObject({ data: [] });
});

it('a job removes records that expired more than a day ago', async () => {
  const partner = await aPartner(here);
  const tokens = await Promise.all(
    Array.from({ length: 3 }, async () => (await ask(here, partner, { grant_type: 'client_credentials' })).body.access_token!),
  );
  const rows = () =>
    rowsOf<{ hours: number }>(
      here.databaseUrl,
      `SELECT round(extract(epoch FROM now() - expires_at) / 3600)::int AS hours FROM oauth_records WHERE client_id = $1 ORDER BY 1`,
      [partner.application.clientId],
    );
  await rowsOf(
    here.databaseUrl,
    `WITH numbered AS (SELECT id_hash, row_number() OVER () AS n FROM oauth_records WHERE client_id = $1)
    UPDATE oauth_records record SET expires_at = now() - (ARRAY['-1 hour', '23 hours', '25 hours'])[n]::interval
    FROM numbered WHERE numbered.id_hash = record.id_hash`,
    [partner.application.clientId],
  );
  expect(await rows()).toEqual([{ hours: -1 }, { hours: 23 }, { hours: 25 }]);
  await here.app.get(OAuthExpiry, { strict: false }).expire();
  expect(await rows()).toEqual([{ hours: -1 }, { hours: 23 }]);
  const statuses = await Promise.all(tokens.map(async (token) => (await bearer(here, token)).status));
  expect(statuses.sort()).toEqual([200, 401, 401]);
});
