import { createHash } from 'node:crypto';
import supertest from 'supertest';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { OPERATOR } from '../../../src/kernel/context.js';
import { fromNewAddress } from '../../support/law-call.js';
import { MailOutbox } from '../../../src/store/mail/mail-outbox.js';
import type { Mailer } from '../../../src/store/mail/mailer.js';
import { Ports } from '../../../src/store/discovery/ports.js';
import { startApp, type TestApp } from '../../support/app.js';
import { atTime } from '../../support/audit.js';
import { anOrganization } from '../../support/builders.js';
import { createDatabase, rowsOf } from '../../support/database.js';
import { memoryLog } from '../../support/memory-log.js';
import { readAnswer, requestText, sendRaw } from '../../support/raw.js';
import { actionsOf, anInvitation, aUser, entriesOf, PASSWORD, signIn, usersOf } from '../../support/users.js';

const log = memoryLog();
let app: TestApp;
let organizationId: string;
// Whoever sends mail sends that of everybody.
let database: Awaited<ReturnType<typeof createDatabase>>;
beforeAll(async () => {
  database = await createDatabase();
  app = await startApp({ DATABASE_URL: database.url }, log.log);
});
afterAll(async () => {
  await app.close();
  await database.drop();
});
beforeEach(async () => {
  organizationId = (await anOrganization(app)).id;
});

const get = (path: string) => supertest(app.url).get(path);
const accept = (path: string, password = PASSWORD, repeated = password) =>
  supertest(app.url).post(path).type('form').send({ password, repeated });

const sendMail = (): Promise<void> => app.app.get(MailOutbox).send();
const queued = () => rowsOf(app.databaseUrl, 'SELECT recipient FROM outgoing_mails WHERE organization_id = $1', [organizationId]);

const TITLE = /<h1>([^<]*)<\/h1>/;
const titleOf = ({ text }: { text: string }): string => TITLE.exec(text)![1]!;
const GONE = 'This link is no longer valid';
const ACCEPTED = 'Your password is set';

describe('an invitation', () => {
  it('is a link that is valid for seven days, for a user who cannot sign in yet', async () => {
    const { user, link, expiresAt, mailed, token } = await atTime(app, '2026-03-01T09:30:00.000Z', () =>
      anInvitation(app, organizationId, { role: 'admin' }),
    );
    expect([link, expiresAt, mailed]).toEqual([`${app.url}/invitations/${token}`, '2026-03-08T09:30:00.000Z', false]);
    expect(token).toMatch(/^invite_[\w-]{43}$/);
    expect(user).toMatchObject({ role: 'admin', status: 'invited' });
    expect(await usersOf(app).list(organizationId)).toEqual([user]);
    expect(await usersOf(app).byId(user.id)).toBeUndefined();
    expect(await signIn(app, user)).toEqual({ refused: 'credentials' });
  });

  it('emits user.invited in both environments and writes one audit entry', async () => {
    const { user, token } = await anInvitation(app, organizationId, { name: 'Jane' });
    const { id, email, name, role, status, createdAt, updatedAt } = user;
    const data = { id, email, name, role, status, createdAt, updatedAt };
    const events = await rowsOf(
      app.databaseUrl,
      'SELECT environment, kind, resource_id, changed_fields, data FROM events WHERE organization_id = $1 ORDER BY environment',
      [organizationId],
    );
    const event = { kind: 'user.invited', resource_id: user.id, changed_fields: null, data };
    expect(events).toEqual([
      { environment: 'live', ...event },
      { environment: 'test', ...event },
    ]);
    const entries = await entriesOf(app, organizationId);
    expect(entries).toMatchObject([
      {
        action: 'user.invited',
        environment: null,
        actor: 'system claims command',
        resource: `user ${user.id}`,
        changes: { name: { from: null, to: 'Jane' }, status: { from: null, to: 'invited' } },
      },
    ]);
    expect(JSON.stringify([events, entries])).not.toContain(token.slice(7));
  });

  it('has a token of which only the hash is stored', async () => {
    const { user, token } = await anInvitation(app, organizationId);
    const [row] = await rowsOf<{ row: string; hash: Buffer }>(
      app.databaseUrl,
      'SELECT user_invitations::text AS row, token_hash AS hash FROM user_invitations WHERE user_id = $1',
      [user.id],
    );
    expect(row!.hash.equals(createHash('sha256').update(token).digest())).toBe(true);
    expect(row!.row).not.toContain(token.slice(7));
  });

  it('is sent by mail if the installation can send mail', async () => {
    const send = vi.fn<Mailer['send']>().mockResolvedValue(true);
    const only = vi.spyOn(app.app.get(Ports), 'only').mockReturnValue({ send });
    const { user, link, mailed } = await anInvitation(app, organizationId);
    expect(mailed).toBe(true);
    await sendMail();
    expect(send.mock.calls).toEqual([
      [
        {
          to: user.email,
          subject: 'Your invitation to Claims API',
          text: expect.stringContaining(`\n${link}\n`),
          html: expect.stringContaining(`href="${link}"`),
          messageId: expect.any(String),
        },
      ],
    ]);
    expect(await queued()).toEqual([]);
    only.mockRestore();
  });

  it('is mailed in the language of the country of its organization, and its page is in that of the reader', async () => {
    const { id } = await anOrganization(app);
    await rowsOf(app.databaseUrl, "UPDATE organizations SET country = 'AT' WHERE id = $1", [id]);
    const send = vi.fn<Mailer['send']>().mockResolvedValue(true);
    const only = vi.spyOn(app.app.get(Ports), 'only').mockReturnValue({ send });
    const { link } = await anInvitation(app, id);
    await sendMail();
    only.mockRestore();
    const mail = send.mock.calls[0]![0];
    expect(mail.subject).toBe('Ihre Einladung zu Claims API');
    expect(mail.text).toMatch(/Nehmen Sie die Einladung innerhalb von 7 Tagen an:/);
    expect(mail.html).toMatch(/^<!doctype html><html lang="de">/);
    const pageOf = async (address: string, accept = 'en') =>
      (await fetch(address, { headers: { ...fromNewAddress(), 'accept-language': accept } })).text();
    expect(await pageOf(`${link}?lang=de`)).toMatch(/<html lang="de">.*Wählen Sie ein Passwort.*12 bis 128 Zeichen/s);
    expect(await pageOf(link, 'nl-NL')).toMatch(/<html lang="nl">.*Kies een wachtwoord/s);
    expect(await pageOf(link, 'ja')).toMatch(/<html lang="en-US">.*Choose a password/s);
  });

  it('is mailed later if the mail server is away, and not at all if nobody was invited', async () => {
    const send = vi.fn<Mailer['send']>().mockRejectedValueOnce(new Error('The mail server is away.')).mockResolvedValue(true);
    const only = vi.spyOn(app.app.get(Ports), 'only').mockReturnValue({ send });
    const { user, mailed } = await anInvitation(app, organizationId);
    expect(mailed).toBe(true);
    await sendMail();
    expect(send).toHaveBeenCalledOnce();
    expect(await queued()).toEqual([{ recipient: user.email }]);
    const existing = await aUser(app, organizationId);
    await expect(anInvitation(app, organizationId, { email: existing.email })).rejects.toMatchObject({ code: 'already_exists' });
    expect(await queued()).toHaveLength(1);
    await atTime(app, new Date(Date.now() + 3 * 60_000).toISOString(), sendMail);
    expect([send.mock.calls.length, await queued()]).toEqual([2, []]);
    only.mockRestore();
  });

  it('can be repeated, also with another role, and then only the newest link works', async () => {
    const first = await anInvitation(app, organizationId);
    const second = await anInvitation(app, organizationId, { email: first.user.email.toUpperCase(), role: 'owner' });
    expect(second.user).toMatchObject({ id: first.user.id, email: first.user.email, role: 'owner', status: 'invited' });
    expect([titleOf(await get(first.path)), titleOf(await accept(first.path))]).toEqual([GONE, GONE]);
    expect(titleOf(await accept(second.path))).toBe(ACCEPTED);
    expect((await entriesOf(app, organizationId))[1]).toMatchObject({
      action: 'user.invited',
      changes: { role: { from: 'member', to: 'owner' } },
    });
  });

  it('is refused for an address that already has a user', async () => {
    const user = await aUser(app, organizationId);
    await expect(anInvitation(app, organizationId, { email: user.email })).rejects.toMatchObject({ code: 'already_exists' });
  });
});

describe('the page of an invitation', () => {
  it('ends with the way to the sign-in, and has it when the link was used already', async () => {
    const { path } = await anInvitation(app, organizationId);
    const [done, again] = [await accept(path), await get(path)];
    expect([titleOf(done), titleOf(again)]).toEqual([ACCEPTED, GONE]);
    for (const { text } of [done, again]) expect(text).toContain('<a href="/console/sign-in">Sign in</a>');
    expect((await get('/console/sign-in')).status).toBe(200);
  });

  it('names the user and the organization, and has an accessible form that password managers can fill in', async () => {
    const { path, user } = await anInvitation(app, organizationId);
    const answer = await get(path);
    expect([answer.status, titleOf(answer)]).toEqual([200, 'Join Example Accountants']);
    expect(answer.text).toContain(`value="${user.email}"`);
    const inputs = [...answer.text.matchAll(/<input id="(\w+)"([^>]*)>/g)].map(([, id, rest]) => ({ id: id!, rest: rest! }));
    expect(inputs.map(({ id }) => id)).toEqual(['email', 'password', 'repeated']);
    for (const { id } of inputs) expect(answer.text).toContain(`<label for="${id}">`);
    expect(inputs.map(({ rest }) => /autocomplete="([\w-]+)"/.exec(rest)![1])).toEqual(['username', 'new-password', 'new-password']);
    expect(answer.text).not.toMatch(/<script| on\w+=/);
  });

  it('allows no scripts, no content of others, no frames, no caching and no referrer', async () => {
    const { path } = await anInvitation(app, organizationId);
    for (const answer of [await get(path), await get('/invitations/none'), await accept(path, 'short'), await accept(path)]) {
      expect(answer.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy':
          "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
        'referrer-policy': 'same-origin',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      });
    }
  });

  it('can be opened by mail scanners without using up the invitation', async () => {
    const { path } = await anInvitation(app, organizationId);
    expect((await supertest(app.url).head(path)).status).toBe(200);
    for (let times = 0; times < 3; times += 1) expect((await get(path)).status).toBe(200);
    expect(titleOf(await accept(path))).toBe(ACCEPTED);
  });

  it('escapes names', async () => {
    const { id } = await anOrganization(app, { name: '<script>alert("1")</script> & Söhne' });
    const { path } = await anInvitation(app, id, { email: `"><img/src=x>${id}@example.com` });
    const { text } = await get(path);
    expect(titleOf({ text })).toBe('Join &lt;script>alert(&quot;1&quot;)&lt;/script> &amp; Söhne');
    expect(text).not.toMatch(/<script|<img/);
  });

  it('has a token that never appears in the log', async () => {
    const { path, token } = await anInvitation(app, organizationId);
    await get(path);
    await accept(path);
    await supertest(app.url).put(`${path}?x=1`);
    await get(`${path}/more`);
    await get(path.replace('/invitations', '/%69nvitations'));
    await sendRaw(app.url, requestText('GET', `${path}%ff`, {}));
    const asked = log.requests().filter(({ path: logged }) => String(logged).startsWith('/invitations/'));
    expect(asked.map(({ path: logged }) => logged)).toContain('/invitations/:token');
    expect(log.text()).not.toContain(token.slice(7));
  });
});

describe('accepting an invitation', () => {
  it('lets the user sign in, and writes an audit entry with the user as actor', async () => {
    const { path, user } = await anInvitation(app, organizationId);
    const answer = await accept(path).set('X-Request-Id', 'accepted');
    expect([answer.status, titleOf(answer)]).toEqual([200, ACCEPTED]);
    expect(await signIn(app, user)).toMatchObject({ user: { id: user.id, status: 'active' } });
    expect((await entriesOf(app, organizationId))[1]).toEqual({
      action: 'user.accepted',
      environment: null,
      actor: `user ${user.id} ${user.name}`,
      resource: `user ${user.id}`,
      ip_address: '127.0.0.1',
      request_id: 'accepted',
      changes: { status: { from: 'invited', to: 'active' } },
    });
  });

  it('works once', async () => {
    const { path, user } = await anInvitation(app, organizationId);
    await accept(path);
    for (const answer of [await get(path), await accept(path, 'another password altogether')])
      expect([answer.status, titleOf(answer)]).toEqual([404, GONE]);
    expect(await signIn(app, user)).toHaveProperty('user');
  });

  it('works once for concurrent requests', async () => {
    const { path, user } = await anInvitation(app, organizationId);
    const passwords = [1, 2, 3, 4].map((number) => `${PASSWORD} ${number}`);
    const answers = await Promise.all(passwords.map((password) => accept(path, password)));
    const first = answers.findIndex(({ status }) => status === 200);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404]);
    expect(await signIn(app, user, { password: passwords[first] })).toHaveProperty('user');
    expect(await actionsOf(app, organizationId)).toEqual(['user.invited', 'user.accepted', 'user.signed_in']);
  });

  it('is refused after seven days and after the user was removed', async () => {
    const { path, expiresAt } = await anInvitation(app, organizationId);
    await atTime(app, new Date(Date.parse(expiresAt) - 1).toISOString(), async () => expect((await get(path)).status).toBe(200));
    await atTime(app, expiresAt, async () => expect([(await get(path)).status, (await accept(path)).status]).toEqual([404, 404]));
    const other = await anInvitation(app, organizationId);
    await usersOf(app).remove(OPERATOR, other.user.id);
    expect([(await get(other.path)).status, (await accept(other.path)).status]).toEqual([404, 404]);
  });

  it.each([
    ['two different passwords', PASSWORD, `${PASSWORD}!`, 'The two passwords do not match.'],
    ['a short password', 'short', 'short', 'The password must have at least 12 characters.'],
    ['a long password', 'x'.repeat(129), 'x'.repeat(129), 'The password must have at most 128 characters.'],
    ['no password', '', '', 'The password must have at least 12 characters.'],
  ])('with %s shows the problem at the field and does not use up the invitation', async (_name, password, repeated, problem) => {
    const { path } = await anInvitation(app, organizationId);
    const answer = await accept(path, password, repeated);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain(`<p class="error" id="problem" role="alert">${problem}</p>`);
    expect(answer.text).toContain('aria-describedby="problem hint" aria-invalid="true"');
    expect(answer.text).not.toContain(password || 'value=""');
    expect(titleOf(await accept(path))).toBe(ACCEPTED);
  });

  it('with the e-mail address as password is refused', async () => {
    const { path, user } = await anInvitation(app, organizationId);
    expect((await accept(path, user.email.toUpperCase())).text).toContain('The password is among the first that others would try');
  });

  it('accepts a password with any characters', async () => {
    const { path, user } = await anInvitation(app, organizationId);
    const password = ' a+b & c=d % ü 😀 "quoted" ';
    await accept(path, password);
    expect(await signIn(app, user, { password })).toHaveProperty('user');
  });

  it('accepts only forms of up to 16 KiB', async () => {
    const { path } = await anInvitation(app, organizationId);
    const post = (type: string, body: string) => supertest(app.url).post(path).set('Content-Type', type).send(body);
    expect((await post('application/json', '{"password":"x"}')).status).toBe(415);
    expect((await post('multipart/form-data; boundary=x', '--x--')).status).toBe(415);
    expect((await post('application/x-www-form-urlencoded', `a=${'x'.repeat(16 * 1024 - 2)}`)).status).toBe(400);
    expect(await post('application/x-www-form-urlencoded', `a=${'x'.repeat(16 * 1024 - 1)}`)).toMatchObject({
      status: 413,
      text: expect.stringContaining('<h1>The body is too large</h1>') as string,
    });
    expect(
      readAnswer(await sendRaw(app.url, requestText('POST', path, { 'Content-Type': 'application/x-www-form-urlencoded' }))).status,
    ).toBe(400);
    expect((await get(path)).status).toBe(200);
  });
});

it.each(['none', 'invite_', 'invite_%00', '%F0%9F%98%80', 'x'.repeat(5000)])(
  'answers an unknown token like an expired one: %s',
  async (token) => {
    const [answer, other] = [await get(`/invitations/${token}`), await get('/invitations/invite_of-nobody')];
    expect([answer.status, titleOf(answer), answer.text]).toEqual([404, GONE, other.text]);
    expect((await accept(`/invitations/${token}`)).status).toBe(404);
  },
);
