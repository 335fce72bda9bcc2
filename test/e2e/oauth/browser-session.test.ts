import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR } from '../../../src/kernel/context.js';
import { OrganizationService } from '../../../src/modules/organization/index.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aVisitorOf, ConsoleBrowser } from '../../support/console.js';
import { rowsOf } from '../../support/database.js';
import { allow, aPartner, ask, authorizeUrl, PASSWORD, tokensOf } from '../../support/oauth.js';
import { accountsOf, usersOf } from '../../support/users.js';

// A session of the authorization server once went on for eight hours after the password was changed, passwords were switched off or a
// second factor was required: with new tokens and with more scopes. A browser has one session now, that of the console.
let app: TestApp;
beforeAll(async () => {
  app = await startApp({ TRUSTED_PROXIES: '127.0.0.0/8' });
});
afterAll(() => app.close());

const ACCOUNT = '/console/test/account';

/** Somebody who has signed in for an application, and allowed it. */
async function withAnApplication() {
  const partner = await aPartner(app);
  const browser = new ConsoleBrowser(app.url);
  await allow(app, partner, {}, browser);
  return { ...partner, browser };
}

type Person = Awaited<ReturnType<typeof withAnApplication>>;

const errorOf = async ({ browser, ...partner }: Person): Promise<string | null> =>
  (await browser.visit(authorizeUrl(app.url, partner, { prompt: 'none' }))).url.searchParams.get('error');

const switchPasswordsOff = (organizationId: string) =>
  rowsOf(
    app.databaseUrl,
    `INSERT INTO identity_providers (id, organization_id, issuer, client_id, client_secret, email_domains, default_role, role_claim,
        admin_values, member_values, passwords_allowed, created_at, updated_at)
      SELECT gen_random_uuid(), $1, 'https://id.example', 'us', '\\x00', '{example.com}', 'member', NULL, '{}', '{}', false, now(), now()`,
    [organizationId],
  );

describe('a browser that was signed in for an application', () => {
  it('gets a further code without a question, is signed in to the console, and is listed there', async () => {
    const person = await withAnApplication();
    expect(await errorOf(person)).toBeNull();
    const account = await person.browser.visit(ACCOUNT);
    expect(account.url.pathname).toBe(ACCOUNT);
    expect(account.text).toContain('This browser');
  });

  const ends: [string, (person: Person) => Promise<unknown>][] = [
    ['the password is changed in another browser', (person) => changePassword(person)],
    ['the operator sets a new password', ({ user }) => accountsOf(app).setPassword(OPERATOR, user.id, 'a new and much better password')],
    ['passwords are switched off', ({ organization }) => switchPasswordsOff(organization.id)],
    [
      'a second factor is required',
      ({ organization }) => app.app.get(OrganizationService).change(OPERATOR, organization.id, { requireSecondFactor: true }),
    ],
    ['the user is removed', ({ user }) => usersOf(app).remove(OPERATOR, user.id)],
    ['the person ends the session from another browser', (person) => endFromElsewhere(person, 'this')],
    ['the person signs out everywhere else', (person) => endFromElsewhere(person, 'all')],
    ['the person signs out in this browser', ({ browser }) => browser.fill(ACCOUNT, {}, '/console/sign-out')],
  ];
  it.each(ends)('gets no further code once %s', async (_what, end) => {
    const person = await withAnApplication();
    await end(person);
    expect(await errorOf(person)).toBe('login_required');
    const asked = await person.browser.visit(authorizeUrl(app.url, person, { scope: 'claim_projects:write' }));
    expect([asked.text.includes('name="password"'), asked.text.includes('value="allow"')]).toEqual([true, false]);
  });

  it('does not allow what it was asked before it was signed out', async () => {
    const partner = await aPartner(app);
    const browser = new ConsoleBrowser(app.url);
    const asked = await browser.visit(authorizeUrl(app.url, partner));
    const consent = await browser.submit(asked, { do: 'sign-in', email: partner.user.email, password: PASSWORD });
    expect(consent.text).toContain('value="allow"');
    await accountsOf(app).setPassword(OPERATOR, partner.user.id, 'a new and much better password');
    const answer = await browser.submit(consent, { do: 'allow' });
    expect([answer.url.origin, answer.text.includes('name="password"')]).toEqual([app.url, true]);
    expect(await rowsOf(app.databaseUrl, `SELECT 1 FROM oauth_records WHERE kind = 'Grant' AND user_id = $1`, [partner.user.id])).toEqual(
      [],
    );
  });

  it('keeps its session of the console: both once had a cookie of the same name', async () => {
    const partner = await aPartner(app);
    const { browser } = await aVisitorOf(app, partner.organization);
    await browser.visit(authorizeUrl(app.url, partner));
    expect((await browser.visit(ACCOUNT)).url.pathname).toBe(ACCOUNT);
  });
});

describe('the page of connected applications', () => {
  it('is signed in by the same session, and signed out with it', async () => {
    const person = await withAnApplication();
    expect((await person.browser.visit('/oauth/connections')).text).toContain('These applications may act for you');
    await accountsOf(app).setPassword(OPERATOR, person.user.id, 'a new and much better password');
    expect((await person.browser.visit('/oauth/connections')).text).toContain('name="password"');
  });
});

describe('a refresh token of a person', () => {
  const refresh = (partner: Awaited<ReturnType<typeof aPartner>>, token: string) =>
    ask(app, partner, { grant_type: 'refresh_token', refresh_token: token });

  it('is refused while they lack the second factor that their organization requires, and works once they have it', async () => {
    const partner = await aPartner(app);
    const { refreshToken } = await tokensOf(app, partner);
    await app.app.get(OrganizationService).change(OPERATOR, partner.organization.id, { requireSecondFactor: true });
    expect(await refresh(partner, refreshToken)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    await accountsOf(app).enableTotp(OPERATOR, partner.user.id);
    expect(await refresh(partner, refreshToken)).toMatchObject({ status: 200 });
  });

  it('that a password gave is refused once passwords are switched off', async () => {
    const partner = await aPartner(app);
    const { refreshToken } = await tokensOf(app, partner);
    await switchPasswordsOff(partner.organization.id);
    expect(await refresh(partner, refreshToken)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  it('goes on after a new password: the connection is there to be ended', async () => {
    const partner = await aPartner(app);
    const { refreshToken } = await tokensOf(app, partner);
    await accountsOf(app).setPassword(OPERATOR, partner.user.id, 'a new and much better password');
    expect(await refresh(partner, refreshToken)).toMatchObject({ status: 200 });
  });
});

async function anotherBrowserOf({ user }: Person): Promise<ConsoleBrowser> {
  const other = new ConsoleBrowser(app.url);
  await other.fill('/console/sign-in', { do: 'sign-in', email: user.email, password: PASSWORD });
  return other;
}

async function changePassword(person: Person): Promise<void> {
  const other = await anotherBrowserOf(person);
  const fields = { current: PASSWORD, password: 'a new and much better password', repeated: 'a new and much better password' };
  expect((await other.fill('/console/test/security', fields, '/console/test/security/password')).text).toContain('was changed');
}

async function endFromElsewhere(person: Person, which: 'this' | 'all'): Promise<void> {
  const other = await anotherBrowserOf(person);
  const account = await other.visit(ACCOUNT);
  const [, id = ''] = /<option value="([0-9a-f-]{36})"/.exec(account.text)!;
  await other.send(account, { session: which === 'this' ? id : '', password: PASSWORD });
}
