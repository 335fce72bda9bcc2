import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR } from '../../../src/kernel/context.js';
import { SignInLinks } from '../../../src/modules/console/index.js';
import { UsersService } from '../../../src/modules/users/index.js';
import { newId } from '../../../src/kernel/ids.js';
import type { UserRole } from '../../../src/kernel/roles.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aVisitor, aVisitorOf, ConsoleBrowser, textOf, type Visitor } from '../../support/console.js';
import { rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { actionsOf, anEmail, anInvitation, aUser, entriesOf, PASSWORD } from '../../support/users.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const MEMBERS = '/console/test/members';
const INVITE = `${MEMBERS}/invite`;
const LINK = /\/invitations\/invite_[\w-]{43}/;
const csrfOf = (text: string): string => /name="csrf" value="([^"]+)"/.exec(text)![1]!;
const roleOf = async (id: string): Promise<string> => (await app.app.get(UsersService).get(id)).role;
const statusOf = async (id: string): Promise<string> => (await app.app.get(UsersService).get(id)).status;

describe('the members of an organization', () => {
  it('are shown to owners and admins with role, status, second factor and last sign-in', async () => {
    const { browser, organization, user } = await aVisitor(app, { role: 'admin' });
    const invited = await anInvitation(app, organization.id, { name: 'Joe <b>Bloggs</b>' });
    const stranger = await aUser(app, (await aVisitor(app)).organization.id);
    const { status, text } = await browser.visit(MEMBERS);
    expect(status).toBe(200);
    expect(textOf(text)).toContain('Joe <b>Bloggs</b>');
    expect(text).not.toContain('<b>Bloggs');
    for (const shown of [user.email, invited.user.email, 'Invited', 'Active', 'Never']) expect(text).toContain(shown);
    expect(text).not.toContain(stranger.email);
  });

  it('are not shown to members', async () => {
    const { browser, user } = await aVisitor(app, { role: 'member' });
    expect((await browser.visit('/console/test')).text).not.toContain(`href="${MEMBERS}"`);
    for (const path of [MEMBERS, INVITE, `${MEMBERS}/${user.id}`]) expect((await browser.visit(path)).status).toBe(403);
  });

  it('of another organization do not exist', async () => {
    const [{ browser }, other] = [await aVisitor(app), await aVisitor(app)];
    const stranger = await aUser(app, other.organization.id);
    const csrf = csrfOf((await browser.visit(INVITE)).text);
    for (const id of [stranger.id, newId(), 'nobody']) {
      expect((await browser.visit(`${MEMBERS}/${id}`)).status).toBe(404);
      for (const action of ['role', 'remove', 'invite', 'sign-out'])
        expect((await browser.visit(`${MEMBERS}/${id}/${action}`, { csrf, role: 'admin' })).status, action).toBe(404);
    }
    expect([await roleOf(stranger.id), await statusOf(stranger.id)]).toEqual(['member', 'active']);
  });
});

describe('inviting', () => {
  it('counts once, however often its form is sent: the first link still works', async () => {
    const { browser, organization } = await aVisitor(app);
    const form = await browser.visit(INVITE);
    const fields = { email: anEmail(), role: 'member' };
    const [first, second] = [await browser.send(form, fields), await browser.send(form, fields)];
    const [path] = LINK.exec(first.text)!;
    expect(LINK.exec(second.text)![0]).toBe(path);
    expect((await new ConsoleBrowser(app.url).visit(path)).status).toBe(200);
    expect((await actionsOf(app, organization.id)).filter((action) => action === 'user.invited')).toHaveLength(1);
  });

  it('shows the link once where no mail is sent, and it works', async () => {
    const { browser, organization, user } = await aVisitor(app, { role: 'admin' });
    const email = anEmail();
    const shown = await browser.fill(INVITE, { email, role: 'member' });
    const [path] = LINK.exec(shown.text)!;
    expect((await browser.visit(path)).text).toContain(email);
    for (const page of [MEMBERS, INVITE]) expect((await browser.visit(page)).text).not.toMatch(LINK);
    expect((await entriesOf(app, organization.id)).at(-1)).toMatchObject({ action: 'user.invited', actor: `user ${user.id} ${user.name}` });
  });

  it('again makes a new link, and the earlier one no longer works', async () => {
    const { browser, organization } = await aVisitor(app);
    const first = await anInvitation(app, organization.id, { role: 'admin' });
    const shown = await browser.fill(`${MEMBERS}/${first.user.id}`, {}, '/invite');
    const [path] = LINK.exec(shown.text)!;
    expect([(await browser.visit(first.path)).status, (await browser.visit(path)).status]).toEqual([404, 200]);
    expect(await roleOf(first.user.id)).toBe('admin');
  });

  it('says at the field what is wrong, and keeps what was entered', async () => {
    const { browser, user } = await aVisitor(app);
    const shown = await browser.fill(INVITE, { email: 'jane', name: '<script>', role: 'admin' });
    expect([shown.status, shown.text.includes('id="email-error"'), shown.text.includes('<script>')]).toEqual([400, true, false]);
    expect(textOf(shown.text)).toContain('value="<script>"');
    expect((await browser.fill(INVITE, { email: anEmail(), role: 'boss' })).status).toBe(400);
    const taken = await browser.fill(INVITE, { email: user.email });
    expect([taken.status, taken.text.includes('already has a user')]).toEqual([409, true]);
  });

  it('an owner takes an owner, also where an owner is invited already', async () => {
    const { browser, organization } = await aVisitor(app, { role: 'admin' });
    const form = await browser.visit(INVITE);
    expect(form.text).not.toContain('value="owner"');
    expect((await browser.send(form, { email: anEmail(), role: 'owner' })).status).toBe(403);
    const invited = await anInvitation(app, organization.id, { role: 'owner' });
    expect((await browser.send(form, { email: invited.user.email, role: 'member' })).status).toBe(403);
    expect((await browser.visit(invited.path)).status).toBe(200);
    const owner = await aVisitorOf(app, organization);
    expect((await owner.browser.fill(INVITE, { email: anEmail(), role: 'owner' })).text).toMatch(LINK);
  });
});

describe('the role of a member', () => {
  it('is changed at once, and the audit log says by whom', async () => {
    const { browser, organization, user } = await aVisitor(app);
    const other = await aVisitorOf(app, organization, { role: 'member' });
    expect((await other.browser.visit(MEMBERS)).status).toBe(403);
    const shown = await browser.fill(`${MEMBERS}/${other.user.id}`, { role: 'admin' }, '/role');
    expect(shown.text).toContain('now has the role admin.');
    expect((await other.browser.visit(MEMBERS)).status).toBe(200);
    expect((await entriesOf(app, organization.id)).at(-1)).toMatchObject({
      action: 'user.role_changed',
      actor: `user ${user.id} ${user.name}`,
      resource: `user ${other.user.id}`,
      changes: { role: { from: 'member', to: 'admin' } },
    });
    const before = (await entriesOf(app, organization.id)).length;
    await browser.fill(`${MEMBERS}/${other.user.id}`, { role: 'admin' }, '/role');
    expect(await entriesOf(app, organization.id)).toHaveLength(before);
  });

  it.each<[manager: UserRole, member: UserRole, wanted: UserRole, status: number]>([
    ['owner', 'owner', 'member', 200],
    ['owner', 'member', 'owner', 200],
    ['admin', 'admin', 'member', 200],
    ['admin', 'member', 'admin', 200],
    ['admin', 'member', 'owner', 403],
    ['admin', 'owner', 'member', 403],
    ['member', 'member', 'admin', 403],
  ])('an %s changes that of an %s to %s: %i', async (managing, managed, wanted, status) => {
    const { browser, organization } = await aVisitor(app, { role: managing });
    const other = await aUser(app, organization.id, { role: managed });
    const csrf = csrfOf((await browser.visit('/console/test')).text);
    expect((await browser.visit(`${MEMBERS}/${other.id}/role`, { csrf, role: wanted })).status).toBe(status);
    expect(await roleOf(other.id)).toBe(status === 200 ? wanted : managed);
  });

  it('is changed by nobody for themselves, and nobody removes themselves', async () => {
    const { browser, organization, user } = await aVisitor(app);
    await aUser(app, organization.id, { role: 'owner' });
    const { text } = await browser.visit(`${MEMBERS}/${user.id}`);
    expect(text).toContain('You cannot change your own role');
    const csrf = csrfOf(text);
    for (const action of ['role', 'remove'])
      expect((await browser.visit(`${MEMBERS}/${user.id}/${action}`, { csrf, role: 'member' })).status).toBe(403);
    expect([await roleOf(user.id), await statusOf(user.id)]).toEqual(['owner', 'active']);
  });

  it('cannot be taken from both owners by each other', async () => {
    const { browser, organization, user } = await aVisitor(app);
    const other = await aVisitorOf(app, organization);
    const change = async (visitor: typeof browser, id: string) =>
      visitor.visit(`${MEMBERS}/${id}/role`, { csrf: csrfOf((await visitor.visit('/console/test')).text), role: 'admin' });
    await Promise.all([change(browser, other.user.id), change(other.browser, user.id)]);
    expect([await roleOf(user.id), await roleOf(other.user.id)].sort()).toEqual(['admin', 'owner']);
  });
});

describe('signing a member out', () => {
  const isSignedIn = async ({ browser }: Visitor) => (await browser.visit('/console/test')).url.pathname === '/console/test';

  it('ends all their sessions at once, with an entry in the audit log; they can sign in again, and others stay', async () => {
    const admin = await aVisitor(app, { role: 'admin' });
    const [gone, stays] = [await aVisitorOf(app, admin.organization, { role: 'member' }), await aVisitorOf(app, admin.organization)];
    const shown = await admin.browser.fill(`${MEMBERS}/${gone.user.id}`, {}, `${gone.user.id}/sign-out`);
    expect(shown.text).toContain(`${gone.user.name} was signed out everywhere.`);
    await eventually(async () => expect(await isSignedIn(gone)).toBe(false));
    expect([await isSignedIn(admin), await isSignedIn(stays)]).toEqual([true, true]);
    expect((await entriesOf(app, admin.organization.id)).at(-1)).toMatchObject({
      action: 'user.sessions_ended',
      resource: `user ${gone.user.id}`,
      actor: `user ${admin.user.id} ${admin.user.name}`,
    });
    await gone.browser.fill('/console/sign-in', { do: 'sign-in', email: gone.user.email, password: PASSWORD });
    expect(await isSignedIn(gone)).toBe(true);
  });

  it('ends links that would sign them in, and what they have in another organization with the same account', async () => {
    const owner = await aVisitor(app);
    const member = await aVisitorOf(app, owner.organization, { role: 'member' });
    const elsewhere = await anInvitation(app, (await aVisitor(app)).organization.id, { email: member.user.email });
    await member.browser.visit(elsewhere.path, { csrf: csrfOf((await member.browser.visit(elsewhere.path)).text), do: 'join' });
    await member.browser.fill('/console/test/account', { user: elsewhere.user.id }, '/console/switch');
    const { link } = await app.app.get(SignInLinks).make(OPERATOR, member.user);
    expect(await isSignedIn(member)).toBe(true);
    await owner.browser.fill(`${MEMBERS}/${member.user.id}`, {}, `${member.user.id}/sign-out`);
    await eventually(async () => expect(await isSignedIn(member)).toBe(false));
    expect((await new ConsoleBrowser(app.url).visit(new URL(link).pathname)).status).toBe(404);
    expect(await actionsOf(app, elsewhere.user.organizationId)).not.toContain('user.sessions_ended');
  });

  it('takes an owner if they are one, and is not for oneself', async () => {
    const admin = await aVisitor(app, { role: 'admin' });
    const owner = await aVisitorOf(app, admin.organization);
    for (const { user } of [owner, admin]) {
      const { text } = await admin.browser.visit(`${MEMBERS}/${user.id}`);
      expect(text).not.toContain(`${user.id}/sign-out`);
      expect((await admin.browser.visit(`${MEMBERS}/${user.id}/sign-out`, { csrf: csrfOf(text) })).status).toBe(403);
    }
    expect(await isSignedIn(owner)).toBe(true);
  });
});

describe('removing a member', () => {
  it('asks first, and ends all access at once', async () => {
    const { browser, organization, user } = await aVisitor(app, { role: 'admin' });
    const other = await aVisitorOf(app, organization, { role: 'member' });
    const shown = await browser.visit(`${MEMBERS}/${other.user.id}`);
    expect(shown.text).toContain('<details class="confirm">');
    const after = await browser.send(shown, {}, '/remove');
    expect(after.url.pathname).toBe(MEMBERS);
    expect(after.text).not.toContain(other.user.email);
    expect((await other.browser.visit('/console/test')).url.pathname).toBe('/console/sign-in');
    expect((await browser.visit(`${MEMBERS}/${other.user.id}`)).status).toBe(404);
    expect((await entriesOf(app, organization.id)).at(-1)).toMatchObject({
      action: 'user.removed',
      actor: `user ${user.id} ${user.name}`,
    });
    const left = await rowsOf(app.databaseUrl, 'SELECT 1 FROM console_sessions WHERE user_id = $1', [user.id]);
    expect(left).toHaveLength(1);
  });

  it('who is an owner takes an owner', async () => {
    const { browser, organization } = await aVisitor(app, { role: 'admin' });
    const owner = await aUser(app, organization.id, { role: 'owner' });
    const { text } = await browser.visit(`${MEMBERS}/${owner.id}`);
    expect([text.includes('Only an owner'), text.includes('/remove')]).toEqual([true, false]);
    expect((await browser.visit(`${MEMBERS}/${owner.id}/remove`, { csrf: csrfOf(text) })).status).toBe(403);
    expect(await statusOf(owner.id)).toBe('active');
  });
});
