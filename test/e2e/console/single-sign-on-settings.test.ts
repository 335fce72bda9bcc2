import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR } from '../../../src/kernel/context.js';
import type { UserRole } from '../../../src/kernel/roles.js';
import { Accounts, UsersService } from '../../../src/modules/users/index.js';
import { startApp, TEST_ENCRYPTION_KEY, type TestApp } from '../../support/app.js';
import { runCommand } from '../../support/command.js';
import { aVisitor, aVisitorOf, ConsoleBrowser } from '../../support/console.js';
import { rowsOf } from '../../support/database.js';
import {
  aCompany,
  anAccount,
  begin,
  formFor,
  PROVIDERS_HERE,
  SECTION,
  signOn,
  startIdentityProvider,
  type Account,
  type IdentityProvider,
} from '../../support/identity-provider.js';
import { authorizeUrl, anApplication, Browser } from '../../support/oauth.js';
import { anInvitation, aUser, entriesOf, PASSWORD, signIn } from '../../support/users.js';

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

const entriesAbout = async (organizationId: string) =>
  (await entriesOf(app, organizationId, 'identity_provider')).map(({ action, actor, changes }) => ({ action, actor, changes }));
const roleOf = async (id: string): Promise<UserRole> => (await app.app.get(UsersService).get(id)).role;
const idOf = async (organizationId: string, { email }: Account): Promise<string> =>
  (await app.app.get(UsersService).list(organizationId)).find((user) => user.email === email)!.id;

/** A company whose owner has signed in by single sign-on. */
async function signedInOwner() {
  const company = await aCompany(app, provider);
  const account = anAccount(provider, { email: company.owner.email });
  const { browser } = await signOn(app, provider, company.organization.slug, account);
  return { ...company, linked: company.browser, account, browser };
}

async function withPassword(user: { email: string }, slug: string, browser = new ConsoleBrowser(app.url)) {
  const fields = { do: 'sign-in', email: user.email, password: PASSWORD, organization: slug };
  return { browser, shown: await browser.fill('/console/sign-in', fields, '/console/sign-in') };
}

describe('single sign-on of an organization', () => {
  it('is set up, checked, changed and removed by an owner, and the audit log says so without the secret', async () => {
    const { organization, browser, user } = await aVisitor(app);
    const empty = await browser.visit(SECTION);
    expect(empty.text).toContain(`${app.url}/console/sign-in/callback`);
    const form = formFor(provider, ' ACME.example, two.example\nacme.example');
    const saved = await browser.fill(`${SECTION}/edit`, { ...form, roleClaim: 'groups', adminValues: 'boss\r\n\r\nchief' });
    expect([saved.url.pathname, saved.text.includes('acme.example, two.example')]).toEqual([SECTION, true]);
    const checked = await browser.send(saved, {}, '/check');
    expect([checked.status, checked.text.includes(`${provider.issuer}/token`)]).toEqual([200, true]);
    // Its secret stays.
    await browser.fill(`${SECTION}/edit`, { defaultRole: 'admin' });
    await browser.fill(`${SECTION}/edit`, {});
    const account = anAccount(provider, { email: 'jane@acme.example' });
    expect((await signOn(app, provider, organization.slug, account)).shown.url.pathname).toBe(OVERVIEW);
    const replaced = await browser.fill(`${SECTION}/edit`, { clientSecret: 'another secret' });
    const shown = [saved, checked, replaced, await browser.visit(`${SECTION}/edit`)].map(({ text }) => text).join('');
    for (const secret of [form.clientSecret, 'another secret']) expect(shown).not.toContain(secret);
    expect((await browser.send(await browser.visit(SECTION), {}, '/remove')).text).toContain('Single sign-on was removed.');
    expect((await browser.visit(SECTION)).text).toContain('Set up single sign-on');
    const entries = await entriesAbout(organization.id);
    const by = `user ${user.id} ${user.name}`;
    expect(entries.map(({ action, actor }) => [action, actor])).toEqual([
      ['identity_provider.created', by],
      ['identity_provider.updated', by],
      ['identity_provider.updated', by],
      ['identity_provider.removed', by],
    ]);
    expect(entries[0]!.changes).toMatchObject({
      issuer: { from: null, to: provider.issuer },
      emailDomains: { from: null, to: ['acme.example', 'two.example'] },
      adminValues: { from: null, to: ['boss', 'chief'] },
      passwordsAllowed: { from: null, to: true },
    });
    expect(entries[1]!.changes).toEqual({ defaultRole: { from: 'member', to: 'admin' } });
    expect(entries[2]!.changes).toEqual({ secretReplaced: { from: false, to: true } });
    expect(JSON.stringify(entries)).not.toMatch(/another secret|clientSecret/);
    expect(JSON.stringify(entries)).not.toContain(form.clientSecret);
    expect(await rowsOf(app.databaseUrl, 'SELECT 1 FROM user_identities WHERE organization_id = $1', [organization.id])).toEqual([]);
  });

  it.each<UserRole>(['admin', 'member'])('is not for somebody with the role %s', async (role) => {
    const { organization } = await aCompany(app, provider);
    const { browser } = await aVisitorOf(app, organization, { role });
    expect((await browser.visit(OVERVIEW)).text).not.toContain(SECTION);
    for (const path of [SECTION, `${SECTION}/edit`]) expect((await browser.visit(path)).status).toBe(403);
    const csrf = /name="csrf" value="([^"]+)"/.exec((await browser.visit(OVERVIEW)).text)![1]!;
    for (const action of ['edit', 'check', 'passwords', 'remove'])
      expect((await browser.visit(`${SECTION}/${action}`, { csrf, passwords: 'on' })).status).toBe(403);
    expect(await entriesAbout(organization.id)).toHaveLength(1);
  });

  it('is nothing that another organization sees, and is the same in both environments', async () => {
    const { domain, browser } = await aCompany(app, provider);
    const stranger = await aVisitor(app);
    expect((await stranger.browser.visit(SECTION)).text).not.toContain(provider.issuer);
    expect((await browser.visit(SECTION.replace('/test/', '/live/'))).text).toContain(domain);
    const csrf = /name="csrf" value="([^"]+)"/.exec((await stranger.browser.visit(OVERVIEW)).text)![1]!;
    for (const [action, status] of [
      ['check', 404],
      ['remove', 404],
    ] as const)
      expect((await stranger.browser.visit(`${SECTION}/${action}`, { csrf })).status).toBe(status);
    expect((await browser.visit(SECTION)).text).toContain(domain);
  });

  it('is made once by a form that is sent twice', async () => {
    const { organization, browser } = await aVisitor(app);
    const form = await browser.visit(`${SECTION}/edit`);
    const both = await Promise.all([1, 2].map(() => browser.send(form, formFor(provider, 'acme.example'))));
    expect(both.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
    expect((await entriesAbout(organization.id)).map(({ action }) => action)).toEqual(['identity_provider.created']);
  });

  it.each([
    ['issuer', 'http://id.example', 'must begin with https://'],
    ['issuer', 'no address', 'must be a URL'],
    ['issuer', 'https://user:password@id.example', 'must have no credentials'],
    ['issuer', 'https://id.example/.well-known/openid-configuration', 'must be the issuer alone'],
    ['clientId', ' ', 'is missing'],
    ['clientSecret', '', 'is missing'],
    ['emailDomains', '', 'needs at least one domain'],
    ['emailDomains', '<script>', 'must be domains such as example.com'],
    ['emailDomains', '*.example.com', 'must be domains such as example.com'],
    ['defaultRole', 'owner', 'must be one of member, admin'],
    ['adminValues', 'boss', 'is needed for the values'],
    ['adminValues', 'x'.repeat(301), 'must have at most 300 characters'],
  ])('is refused with a wrong %s, %s, which is shown at its field; what was typed is kept', async (field, value, message) => {
    const { organization, browser } = await aVisitor(app);
    const fields = { ...formFor(provider, 'acme.example'), clientId: '<script>"kept', [field]: value };
    const shown = await browser.fill(`${SECTION}/edit`, fields);
    expect([shown.status, shown.text]).toEqual([400, expect.stringContaining(message)]);
    if (field !== 'clientId') expect(shown.text).toContain('value="&lt;script>&quot;kept"');
    expect(shown.text).not.toMatch(/<script>/);
    if (provider.clientSecret !== '') expect(shown.text).not.toContain(provider.clientSecret);
    expect(await entriesAbout(organization.id)).toEqual([]);
  });

  it('asks for the secret again for another issuer, and forgets who people were', async () => {
    const { organization, domain, browser } = await aCompany(app, provider);
    const account = anAccount(provider, { email: `jane@${domain}` });
    await signOn(app, provider, organization.slug, account);
    const refused = await browser.fill(`${SECTION}/edit`, { issuer: 'https://id.example' });
    expect(refused.text).toContain('is needed again for another issuer');
    const other = await startIdentityProvider(`${app.url}/console/sign-in/callback`);
    await browser.fill(`${SECTION}/edit`, formFor(other, domain));
    const moved = anAccount(other, { email: account.email! });
    expect((await signOn(app, other, organization.slug, moved)).shown.url.pathname).toBe(OVERVIEW);
    expect(await app.app.get(UsersService).list(organization.id)).toHaveLength(2);
    await other.close();
  });

  it.each([
    ['where nothing answers', () => 'http://127.0.0.1:1', 'its server cannot be reached'],
    ['at an address that is not public', () => 'https://10.0.0.1', 'its address is not public'],
    ['without a configuration', () => `${provider.issuer}/nothing`, 'answers with status 404'],
    ['that is no provider', () => app.url, 'cannot be used'],
  ])('is checked for a provider %s', async (_what, issuerOf, reason) => {
    const { browser } = await aVisitor(app);
    const saved = await browser.fill(`${SECTION}/edit`, { ...formFor(provider, 'acme.example'), issuer: issuerOf() });
    const shown = await browser.send(saved, {}, '/check');
    expect([shown.status, shown.text]).toEqual([400, expect.stringContaining(reason)]);
  });
});

describe('what a provider says about itself', () => {
  let answer: (response: ServerResponse) => void;
  const server = createServer((_request, response) => answer(response));
  let issuer: string;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.closeAllConnections());

  const saying = (changed: object) => (response: ServerResponse) => {
    const endpoints = { authorization_endpoint: `${issuer}/a`, token_endpoint: `${issuer}/t`, jwks_uri: `${issuer}/k` };
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ issuer, ...endpoints, ...changed }));
  };

  it.each([
    ['another issuer', saying({ issuer: 'https://id.example' }), 'another issuer'],
    ['a script as its address', saying({ authorization_endpoint: 'javascript:alert(1)' }), 'does not begin with https://'],
    ['an address in the clear', saying({ token_endpoint: 'http://id.example/t' }), 'does not begin with https://'],
    ['no keys', saying({ jwks_uri: undefined }), 'has no jwks_uri'],
    ['too much', saying({ more: 'x'.repeat(300_000) }), 'larger than 256 KiB'],
    ['that it is elsewhere', (response: ServerResponse) => response.writeHead(302, { location: '/' }).end(), 'answers with status 302'],
    ['nothing', (response: ServerResponse) => response.destroy(), 'cannot be reached'],
  ])('is refused if it is %s', async (_what, said, reason) => {
    answer = said;
    const { organization, browser } = await aVisitor(app);
    const saved = await browser.fill(`${SECTION}/edit`, { ...formFor(provider, 'acme.example'), issuer });
    const shown = await browser.send(saved, {}, '/check');
    expect([shown.status, shown.text]).toEqual([400, expect.stringContaining(reason)]);
    expect((await begin(new ConsoleBrowser(app.url), organization.slug)).text).toContain('does not answer as it should');
  });
});

describe('the role claim', () => {
  const RULES = { roleClaim: 'groups', adminValues: 'boss', memberValues: 'staff' };

  it('sets the role at each sign-in, and the audit log says by whom', async () => {
    const { organization, domain } = await aCompany(app, provider, RULES);
    const account = anAccount(provider, { email: `jane@${domain}`, groups: ['staff', 'boss'] });
    await signOn(app, provider, organization.slug, account);
    const id = await idOf(organization.id, account);
    expect(await roleOf(id)).toBe('admin');
    provider.accounts.set(account.sub, { ...account, groups: 'nobody' });
    await signOn(app, provider, organization.slug, account);
    expect(await roleOf(id)).toBe('member');
    expect((await entriesOf(app, organization.id)).find(({ action }) => action === 'user.role_changed')).toMatchObject({
      actor: 'system single sign-on',
      changes: { role: { from: 'admin', to: 'member' } },
    });
  });

  it('makes nobody an owner, and no owner anything else', async () => {
    const { organization, domain, owner } = await aCompany(app, provider, RULES);
    await aUser(app, organization.id, { role: 'owner' });
    const account = anAccount(provider, { email: `jane@${domain}`, groups: ['owner'] });
    await signOn(app, provider, organization.slug, account);
    expect(await roleOf(await idOf(organization.id, account))).toBe('member');
    await signOn(app, provider, organization.slug, anAccount(provider, { email: owner.email, groups: ['staff'] }));
    expect(await roleOf(owner.id)).toBe('owner');
  });

  it('that is not set leaves roles to the console', async () => {
    const { organization, domain } = await aCompany(app, provider);
    const account = anAccount(provider, { email: `jane@${domain}`, groups: ['boss'] });
    await signOn(app, provider, organization.slug, account);
    const id = await idOf(organization.id, account);
    await app.app.get(UsersService).changeRole(OPERATOR, id, 'admin');
    await signOn(app, provider, organization.slug, account);
    expect(await roleOf(id)).toBe('admin');
  });
});

describe('passwords', () => {
  it('are switched off only by an owner who has signed in by single sign-on', async () => {
    const { organization, owner, browser, linked } = await signedInOwner();
    const byPassword = await withPassword(owner, organization.slug);
    for (const other of [linked, byPassword.browser]) {
      const shown = await other.visit(SECTION);
      expect([shown.text.includes('this shows that it works'), shown.text.includes('value="off"')]).toEqual([true, false]);
      const csrf = /name="csrf" value="([^"]+)"/.exec(shown.text)![1]!;
      expect((await other.visit(`${SECTION}/passwords`, { csrf, passwords: 'off' })).status).toBe(403);
    }
    const after = await browser.send(await browser.visit(SECTION), {}, '/passwords');
    expect(after.text).toContain('Passwords are switched off.');
    expect((await entriesAbout(organization.id)).at(-1)).toEqual({
      action: 'identity_provider.updated',
      actor: `user ${owner.id} ${owner.name}`,
      changes: { passwordsAllowed: { from: true, to: false } },
    });
  });

  it('that are switched off end sessions, and are refused in console and consent, with a reason after the right one only', async () => {
    const { organization, owner, browser, linked } = await signedInOwner();
    const member = await aUser(app, organization.id);
    const before = await withPassword(member, organization.slug);
    expect(before.shown.url.pathname).toBe(OVERVIEW);
    await browser.send(await browser.visit(SECTION), {}, '/passwords');
    expect((await before.browser.visit(OVERVIEW)).url.pathname).toBe('/console/sign-in');
    for (const other of [browser, linked]) expect((await other.visit(OVERVIEW)).url.pathname).toBe(OVERVIEW);
    const { shown } = await withPassword(member, organization.slug);
    expect([shown.status, shown.text]).toEqual([400, expect.stringContaining('has switched passwords off')]);
    expect(await signIn(app, member, { password: 'incorrect horse battery' })).toEqual({ refused: 'credentials' });
    expect(await signIn(app, { ...member, email: `nobody-${member.email}` })).toEqual({ refused: 'credentials' });
    const application = await anApplication(app, organization.id);
    const partner = new Browser(app.url);
    const asked = await partner.visit(authorizeUrl(app.url, { application }));
    const consent = await partner.submit(asked, { do: 'sign-in', email: owner.email, password: PASSWORD });
    expect(consent.text).toContain('has switched passwords off');
    await browser.send(await browser.visit(SECTION), {}, '/passwords');
    expect((await before.browser.visit(OVERVIEW)).url.pathname).toBe(OVERVIEW);
    expect(await signIn(app, member)).toMatchObject({ user: { id: member.id } });
  });

  it('leave invitations to the company’s account: there is no password to choose', async () => {
    const { organization, browser, domain } = await signedInOwner();
    await browser.send(await browser.visit(SECTION), {}, '/passwords');
    const { path, user } = await anInvitation(app, organization.id, { email: `joe@${domain}` });
    const guest = new ConsoleBrowser(app.url);
    const shown = await guest.visit(path);
    expect(shown.text).toContain(`/console/sign-in/company?organization=${organization.slug}`);
    expect(shown.text).not.toContain('name="password"');
    await guest.visit(path, { password: PASSWORD, repeated: PASSWORD });
    expect(await app.app.get(UsersService).get(user.id)).toMatchObject({ status: 'invited' });
    expect((await signOn(app, provider, organization.slug, anAccount(provider, { email: user.email }))).shown.url.pathname).toBe(OVERVIEW);
  });

  it('are refused before the code of a second factor', async () => {
    const { organization, browser } = await signedInOwner();
    const member = await aUser(app, organization.id);
    await app.app.get(Accounts).enableTotp(OPERATOR, member.id);
    await browser.send(await browser.visit(SECTION), {}, '/passwords');
    expect(await signIn(app, member)).toEqual({ refused: 'passwords_off' });
  });

  it('are switched on by the operator, by another client of the provider, and by removing single sign-on', async () => {
    const { organization, owner, account, browser, linked } = await signedInOwner();
    const off = async (by = browser) => {
      await by.send(await by.visit(SECTION), {}, '/passwords');
      expect(await signIn(app, owner)).toEqual({ refused: 'passwords_off' });
    };
    await off();
    const env = { DATABASE_URL: app.databaseUrl, ENCRYPTION_KEY: TEST_ENCRYPTION_KEY };
    const ended = await runCommand(['org', 'set', organization.slug, '--passwords', 'on', '--json'], env);
    expect([ended.code, ended.stderr]).toEqual([0, '']);
    expect(await signIn(app, owner)).toMatchObject({ user: { id: owner.id } });
    expect((await entriesAbout(organization.id)).at(-1)).toMatchObject({
      actor: expect.stringMatching(/^system .+ \(claims command\)$/) as unknown,
    });
    await off();
    const shown = await linked.fill(`${SECTION}/edit`, { clientId: 'another' });
    expect(shown.text).toContain('Passwords are allowed again, until an owner switches them off.');
    expect(await signIn(app, owner)).toMatchObject({ user: { id: owner.id } });
    // Nobody has signed in by this client yet.
    const refused = await browser.send(await browser.visit(SECTION), {}, '/passwords');
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('this shows that it works')]);
    await linked.fill(`${SECTION}/edit`, { clientId: provider.clientId });
    await off((await signOn(app, provider, organization.slug, account)).browser);
    await linked.send(await linked.visit(SECTION), {}, '/remove');
    expect(await signIn(app, owner)).toMatchObject({ user: { id: owner.id } });
  });
});
