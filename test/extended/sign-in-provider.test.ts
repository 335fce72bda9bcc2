import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { OrganizationService } from '../../src/modules/organization/index.js';
import { SignInProvider, UsersService } from '../../src/modules/users/index.js';
import { SignInWays, SIGN_ON_REFUSALS } from '../../src/modules/users/single-sign-on/sign-in-ways.js';
import { Ports } from '../../src/store/discovery/ports.js';
import type { TestApp } from '../support/app.js';
import { anOrganization } from '../support/builders.js';
import { aVisitorOf, ConsoleBrowser, WITHIN_MS } from '../support/console.js';
import { rowsOf } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { startGateway } from '../support/gateway.js';
import { START } from '../support/identity-provider.js';
import { startWithRecipes } from '../support/recipes-app.js';
import { aUser, entriesOf, PASSWORD, signIn } from '../support/users.js';

const OVERVIEW = '/console/test';
const ISSUER = 'https://gateway.acme.example';

let gateway: Awaited<ReturnType<typeof startGateway>>;
let people = 0;
let started: Awaited<ReturnType<typeof startWithRecipes>>;
let app: TestApp;
let acme: { id: string; slug: string };
beforeAll(async () => {
  gateway = await startGateway();
  started = await startWithRecipes({ GATEWAY_URL: gateway.url, GATEWAY_SECRET: gateway.secret });
  ({ app } = started);
  acme = await app.app.get(OrganizationService).named('acme');
});
afterAll(async () => {
  await started.close();
  await gateway.close();
});

function somebody(more: object = {}) {
  people += 1;
  const email = `person-${people}@acme.example`;
  return { iss: ISSUER, aud: 'claims of acme', sub: `person-${people}`, email, name: `Person ${people}`, ...more };
}
const usersOf = (organizationId: string) => app.app.get(UsersService).list(organizationId);

/** Goes to the gateway, and returns the address to which it sends the browser back. */
async function atGateway(browser: ConsoleBrowser, next = ''): Promise<string> {
  const { url } = await browser.visit(START, { organization: 'acme', next });
  expect(url.origin).toBe(gateway.url);
  return (await fetch(url, { redirect: 'manual' })).headers.get('location')!;
}
async function signOn(said: Record<string, unknown>, browser = new ConsoleBrowser(app.url)) {
  gateway.says(said);
  return browser.visit(await atGateway(browser));
}

describe('another way to sign in', () => {
  it('creates a user who is signed in, is found again, and has the role that it says', async () => {
    const person = somebody();
    const shown = await signOn(person);
    expect([shown.status, shown.url.pathname]).toEqual([200, OVERVIEW]);
    const user = (await usersOf(acme.id)).find(({ email }) => email === person.email)!;
    expect(user).toMatchObject({ name: person.name, role: 'member', status: 'active' });
    await signOn({ ...person, email: `renamed-${person.email}`, admin: true });
    const all = (await usersOf(acme.id)).filter(({ id }) => id === user.id);
    expect(all).toMatchObject([{ email: person.email, role: 'admin' }]);
    const sessions = await rowsOf(app.databaseUrl, 'SELECT signed_in_by FROM console_sessions WHERE user_id = $1', [user.id]);
    expect(sessions).toEqual([{ signed_in_by: 'single_sign_on' }, { signed_in_by: 'single_sign_on' }]);
    const actions = (await entriesOf(app, acme.id)).filter(({ resource }) => resource === `user ${user.id}`).map(({ action }) => action);
    expect(actions).toEqual(['user.created', 'user.signed_in', 'user.role_changed', 'user.signed_in']);
  });

  it('leads to the page that somebody wanted', async () => {
    const browser = new ConsoleBrowser(app.url);
    gateway.says(somebody());
    expect((await browser.visit(await atGateway(browser, '/console/test/projects'))).url.pathname).toBe('/console/test/projects');
  });

  it('is for its organization: people of others are not sent there, and nobody becomes a user of another one', async () => {
    const other = await anOrganization(app);
    const browser = new ConsoleBrowser(app.url);
    const shown = await browser.visit(START, { organization: other.slug });
    expect([shown.status, shown.url.origin]).toEqual([400, app.url]);
    const person = somebody({ organization: other.slug, organizationId: other.id });
    await signOn(person);
    expect(await usersOf(other.id)).toEqual([]);
    expect((await usersOf(acme.id)).map(({ email }) => email)).toContain(person.email);
  });

  it('never makes an owner', async () => {
    const person = somebody({ role: 'owner', admin: 'owner' });
    await signOn(person);
    expect((await usersOf(acme.id)).find(({ email }) => email === person.email)).toMatchObject({ role: 'member' });
  });

  it.each([
    ['about another browser', { nonce: 'another' }, 'provider_refused'],
    ['for another audience', { aud: 'claims of others' }, 'provider_refused'],
    ['of another issuer', { iss: 'https://evil.example' }, 'provider_refused'],
    ['that is old', { iat: Math.floor(Date.now() / 1000) - 120 }, 'provider_refused'],
    ['without an address', { email: undefined }, 'email_missing'],
    ['with an address of another domain', { email: 'jane@evil.example' }, 'domain_not_allowed'],
  ] as const)('refuses an assertion %s, and says why', async (_what, wrong, reason) => {
    const before = await usersOf(acme.id);
    const shown = await signOn(somebody(wrong));
    expect(shown.status).toBe(400);
    expect(shown.text).toContain(SIGN_ON_REFUSALS[reason]);
    expect(await usersOf(acme.id)).toEqual(before);
  });

  it('writes a refusal into the audit log of its organization, without a word of what came', async () => {
    await signOn(somebody({ aud: 'claims of others' }));
    const refusals = async () => (await entriesOf(app, acme.id)).filter(({ action }) => action === 'user.sign_in_failed');
    await eventually(async () => expect(await refusals()).not.toHaveLength(0));
    for (const { changes } of await refusals()) expect(changes).toEqual({ reason: { from: null, to: expect.stringMatching(/^[a-z_]+$/) } });
  });

  it('refuses an assertion that somebody else has signed, and one that comes back to another browser', async () => {
    const shownForged = await gateway.signingAsAnother(() => signOn(somebody()));
    expect(shownForged.text).toContain(SIGN_ON_REFUSALS.provider_refused);
    gateway.says(somebody());
    const address = await atGateway(new ConsoleBrowser(app.url));
    const shown = await new ConsoleBrowser(app.url).visit(address);
    expect(shown.text).toContain('begun in another browser');
  });
});

describe('passwords beside another way to sign in', () => {
  const SECTION = '/console/test/single-sign-on';
  const gatewaySignIn = (): { wayOf: SignInProvider['wayOf'] } =>
    app.app
      .get(Ports)
      .all(SignInProvider)
      .find(({ name }) => name === 'gateway')!;
  const withPassword = async (email: string) => {
    const browser = new ConsoleBrowser(app.url);
    const fields = { do: 'sign-in', email, password: PASSWORD, organization: acme.slug };
    const shown = await browser.fill('/console/sign-in', fields, '/console/sign-in');
    return { browser, shown };
  };

  afterEach(() => delete (gatewaySignIn() as { wayOf?: unknown }).wayOf);

  it('go on working, unless it switches them off: then sessions end, and they are refused with the reason', async () => {
    const owner = await aUser(app, acme.id, { role: 'owner' });
    const before = await withPassword(owner.email);
    expect([before.shown.status, before.shown.url.pathname]).toEqual([200, OVERVIEW]);
    expect((await before.browser.visit(SECTION)).text).toMatch(/gateway.*acme\.example.*Allowed/s);
    const provider = gatewaySignIn();
    const wayOf = provider.wayOf.bind(provider);
    provider.wayOf = async (organization) => {
      const way = await wayOf(organization);
      return way && { ...way, allowsPasswords: false };
    };
    await eventually(async () => expect((await before.browser.visit(OVERVIEW)).url.pathname).toBe('/console/sign-in'), WITHIN_MS);
    const { shown } = await withPassword(owner.email);
    expect([shown.status, shown.text]).toEqual([400, expect.stringContaining('has switched passwords off')]);
    expect(await signIn(app, owner, { password: 'incorrect horse battery' })).toEqual({ refused: 'credentials' });
    const other = await anOrganization(app);
    expect(await signIn(app, await aUser(app, other.id))).toHaveProperty('user');
    const person = somebody();
    expect((await signOn(person)).url.pathname).toBe(OVERVIEW);
  });

  it('are none of the console page of owners, who read what this installation has for them', async () => {
    const { browser } = await aVisitorOf(app, acme);
    const { text } = await browser.visit(SECTION);
    expect(text).toContain('Its operator sets it up');
    expect(text).not.toContain('Set up single sign-on');
  });
});

describe('where a way may send a browser', () => {
  const begin = (url: string, kept = '') =>
    app.app.get(SignInWays).begin(
      {
        key: 'one',
        emailDomains: [],
        defaultRole: 'member',
        begin: () => Promise.resolve({ url, kept }),
        finish: () => Promise.resolve('expired'),
      },
      `${app.url}/console/sign-in/callback`,
    );

  it.each(['javascript:alert(1)', 'data:text/html,x', 'http://10.0.0.1/', 'http://id.example/', '//evil.example', ''])(
    'is not %j',
    async (url) => {
      await expect(begin(url)).rejects.toThrow('does not begin with https://');
    },
  );

  it('is an address with https, one that the operator has allowed, or one here; it keeps 1000 characters at most', async () => {
    for (const url of ['https://id.example/', 'http://127.0.0.1:1/', `${app.url}/console/sign-in/callback`])
      expect(await begin(url, 'x'.repeat(1000))).toEqual({ url, kept: 'x'.repeat(1000) });
    await expect(begin('https://id.example/', 'x'.repeat(1001))).rejects.toThrow('more than 1000 characters');
  });
});
