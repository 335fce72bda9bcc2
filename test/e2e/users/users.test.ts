import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR } from '../../../src/kernel/context.js';
import { newId } from '../../../src/kernel/ids.js';
import { startApp, type TestApp } from '../../support/app.js';
import { anOrganization } from '../../support/builders.js';
import { rowsOf } from '../../support/database.js';
import { accountsOf, actionsOf, anEmail, anInvitation, aUser, entriesOf, PASSWORD, signIn, usersOf } from '../../support/users.js';

let app: TestApp;
let organizationId: string;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** The only error of a refusal, as `field code`. */
const refusal = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'nothing',
    (error: { code: string; errors: { field: string; code: string }[] }) =>
      error.errors[0] ? `${error.errors[0].field} ${error.errors[0].code}` : error.code,
  );

beforeAll(async () => {
  organizationId = (await anOrganization(app)).id;
});

describe('a user who is created', () => {
  it('can sign in immediately, has a default name, and is in the audit log without the password', async () => {
    const { id } = await anOrganization(app);
    const user = await aUser(app, id, { email: 'Jane.Example@accountants.example', role: 'owner' });
    expect(user).toMatchObject({
      email: 'Jane.Example@accountants.example',
      name: 'Jane.Example',
      role: 'owner',
      status: 'active',
      totp: false,
      lastSignInAt: null,
    });
    expect(await signIn(app, user)).toMatchObject({ user: { id: user.id } });
    const [created] = await entriesOf(app, id);
    expect(created).toMatchObject({
      action: 'user.created',
      environment: null,
      actor: 'system claims command',
      resource: `user ${user.id}`,
    });
    expect(Object.keys(created!.changes).sort()).toEqual(['email', 'name', 'role', 'status']);
  });

  it('has a password of which only the argon2id hash is stored', async () => {
    const { id } = await aUser(app, organizationId);
    const [row] = await rowsOf<{ row: string; hash: string }>(
      app.databaseUrl,
      'SELECT users::text AS row, password_hash AS hash FROM users WHERE id = $1',
      [id],
    );
    expect(row!.hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(row!.row).not.toContain(PASSWORD);
  });

  it('has an e-mail address that is unique in the organization, in any spelling', async () => {
    const { email } = await aUser(app, organizationId);
    expect(await refusal(aUser(app, organizationId, { email: ` ${email.toUpperCase()} ` }))).toBe('already_exists');
    await aUser(app, (await anOrganization(app)).id, { email });
  });

  it.each([
    ['an address without an @', { email: 'jane' }, 'email invalid_email'],
    ['an address of two lines', { email: 'jane@example.com\r\nBcc: all@example.com' }, 'email invalid_email'],
    ['an address that the database cannot store', { email: 'jane\u0000@example.com' }, 'email invalid_email'],
    ['an address that is too long', { email: `${'j'.repeat(250)}@example.com` }, 'email invalid_email'],
    ['an empty name', { name: ' ' }, 'name too_long'],
    ['a name that the database cannot store', { name: 'Jane\u0000' }, 'name too_long'],
  ])('cannot have %s', async (_name, wanted, expected) => {
    expect(await refusal(aUser(app, organizationId, wanted))).toBe(expected);
  });

  it('is not created with a password that is too short', async () => {
    const email = anEmail();
    expect(await refusal(usersOf(app).create(OPERATOR, { organizationId, email, role: 'member', password: 'short' }))).toBe(
      'password too_short',
    );
    expect((await usersOf(app).list(organizationId)).map((user) => user.email)).not.toContain(email);
  });
});

describe('a user who is removed', () => {
  it('loses access immediately on every replica', async () => {
    const other = await startApp();
    const user = await aUser(app, organizationId);
    expect(await usersOf(other).byId(user.id)).toEqual(user);
    await usersOf(app).remove(OPERATOR, user.id);
    expect([await usersOf(app).byId(user.id), await usersOf(other).byId(user.id)]).toEqual([undefined, undefined]);
    expect(await signIn(app, user)).toEqual({ refused: 'credentials' });
    await other.close();
  });

  it('is no longer listed but found by id, without password and second factor', async () => {
    const { id } = await anOrganization(app);
    const [user, stays] = [await aUser(app, id), await aUser(app, id)];
    await accountsOf(app).enableTotp(OPERATOR, user.id);
    await usersOf(app).remove(OPERATOR, user.id);
    expect(await usersOf(app).list(id)).toEqual([stays]);
    expect(await usersOf(app).get(user.id)).toMatchObject({ id: user.id, email: user.email, status: 'removed', totp: false });
    expect(await rowsOf(app.databaseUrl, 'SELECT password_hash, totp_secret, totp_last_step FROM users WHERE id = $1', [user.id])).toEqual([
      { password_hash: null, totp_secret: null, totp_last_step: null },
    ]);
  });

  it('is in the audit log once, also if removed twice', async () => {
    const { id } = await anOrganization(app);
    const user = await aUser(app, id);
    for (let times = 0; times < 2; times += 1) expect(await usersOf(app).remove(OPERATOR, user.id)).toMatchObject({ status: 'removed' });
    const [, ...entries] = await entriesOf(app, id);
    expect(entries).toMatchObject([
      { action: 'user.removed', environment: null, resource: `user ${user.id}`, changes: { status: { from: 'active', to: 'removed' } } },
    ]);
  });

  it('frees the e-mail address', async () => {
    const user = await aUser(app, organizationId);
    await usersOf(app).remove(OPERATOR, user.id);
    const { id } = await aUser(app, organizationId, { email: user.email });
    expect(id).not.toBe(user.id);
  });

  it('cannot be the last owner, and an invited owner does not count', async () => {
    const { id } = await anOrganization(app);
    const owner = await aUser(app, id, { role: 'owner' });
    await aUser(app, id, { role: 'admin' });
    const { user: invited } = await anInvitation(app, id, { role: 'owner' });
    expect(await refusal(usersOf(app).remove(OPERATOR, owner.id))).toBe('id last_owner');
    expect(await usersOf(app).byId(owner.id)).toEqual(owner);
    expect(await usersOf(app).remove(OPERATOR, invited.id)).toMatchObject({ status: 'removed' });
  });

  it('is only one of the last two owners if both are removed concurrently', async () => {
    for (let times = 0; times < 5; times += 1) {
      const { id } = await anOrganization(app);
      const owners = await Promise.all([1, 2].map(() => aUser(app, id, { role: 'owner' })));
      const outcomes = await Promise.all(owners.map((owner) => refusal(usersOf(app).remove(OPERATOR, owner.id))));
      expect(outcomes.sort()).toEqual(['id last_owner', 'nothing']);
      expect(await usersOf(app).list(id)).toHaveLength(1);
    }
  });
});

describe('a second factor', () => {
  it('is shown once and stored encrypted; the audit log shows its changes without the secret', async () => {
    const { id } = await anOrganization(app);
    const user = await aUser(app, id);
    const { secret, uri, user: changed } = await accountsOf(app).enableTotp(OPERATOR, user.id);
    expect([secret, changed.totp]).toEqual([expect.stringMatching(/^[A-Z2-7]{32}$/), true]);
    expect(new URL(uri).searchParams.get('secret')).toBe(secret);
    const stored = async () =>
      (await rowsOf<{ totp_secret: Buffer | null }>(app.databaseUrl, 'SELECT totp_secret FROM users WHERE id = $1', [user.id]))[0]!
        .totp_secret;
    // Version, key id, IV, tag and the 20 bytes of the secret.
    expect(await stored()).toHaveLength(33 + 20);
    expect(await accountsOf(app).disableTotp(OPERATOR, user.id)).toMatchObject({ totp: false });
    await accountsOf(app).disableTotp(OPERATOR, user.id);
    expect(await stored()).toBeNull();
    expect(await actionsOf(app, id)).toEqual(['user.created', 'user.totp_enabled', 'user.totp_disabled']);
    const [, enabled] = await entriesOf(app, id);
    expect(enabled!.changes).toEqual({ totp: { from: false, to: true } });
  });
});

it.each([
  ['no user has', newId()],
  ['is not a UUID', 'jane'],
])('returns not_found for an id that %s', async (_name, id) => {
  const [users, accounts] = [usersOf(app), accountsOf(app)];
  const refusals = await Promise.all(
    [users.get(id), users.remove(OPERATOR, id), accounts.enableTotp(OPERATOR, id), accounts.disableTotp(OPERATOR, id)].map(refusal),
  );
  expect(new Set(refusals)).toEqual(new Set(['not_found']));
});
