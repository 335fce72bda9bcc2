import { generateKeyPair } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR } from '../../../src/kernel/context.js';
import { OrganizationService } from '../../../src/modules/organization/index.js';
import { UsersService } from '../../../src/modules/users/index.js';
import { startApp, type TestApp } from '../../support/app.js';
import { anOrganization } from '../../support/builders.js';
import { ConsoleBrowser, textOf, WITHIN_MS } from '../../support/console.js';
import { rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import {
  aCompany,
  anAccount,
  atProvider,
  begin,
  PROVIDERS_HERE,
  signOn,
  START,
  startIdentityProvider,
  type IdentityProvider,
} from '../../support/identity-provider.js';
import { memoryLog } from '../../support/memory-log.js';
import { actionsOf, anInvitation, aUser, entriesOf, PASSWORD } from '../../support/users.js';

const OVERVIEW = '/console/test';

let app: TestApp;
let provider: IdentityProvider;
beforeAll(async () => {
  app = await startApp(PROVIDERS_HERE);
  provider = await startIdentityProvider(`${app.url}/console/sign-in/callback`);
});
afterAll(async () => {
  await app.close();
  await provider.close();
});

const usersOf = (organizationId: string) => app.app.get(UsersService).list(organizationId);
const userCalled = async (organizationId: string, email: string) => (await usersOf(organizationId)).find((user) => user.email === email);

describe('signing in with the account of a company', () => {
  it('creates a member, who is signed in and found again', async () => {
    const { organization, domain } = await aCompany(app, provider);
    const account = anAccount(provider, { email: `Jane@${domain.toUpperCase()}`, name: '<script>alert(1)</script>' });
    const { shown, browser } = await signOn(app, provider, organization.slug, account);
    expect([shown.status, shown.url.pathname]).toEqual([200, OVERVIEW]);
    expect(shown.text).not.toContain('<script>alert');
    expect(shown.text).toContain('&lt;script>alert(1)&lt;/script>');
    const user = await userCalled(organization.id, account.email!);
    expect(user).toMatchObject({ role: 'member', status: 'active', name: account.name, lastSignInAt: expect.any(String) });
    const entries = (await entriesOf(app, organization.id)).filter(({ resource }) => resource === `user ${user!.id}`);
    expect(entries.map(({ action, actor, changes }) => [action, actor, changes.by])).toEqual([
      ['user.created', 'system single sign-on', undefined],
      ['user.signed_in', `user ${user!.id} ${account.name as string}`, { from: null, to: 'single_sign_on' }],
    ]);
    // With another address, and another name: the subject is the same.
    provider.accounts.set(account.sub, { ...account, email: `new@${domain}` });
    await signOn(app, provider, organization.slug, account);
    expect(await usersOf(organization.id)).toHaveLength(2);
    const sessions = await rowsOf(app.databaseUrl, 'SELECT signed_in_by FROM console_sessions WHERE user_id = $1', [user!.id]);
    expect(sessions).toEqual([{ signed_in_by: 'single_sign_on' }, { signed_in_by: 'single_sign_on' }]);
    expect((await browser.visit('/console/test/members')).status).toBe(403);
  });

  it('leads to the page that somebody wanted, from the sign-in with a password', async () => {
    const { organization, domain } = await aCompany(app, provider);
    const account = anAccount(provider, { email: `jane@${domain}` });
    const browser = new ConsoleBrowser(app.url);
    const asked = await browser.visit(`/console/test/projects?status=draft`);
    const link = textOf(/href="(\/console\/sign-in\/company[^"]*)"/.exec(asked.text)![1]!);
    const { url } = await browser.fill(link, { organization: ` ${organization.slug.toUpperCase()} ` });
    const shown = await browser.visit(await atProvider(provider, url, account));
    expect([shown.url.pathname, shown.url.search]).toEqual(['/console/test/projects', '?status=draft']);
  });

  it.each(['https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:alert(1)'])(
    'never leads anywhere else: %s',
    async (next) => {
      const { organization, domain } = await aCompany(app, provider);
      const account = anAccount(provider, { email: `jane@${domain}` });
      const browser = new ConsoleBrowser(app.url);
      const { url } = await browser.visit(START, { organization: organization.slug, next });
      expect((await browser.visit(await atProvider(provider, url, account))).url.href).toBe(app.url + OVERVIEW);
    },
  );

  it('accepts an invitation, whose link no longer works then', async () => {
    const { organization, domain } = await aCompany(app, provider);
    const invitation = await anInvitation(app, organization.id, { email: `jane@${domain}`, role: 'admin' });
    const { shown } = await signOn(app, provider, organization.slug, anAccount(provider, { email: `JANE@${domain}` }));
    expect(shown.url.pathname).toBe(OVERVIEW);
    expect(await app.app.get(UsersService).get(invitation.user.id)).toMatchObject({ role: 'admin', status: 'active' });
    expect((await new ConsoleBrowser(app.url).visit(invitation.path)).status).toBe(404);
    expect((await actionsOf(app, organization.id)).slice(-2)).toEqual(['user.accepted', 'user.signed_in']);
  });

  it('is refused for a user who was removed, until somebody invites them again', async () => {
    const { organization, domain } = await aCompany(app, provider);
    const account = anAccount(provider, { email: `jane@${domain}` });
    const { browser } = await signOn(app, provider, organization.slug, account);
    const user = await userCalled(organization.id, account.email!);
    await app.app.get(UsersService).remove(OPERATOR, user!.id);
    await eventually(async () => expect((await browser.visit(OVERVIEW)).url.pathname).toBe('/console/sign-in'), WITHIN_MS);
    const again = await signOn(app, provider, organization.slug, account);
    expect([again.shown.status, again.shown.text]).toEqual([400, expect.stringContaining('Ask an owner to invite you again.')]);
    // Also with another account of the same address.
    const other = await signOn(app, provider, organization.slug, anAccount(provider, { email: account.email! }));
    expect(other.shown.text).toContain('Ask an owner to invite you again.');
    await anInvitation(app, organization.id, { email: account.email! });
    expect((await signOn(app, provider, organization.slug, account)).shown.url.pathname).toBe(OVERVIEW);
    expect((await signOn(app, provider, organization.slug, account)).shown.url.pathname).toBe(OVERVIEW);
  });

  it('is refused with an address that belongs to another account of the company', async () => {
    const { organization, domain } = await aCompany(app, provider);
    const account = anAccount(provider, { email: `jane@${domain}` });
    await signOn(app, provider, organization.slug, account);
    const { shown, browser } = await signOn(app, provider, organization.slug, anAccount(provider, { email: account.email! }));
    expect([shown.status, shown.text]).toEqual([400, expect.stringContaining('belongs to another account')]);
    expect((await browser.visit(OVERVIEW)).url.pathname).toBe('/console/sign-in');
    expect(await usersOf(organization.id)).toHaveLength(2);
  });

  it('touches no user of another organization with the same address', async () => {
    const { organization, domain } = await aCompany(app, provider);
    const stranger = await aCompany(app, provider);
    const elsewhere = await aUser(app, stranger.organization.id, { email: `jane@${domain}`, role: 'owner' });
    const { shown } = await signOn(app, provider, organization.slug, anAccount(provider, { email: elsewhere.email }));
    expect(shown.text).toContain(elsewhere.email);
    expect(await app.app.get(UsersService).get(elsewhere.id)).toEqual(elsewhere);
    expect((await userCalled(organization.id, elsewhere.email))!.id).not.toBe(elsewhere.id);
  });

  it('makes one user of two sign-ins at once', async () => {
    const { organization, domain } = await aCompany(app, provider);
    const account = anAccount(provider, { email: `jane@${domain}` });
    const both = await Promise.all([1, 2].map(() => signOn(app, provider, organization.slug, account)));
    expect(both.map(({ shown }) => shown.url.pathname)).toEqual([OVERVIEW, OVERVIEW]);
    expect(await usersOf(organization.id)).toHaveLength(2);
  });

  it('finds the address at the UserInfo endpoint where the ID token leaves it out', async () => {
    const { organization, domain } = await aCompany(app, provider);
    provider.next.idToken = ({ email: _email, ...claims }) => claims;
    const { shown } = await signOn(app, provider, organization.slug, anAccount(provider, { email: `jane@${domain}` }));
    expect(shown.url.pathname).toBe(OVERVIEW);
  });

  it.each([
    ['of another domain', 'domain_not_allowed', { email: 'jane@evil.example' }, 'does not allow e-mail addresses of this domain'],
    ['that is not verified', 'email_unverified', { email_verified: false }, 'does not say that it has verified your e-mail address'],
    ['that is missing', 'email_missing', { email: undefined }, 'did not say an e-mail address that can be used here'],
    ['of another spelling', 'email_missing', { email: 'ｊane@example.com' }, 'did not say an e-mail address that can be used here'],
    ['that nobody has verified', 'email_unverified', { email_verified: undefined }, 'it has to send the claim email_verified'],
  ])('is refused with an address %s, and the audit log says so', async (_what, reason, changed, text) => {
    const { organization, domain } = await aCompany(app, provider);
    const { shown, browser } = await signOn(app, provider, organization.slug, anAccount(provider, { email: `jane@${domain}`, ...changed }));
    expect([shown.status, shown.text]).toEqual([400, expect.stringContaining(text)]);
    expect((await browser.visit(OVERVIEW)).url.pathname).toBe('/console/sign-in');
    expect(await usersOf(organization.id)).toHaveLength(1);
    await eventually(async () =>
      expect((await entriesOf(app, organization.id)).at(-1)).toMatchObject({
        action: 'user.sign_in_failed',
        changes: { reason: { from: null, to: reason } },
      }),
    );
  });
});

describe('an answer of a provider is refused', () => {
  const NO = 'did not confirm who you are';

  it.each([
    ['another nonce', { nonce: 'another' }],
    ['no nonce', { nonce: undefined }],
    ['another audience', { aud: 'somebody else' }],
    ['another issuer', { iss: 'https://evil.example' }],
    ['a time that is over', { exp: 1_600_000_000 }],
  ])('with %s', async (_what, changed) => {
    const { organization, domain } = await aCompany(app, provider);
    provider.next.idToken = (claims) => ({ ...claims, ...changed });
    const { shown } = await signOn(app, provider, organization.slug, anAccount(provider, { email: `jane@${domain}` }));
    expect([shown.status, shown.text]).toEqual([400, expect.stringContaining(NO)]);
    expect(await usersOf(organization.id)).toHaveLength(1);
  });

  it('with a signature of somebody else', async () => {
    const { organization, domain } = await aCompany(app, provider);
    provider.next.idToken = (claims) => claims;
    provider.next.key = (await generateKeyPair('RS256')).privateKey;
    const { shown } = await signOn(app, provider, organization.slug, anAccount(provider, { email: `jane@${domain}` }));
    expect([shown.status, shown.text]).toEqual([400, expect.stringContaining(NO)]);
  });

  it('with another state, in another browser, or for the second time', async () => {
    const { organization, domain } = await aCompany(app, provider);
    const account = anAccount(provider, { email: `jane@${domain}` });
    const begun = async () => {
      const browser = new ConsoleBrowser(app.url);
      const { url } = await begin(browser, organization.slug);
      return { browser, callback: await atProvider(provider, url, account) };
    };
    const first = await begun();
    const tampered = new URL(first.callback);
    tampered.searchParams.set('state', 'another');
    expect((await first.browser.visit(tampered.href)).text).toContain(NO);
    const second = await begun();
    const stranger = new ConsoleBrowser(app.url);
    expect((await stranger.visit(second.callback)).text).toContain('was begun in another browser');
    // One that has begun a sign-in of its own.
    await begin(stranger, organization.slug);
    expect((await stranger.visit(second.callback)).text).toContain(NO);
    const stolen = new ConsoleBrowser(app.url);
    stolen.keepCookiesOf(second.browser);
    expect((await second.browser.visit(second.callback)).url.pathname).toBe(OVERVIEW);
    expect((await second.browser.visit(second.callback)).text).toContain('has expired');
    // The code was used, even with the cookie.
    expect((await stolen.visit(second.callback)).text).toContain(NO);
    for (const browser of [first.browser, stranger, stolen]) expect((await browser.visit(OVERVIEW)).url.pathname).toBe('/console/sign-in');
  });

  it('that somebody has cancelled, and its words are not shown', async () => {
    const { organization } = await aCompany(app, provider);
    const browser = new ConsoleBrowser(app.url);
    const state = (await begin(browser, organization.slug)).url.searchParams.get('state')!;
    const query = new URLSearchParams({ state, error: 'access_denied', error_description: 'Call 555-0100 to sign in' });
    const shown = await browser.visit(`/console/sign-in/callback?${query.toString()}`);
    expect([shown.status, shown.text.includes(NO), shown.text.includes('555')]).toEqual([400, true, false]);
    for (const path of ['', '?', '?code=x', '?state=x&state=y', '?error=%00'])
      expect((await browser.visit(`/console/sign-in/callback${path}`)).status).toBe(400);
  });

  it('that is not there: with a calm page, before and after somebody has signed in', async () => {
    const away = await startIdentityProvider(`${app.url}/console/sign-in/callback`);
    const { organization, domain } = await aCompany(app, away);
    const browser = new ConsoleBrowser(app.url);
    const { url } = await begin(browser, organization.slug);
    const callback = await atProvider(away, url, anAccount(away, { email: `jane@${domain}` }));
    const unknown = await aCompany(app, away);
    await away.close();
    for (const shown of [await browser.visit(callback), await begin(browser, unknown.organization.slug)])
      expect([shown.status, shown.text]).toEqual([400, expect.stringContaining('does not answer as it should')]);
  });
});

it('a client secret that is wrong is said, without what the provider says', async () => {
  const { organization, domain } = await aCompany(app, provider, { clientSecret: 'wrong' });
  const { shown } = await signOn(app, provider, organization.slug, anAccount(provider, { email: `jane@${domain}` }));
  expect([shown.status, shown.text]).toEqual([400, expect.stringContaining('the client ID or its secret is wrong')]);
});

it('a suspended organization is shown as suspended', async () => {
  const { organization, domain } = await aCompany(app, provider);
  await app.app.get(OrganizationService).change(OPERATOR, organization.id, { status: 'suspended' });
  const { shown } = await signOn(app, provider, organization.slug, anAccount(provider, { email: `jane@${domain}` }));
  expect([shown.status, shown.text]).toEqual([403, expect.stringContaining('suspended')]);
});

it('nobody is created beyond the bound of members, and nothing of tokens is in the log', async () => {
  const { log, text: logged } = memoryLog();
  const small = await startApp({ ...PROVIDERS_HERE, RECORD_LIMITS: '{"members":1}' }, log);
  const own = await startIdentityProvider(`${small.url}/console/sign-in/callback`);
  const { organization, domain, owner } = await aCompany(small, own);
  const { shown } = await signOn(small, own, organization.slug, anAccount(own, { email: `jane@${domain}` }));
  expect([shown.status, shown.text]).toEqual([400, expect.stringContaining('as many members as it can have')]);
  const browser = new ConsoleBrowser(small.url);
  const callback = await atProvider(own, (await begin(browser, organization.slug)).url, anAccount(own, { email: owner.email }));
  expect((await browser.visit(callback)).url.pathname).toBe(OVERVIEW);
  for (const secret of [new URL(callback).searchParams.get('code')!, own.clientSecret, 'code=']) expect(logged()).not.toContain(secret);
  expect(logged()).toContain('/console/sign-in/callback');
  await small.close();
  await own.close();
});

describe('the page that asks for the organization', () => {
  it.each(['no-such-organization', '', '<script>', '\u0000', 'x'.repeat(5000)])('shows again what is unknown: %s', async (organization) => {
    const shown = await new ConsoleBrowser(app.url).fill(START, { organization });
    expect([shown.status, shown.text]).toEqual([400, expect.stringContaining('No organization with this short name')]);
    expect(shown.text).not.toContain('<script>');
  });

  it('does not begin for a form of another site', async () => {
    const { organization } = await aCompany(app, provider);
    const answer = await fetch(app.url + START, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'sec-fetch-site': 'cross-site' },
      body: new URLSearchParams({ organization: organization.slug }),
    });
    expect([answer.status, answer.headers.get('location'), answer.headers.get('set-cookie')]).toEqual([303, START, null]);
  });
});

it('a company that has somebody’s address among its people is not in the way of their password elsewhere', async () => {
  const { organization, domain } = await aCompany(app, provider);
  const elsewhere = await anOrganization(app);
  const user = await aUser(app, elsewhere.id, { email: `jane@${domain}` });
  await signOn(app, provider, organization.slug, anAccount(provider, { email: user.email }));
  const browser = new ConsoleBrowser(app.url);
  const shown = await browser.fill('/console/sign-in', { do: 'sign-in', email: user.email, password: PASSWORD });
  expect(shown.url.pathname).toBe(OVERVIEW);
  expect(shown.text).toContain(elsewhere.name);
});
