import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wordingFor } from '../../../src/api/wording/page-wording.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aKey as anApiKey } from '../../support/builders.js';
import { eventually } from '../../support/eventually.js';
import { anApplication, aPartner, ask, bearer, Browser, tokensOf } from '../../support/oauth.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

type Partner = Awaited<ReturnType<typeof aPartner>>;

const PATH = '/oauth/connections';

async function signedIn({ user, organization }: Partner, browser = new Browser(app.url)) {
  const shown = await browser.visit(`${PATH}?organization=${organization.slug}`);
  const list = await browser.submit(shown, { do: 'sign-in', organization: organization.slug, email: user.email, password: user.password });
  return { browser, list };
}

describe('the page of connected applications', () => {
  it('lists what a user allowed, and since when', async () => {
    const partner = await aPartner(app, { environment: 'live' });
    await tokensOf(app, partner, { scope: 'claim_projects:read usage:read' });
    const { list } = await signedIn(partner);
    expect(list.status).toBe(200);
    const today = wordingFor({ query: {}, headers: {} }).formats.day(new Date().toISOString().slice(0, 10));
    for (const said of ['<h2>Month-end sync</h2>', 'Live: real data', '(claim_projects:read)', '(usage:read)', today])
      expect(list.text).toContain(said);
    expect(list.text).not.toContain('claim_projects:write');
  });

  it('removes an application: its tokens and codes end within a second, and the audit log says who did it', async () => {
    const partner = await aPartner(app, { plan: 'enterprise' });
    const other = { ...partner, application: await anApplication(app, partner.organization.id, { name: 'Another' }) };
    const [first, second, kept] = [await tokensOf(app, partner), await tokensOf(app, partner), await tokensOf(app, other)];
    const { browser, list } = await signedIn(partner);
    const after = await browser.submit(list, { do: 'remove', application: partner.application.id });
    expect(after.text).not.toContain('Month-end sync');
    expect(after.text).toContain('<h2>Another</h2>');
    await eventually(async () => {
      for (const { accessToken } of [first, second]) expect((await bearer(app, accessToken)).status).toBe(401);
    }, 1500);
    for (const { refreshToken } of [first, second]) {
      const refreshed = await ask(app, partner, { grant_type: 'refresh_token', refresh_token: refreshToken });
      expect(refreshed.body).toMatchObject({ error: 'invalid_grant' });
    }
    expect((await bearer(app, kept.accessToken)).status).toBe(200);
    const { key } = await anApiKey(app, partner.organization.id, { environment: 'live' });
    await expect
      .poll(async () =>
        (await fetch(`${app.url}/v1/audit/events?action_prefix=application.access_revoked`, { headers: { 'x-api-key': key } })).json(),
      )
      .toMatchObject({
        data: [{ actor: { type: 'user', id: partner.user.id }, environment: 'test', changes: { reason: { to: 'user' } } }],
      });
  });

  // Repeated, since either of them may be first.
  it('a refresh that runs at the same time leaves no token behind', { repeats: 9 }, async () => {
    const partner = await aPartner(app);
    const { refreshToken } = await tokensOf(app, partner);
    const { browser, list } = await signedIn(partner);
    const [refreshed, removed] = await Promise.all([
      ask(app, partner, { grant_type: 'refresh_token', refresh_token: refreshToken }),
      browser.submit(list, { do: 'remove', application: partner.application.id }),
    ]);
    expect([refreshed.status, removed.status]).toEqual([expect.toBeOneOf([200, 400]), 200]);
    const { access_token: token } = refreshed.body;
    if (token) await eventually(async () => expect((await bearer(app, token)).status).toBe(401), 1500);
  });

  it('shows and removes nothing of another user', async () => {
    const [partner, stranger] = [await aPartner(app), await aPartner(app)];
    const { accessToken } = await tokensOf(app, partner);
    const { browser, list } = await signedIn(stranger);
    expect(list.text).toContain('No application may act for you.');
    for (const application of [partner.application.id, 'x', '']) await browser.submit(list, { do: 'remove', application });
    expect((await bearer(app, accessToken)).status).toBe(200);
  });

  it('changes nothing without the CSRF token of its form, or from another site', async () => {
    const partner = await aPartner(app);
    const { accessToken } = await tokensOf(app, partner);
    const { browser } = await signedIn(partner);
    for (const csrf of ['', 'wrong']) await browser.visit(PATH, { csrf, do: 'remove', application: partner.application.id });
    const crossSite = await fetch(app.url + PATH, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'sec-fetch-site': 'cross-site' },
      body: new URLSearchParams({ do: 'sign-in', organization: partner.organization.slug, ...partner.user }),
    });
    expect([crossSite.status, crossSite.headers.get('set-cookie')]).toEqual([303, null]);
    expect((await bearer(app, accessToken)).status).toBe(200);
  });

  it('asks for a sign-in, says the same of every wrong one, and ends it', async () => {
    const partner = await aPartner(app);
    const { user, organization } = partner;
    const browser = new Browser(app.url);
    const form = { do: 'sign-in', organization: organization.slug, email: user.email, password: user.password };
    for (const wrong of [{ password: 'wrong' }, { email: 'nobody@example.com' }, { organization: 'nowhere' }]) {
      const shown = await browser.submit(await browser.visit(PATH), { ...form, ...wrong });
      expect([shown.status, shown.text]).toEqual([400, expect.stringContaining('The e-mail address or the password is wrong.')]);
    }
    const { list } = await signedIn(partner, browser);
    expect(list.text).toContain('Connected applications');
    expect(list.headers.get('content-security-policy')).toContain("default-src 'none'");
    const after = await browser.submit(list, { do: 'sign-out' });
    expect(after.text).toContain('name="password"');
    expect((await browser.visit(PATH)).text).toContain('name="password"');
  });
});
