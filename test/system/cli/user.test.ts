import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import supertest from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, TEST_ENCRYPTION_KEY, type TestApp } from '../../support/app.js';
import { anOrganization } from '../../support/builders.js';
import { runCommand } from '../../support/command.js';
import { createDatabase } from '../../support/database.js';
import { actionsOf, anEmail, aUser, codeAt, PASSWORD, signIn, usersOf } from '../../support/users.js';

const PATIENCE_MS = 300_000;
const COMMAND = fileURLToPath(new URL('../../../bin/claims.js', import.meta.url));

let database: Awaited<ReturnType<typeof createDatabase>>;
let app: TestApp;
let env: Record<string, string>;
beforeAll(async () => {
  database = await createDatabase();
  env = { DATABASE_URL: database.url, ENCRYPTION_KEY: TEST_ENCRYPTION_KEY };
  app = await startApp(env);
}, PATIENCE_MS);
afterAll(async () => {
  await app.close();
  await database.drop();
});

/** Runs a command with --json. Expects one document on stdout, and no other output. */
async function claimsJson(...args: string[]) {
  const ended = await runCommand([...args, '--json'], { BASE_URL: app.url, ...env });
  expect([ended.code, ended.stderr], args.join(' ')).toEqual([0, '']);
  expect(ended.stdout.trimEnd().split('\n')).toHaveLength(1);
  return JSON.parse(ended.stdout);
}

describe('an operator', () => {
  it('creates a user who chooses a password by a link, once, and lists and removes users', async () => {
    const { id: org, slug } = await anOrganization(app);
    const keeper = await aUser(app, org, { role: 'owner' });
    const { link, expiresAt, ...user } = await claimsJson(
      'user',
      'create',
      '--org',
      slug,
      '--email',
      anEmail(),
      '--role',
      'admin',
      '--name',
      'Jane Example',
    );
    expect(user).toMatchObject({ organizationId: org, name: 'Jane Example', role: 'admin', status: 'active', totp: false });
    expect([JSON.stringify(user).includes('password'), Date.parse(expiresAt) - Date.now() <= 30 * 60_000]).toEqual([false, true]);
    const choose = () => fetch(link, { method: 'POST', body: new URLSearchParams({ password: PASSWORD, repeated: PASSWORD }) });
    expect([(await choose()).status, (await choose()).status]).toEqual([200, 404]);
    expect(await signIn(app, user)).toMatchObject({ user: { id: user.id } });
    const listed = await claimsJson('user', 'list', '--org', slug);
    expect(listed).toMatchObject([{ id: keeper.id }, { id: user.id, lastSignInAt: expect.any(String) }]);
    expect(JSON.stringify(listed)).not.toMatch(/hash|secret|password|emailKey/i);
    expect(await claimsJson('user', 'remove', user.id)).toMatchObject({ id: user.id, status: 'removed' });
    expect(await usersOf(app).byId(user.id)).toBeUndefined();
    const made = ['user.created', 'user.created', 'user.link_made', 'user.password_changed'];
    expect(await actionsOf(app, org)).toEqual([...made, 'user.signed_in', 'user.removed']);
  });

  it('changes the role of a user, but not that of the last owner', async () => {
    const { id: org } = await anOrganization(app);
    const [owner, member] = [await aUser(app, org, { role: 'owner' }), await aUser(app, org)];
    const { code, stderr } = await runCommand(['user', 'role', owner.id, '--role', 'member'], env);
    expect([code, stderr]).toEqual([1, expect.stringContaining('last owner')]);
    expect(await claimsJson('user', 'role', member.id, '--role', 'owner')).toMatchObject({ id: member.id, role: 'owner' });
    expect(await claimsJson('user', 'role', owner.id, '--role', 'member')).toMatchObject({ id: owner.id, role: 'member' });
    expect(await actionsOf(app, org)).toEqual(['user.created', 'user.created', 'user.role_changed', 'user.role_changed']);
  });

  it('ends the sessions of a user', async () => {
    const { id: org } = await anOrganization(app);
    const user = await aUser(app, org);
    expect(await claimsJson('user', 'sign-out', user.id)).toMatchObject({ id: user.id, status: 'active' });
    expect(await actionsOf(app, org)).toEqual(['user.created', 'user.sessions_ended']);
  });

  it('passes a password on standard input, and it is not printed', async () => {
    const { id: org } = await anOrganization(app);
    const email = anEmail();
    const args = [COMMAND, 'user', 'create', '--org', org, '--email', email, '--role', 'owner', '--password-stdin'];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: tmpdir(),
      env: { PATH: process.env.PATH, ...env },
      input: `${PASSWORD}\n`,
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain(email);
    expect(stdout).not.toContain(PASSWORD);
    expect(await signIn(app, { organizationId: org, email })).toHaveProperty('user');
  });

  it('invites a user with a link that works, and is told to send the link to the user', async () => {
    const { id: org } = await anOrganization(app);
    const email = anEmail();
    const { code, stdout, stderr } = await runCommand(['user', 'invite', '--org', org, '--email', email, '--role', 'member'], {
      BASE_URL: app.url,
      ...env,
    });
    expect([code, stderr]).toEqual([0, '']);
    const [line, link, how] = stdout.split('\n');
    expect(line).toMatch(/^[0-9a-f-]{36} {2}member invited/);
    expect(how).toBe('Send the link to the user: it is not mailed and not shown again.');
    const again = await claimsJson('user', 'invite', '--org', org, '--email', email, '--role', 'admin');
    expect(again).toMatchObject({
      id: line!.slice(0, 36),
      email,
      role: 'admin',
      status: 'invited',
      mailed: false,
      link: expect.stringContaining(`${app.url}/invitations/`),
    });
    expect((await supertest(link!).get('')).status).toBe(404);
    expect(
      (
        await supertest(again.link as string)
          .post('')
          .type('form')
          .send({ password: PASSWORD, repeated: PASSWORD })
      ).status,
    ).toBe(200);
    expect(await signIn(app, { organizationId: org, email })).toHaveProperty('user');
  });

  it('sets up a second factor, sees its secret once, and removes it', async () => {
    const { id: org } = await anOrganization(app);
    const user = await aUser(app, org);
    const { secret, uri, totp } = await claimsJson('user', 'totp', user.id);
    expect([totp, uri]).toEqual([true, expect.stringMatching(new RegExp(`^otpauth://totp/Claims%20API:.*secret=${secret}&`))]);
    expect(await signIn(app, user)).toMatchObject({ refused: 'code_needed' });
    expect(await signIn(app, user, { code: codeAt(secret as string, new Date()) })).toHaveProperty('user');
    const off = await claimsJson('user', 'totp', user.id, '--off');
    expect(off).toMatchObject({ id: user.id, totp: false });
    expect(off).not.toHaveProperty('secret');
    expect(await signIn(app, user)).toHaveProperty('user');
  });

  it.each([
    ['an unknown role, as bad usage', ['create', '--org', 'x', '--email', 'a@b', '--role', 'boss'], 2, /owner, admin, member/],
    [
      'an organization that does not exist, with its name',
      ['invite', '--org', 'nowhere', '--email', 'a@b', '--role', 'owner'],
      1,
      /no organization nowhere/,
    ],
    ['a user that does not exist, with the id', ['remove', 'nobody'], 1, /There is no user nobody/],
  ])('gets a one-line error for %s', async (_name, args, status, text) => {
    const { code, stdout, stderr } = await runCommand(['user', ...args], env);
    expect([code, stdout]).toEqual([status, '']);
    expect(stderr).toMatch(/^claims: [^\n]+\n$/);
    expect(stderr).toMatch(text);
  });

  it('is told that the last owner cannot be removed', async () => {
    const { id: org } = await anOrganization(app);
    const owner = await aUser(app, org, { role: 'owner' });
    const { code, stderr } = await runCommand(['user', 'remove', owner.id], env);
    expect([code, stderr]).toEqual([1, 'claims: The user is the last owner of the organization. Make another user an owner first.\n']);
  });
});
