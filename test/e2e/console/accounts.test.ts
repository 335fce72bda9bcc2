import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR } from '../../../src/kernel/context.js';
import { eventually } from '../../support/eventually.js';
import { startApp, type TestApp } from '../../support/app.js';
import { anOrganization } from '../../support/builders.js';
import { aVisitor, ConsoleBrowser, textOf, type Visitor, WITHIN_MS } from '../../support/console.js';
import { accountsOf, actionsOf, anInvitation, aUser, codeAt, PASSWORD, signIn, usersOf } from '../../support/users.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const ACCOUNT = '/console/test/account';
const SECURITY = '/console/test/security';
const OTHER = 'the password of another organization';

/** Somebody who accepts an invitation of a further organization while they are signed in. */
async function inTwoOrganizations() {
  const visitor = await aVisitor(app);
  const second = await anOrganization(app, { plan: 'enterprise', name: `Second ${visitor.user.id}` });
  const { path, user } = await anInvitation(app, second.id, { email: visitor.user.email.toUpperCase(), role: 'admin' });
  const asked = await visitor.browser.visit(path);
  const csrf = /name="csrf" value="([^"]+)"/.exec(asked.text)![1]!;
  const joined = await visitor.browser.visit(path, { csrf, do: 'join' });
  return { ...visitor, second, invited: user, joined };
}

const switchTo = ({ browser }: Pick<Visitor, 'browser'>, userId: string) => browser.fill(ACCOUNT, { user: userId }, '/console/switch');
const menuOf = (text: string): string[] => [...textOf(text).matchAll(/Switch to (.*?)<\/button>/g)].map(([, name]) => name!);

describe('one account for several organizations', () => {
  it('comes from an invitation that is accepted while signed in: one password, a switcher', async () => {
    const person = await inTwoOrganizations();
    expect(person.joined.text).toContain('You have joined');
    expect(menuOf((await person.browser.visit(ACCOUNT)).text)).toEqual([person.second.name]);
    const there = await switchTo(person, person.invited.id);
    expect(there.url.pathname).toBe('/console/test');
    const shown = await person.browser.visit(ACCOUNT);
    expect(textOf(shown.text)).toContain(person.second.name);
    expect(menuOf(shown.text)).toEqual([person.organization.name]);
    expect(await signIn(app, { organizationId: person.second.id, email: person.user.email })).toHaveProperty('user');
    expect(await actionsOf(app, person.second.id)).toEqual(['user.invited', 'user.accepted', 'user.signed_in']);
  });

  it('has the role of each organization there only', async () => {
    const person = await inTwoOrganizations();
    await switchTo(person, person.invited.id);
    expect((await person.browser.visit('/console/test/members')).status).toBe(200);
    await usersOf(app).changeRole(OPERATOR, person.invited.id, 'member');
    await eventually(async () => expect((await person.browser.visit('/console/test/members')).status).toBe(403), WITHIN_MS);
    await switchTo(person, person.user.id);
    expect((await person.browser.visit('/console/test/members')).status).toBe(200);
  });

  it('is signed in to the organization that was used last, without being asked for its name', async () => {
    const person = await inTwoOrganizations();
    await signIn(app, { organizationId: person.second.id, email: person.user.email });
    const browser = new ConsoleBrowser(app.url);
    await browser.fill('/console/sign-in', { do: 'sign-in', email: person.user.email, password: PASSWORD });
    expect(menuOf((await browser.visit(ACCOUNT)).text)).toEqual([person.organization.name]);
  });

  it('loses an organization with its next page once it was removed there', async () => {
    const person = await inTwoOrganizations();
    await usersOf(app).remove(OPERATOR, person.invited.id);
    expect(menuOf((await person.browser.visit(ACCOUNT)).text)).toEqual([]);
    await expect(switchTo(person, person.invited.id)).rejects.toThrow('There is no form');
    const csrf = /name="csrf" value="([^"]+)"/.exec((await person.browser.visit(ACCOUNT)).text)![1]!;
    await person.browser.visit('/console/switch', { csrf, user: person.invited.id });
    expect(textOf((await person.browser.visit(ACCOUNT)).text)).toContain(person.organization.name);
    expect(await signIn(app, person.user)).toHaveProperty('user');
  });

  it('shares password and second factor, and every organization reads in its audit log when they change', async () => {
    const person = await inTwoOrganizations();
    const { secret } = await accountsOf(app).enableTotp(OPERATOR, person.invited.id);
    const code = codeAt(secret, new Date());
    const asked = await signIn(app, person.user);
    expect(asked).toMatchObject({ refused: 'code_needed' });
    expect(await signIn(app, person.user, { code })).toHaveProperty('user');
    // The same code does not work in the other organization either.
    expect(await signIn(app, { organizationId: person.second.id, email: person.user.email }, { code })).toEqual({ refused: 'code_wrong' });
    for (const id of [person.organization.id, person.second.id]) expect(await actionsOf(app, id)).toContain('user.totp_enabled');
  });

  it('is nobody else’s: another person’s user cannot be switched to', async () => {
    const [person, stranger] = [await aVisitor(app), await aVisitor(app)];
    const csrf = /name="csrf" value="([^"]+)"/.exec((await person.browser.visit(ACCOUNT)).text)![1]!;
    await person.browser.visit('/console/switch', { csrf, user: stranger.user.id });
    const { text } = await person.browser.visit(ACCOUNT);
    expect([text.includes(person.user.email), text.includes(stranger.user.email)]).toEqual([true, false]);
  });

  it('is not made of an e-mail address: whoever accepts for somebody else gets nothing of theirs', async () => {
    const victim = await aVisitor(app);
    const attackers = await anOrganization(app);
    // The attacker invites the victim's address, sees the link, and accepts with a password of their own.
    const { path, user } = await anInvitation(app, attackers.id, { email: victim.user.email });
    await new ConsoleBrowser(app.url).visit(path, { password: OTHER, repeated: OTHER });
    const { user: accepted } = (await signIn(app, { organizationId: attackers.id, email: user.email }, { password: OTHER })) as never;
    expect((accepted as { accountId: string }).accountId).not.toBe(victim.user.accountId);
    expect(await signIn(app, victim.user, { password: OTHER })).toEqual({ refused: 'credentials' });
    expect(menuOf((await victim.browser.visit(ACCOUNT)).text)).toEqual([]);
  });

  it('does not take an invitation of another address', async () => {
    const visitor = await aVisitor(app);
    const { path } = await anInvitation(app, (await anOrganization(app)).id);
    expect((await visitor.browser.visit(path)).text).toContain('Choose a password');
    const csrf = /name="csrf" value="([^"]+)"/.exec((await visitor.browser.visit(ACCOUNT)).text)![1]!;
    expect((await visitor.browser.visit(path, { csrf, do: 'join' })).text).toContain('Choose a password');
  });
});

describe('an organization with another password', () => {
  const add = ({ browser }: Pick<Visitor, 'browser'>, fields: Record<string, string>) =>
    browser.fill(SECURITY, fields, `${SECURITY}/organizations`);

  async function withTwoPasswords() {
    const visitor = await aVisitor(app);
    const second = await anOrganization(app);
    const { email } = visitor.user;
    const there = await usersOf(app).create(OPERATOR, { organizationId: second.id, email, role: 'member', password: OTHER });
    return { ...visitor, second, there };
  }

  it('is added to the account by its password, which is not needed any more', async () => {
    const person = await withTwoPasswords();
    const shown = await add(person, { organization: person.second.slug, otherPassword: OTHER });
    expect(shown.text).toContain('You now sign in to this organization with the same account.');
    expect(menuOf(shown.text)).toEqual([person.second.name]);
    expect(await signIn(app, person.there, { password: OTHER })).toEqual({ refused: 'credentials' });
    expect(await signIn(app, person.there)).toHaveProperty('user');
    expect(await actionsOf(app, person.second.id)).toContain('user.account_joined');
  });

  it('ends what was begun with that password: nobody gets into this account by an old session', async () => {
    const person = await withTwoPasswords();
    const old = new ConsoleBrowser(app.url);
    const fields = { do: 'sign-in', email: person.user.email, password: OTHER, organization: person.second.slug };
    await old.fill('/console/sign-in', fields, '/console/sign-in');
    expect((await old.visit(ACCOUNT)).url.pathname).toBe(ACCOUNT);
    await add(person, { organization: person.second.slug, otherPassword: OTHER });
    expect((await old.visit(ACCOUNT)).url.pathname).toBe('/console/sign-in');
    expect((await person.browser.visit(ACCOUNT)).url.pathname).toBe(ACCOUNT);
  });

  it('is not added by a wrong password, nor by that of another person', async () => {
    const person = await withTwoPasswords();
    const refused = await add(person, { organization: person.second.slug, otherPassword: 'wrong' });
    expect([refused.status, menuOf(refused.text)]).toEqual([400, []]);
    const stranger = await aUser(app, person.second.id);
    const ofStranger = await add(person, { organization: person.second.slug, otherPassword: PASSWORD, email: stranger.email });
    expect([ofStranger.status, menuOf(ofStranger.text)]).toEqual([400, []]);
  });

  it('keeps its second factor: an account without one cannot take it over', async () => {
    const person = await withTwoPasswords();
    const { secret } = await accountsOf(app).enableTotp(OPERATOR, person.there.id);
    const fields = { organization: person.second.slug, otherPassword: OTHER, otherCode: codeAt(secret, new Date()) };
    const refused = await add(person, fields);
    expect([refused.status, textOf(refused.text)]).toEqual([400, expect.stringContaining('set one up for this account first')]);
    expect(await signIn(app, person.there, { password: OTHER })).toMatchObject({ refused: 'code_needed' });
  });
});
