import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import type { UserRole } from '../../../src/kernel/roles.js';
import { RegistrationsService } from '../../../src/modules/oauth/index.js';
import { findingsOf } from '../../support/axe.js';
import { startApp, type TestApp } from '../../support/app.js';
import { anOrganization } from '../../support/builders.js';
import { openPage, startChromium } from '../../support/chromium.js';
import { ConsoleBrowser, signInByLink, textOf, type Visitor } from '../../support/console.js';
import { rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { anApplication, ask, bearer, tokensOf } from '../../support/oauth.js';
import { APP_CALLBACK, connect } from '../../support/shared-clients.js';
import { aUser, PASSWORD } from '../../support/users.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const CONNECTIONS = '/console/test/connections';
const APPLICATIONS = '/console/test/applications';

/** Someone who is signed in to the console, and whose password is known to the sign-in of applications. */
async function aPerson(organization: { id: string }, { role = 'member', name = 'Jane' }: { role?: UserRole; name?: string } = {}) {
  const user = { ...(await aUser(app, organization.id, { role, name })), password: PASSWORD };
  const browser = new ConsoleBrowser(app.url);
  await signInByLink(app, browser, user);
  return { organization, user, browser };
}

type Person = Awaited<ReturnType<typeof aPerson>>;

/** An organization with a member and an admin, and an application that both have allowed. */
async function anOffice(wanted: Parameters<typeof anApplication>[2] = {}) {
  const organization = await anOrganization(app);
  const [member, admin] = [await aPerson(organization, { name: 'Mary' }), await aPerson(organization, { name: 'Adam', role: 'admin' })];
  const application = await anApplication(app, organization.id, wanted);
  return { organization, application, member, admin };
}

type Office = Awaited<ReturnType<typeof anOffice>>;

const allowedBy = (
  { user }: Person,
  { organization, application }: Pick<Office, 'organization' | 'application'>,
  scope = 'claim_projects:read',
) => tokensOf(app, { organization, application, user }, { scope });
const listOf = async ({ browser }: Pick<Visitor, 'browser'>, path = CONNECTIONS) => textOf((await browser.visit(path)).text);
const actionOf = ({ application }: Pick<Office, 'application'>, { user }: Person, connections = CONNECTIONS) =>
  `${connections}/${application.id}/${user.id}/revoke`;
const csrfOf = async ({ browser }: Person): Promise<string> =>
  /name="csrf" value="([^"]+)"/.exec((await browser.visit('/console/test')).text)![1]!;
const revocationsOf = ({ organization }: Office) =>
  rowsOf(
    app.databaseUrl,
    `SELECT actor_id, environment, changes->'reason'->>'to' AS reason, changes->'user'->>'from' AS of FROM audit_entries
      WHERE organization_id = $1 AND action = 'application.access_revoked' ORDER BY ordinal`,
    [organization.id],
  );

describe('connected applications', () => {
  it('are shown to members with what they allowed themselves, in plain words, and nothing of others', async () => {
    const office = await anOffice();
    const other = { ...office, application: await anApplication(app, office.organization.id, { name: 'Another' }) };
    await allowedBy(office.member, office, 'claim_projects:read usage:read');
    await allowedBy(office.admin, other);
    const text = await listOf(office.member);
    for (const said of ['Month-end sync', '2 scopes', 'List claim projects and see a claim project', 'usage:read'])
      expect(text).toContain(said);
    expect(text).not.toContain('Another');
    expect(text).not.toContain('Adam');
    expect(text).not.toContain(APPLICATIONS);
    expect(text).toContain('1–1 of 1');
  });

  it('are shown to admins with those of everybody, by whom and since when', async () => {
    const office = await anOffice();
    await allowedBy(office.member, office);
    await allowedBy(office.admin, office);
    const text = await listOf(office.admin);
    for (const said of ['Mary', 'Adam', `/console/test/applications/${office.application.id}`, '1–2 of 2']) expect(text).toContain(said);
    expect(text).toMatch(/data-heading="Last new token"><div><time datetime="20/);
    expect(text).toMatch(/data-heading="Allowed since"><div><time datetime="20/);
  });

  it('are one for all consents of a person, without what was left out or has ended', async () => {
    const office = await anOffice();
    await allowedBy(office.member, office);
    await allowedBy(office.member, office, 'usage:read');
    expect(await listOf(office.member)).toContain('1–1 of 1');
    await rowsOf(app.databaseUrl, `UPDATE oauth_records SET expires_at = now() WHERE kind = 'Grant' AND user_id = $1`, [
      office.member.user.id,
    ]);
    expect(await listOf(office.member)).toContain('No application may act for you with the test data.');
  });

  it('come in pages, and a page past the end says how many there are', async () => {
    const office = await anOffice();
    await allowedBy(office.member, office);
    const { text } = await office.member.browser.visit(`${CONNECTIONS}?page=7`);
    expect(text).toContain('Nothing here: 1 in all');
    expect(text).toContain('No application may act for you');
  });

  it('of another environment or organization are not shown', async () => {
    const [office, elsewhere] = [await anOffice({ environment: 'live' }), await anOffice()];
    await allowedBy(office.admin, office);
    expect(await listOf(office.admin)).toContain('No application may act for anybody with the test data.');
    expect(await listOf(office.admin, '/console/live/connections')).toContain('Month-end sync');
    expect(await listOf(elsewhere.admin, '/console/live/connections')).toContain('No application may act for anybody');
  });

  it('can be read on a phone, in dark colours, and axe finds nothing wrong', async () => {
    const office = await anOffice({ name: 'The month-end synchronization of a partner' });
    await allowedBy(office.admin, office, 'claim_projects:read usage:read');
    const chromium = await startChromium();
    const { page } = await openPage(chromium, { viewport: { width: 360, height: 740 }, colorScheme: 'dark', bypassCSP: true });
    const cookies = office.admin.browser.cookieHeader().split('; ');
    await page.context().addCookies(cookies.map((pair) => ({ name: pair.split('=')[0]!, value: pair.split(/=(.*)/s)[1]!, url: app.url })));
    await page.goto(app.url + CONNECTIONS);
    for (const closed of await page.locator('main summary').all()) await closed.click();
    await page.getByRole('button', { name: /^Revoke the access of/ }).waitFor();
    expect(await findingsOf(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await chromium.close();
  });

  it('show their names as the texts that they are', async () => {
    const name = '<script>alert(1)</script>';
    const office = await anOffice({ name });
    await allowedBy(office.member, office);
    for (const person of [office.member, office.admin]) {
      const { text } = await person.browser.visit(CONNECTIONS);
      expect(text).not.toContain('<script>alert');
      expect(textOf(text)).toContain(name);
    }
  });
});

describe('revoking', () => {
  it('ends the own access of a member at once, and the audit log says so', async () => {
    const office = await anOffice();
    const { member, admin } = office;
    const [first, second] = [await allowedBy(member, office), await allowedBy(member, office)];
    const kept = await allowedBy(admin, office);
    const shown = await member.browser.fill(CONNECTIONS, {}, actionOf(office, member));
    expect([shown.url.pathname, shown.text]).toEqual([CONNECTIONS, expect.stringContaining('The access has ended.')]);
    await eventually(async () => {
      for (const { accessToken } of [first, second]) expect((await bearer(app, accessToken)).status).toBe(401);
    });
    const refreshed = await ask(app, office, { grant_type: 'refresh_token', refresh_token: first.refreshToken });
    expect(refreshed.body).toMatchObject({ error: 'invalid_grant' });
    expect((await bearer(app, kept.accessToken)).status).toBe(200);
    expect(await revocationsOf(office)).toEqual([{ actor_id: member.user.id, environment: 'test', reason: 'user', of: member.user.id }]);
  });

  it('is for admins with the access of everybody, and the audit log says who did it', async () => {
    const office = await anOffice();
    const { accessToken } = await allowedBy(office.member, office);
    await office.admin.browser.fill(CONNECTIONS, {}, actionOf(office, office.member));
    await eventually(async () => expect((await bearer(app, accessToken)).status).toBe(401));
    expect(await revocationsOf(office)).toEqual([
      { actor_id: office.admin.user.id, environment: 'test', reason: 'admin', of: office.member.user.id },
    ]);
  });

  it('twice is recorded once', async () => {
    const office = await anOffice();
    await allowedBy(office.member, office);
    const form = await office.member.browser.visit(CONNECTIONS);
    const answers = await Promise.all([1, 2].map(() => office.member.browser.send(form, {}, actionOf(office, office.member))));
    expect(answers.map(({ status, url }) => [status, url.pathname])).toEqual([1, 2].map(() => [200, CONNECTIONS]));
    expect(await revocationsOf(office)).toHaveLength(1);
    const again = await office.member.browser.send(form, {}, actionOf(office, office.member));
    expect(again.text).toContain('The access had ended already.');
  });

  it('is not for members with the access of others, nor for admins of another organization or environment', async () => {
    const [office, elsewhere] = [await anOffice(), await anOffice()];
    const { accessToken } = await allowedBy(office.admin, office);
    const wrong = [
      [office.member, actionOf(office, office.admin)],
      [elsewhere.admin, actionOf(office, office.admin)],
      [elsewhere.admin, actionOf(office, elsewhere.admin)],
      [elsewhere.admin, actionOf(elsewhere, office.admin)],
      [office.admin, actionOf(office, office.admin, '/console/live/connections')],
      [office.admin, `${CONNECTIONS}/${newId()}/${office.admin.user.id}/revoke`],
      [office.admin, `${CONNECTIONS}/no-id/${office.admin.user.id}/revoke`],
    ] as const;
    for (const [who, action] of wrong) expect((await who.browser.visit(action, { csrf: await csrfOf(who) })).status, action).toBe(404);
    expect((await office.admin.browser.visit(actionOf(office, office.admin), { csrf: 'wrong' })).status).toBe(403);
    expect((await bearer(app, accessToken)).status).toBe(200);
    expect(await revocationsOf(office)).toEqual([]);
  });
});

describe('an application that serves every organization', () => {
  it('is among the applications of who connected it; suspended and approved there, with limits and projects of its own', async () => {
    const organization = await anOrganization(app);
    const owner = await aPerson(organization, { role: 'owner' });
    const { clientId } = await app.app.get(RegistrationsService).list('A model', [APP_CALLBACK]);
    const { accessToken } = await connect(app, clientId, owner.user);
    expect(await listOf(owner)).toContain('A model');
    const list = await listOf(owner, APPLICATIONS);
    expect(list).toContain(clientId);
    const path = /href="(\/console\/test\/applications\/[0-9a-f-]{36})">A model/.exec(list)![1]!;
    const { text } = await owner.browser.visit(path);
    expect(text).toContain('Serves every organization');
    expect(text).not.toMatch(new RegExp(`${path}/(keys|rotate-secret)`));
    const csrf = await csrfOf(owner);
    const fields = { csrf, name: 'Mine', scopes: 'usage:read', grants: 'authorization_code', redirectUris: APP_CALLBACK };
    expect((await owner.browser.visit(`${path}/edit`)).text).not.toContain('name="redirectUris"');
    await owner.browser.visit(`${path}/edit`, { ...fields, dailyCalls: '1000', projects: 'all' });
    const { text: changed } = await owner.browser.visit(path);
    expect([changed.includes('1,000'), changed.includes('Mine'), changed.includes('A model')]).toEqual([true, false, true]);
    expect((await owner.browser.visit(`${path}/rotate-secret`, { csrf, overlap: '0' })).status).toBe(404);
    await owner.browser.fill(path, {}, '/suspend');
    await eventually(async () => expect((await bearer(app, accessToken)).status).toBe(401));
    await owner.browser.fill(path, {}, '/approve');
    await eventually(async () => expect((await bearer(app, accessToken)).status).toBe(200));
  });
});
