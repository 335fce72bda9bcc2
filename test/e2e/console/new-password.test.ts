import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR } from '../../../src/kernel/context.js';
import { MailOutbox } from '../../../src/store/mail/mail-outbox.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aVisitor, ConsoleBrowser } from '../../support/console.js';
import { createDatabase } from '../../support/database.js';
import { startMailServer } from '../../support/mail-server.js';
import { accountsOf, actionsOf, anEmail, PASSWORD, signIn, usersOf } from '../../support/users.js';

let app: TestApp;
let database: Awaited<ReturnType<typeof createDatabase>>;
let server: Awaited<ReturnType<typeof startMailServer>>;
beforeAll(async () => {
  server = await startMailServer();
  // Of its own: sending takes every mail that waits.
  database = await createDatabase();
  app = await startApp({ DATABASE_URL: database.url, SMTP_URL: server.url, MAIL_FROM: 'Claims <claims@example.org>' });
});
afterAll(async () => {
  await app.close();
  await server.close();
  await database.drop();
});

const ASK = '/console/new-password';
const NEW = 'a new and much better password';

async function ask(email: string, browser = new ConsoleBrowser(app.url)) {
  const shown = await browser.visit(ASK, { email });
  await app.app.get(MailOutbox).send();
  return shown;
}

/** Quoted-printable text, as mail has it. */
const plain = (text: string): string =>
  text.replace(/=\r?\n/g, '').replace(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16)));
/** With a link. Beside them there are mails that say what was changed. */
const mailsTo = (email: string): string[] =>
  server.mails
    .filter(({ to }) => to.includes(email))
    .map(({ text }) => plain(text))
    .filter((text) => text.includes('/console/new-password/'));
const linkIn = (mail: string): string => new URL(/https?:\/\/[^\s"]+\/console\/new-password\/password_[\w-]{43}/.exec(mail)![0]).pathname;

const choose = (path: string, password = NEW, repeated = password) => new ConsoleBrowser(app.url).visit(path, { password, repeated });

describe('a forgotten password', () => {
  it('is replaced by a link that is mailed as text and HTML, works once, and signs out every browser', async () => {
    const { user, browser, organization } = await aVisitor(app);
    expect((await ask(` ${user.email.toUpperCase()} `)).text).toContain('a link is on its way');
    const [mail, ...more] = mailsTo(user.email);
    expect(more).toEqual([]);
    expect(mail).toMatch(/content-type: multipart\/alternative/i);
    expect(mail).toContain(organization.name);
    const path = linkIn(mail!);
    // Mail scanners open links, too.
    for (let i = 0; i < 2; i += 1) expect((await new ConsoleBrowser(app.url).visit(path)).text).toContain(user.email);
    expect((await choose(path)).text).toContain('Your password is set');
    expect((await browser.visit('/console/test')).url.pathname).toBe('/console/sign-in');
    expect((await choose(path)).status).toBe(404);
    expect(await signIn(app, user, { password: NEW })).toHaveProperty('user');
    expect(await signIn(app, user)).toEqual({ refused: 'credentials' });
    expect(await actionsOf(app, organization.id)).toEqual(expect.arrayContaining(['user.password_reset_asked', 'user.password_changed']));
  });

  it('does not tell whether there is an account', async () => {
    const { user } = await aVisitor(app);
    const [known, unknown, strange] = [await ask(user.email), await ask(anEmail()), await ask('\0')];
    expect(new Set([known, unknown, strange].map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  });

  it('is not replaced by passwords that differ or are too short, and the link still works', async () => {
    const { user } = await aVisitor(app);
    await ask(user.email);
    const path = linkIn(mailsTo(user.email)[0]!);
    expect((await choose(path, NEW, `${NEW}!`)).text).toContain('The two passwords do not match.');
    expect((await choose(path, 'short')).status).toBe(400);
    expect(await signIn(app, user)).toHaveProperty('user');
    expect((await choose(path)).status).toBe(200);
  });

  it('keeps the second factor', async () => {
    const { user } = await aVisitor(app);
    await accountsOf(app).enableTotp(OPERATOR, user.id);
    await ask(user.email);
    await choose(linkIn(mailsTo(user.email)[0]!));
    expect(await signIn(app, user, { password: NEW })).toMatchObject({ refused: 'code_needed' });
  });

  it('is mailed about five times in an hour at most', async () => {
    const { user } = await aVisitor(app);
    for (let i = 0; i < 8; i += 1) await ask(user.email);
    expect(mailsTo(user.email)).toHaveLength(5);
  });

  it('gets no link for somebody who was removed', async () => {
    const { user } = await aVisitor(app, { role: 'member' });
    await ask(user.email);
    await usersOf(app).remove(OPERATOR, user.id);
    await ask(user.email);
    expect(mailsTo(user.email)).toHaveLength(1);
    expect((await choose(linkIn(mailsTo(user.email)[0]!))).status).toBe(404);
  });

  it('has one link that any use makes void: a changed password ends all links', async () => {
    const { user, browser } = await aVisitor(app);
    await ask(user.email);
    const security = '/console/test/security';
    await browser.fill(security, { current: PASSWORD, password: NEW, repeated: NEW }, `${security}/password`);
    expect((await choose(linkIn(mailsTo(user.email)[0]!))).status).toBe(404);
  });
});
