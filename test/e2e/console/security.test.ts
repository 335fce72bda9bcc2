import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeContext, OPERATOR } from '../../../src/kernel/context.js';
import { SignInLinks } from '../../../src/modules/console/index.js';
import { OneTimeLinks } from '../../../src/modules/console/sessions/sessions.service.js';
import { OrganizationService } from '../../../src/modules/organization/index.js';
import { hashOfRecoveryCode } from '../../../src/modules/users/sign-in/passwords.js';
import { UnitOfWork } from '../../../src/store/database/unit-of-work.js';
import { eventually } from '../../support/eventually.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aVisitor, aVisitorOf, ConsoleBrowser, textOf, type Visitor, WITHIN_MS } from '../../support/console.js';
import { rowsOf } from '../../support/database.js';
import { actionsOf, anEmail, anInvitation, codeAt, entriesOf, PASSWORD, signIn, usersOf } from '../../support/users.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const SECURITY = '/console/test/security';
const NEW = 'a new and much better password';

const changePassword = ({ browser }: Pick<Visitor, 'browser'>, fields: Record<string, string> = {}) =>
  browser.fill(SECURITY, { current: PASSWORD, password: NEW, repeated: NEW, ...fields }, `${SECURITY}/password`);

const secretIn = (text: string): string => /\b[A-Z2-7]{32}\b/.exec(textOf(text))![0];
const codesIn = (text: string): string[] => [...textOf(text).matchAll(/\b[a-z2-7]{4}(?:-[a-z2-7]{4}){6}\b/g)].map(([code]) => code);
/** The code of the next step, which is accepted already: it is later than the one of the set-up. */
const codeOf = (secret: string, steps = 1): string => codeAt(secret, new Date(Date.now() + steps * 30_000));

const SET_UP = `${SECURITY}/second-factor`;

/** The page with the key, which takes the password. */
const theKey = ({ browser }: Pick<Visitor, 'browser'>, current = PASSWORD) => browser.fill(SET_UP, { current }, `${SET_UP}/key`);

async function setUp(visitor: Pick<Visitor, 'browser'>) {
  const asked = await theKey(visitor);
  const secret = secretIn(asked.text);
  const shown = await visitor.browser.send(asked, { code: codeOf(secret, 0) }, SET_UP);
  return { secret, codes: codesIn(shown.text) };
}

const signedIn = async (browser: ConsoleBrowser): Promise<boolean> =>
  (await browser.visit('/console/test/account')).url.pathname === '/console/test/account';

/** Another browser of the same person. */
async function another({ user }: Pick<Visitor, 'user'>, code = ''): Promise<ConsoleBrowser> {
  const browser = new ConsoleBrowser(app.url);
  const asked = await browser.fill('/console/sign-in', { do: 'sign-in', email: user.email, password: PASSWORD });
  if (code !== '') await browser.submit(asked, { do: 'sign-in', ...hiddenIn(asked.text), code });
  expect(await signedIn(browser)).toBe(true);
  return browser;
}

const hiddenIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [name!, textOf(value!)]),
  );

const lettersTo = async (email: string): Promise<string[]> =>
  (
    await rowsOf<{ subject: string }>(app.databaseUrl, 'SELECT subject FROM outgoing_mails WHERE recipient = $1 ORDER BY created_at', [
      email,
    ])
  ).map(({ subject }) => subject);

describe('a password', () => {
  it('is changed by whoever knows the current one, and signs out all other browsers', async () => {
    const visitor = await aVisitor(app);
    const { browser, user } = visitor;
    const other = new ConsoleBrowser(app.url);
    await other.fill('/console/sign-in', { do: 'sign-in', email: user.email, password: PASSWORD });
    expect((await other.visit('/console/test/account')).url.pathname).toBe('/console/test/account');
    const shown = await changePassword(visitor);
    expect(shown.text).toContain('Your password was changed');
    expect((await other.visit('/console/test/account')).url.pathname).toBe('/console/sign-in');
    expect((await browser.visit('/console/test/account')).url.pathname).toBe('/console/test/account');
    expect(await signIn(app, user)).toEqual({ refused: 'credentials' });
    expect(await signIn(app, user, { password: NEW })).toMatchObject({ user: { id: user.id } });
    expect(await actionsOf(app, user.organizationId)).toContain('user.password_changed');
  });

  it.each([
    ['current', { current: 'wrong' }, 'is wrong'],
    ['repeated', { repeated: 'another one' }, 'is not the same password'],
    ['password', { password: 'short', repeated: 'short' }, 'must have at least 12 characters'],
  ])('stays as it is if the field %s is wrong, and the page says so', async (_field, fields, said) => {
    const visitor = await aVisitor(app);
    const shown = await changePassword(visitor, fields);
    expect([shown.status, textOf(shown.text)]).toEqual([400, expect.stringContaining(said)]);
    expect(shown.text).not.toContain(NEW);
    expect(await signIn(app, visitor.user)).toHaveProperty('user');
  });

  it('that others would guess is refused wherever one is chosen, with what to do instead', async () => {
    const visitor = await aVisitor(app);
    const { organization, user } = visitor;
    const guessed = 'Password1234!';
    const invited = new ConsoleBrowser(app.url);
    const { path } = await anInvitation(app, organization.id);
    const { link } = await app.app
      .get(UnitOfWork)
      .run(changeContext(organization.id, OPERATOR), (ctx) =>
        app.app.get(OneTimeLinks, { strict: false }).issue('new_password', user.id, ctx.unit),
      );
    for (const shown of [
      await changePassword(visitor, { password: guessed, repeated: guessed }),
      await invited.visit(path, { password: guessed, repeated: guessed }),
      await invited.visit(new URL(link).pathname, { password: guessed, repeated: guessed }),
    ])
      expect([shown.status, textOf(shown.text)]).toEqual([400, expect.stringMatching(/[Uu]se several words/)]);
    await expect(
      usersOf(app).create(OPERATOR, { organizationId: organization.id, email: anEmail(), role: 'member', password: guessed }),
    ).rejects.toMatchObject({ errors: [{ field: 'password', code: 'not_allowed' }] });
    expect(await signIn(app, user)).toHaveProperty('user');
  });

  it('cannot be guessed at a browser that was left open', async () => {
    const visitor = await aVisitor(app);
    for (let i = 0; i < 10; i += 1) await changePassword(visitor, { current: `guess ${i}` });
    expect((await changePassword(visitor)).status).toBe(429);
    expect(await signIn(app, visitor.user)).toHaveProperty('user');
  });
});

describe('a second factor', () => {
  it('is on once the app has shown a code, and is asked for at the next sign-in', async () => {
    const visitor = await aVisitor(app);
    const { secret, codes } = await setUp(visitor);
    expect(new Set(codes).size).toBe(10);
    expect((await visitor.browser.visit(SECURITY)).text).toContain('Recovery codes left');
    expect(await signIn(app, visitor.user)).toMatchObject({ refused: 'code_needed' });
    expect(await signIn(app, visitor.user, { code: codeOf(secret) })).toHaveProperty('user');
    expect(await actionsOf(app, visitor.organization.id)).toContain('user.totp_enabled');
  });

  it('is not set up with a wrong code, which the page says beside the same key', async () => {
    const visitor = await aVisitor(app);
    const asked = await theKey(visitor);
    const again = await visitor.browser.send(asked, { code: '000000' }, SET_UP);
    expect([again.status, secretIn(again.text)]).toEqual([400, secretIn(asked.text)]);
    expect(await signIn(app, visitor.user)).toHaveProperty('user');
  });

  // Whoever had a session for a moment, and nothing else, once set up a secret that they had brought: the owner was locked out.
  it('is set up by the password: a session alone does not even see a key, and its guesses count', async () => {
    const visitor = await aVisitor(app);
    expect((await visitor.browser.visit(SET_UP)).text).not.toMatch(/[A-Z2-7]{32}/);
    const refused = await theKey(visitor, 'a guess of somebody');
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('is wrong')]);
    expect(refused.text).not.toMatch(/[A-Z2-7]{32}/);
    for (let i = 0; i < 9; i += 1) await theKey(visitor, `guess ${i}`);
    expect((await theKey(visitor)).status).toBe(429);
    expect(await signIn(app, visitor.user)).toHaveProperty('user');
  });

  it.each(['', 'A', 'x'.repeat(50_000), 'another user'])('is never set up with a secret that is not ours: %#', async (brought) => {
    const visitor = await aVisitor(app);
    const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
    const proposal = brought === 'another user' ? hiddenIn((await theKey(await aVisitor(app))).text)['proposal']! : brought;
    await visitor.browser.send(await theKey(visitor), { proposal, secret, code: codeOf(secret, 0) }, SET_UP);
    expect(await signIn(app, visitor.user)).toHaveProperty('user');
  });

  it('is not set up with a key that was shown before the password changed', async () => {
    const visitor = await aVisitor(app);
    const asked = await theKey(visitor);
    await changePassword(visitor);
    const shown = await visitor.browser.send(asked, { code: codeOf(secretIn(asked.text), 0) }, SET_UP);
    expect(shown.text).toContain('Begin again');
    expect(await signIn(app, visitor.user, { password: NEW })).toHaveProperty('user');
  });

  it('is for people with a password: others choose one first', async () => {
    const visitor = await aVisitor(app);
    await rowsOf(app.databaseUrl, 'UPDATE users SET password_hash = NULL WHERE id = $1', [visitor.user.id]);
    const shown = await visitor.browser.visit(SET_UP);
    expect([shown.text.includes('name="current"'), shown.text.includes('/console/new-password')]).toEqual([false, true]);
  });

  it('signs out all other browsers and is told by mail when it is set up, renewed or turned off', async () => {
    const visitor = await aVisitor(app);
    const before = await another(visitor);
    const { secret, codes } = await setUp(visitor);
    expect([await signedIn(before), await signedIn(visitor.browser)]).toEqual([false, true]);
    const between = await another(visitor, codes[0]);
    await visitor.browser.fill(SECURITY, { code: codes[1]!, renewPassword: PASSWORD }, `${SECURITY}/recovery-codes`);
    expect([await signedIn(between), await signedIn(visitor.browser)]).toEqual([false, true]);
    const after = await another(visitor, codeOf(secret));
    const off = codeOf(secret, 1);
    await rowsOf(app.databaseUrl, 'UPDATE users SET totp_last_step = 0 WHERE id = $1', [visitor.user.id]);
    await visitor.browser.fill(SECURITY, { code: off, offPassword: PASSWORD }, `${SECURITY}/second-factor/off`);
    expect([await signedIn(after), await signedIn(visitor.browser)]).toEqual([false, true]);
    expect(await lettersTo(visitor.user.email)).toEqual([
      'A second factor was set up at Claims API',
      'Your recovery codes were replaced at Claims API',
      'Your second factor was turned off at Claims API',
    ]);
  });

  it('is neither renewed nor turned off without the password', async () => {
    const visitor = await aVisitor(app);
    const { secret, codes } = await setUp(visitor);
    for (const action of ['recovery-codes', 'second-factor/off'])
      expect((await visitor.browser.fill(SECURITY, { code: codeOf(secret) }, `${SECURITY}/${action}`)).status).toBe(400);
    expect(await signIn(app, visitor.user, { code: codes[0]! })).toHaveProperty('user');
  });

  it('can be replaced by a recovery code, which works once', async () => {
    const visitor = await aVisitor(app);
    const [first] = (await setUp(visitor)).codes;
    expect(await signIn(app, visitor.user, { code: first!.toUpperCase().replaceAll('-', ' ') })).toHaveProperty('user');
    expect(await signIn(app, visitor.user, { code: first! })).toEqual({ refused: 'code_wrong' });
    const signedIn = (await entriesOf(app, visitor.organization.id)).filter(({ action }) => action === 'user.signed_in');
    expect(signedIn.at(-1)!.changes).toEqual({ recoveryCodes: { from: 10, to: 9 } });
  });

  it.each(['abcd-efgh-2345-klmn', 'abcd-efgh-2345-klmn-opqr-6723'])(
    'can be replaced by a shorter recovery code of before: %s',
    async (code) => {
      const visitor = await aVisitor(app);
      await setUp(visitor);
      const hash = hashOfRecoveryCode(visitor.user.accountId, code);
      await rowsOf(app.databaseUrl, 'UPDATE users SET recovery_codes = $2 WHERE id = $1', [visitor.user.id, [hash]]);
      expect(await signIn(app, visitor.user, { code })).toHaveProperty('user');
      expect(await signIn(app, visitor.user, { code })).toEqual({ refused: 'code_wrong' });
    },
  );

  it('has new recovery codes for one of its codes, and the earlier ones are void', async () => {
    const visitor = await aVisitor(app);
    const { secret, codes } = await setUp(visitor);
    const shown = await visitor.browser.fill(SECURITY, { renewPassword: PASSWORD, code: codeOf(secret) }, `${SECURITY}/recovery-codes`);
    const renewed = codesIn(shown.text);
    expect([renewed.length, renewed.some((code) => codes.includes(code))]).toEqual([10, false]);
    expect(await signIn(app, visitor.user, { code: codes[0]! })).toEqual({ refused: 'code_wrong' });
    expect(await signIn(app, visitor.user, { code: renewed[0]! })).toHaveProperty('user');
  });

  it('is asked for by a sign-in link of the operator as well, which goes on until the code is right', async () => {
    const visitor = await aVisitor(app);
    const { codes } = await setUp(visitor);
    const { link } = await app.app.get(SignInLinks).make(OPERATOR, visitor.user);
    const [path, browser] = [new URL(link).pathname, new ConsoleBrowser(app.url)];
    expect((await browser.visit(path)).text).toContain('name="code"');
    for (const code of ['', '000000']) {
      const refused = await browser.visit(path, { code });
      expect([refused.status, textOf(refused.text)]).toEqual([400, expect.stringContaining('This code is wrong or has expired.')]);
      expect((await browser.visit('/console/test')).url.pathname).toBe('/console/sign-in');
    }
    expect((await browser.visit(path, { code: codes[0]! })).url.pathname).toBe('/console/test');
    expect((await new ConsoleBrowser(app.url).visit(path, { code: codes[1]! })).status).toBe(404);
    const actions = await actionsOf(app, visitor.organization.id);
    expect([actions.includes('user.sign_in_failed'), actions.at(-1)]).toEqual([true, 'user.signed_in']);
  });

  it('is turned off with one of its codes only', async () => {
    const visitor = await aVisitor(app);
    const { secret } = await setUp(visitor);
    const off = `${SECURITY}/second-factor/off`;
    const refused = await visitor.browser.fill(SECURITY, { offPassword: PASSWORD, code: '000000' }, off);
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('The second factor is still on.')]);
    expect((await visitor.browser.fill(SECURITY, { offPassword: PASSWORD, code: codeOf(secret) }, off)).text).toContain(
      'The second factor is off, and all other browsers were signed out.',
    );
    expect(await signIn(app, visitor.user)).toHaveProperty('user');
  });
});

describe('an organization that requires a second factor', () => {
  const requireIt = (id: string) => app.app.get(OrganizationService).change(OPERATOR, id, { requireSecondFactor: true });

  it('is set so by an owner, and by nobody else', async () => {
    const owner = await aVisitor(app);
    const admin = await aVisitorOf(app, owner.organization, { role: 'admin' });
    const action = '/console/test/organization/second-factor';
    const account = await admin.browser.visit('/console/test/account');
    const csrf = /name="csrf" value="([^"]+)"/.exec(account.text)![1]!;
    expect((await admin.browser.visit(action, { csrf, requireSecondFactor: 'yes' })).status).toBe(403);
    await owner.browser.fill('/console/test/organization/edit', { requireSecondFactor: 'yes' }, action);
    const { requireSecondFactor } = await app.app.get(OrganizationService).byId(owner.organization.id);
    expect(requireSecondFactor).toBe(true);
  });

  it('shows its members nothing before they have one', async () => {
    const visitor = await aVisitor(app, { role: 'member' });
    await requireIt(visitor.organization.id);
    for (const path of ['/console/test', '/console/test/projects', '/console/live/reports'])
      await eventually(async () => expect((await visitor.browser.visit(path)).url.pathname).toBe(`${SECURITY}/second-factor`), WITHIN_MS);
    const { codes } = await setUp(visitor);
    expect(codes).toHaveLength(10);
    expect((await visitor.browser.visit('/console/test/projects')).url.pathname).toBe('/console/test/projects');
  });

  it('does not let anybody without one sign in where it cannot be set up, such as for an application', async () => {
    const visitor = await aVisitor(app);
    await requireIt(visitor.organization.id);
    expect(await signIn(app, visitor.user)).toEqual({ refused: 'second_factor_missing' });
    expect(await signIn(app, visitor.user, { password: 'wrong' })).toEqual({ refused: 'credentials' });
  });
});

it('a second factor that the operator requires is needed in every organization, whatever its owners have chosen', async () => {
  const strict = await startApp({ REQUIRE_SECOND_FACTOR: 'true' });
  const visitor = await aVisitor(strict);
  expect((await visitor.browser.visit('/console/test/projects')).url.pathname).toBe(`${SECURITY}/second-factor`);
  expect(await signIn(strict, visitor.user)).toEqual({ refused: 'second_factor_missing' });
  await setUp(visitor);
  await eventually(async () => expect((await visitor.browser.visit('/console/test')).url.pathname).toBe('/console/test'), WITHIN_MS);
  expect(textOf((await visitor.browser.visit('/console/test/organization')).text)).toContain('Required for all members');
  await strict.close();
});
