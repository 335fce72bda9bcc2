import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR } from '../../../src/kernel/context.js';
import { startApp, type TestApp } from '../../support/app.js';
import { anOrganization } from '../../support/builders.js';
import { aVisitor, ConsoleBrowser, signInByLink, type Visitor } from '../../support/console.js';
import { rowsOf } from '../../support/database.js';
import { aPartner, authorizeUrl, PASSWORD as OAUTH_PASSWORD } from '../../support/oauth.js';
import { accountsOf, anAddress, anInvitation, aUser, PASSWORD, signIn, usersOf } from '../../support/users.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ TRUSTED_PROXIES: '127.0.0.0/8' });
});
afterAll(() => app.close());

const ACCOUNT = '/console/test/account';

/** A person with the same account in a second organization. */
async function inTwoOrganizations() {
  const visitor = await aVisitor(app);
  const second = await anOrganization(app, { name: `Second ${visitor.user.id}` });
  const { path, user } = await anInvitation(app, second.id, { email: visitor.user.email, role: 'admin' });
  const csrf = /name="csrf" value="([^"]+)"/.exec((await visitor.browser.visit(path)).text)![1]!;
  await visitor.browser.visit(path, { csrf, do: 'join' });
  return { ...visitor, second, there: user };
}

const switchTo = ({ browser }: Pick<Visitor, 'browser'>, user: string) => browser.fill(ACCOUNT, { user }, '/console/switch');

describe('going to another organization of one account', () => {
  it('does not make the session last longer: switching once a week once kept it for ever', async () => {
    const person = await inTwoOrganizations();
    const ends = () =>
      rowsOf<{ expires_at: string; user_id: string }>(
        app.databaseUrl,
        'SELECT expires_at::text, user_id FROM console_sessions WHERE user_id = ANY($1)',
        [[person.user.id, person.there.id]],
      );
    await rowsOf(app.databaseUrl, `UPDATE console_sessions SET expires_at = now() + interval '1 hour' WHERE user_id = $1`, [
      person.user.id,
    ]);
    const [before] = await ends();
    const shown = await switchTo(person, person.there.id);
    expect(shown.status).toBe(200);
    expect(await ends()).toEqual([{ expires_at: before!.expires_at, user_id: person.there.id }]);
  });

  it('does not lead by a sign-in link into one that has switched passwords off', async () => {
    const person = await inTwoOrganizations();
    await rowsOf(
      app.databaseUrl,
      `INSERT INTO identity_providers (id, organization_id, issuer, client_id, client_secret, email_domains, default_role, admin_values,
          member_values, passwords_allowed, created_at, updated_at)
        SELECT gen_random_uuid(), $1, 'https://id.example', 'us', '\\x00', '{example.com}', 'member', '{}', '{}', false, now(), now()`,
      [person.second.id],
    );
    const browser = new ConsoleBrowser(app.url);
    await signInByLink(app, browser, person.user);
    await switchTo({ browser }, person.there.id);
    const { text } = await browser.visit(ACCOUNT);
    expect([text.includes(`<dd>${person.organization.name}</dd>`), text.includes(`<dd>${person.second.name}</dd>`)]).toEqual([true, false]);
  });
});

describe('guesses', () => {
  it('of a code count for the account, not once more for each of its organizations', async () => {
    const person = await inTwoOrganizations();
    await accountsOf(app).enableTotp(OPERATOR, person.user.id);
    const there = { organizationId: person.second.id, email: person.user.email };
    for (let i = 0; i < 10; i += 1) await signIn(app, i % 2 === 0 ? person.user : there, { code: '000000' });
    for (const user of [person.user, there]) expect(await signIn(app, user, { code: '000000' })).toMatchObject({ refused: 'throttled' });
  });

  it('of a password count for the address, in all organizations together', async () => {
    const person = await inTwoOrganizations();
    const there = { organizationId: person.second.id, email: person.user.email };
    const address = anAddress();
    for (let i = 0; i < 10; i += 1) await signIn(app, i % 2 === 0 ? person.user : there, { password: `guess ${i}`, address });
    for (const user of [person.user, there]) expect(await signIn(app, user, { address })).toMatchObject({ refused: 'throttled' });
    expect(await signIn(app, there)).toHaveProperty('user');
  });
});

describe('a form of another site signs nobody in', () => {
  const sent = async (path: string, body: Record<string, string>, headers: Record<string, string>) => {
    const answer = await fetch(new URL(path, app.url), { method: 'POST', redirect: 'manual', headers, body: new URLSearchParams(body) });
    return answer.headers.getSetCookie().some((line) => /^claims_session=[\w-]{43};/.test(line));
  };
  const signInFrom = async (headers: Record<string, string>) => {
    const { email } = await aUser(app, (await anOrganization(app)).id);
    return sent('/console/sign-in', { do: 'sign-in', email, password: PASSWORD }, headers);
  };

  it.each([
    ['which says so', { 'sec-fetch-site': 'cross-site' }],
    ['of the same domain', { 'sec-fetch-site': 'same-site' }],
    ['without that header', { origin: 'https://evil.example' }],
    ['without that header, and with a hidden origin', { origin: 'null' }],
    ['with an origin that only begins like ours', { origin: 'http://127.0.0.1.evil.example' }],
  ])('by a browser %s', async (_which, headers) => {
    expect(await signInFrom(headers as Record<string, string>)).toBe(false);
  });

  it.each([
    ['a browser', { 'sec-fetch-site': 'same-origin' }],
    ['an older browser', () => ({ origin: app.url })],
    ['a program', {}],
  ])('while our own does, by %s', async (_which, headers) => {
    expect(await signInFrom((typeof headers === 'function' ? headers() : headers) as Record<string, string>)).toBe(true);
  });
});

describe('a password that is among the first that others try', () => {
  const COMMON = 'password1234';
  const SAID = 'is among the first that others would try';

  it('is refused where the operator makes a user', async () => {
    const { id } = await anOrganization(app);
    const made = usersOf(app).create(OPERATOR, { organizationId: id, email: 'jane@example.com', role: 'owner', password: COMMON });
    await expect(made).rejects.toThrow(SAID);
  });

  it('is refused where somebody accepts an invitation', async () => {
    const { path } = await anInvitation(app, (await anOrganization(app)).id);
    const shown = await new ConsoleBrowser(app.url).visit(path, { password: COMMON, repeated: COMMON });
    expect([shown.status, shown.text]).toEqual([400, expect.stringContaining(SAID)]);
  });

  it('is refused in the console, and with the name of the organization as well', async () => {
    const visitor = await aVisitor(app);
    for (const password of [COMMON, `${visitor.organization.name} 2026`]) {
      const shown = await visitor.browser.fill(
        '/console/test/security',
        { current: PASSWORD, password, repeated: password },
        '/console/test/security/password',
      );
      expect([shown.status, shown.text]).toEqual([400, expect.stringContaining(SAID)]);
    }
  });

  it('is refused as a new password', async () => {
    const { user } = await aVisitor(app);
    await expect(accountsOf(app).setPassword(OPERATOR, user.id, COMMON)).rejects.toThrow(SAID);
  });
});

describe('another spelling of an address is another person', () => {
  const FULL_WIDTH = (email: string): string => email.replace('jane', 'ｊane');

  it('at the sign-in, where the password of the one does not open it by the other', async () => {
    const { user } = await aVisitor(app);
    expect(await signIn(app, { ...user, email: user.email.toUpperCase() })).toHaveProperty('user');
    expect(await signIn(app, { ...user, email: FULL_WIDTH(user.email) })).toEqual({ refused: 'credentials' });
  });

  it('in an invitation, which takes no address that only looks like another', async () => {
    const { user, organization } = await aVisitor(app);
    await expect(anInvitation(app, organization.id, { email: FULL_WIDTH(user.email) })).rejects.toThrow('must be an e-mail address');
  });
});

// Last, because it starts another application in this process.
describe('a service with an https address', () => {
  it('takes its cookies from this host over https alone, and the console has others than the authorization server', async () => {
    const secure = await startApp({ BASE_URL: 'https://api.example.com' });
    const { port } = secure.app.getHttpServer().address() as AddressInfo;
    const origin = `http://127.0.0.1:${port}`;
    const partner = await aPartner(secure);
    const signedIn = await fetch(`${origin}/console/sign-in`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ do: 'sign-in', email: partner.user.email, password: OAUTH_PASSWORD }),
    });
    const session = signedIn.headers.getSetCookie()[0]!.split(';')[0]!;
    const account = await (await fetch(`${origin}${ACCOUNT}`, { headers: { cookie: session } })).text();
    const done = await fetch(`${origin}${ACCOUNT}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: session },
      body: new URLSearchParams({ csrf: /name="csrf" value="([^"]+)"/.exec(account)![1]!, password: OAUTH_PASSWORD }),
    });
    const asked = await fetch(authorizeUrl(origin, partner), { redirect: 'manual', headers: { cookie: session } });
    const device = await fetch(`${origin}/oauth/device`, { redirect: 'manual' });
    const language = await fetch(`${origin}/console/sign-in?lang=de`);
    const cookies = [signedIn, done, asked, device, language].flatMap(({ headers }) => headers.getSetCookie());
    for (const cookie of cookies) expect(cookie.toLowerCase()).toMatch(/; secure/);
    expect([...new Set(cookies.map((cookie) => cookie.split('=')[0]!))].sort()).toEqual([
      '__Host-claims_notice',
      '__Host-claims_oauth',
      '__Host-claims_oauth.sig',
      '__Host-claims_session',
      '__Host-language',
      '__Secure-claims_interaction',
      '__Secure-claims_interaction.sig',
      '__Secure-claims_interaction_resume',
      '__Secure-claims_interaction_resume.sig',
    ]);
    for (const cookie of cookies.filter((line) => line.startsWith('__Host-')))
      expect(cookie.toLowerCase()).toMatch(/path=\/;(?!.*domain=)/);
    await secure.close();
  });
});
