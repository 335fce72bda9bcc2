import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp, TEST_ENCRYPTION_KEY, type TestApp } from '../../support/app.js';
import { createDatabase } from '../../support/database.js';
import { runCommand } from '../../support/command.js';
import { aMember, connect, refresh } from '../../support/shared-clients.js';

const PATIENCE_MS = 300_000;

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

const claims = (...args: string[]) => runCommand(args, env);
async function claimsJson(...args: string[]) {
  const { code, stdout, stderr } = await claims(...args, '--json');
  expect([code, stderr], args.join(' ')).toEqual([0, '']);
  return JSON.parse(stdout);
}

it('an operator creates an application for every organization, which each organization can connect, allow and deny', async () => {
  const redirectUri = 'http://127.0.0.1/callback';
  const made = await claimsJson('app', 'create-shared', '--name', 'Month-end sync', '--redirect-uri', redirectUri);
  const { clientId } = made;
  expect(made).toEqual({ clientId: expect.stringMatching(/^reg_/), name: 'Month-end sync', redirectUris: [redirectUri] });
  expect(await claimsJson('app', 'list-shared')).toEqual([made]);

  const { organization, user } = await aMember(app);
  const { refreshToken } = await connect(app, clientId, user);
  const [connection] = await claimsJson('app', 'list', '--org', organization.slug);
  expect(connection).toMatchObject({ sharedClientId: clientId, environment: 'test', name: 'Month-end sync', status: 'approved' });
  expect((await claims('app', 'list', '--org', organization.slug)).stdout).toContain(clientId);

  const decisions = () => claimsJson('app', 'decisions', '--org', organization.slug);
  expect(await decisions()).toEqual({ rule: 'listed', decisions: [{ clientId, isAllowed: true }] });
  await claimsJson('app', 'deny', clientId, '--org', organization.slug);
  expect((await refresh(app, clientId, refreshToken)).body.error).toBe('invalid_grant');
  await claimsJson('app', 'allow', clientId, '--org', organization.slug);
  expect((await refresh(app, clientId, refreshToken)).status).toBe(200);
  await claimsJson('org', 'set', organization.slug, '--applications', 'none');
  expect((await decisions()).rule).toBe('none');

  expect(await claimsJson('app', 'remove-shared', clientId)).toEqual(made);
  expect(await claimsJson('app', 'list-shared')).toEqual([]);
});

it('bad input is refused with what is wrong', async () => {
  const { organization } = await aMember(app);
  for (const [args, problem] of [
    [['app', 'create-shared', '--name', 'A', '--redirect-uri', 'http://example.com/'], 'redirect_uris holds http://example.com/'],
    [['app', 'create-shared', '--name', 'A'], 'required option'],
    [['app', 'remove-shared', 'reg_unknown'], 'There is no listed application reg_unknown'],
    [['app', 'allow', 'claude', '--org', organization.slug], 'client must be the URL of a metadata document'],
    [['org', 'set', organization.slug, '--applications', 'some'], 'all, listed, none'],
  ] as const) {
    const { code, stderr } = await claims(...args);
    expect([code === 0, stderr], args.join(' ')).toEqual([false, expect.stringContaining(problem)]);
  }
});
