import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR } from '../../../src/kernel/context.js';
import { codeAt } from '../../support/users.js';
import { Accounts } from '../../../src/modules/users/index.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aKey as anApiKey } from '../../support/builders.js';
import { aUser, aPartner, ask, authorizeUrl, aVerifier, bearer, Browser, CALLBACK, challengeOf } from '../../support/oauth.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

type Partner = Awaited<ReturnType<typeof aPartner>>;

const SCOPE = 'claim_projects:read claim_projects:write usage:read';
const verifier = aVerifier();
const address = (partner: Partner, more: Record<string, string> = {}) =>
  authorizeUrl(app.url, partner, { scope: SCOPE, code_challenge: challengeOf(verifier), ...more });
const signIn = ({ email, password }: Partner['user']) => ({ do: 'sign-in', email, password });

/** The consent page, after the sign-in. */
async function consentOf(partner: Partner, more: Record<string, string> = {}, browser = new Browser(app.url)) {
  const shown = await browser.visit(address(partner, more));
  return { browser, shown: shown.text.includes('name="password"') ? await browser.submit(shown, signIn(partner.user)) : shown };
}

async function tokensFor(partner: Partner, { searchParams }: URL) {
  const exchange = { grant_type: 'authorization_code', code: searchParams.get('code')!, redirect_uri: CALLBACK, code_verifier: verifier };
  return (await ask(app, partner, exchange)).body;
}

async function auditRows({ organization }: Partner, action: string) {
  const { key } = await anApiKey(app, organization.id, { environment: 'live' });
  const answer = await fetch(`${app.url}/v1/audit/events?action_prefix=${action}`, { headers: { 'x-api-key': key } });
  return ((await answer.json()) as { data: unknown[] }).data;
}

describe('the consent', () => {
  it('says what the application can do by resource, with which data, for how long, and how to end it', async () => {
    const { shown } = await consentOf(await aPartner(app, { environment: 'live' }));
    const text = shown.text.replace(/<style>.*<\/style>/s, '');
    for (const said of [
      '<legend>Claim projects</legend>',
      '<legend>Usage</legend>',
      'Live: real data.',
      '365 days',
      'href="/oauth/connections"',
    ])
      expect(text).toContain(said);
    const test = (await consentOf(await aPartner(app))).shown.text;
    expect(test).toContain('<strong>Test: no real data.</strong>');
    expect(test).not.toContain('Live');
  });

  it('gives the token what was not left out, and the audit log says both', async () => {
    const partner = await aPartner(app, { plan: 'enterprise' });
    const { browser, shown } = await consentOf(partner);
    const { url } = await browser.submit(shown, { do: 'allow', scope: ['claim_projects:read', 'usage:read', 'audit:read'] });
    const tokens = await tokensFor(partner, url);
    expect(tokens.scope!.split(' ').sort()).toEqual(['claim_projects:read', 'usage:read']);
    expect((await bearer(app, tokens.access_token!)).status).toBe(200);
    const refreshed = await ask(app, partner, { grant_type: 'refresh_token', refresh_token: tokens.refresh_token! });
    expect(refreshed.body.scope!.split(' ').sort()).toEqual(['claim_projects:read', 'usage:read']);
    await expect
      .poll(() => auditRows(partner, 'application.access_given'))
      .toMatchObject([{ changes: { scopes: { to: ['claim_projects:read', 'usage:read'] }, leftOut: { to: ['claim_projects:write'] } } }]);
  });

  it('asks again if nothing was chosen', async () => {
    const { browser, shown } = await consentOf(await aPartner(app));
    const again = await browser.submit(shown, { do: 'allow', scope: [] });
    expect([again.status, again.text]).toEqual([400, expect.stringContaining('Choose at least one permission, or refuse.')]);
    expect((await browser.submit(again, { do: 'allow' })).url.origin).toBe(new URL(CALLBACK).origin);
  });

  it('is not asked again for what was left out, unless the application asks for a new decision', async () => {
    const partner = await aPartner(app);
    const { browser, shown } = await consentOf(partner);
    const first = await tokensFor(partner, (await browser.submit(shown, { do: 'allow', scope: ['claim_projects:read'] })).url);
    const silent = await browser.visit(address(partner));
    expect((await tokensFor(partner, silent.url)).scope).toBe('claim_projects:read');
    const { shown: again } = await consentOf(partner, { prompt: 'consent' }, browser);
    expect(again.text).toContain('asks you to confirm what you allowed before');
    expect([...again.text.matchAll(/name="scope" value="([^"]+)" checked/g)].map(([, scope]) => scope)).toEqual(['claim_projects:read']);
    const { url } = await browser.submit(again, { do: 'allow', scope: ['usage:read'] });
    expect((await tokensFor(partner, url)).scope).toBe('usage:read');
    const ended = await ask(app, partner, { grant_type: 'refresh_token', refresh_token: first.refresh_token! });
    expect(ended.body).toMatchObject({ error: 'invalid_grant' });
  });

  it('is asked each time for an application without a secret that takes its answer on a device', async () => {
    const onDevice = 'http://127.0.0.1:7777/callback';
    const partner = await aPartner(app, { isPublic: true, redirectUris: [onDevice, CALLBACK] });
    const { browser, shown } = await consentOf(partner, { redirect_uri: onDevice });
    expect((await browser.submit(shown, { do: 'allow' })).url.searchParams.get('code')).toBeTruthy();
    const again = await consentOf(partner, { redirect_uri: onDevice }, browser);
    expect(again.shown.text).toContain('value="allow"');
    expect((await browser.submit(again.shown, { do: 'allow' })).url.origin).toBe(new URL(onDevice).origin);
    const silent = await browser.visit(address(partner, { redirect_uri: onDevice, prompt: 'none' }));
    expect(silent.url.searchParams.get('error')).toBe('consent_required');
    // Only the site itself gets the answers of this one.
    expect((await browser.visit(address(partner))).url.searchParams.get('code')).toBeTruthy();
  });

  it('can be given by another account than the one that is signed in', async () => {
    const partner = await aPartner(app);
    const colleague = await aUser(app, partner.organization.id);
    const { browser, shown } = await consentOf(partner);
    const login = await browser.submit(shown, { do: 'other-account' });
    expect([login.status, login.text.includes('name="password"')]).toEqual([200, true]);
    const consent = await browser.submit(login, signIn(colleague));
    expect(consent.text).toContain('value="allow"');
    const tokens = await tokensFor(partner, (await browser.submit(consent, { do: 'allow' })).url);
    expect((await ask(app, partner, { token: tokens.access_token! }, '/oauth/introspect')).body.sub).toBe(colleague.id);
  });

  it('is given by a user of another organization after a new sign-in, in the same browser', async () => {
    const [partner, stranger] = [await aPartner(app), await aPartner(app)];
    const { browser, shown } = await consentOf(stranger);
    await browser.submit(shown, { do: 'allow' });
    const { shown: consent } = await consentOf(partner, {}, browser);
    expect(consent.text).toContain('value="allow"');
    expect((await browser.submit(consent, { do: 'allow' })).url.searchParams.get('code')).toBeTruthy();
  });
});

describe('a sign-in with a second factor', () => {
  async function aCarefulPartner() {
    const partner = await aPartner(app);
    const { secret } = await app.app.get(Accounts).enableTotp(OPERATOR, partner.user.id);
    const browser = new Browser(app.url);
    return { partner, secret, browser, login: await browser.visit(address(partner)) };
  }

  it('asks for the code on a page of its own, after the right password only', async () => {
    const { partner, secret, browser, login } = await aCarefulPartner();
    expect(login.text).not.toContain('name="code"');
    const wrong = await browser.submit(login, { ...signIn(partner.user), password: 'wrong' });
    const unknown = await browser.submit(login, { ...signIn(partner.user), email: 'nobody@example.com' });
    for (const page of [wrong, unknown]) {
      expect([page.status, page.text.includes('name="code"')]).toEqual([400, false]);
      expect(page.text).toContain('The e-mail address or the password is wrong.');
    }
    const code = await browser.submit(login, signIn(partner.user));
    expect([code.status, code.text.includes('name="code"'), code.text.includes('name="password"')]).toEqual([200, true, false]);
    expect(code.text).not.toContain(partner.user.password);
    const proof = /name="proof" value="([^"]+)"/.exec(code.text)![1]!;
    const step = (given: string) => ({ do: 'sign-in', email: partner.user.email, proof, code: given });
    const again = await browser.submit(code, step('000000'));
    expect([again.status, again.text]).toEqual([400, expect.stringContaining('This code is wrong or has expired.')]);
    expect((await browser.submit(again, step(codeAt(secret, new Date())))).text).toContain('value="allow"');
  });

  it('begins again with a proof that is forged', async () => {
    const { partner, secret, browser, login } = await aCarefulPartner();
    const code = codeAt(secret, new Date());
    const shown = await browser.submit(login, { do: 'sign-in', email: partner.user.email, proof: 'forged', code });
    expect([shown.status, shown.text]).toEqual([400, expect.stringContaining('This took too long. Sign in again.')]);
    expect(shown.text).toContain('name="password"');
  });
});
