import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR } from '../../../src/kernel/context.js';
import { Clock } from '../../../src/kernel/time.js';
import { SignInLinks } from '../../../src/modules/console/index.js';
import { OrganizationService } from '../../../src/modules/organization/index.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aVisitor, aVisitorOf, ConsoleBrowser, textOf, type Visitor } from '../../support/console.js';
import { rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { Device, type Forged } from '../../support/passkeys.js';
import { accountsOf, entriesOf, PASSWORD, signIn } from '../../support/users.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ HOST: 'localhost' });
});
afterAll(() => app.close());

const PASSKEYS = '/console/test/passkeys';
const SECURITY = '/console/test/security';
const SIGN_IN = '/console/sign-in';

const ask = async (browser: ConsoleBrowser) =>
  JSON.parse((await browser.visit(`${SIGN_IN}/passkey`, {})).text) as { challenge: string; rpId: string; userVerification: string };
const optionsIn = (text: string): string => textOf(/data-options="([^"]+)"/.exec(text)![1]!);
const codesIn = (text: string): string[] => [...textOf(text).matchAll(/\b[a-z2-7]{4}(?:-[a-z2-7]{4}){6}\b/g)].map(([code]) => code);
const accountPage = async (browser: ConsoleBrowser): Promise<string> => (await browser.visit('/console/test/account')).url.pathname;
const isSignedIn = async (browser: ConsoleBrowser): Promise<boolean> => (await accountPage(browser)) === '/console/test/account';

/** The page that asks the browser for a new passkey. */
const theProposal = ({ browser }: Pick<Visitor, 'browser'>, fields: Record<string, string> = {}) =>
  browser.fill(PASSKEYS, { current: PASSWORD, ...fields }, `${PASSKEYS}/new`);

async function add(visitor: Pick<Visitor, 'browser'>, { device = new Device(app.url), fields = {}, name = 'My laptop' } = {}) {
  const proposal = await theProposal(visitor, fields);
  const shown = await visitor.browser.send(proposal, { name, passkey: device.create(optionsIn(proposal.text)) }, PASSKEYS);
  return { device, shown, codes: codesIn(shown.text) };
}

/** Signs in by a passkey in a browser that nobody has used before. */
async function enter(device: Device, forged: Forged = {}, fields: Record<string, string> = {}) {
  const browser = new ConsoleBrowser(app.url);
  const passkey = device.get(await ask(browser), forged);
  const shown = await browser.visit(SIGN_IN, { passkey, ...fields });
  return { browser, shown, passkey };
}

const passkeysOf = async ({ user }: Pick<Visitor, 'user'>) =>
  (
    await rowsOf<{ passkeys: { name: string; counter: number; lastUsedAt: string | null }[] }>(
      app.databaseUrl,
      'SELECT passkeys FROM users WHERE id = $1',
      [user.id],
    )
  )[0]!.passkeys;

describe('a passkey', () => {
  it('is added after the password, and signs in by itself; both are in the audit log, and a mail says so', async () => {
    const visitor = await aVisitor(app);
    const other = new ConsoleBrowser(app.url);
    await other.fill(SIGN_IN, { do: 'sign-in', email: visitor.user.email, password: PASSWORD });
    const { device, codes } = await add(visitor);
    expect([codes.length, await isSignedIn(visitor.browser), await isSignedIn(other)]).toEqual([10, true, false]);
    expect(textOf((await visitor.browser.visit(PASSKEYS)).text)).toContain('My laptop');
    const { browser } = await enter(device);
    expect(await isSignedIn(browser)).toBe(true);
    const entries = await entriesOf(app, visitor.organization.id);
    expect(entries.find(({ action }) => action === 'user.passkey_added')!.changes).toMatchObject({ passkeys: { from: 0, to: 1 } });
    expect(entries.findLast(({ action }) => action === 'user.signed_in')!.changes).toEqual({ by: { from: null, to: 'passkey' } });
    const mails = await rowsOf(app.databaseUrl, 'SELECT subject FROM outgoing_mails WHERE recipient = $1', [visitor.user.email]);
    expect(mails).toEqual([{ subject: 'A passkey was added at Claims API' }]);
    expect(await passkeysOf(visitor)).toEqual([expect.objectContaining({ name: 'My laptop', lastUsedAt: expect.any(String) })]);
  });

  it('is a second factor: the password alone no longer signs in, the passkey or a recovery code after it does', async () => {
    const visitor = await aVisitor(app);
    const { device, codes } = await add(visitor);
    expect(await signIn(app, visitor.user)).toMatchObject({ refused: 'code_needed' });
    expect(await signIn(app, visitor.user, { code: '123456' })).toMatchObject({ refused: 'code_wrong' });
    expect(await signIn(app, visitor.user, { code: codes[0]! })).toHaveProperty('user');
    const browser = new ConsoleBrowser(app.url);
    const asked = await browser.fill(SIGN_IN, { do: 'sign-in', email: visitor.user.email, password: PASSWORD });
    expect([await isSignedIn(browser), textOf(asked.text)]).toEqual([false, expect.stringContaining('Sign in with a passkey')]);
    await browser.send(asked, { passkey: device.get(await ask(browser)) }, SIGN_IN);
    expect(await isSignedIn(browser)).toBe(true);
  });

  it('of somebody else does not take the place of the code after a password', async () => {
    const [visitor, other] = [await aVisitor(app), await aVisitor(app)];
    await add(visitor);
    const { device } = await add(other);
    const browser = new ConsoleBrowser(app.url);
    const asked = await browser.fill(SIGN_IN, { do: 'sign-in', email: visitor.user.email, password: PASSWORD });
    const refused = await browser.send(asked, { passkey: device.get(await ask(browser)) }, SIGN_IN);
    expect([refused.status, await isSignedIn(browser)]).toEqual([400, false]);
  });

  it('counts where the organization requires a second factor', async () => {
    const visitor = await aVisitor(app);
    await app.app.get(OrganizationService).change(OPERATOR, visitor.organization.id, { requireSecondFactor: true });
    await eventually(async () => expect(await accountPage(visitor.browser)).toBe(`${SECURITY}/second-factor`));
    const { device } = await add(visitor);
    await eventually(async () => expect(await isSignedIn(visitor.browser)).toBe(true));
    expect(await isSignedIn((await enter(device)).browser)).toBe(true);
  });

  it('does not sign in where the organization has switched passwords off', async () => {
    const visitor = await aVisitor(app);
    const { device } = await add(visitor);
    await rowsOf(
      app.databaseUrl,
      `INSERT INTO identity_providers (id, organization_id, issuer, client_id, client_secret, email_domains, default_role, admin_values,
          member_values, passwords_allowed, created_at, updated_at)
        VALUES (gen_random_uuid(), $1, 'https://id.example', 'x', '', '{}', 'member', '{}', '{}', false, now(), now())`,
      [visitor.organization.id],
    );
    const { browser, shown } = await enter(device);
    expect([shown.status, textOf(shown.text)]).toEqual([400, expect.stringContaining('has switched passwords off')]);
    expect(await isSignedIn(browser)).toBe(false);
  });

  it('confirms what takes password and code otherwise', async () => {
    const visitor = await aVisitor(app);
    const { device, codes } = await add(visitor);
    const { browser } = visitor;
    const answer = async () => ({ passkey: device.get(await ask(browser)) });
    const renewed = codesIn((await browser.fill(SECURITY, await answer(), `${SECURITY}/recovery-codes`)).text);
    expect([renewed.length, renewed.includes(codes[0]!)]).toEqual([10, false]);
    const second = await add(visitor, { fields: { current: '', ...(await answer()) }, name: 'My phone' });
    expect((await passkeysOf(visitor)).map(({ name }) => name)).toEqual(['My laptop', 'My phone']);
    const removed = { passkeyId: device.id, removePassword: '', passkey: second.device.get(await ask(browser)) };
    expect(textOf((await browser.fill(PASSKEYS, removed, `${PASSKEYS}/remove`)).text)).toContain('The passkey was removed');
    expect((await passkeysOf(visitor)).map(({ name }) => name)).toEqual(['My phone']);
    expect(await isSignedIn((await enter(device)).browser)).toBe(false);
  });

  it('takes the place of the code after a sign-in link of the operator', async () => {
    const visitor = await aVisitor(app);
    const { device } = await add(visitor);
    const { link } = await app.app.get(SignInLinks).make(OPERATOR, visitor.user);
    const [path, browser] = [new URL(link).pathname, new ConsoleBrowser(app.url)];
    const stolen = await browser.visit(path, { code: '', passkey: new Device(app.url).get(await ask(browser)) });
    expect([stolen.status, textOf(stolen.text), await isSignedIn(browser)]).toEqual([
      400,
      expect.stringContaining('does not sign you in'),
      false,
    ]);
    await browser.visit(path, { code: '', passkey: device.get(await ask(browser)) });
    expect(await isSignedIn(browser)).toBe(true);
  });

  it('confirms in place of the password that other browsers are signed out, and that a person is erased', async () => {
    const visitor = await aVisitor(app);
    const { device } = await add(visitor);
    const { browser } = await enter(device);
    const answer = async () => ({ passkey: device.get(await ask(visitor.browser)) });
    const signedOut = await visitor.browser.fill('/console/test/account', await answer());
    expect(textOf(signedOut.text)).toContain('One other browser was signed out.');
    await eventually(async () => expect(await isSignedIn(browser)).toBe(false));
    const { user } = await aVisitorOf(app, visitor.organization, { role: 'member' });
    const [path, stolen] = [`/console/test/members/${user.id}`, { passkey: new Device(app.url).get(await ask(visitor.browser)) }];
    expect((await visitor.browser.fill(path, { ownPassword: '', ...stolen }, '/erase')).status).toBe(400);
    const erased = await visitor.browser.fill(path, { ownPassword: '', ...(await answer()) }, '/erase');
    expect(textOf(erased.text)).toContain('The person was erased.');
  });

  it('is neither added nor removed by somebody who has only a session, or no code', async () => {
    const visitor = await aVisitor(app);
    expect((await theProposal(visitor, { current: 'a guess' })).status).toBe(400);
    const { device, codes } = await add(visitor);
    const wrong: Record<string, string>[] = [
      { current: PASSWORD },
      { current: PASSWORD, code: '000000' },
      { current: '', code: codes[0]! },
    ];
    for (const fields of wrong) expect((await theProposal(visitor, fields)).status).toBe(400);
    const remove = { passkeyId: device.id, removePassword: PASSWORD, removeCode: '' };
    expect((await visitor.browser.fill(PASSKEYS, remove, `${PASSKEYS}/remove`)).status).toBe(400);
    expect(await passkeysOf(visitor)).toHaveLength(1);
  });

  it('takes the recovery codes with it when it was the last, and ends with what the operator turns off', async () => {
    const visitor = await aVisitor(app);
    const { device, codes } = await add(visitor);
    const remove = { passkeyId: device.id, removePassword: PASSWORD, removeCode: codes[0]! };
    await visitor.browser.fill(PASSKEYS, remove, `${PASSKEYS}/remove`);
    expect(await accountsOf(app).readSecurity(visitor.user.id)).toMatchObject({ passkeys: [], recoveryCodes: 0 });
    expect(await signIn(app, visitor.user)).toHaveProperty('user');
    await add(visitor);
    await accountsOf(app).disableTotp(OPERATOR, visitor.user.id);
    expect(await accountsOf(app).readSecurity(visitor.user.id)).toMatchObject({ passkeys: [], recoveryCodes: 0 });
  });

  it('is one of ten at most', async () => {
    const visitor = await aVisitor(app);
    const { device } = await add(visitor);
    for (let count = 1; count < 10; count += 1)
      await add(visitor, { fields: { current: '', passkey: device.get(await ask(visitor.browser)) } });
    expect(await passkeysOf(visitor)).toHaveLength(10);
    const { shown } = await add(visitor, { fields: { current: '', passkey: device.get(await ask(visitor.browser)) } });
    expect([shown.status, (await passkeysOf(visitor)).length]).toEqual([400, 10]);
  });
});

describe('an answer of a passkey is refused, and nobody is signed in,', () => {
  it.each<[string, Forged]>([
    ['that was given to another site', { origin: 'https://claims.example.evil' }],
    ['that was given to another port of this host', { origin: 'http://localhost:1' }],
    ['for another name', { rpId: 'evil.example' }],
    ['to another challenge', { challenge: Buffer.alloc(32, 7).toString('base64url') }],
    ['that makes a passkey', { type: 'webauthn.create' }],
    ['without unlocking the device', { isVerified: false }],
    ['with the id of another passkey', { id: Buffer.alloc(32, 7).toString('base64url') }],
    ['for an account that there is not', { userHandle: Buffer.from('01234567-89ab-7def-8123-456789abcdef').toString('base64url') }],
    ['for no account', { userHandle: '' }],
  ])('%s', async (_what, forged) => {
    const visitor = await aVisitor(app);
    const { device } = await add(visitor);
    const { browser, shown } = await enter(device, forged);
    expect([shown.status, textOf(shown.text)]).toEqual([400, expect.stringContaining('This passkey does not sign you in here')]);
    expect(await isSignedIn(browser)).toBe(false);
    expect(await isSignedIn((await enter(device)).browser)).toBe(true);
  });

  it('of another person in the name of somebody: neither with their account nor with their passkey', async () => {
    const [victim, attacker] = [await aVisitor(app), await aVisitor(app)];
    const [{ device: theirs }, { device: own }] = [await add(victim), await add(attacker)];
    const userHandle = Buffer.from(victim.user.accountId).toString('base64url');
    for (const forged of [{ userHandle }, { userHandle, id: theirs.id }, { id: theirs.id }])
      expect(await isSignedIn((await enter(own, forged)).browser)).toBe(false);
  });

  it('that was sent before, or is to an earlier challenge than one that was answered', async () => {
    const visitor = await aVisitor(app);
    const { device } = await add(visitor);
    const [browser, later] = [new ConsoleBrowser(app.url), new ConsoleBrowser(app.url)];
    const first = device.get(await ask(browser));
    const second = device.get(await ask(later));
    const twice = await Promise.all([1, 2].map(() => later.visit(SIGN_IN, { passkey: second })));
    expect(twice.filter(({ status }) => status === 400)).toHaveLength(1);
    expect((await browser.visit(SIGN_IN, { passkey: first })).status).toBe(400);
    expect(await isSignedIn(browser)).toBe(false);
  });

  it('in another browser than the one that asked for it', async () => {
    const visitor = await aVisitor(app);
    const { device } = await add(visitor);
    const [own, other] = [new ConsoleBrowser(app.url), new ConsoleBrowser(app.url)];
    const passkey = device.get(await ask(own));
    for (const asks of [false, true]) {
      if (asks) await ask(other);
      expect((await other.visit(SIGN_IN, { passkey })).status).toBe(400);
    }
    await own.visit(SIGN_IN, { passkey });
    expect([await isSignedIn(own), await isSignedIn(other)]).toEqual([true, false]);
  });

  it('of a device whose counter goes back: it is a copy', async () => {
    const visitor = await aVisitor(app);
    const { device } = await add(visitor);
    for (const [counter, enters] of [
      [5, true],
      [5, false],
      [4, false],
      [0, false],
      [6, true],
    ] as const)
      expect([counter, await isSignedIn((await enter(device, { counter })).browser)]).toEqual([counter, enters]);
  });

  it('after five minutes', async () => {
    const visitor = await aVisitor(app);
    const { device } = await add(visitor);
    const clock = app.app.get(Clock);
    const browser = new ConsoleBrowser(app.url);
    const passkey = device.get(await ask(browser));
    clock.now = () => new Date(Date.now() + 5 * 60_000);
    const refused = await browser.visit(SIGN_IN, { passkey });
    clock.now = () => new Date();
    expect(refused.status).toBe(400);
    expect(await isSignedIn(browser)).toBe(false);
  });

  it('that is sent by a form of another site', async () => {
    const visitor = await aVisitor(app);
    const { device } = await add(visitor);
    const browser = new ConsoleBrowser(app.url);
    const passkey = device.get(await ask(browser));
    const answer = await fetch(app.url + SIGN_IN, {
      method: 'POST',
      headers: { cookie: browser.cookieHeader(), 'sec-fetch-site': 'cross-site' },
      body: new URLSearchParams({ passkey }),
      redirect: 'manual',
    });
    expect(answer.headers.getSetCookie().filter((line) => line.startsWith('claims_session'))).toEqual([]);
    expect((await fetch(`${app.url}${SIGN_IN}/passkey`, { method: 'POST', headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(404);
  });

  it('whatever else is sent, and it is never answered by an error of ours', async () => {
    const visitor = await aVisitor(app);
    const { device } = await add(visitor);
    let seed = 20_261_128;
    const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
    const browser = new ConsoleBrowser(app.url);
    const good = device.get(await ask(browser));
    const odd = ['{}', 'null', '[]', '"x"', '1', '{', '{"response":null}', '{"id":1,"response":{"userHandle":["x"]}}', '\u0000'];
    for (let count = 0; count < 300; count += 1) {
      const at = random(good.length);
      const passkey = odd[count] ?? good.slice(0, at) + String.fromCharCode(32 + random(95)) + good.slice(at + 1 + random(3));
      if (passkey === good) continue;
      const { status } = await browser.visit(SIGN_IN, { passkey });
      // An odd character after what is signed may leave the answer as it is: then it is the answer that was given, once.
      expect([passkey, [200, 400].includes(status)]).toEqual([passkey, true]);
      if (status === 200) expect(JSON.parse(passkey)).toMatchObject({ id: device.id });
    }
    const failures = (await entriesOf(app, visitor.organization.id)).filter(({ action }) => action === 'user.sign_in_failed');
    expect(failures.length).toBeLessThan(10);
  });
});

describe('a new passkey is not added', () => {
  it.each<[string, Forged]>([
    ['by an answer to another site', { origin: 'https://claims.example.evil' }],
    ['for another name', { rpId: 'evil.example' }],
    ['with another challenge', { challenge: Buffer.alloc(32, 7).toString('base64url') }],
    ['by an answer that signs in', { type: 'webauthn.get' }],
    ['without unlocking the device', { isVerified: false }],
  ])('%s', async (_what, forged) => {
    const visitor = await aVisitor(app);
    const proposal = await theProposal(visitor);
    const passkey = new Device(app.url).create(optionsIn(proposal.text), forged);
    expect((await visitor.browser.send(proposal, { name: 'x', passkey }, PASSKEYS)).status).toBe(400);
    expect(await passkeysOf(visitor)).toEqual([]);
  });

  it('twice by the same answer, also after it was removed', async () => {
    const visitor = await aVisitor(app);
    const proposal = await theProposal(visitor);
    const device = new Device(app.url);
    const passkey = device.create(optionsIn(proposal.text));
    const codes = codesIn((await visitor.browser.send(proposal, { name: 'x', passkey }, PASSKEYS)).text);
    const again = async () => (await visitor.browser.send(proposal, { name: 'x', passkey, once: 'another' }, PASSKEYS)).status;
    expect(await again()).toBe(400);
    await visitor.browser.fill(PASSKEYS, { passkeyId: device.id, removePassword: PASSWORD, removeCode: codes[0]! }, `${PASSKEYS}/remove`);
    expect([await again(), await passkeysOf(visitor)]).toEqual([400, []]);
  });

  it('by what was proposed to somebody else, or in another session of the same person', async () => {
    const visitor = await aVisitor(app);
    const proposal = await theProposal(visitor);
    const sealed = textOf(/name="proposal" value="([^"]+)"/.exec(proposal.text)![1]!);
    const passkey = new Device(app.url).create(optionsIn(proposal.text));
    const again = new ConsoleBrowser(app.url);
    await again.fill(SIGN_IN, { do: 'sign-in', email: visitor.user.email, password: PASSWORD });
    for (const { browser } of [await aVisitorOf(app, visitor.organization), { browser: again }]) {
      const own = await theProposal({ browser });
      expect((await browser.send(own, { name: 'x', passkey, proposal: sealed }, PASSKEYS)).status).toBe(400);
    }
    expect(await passkeysOf(visitor)).toEqual([]);
  });

  it.each(['', ' ', 'x'.repeat(101), 'a\u0000b'])('with the name %j', async (name) => {
    const visitor = await aVisitor(app);
    const { shown } = await add(visitor, { name });
    expect([shown.status, await passkeysOf(visitor)]).toEqual([400, []]);
  });
});

it('where the console is opened by an IP address, passkeys are not offered, and the page says why', async () => {
  const other = await startApp();
  try {
    const visitor = await aVisitor(other);
    expect((await visitor.browser.visit(PASSKEYS)).text).toContain('Passkeys need an address with a name');
    expect((await new ConsoleBrowser(other.url).visit(SIGN_IN)).text).not.toContain('data-passkey');
  } finally {
    await other.close();
  }
});
