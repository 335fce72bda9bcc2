import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { exportJWK, exportPKCS8, exportSPKI } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, TEST_ENCRYPTION_KEY, type TestApp } from '../../support/app.js';
import { anAssertion, askWith } from '../../support/assertions.js';
import { anOrganization } from '../../support/builders.js';
import { createDatabase, rowsOf } from '../../support/database.js';
import { aKey as aSigningKey } from '../../support/dpop.js';
import { eventually } from '../../support/eventually.js';
import { ask, CALLBACK } from '../../support/oauth.js';
import { runCommand } from '../../support/command.js';

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

/** Runs a command with --json. Expects one document on stdout, and no other output. */
async function claimsJson(...args: string[]) {
  const ended = await runCommand(['app', ...args, '--json'], env);
  expect([ended.code, ended.stderr], args.join(' ')).toEqual([0, '']);
  return JSON.parse(ended.stdout);
}

const statusOf = async (application: { id: string; clientId: string; clientSecret: string }) =>
  (await ask(app, { application }, { grant_type: 'client_credentials' })).status;

describe('an operator', () => {
  it('registers, approves and suspends an application and changes its secret, with immediate effect in the service', async () => {
    const { id: organizationId, slug } = await anOrganization(app);
    const made = await claimsJson(
      'create',
      '--org',
      slug,
      '--name',
      'Month-end sync',
      '--environment',
      'test',
      '--grants',
      'authorization_code,client_credentials',
      '--redirect-uri',
      CALLBACK,
      '--redirect-uri',
      'http://localhost:4000/back',
      '--scopes',
      'claim_projects:read,usage:read',
      '--pending',
    );
    expect(made).toEqual({
      id: expect.any(String),
      clientId: expect.stringMatching(/^app_/),
      clientSecret: expect.stringMatching(/^cs_/),
      name: 'Month-end sync',
      environment: 'test',
      isPublic: false,
      grants: ['authorization_code', 'client_credentials'],
      redirectUris: [CALLBACK, 'http://localhost:4000/back'],
      scopes: ['claim_projects:read', 'usage:read'],
      status: 'pending',
      sharedClientId: null,
      secretHint: made.clientSecret.slice(-4),
      previousSecretExpiresAt: null,
      publicKeys: null,
      rateShare: null,
      dailyCalls: null,
      dailyWrites: null,
      dailyTokens: null,
      projectIds: null,
      jwksUri: null,
      securityRules: [],
      createdAt: expect.any(String),
    });
    expect(await statusOf(made)).toBe(401);
    expect(await claimsJson('approve', made.id, '--by', 'Anna Berg')).toMatchObject({ id: made.id, status: 'approved' });
    await eventually(async () => expect(await statusOf(made)).toBe(200), 1500);

    const rotated = await claimsJson('rotate-secret', made.id, '--overlap', '1h');
    expect(rotated.clientSecret).not.toBe(made.clientSecret);
    await eventually(async () => expect(await statusOf(rotated)).toBe(200), 1500);
    expect(await statusOf(made)).toBe(200);

    const { code, stdout, stderr } = await runCommand(['app', 'suspend', made.id], env);
    expect([code, stdout, stderr]).toEqual([0, `${made.id}  ${made.clientId}  test  suspended  Month-end sync\n`, '']);
    await eventually(async () => expect(await statusOf(rotated)).toBe(401), 1500);

    const listed = await claimsJson('list', '--org', organizationId);
    expect(listed).toMatchObject([
      { id: made.id, clientId: made.clientId, status: 'suspended', secretHint: rotated.clientSecret.slice(-4) },
    ]);
    expect(JSON.stringify(listed)).not.toMatch(/cs_|[hH]ash/);
    const audited = await rowsOf<{ action: string; actor_name: string }>(
      database.url,
      'SELECT action, actor_name FROM audit_entries WHERE organization_id = $1 AND resource_id = $2 ORDER BY occurred_at',
      [organizationId, made.id],
    );
    expect(audited.map(({ action }) => action)).toEqual([
      'application.created',
      'application.approved',
      'application.secret_rotated',
      'application.suspended',
    ]);
    const [user, anna] = [userInfo().username, 'Anna Berg'].map((name) => `${name} (claims command)`);
    // The name that one command was given is not that of the next, also in the same process.
    expect(audited.map(({ actor_name: name }) => name)).toEqual([user, anna, user, user]);
  });

  it('registers an application with a public key, which gets no secret, and replaces the key', async () => {
    const { slug } = await anOrganization(app);
    const folder = await mkdtemp(join(tmpdir(), 'claims-keys-'));
    const fileOf = async (name: string, text: string) => {
      await writeFile(join(folder, name), text);
      return join(folder, name);
    };
    const [first, second] = [await aSigningKey(), await aSigningKey()];
    const file = await fileOf('public.pem', await exportSPKI(first.publicKey));
    const wanted = ['--org', slug, '--name', 'Key', '--environment', 'test', '--grants', 'client_credentials'];
    const made = await claimsJson('create', ...wanted, '--public-key', file);
    expect([made.clientSecret, made.publicKeys.keys]).toEqual([
      null,
      [{ kty: 'EC', crv: 'P-256', x: expect.any(String), y: expect.any(String), kid: expect.any(String) }],
    ]);
    const authenticated = async (key: typeof first) =>
      (await askWith(app, made, { grant_type: 'client_credentials', ...(await anAssertion(app, { application: made, key })) })).status;
    expect(await authenticated(first)).toBe(200);
    await claimsJson('set', made.id, '--public-key', await fileOf('next.json', JSON.stringify(await exportJWK(second.publicKey))));
    await eventually(async () => expect([await authenticated(first), await authenticated(second)]).toEqual([401, 200]), 1500);
    const secret = await fileOf('private.pem', await exportPKCS8(first.privateKey));
    const refused = await runCommand(['app', 'create', ...wanted, '--public-key', secret], env);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/is a private key/)]);
    expect(refused.stderr).not.toContain('BEGIN');
    expect((await runCommand(['app', 'create', ...wanted, '--public-key', join(folder, 'none')], env)).code).toBe(2);
    await rm(folder, { recursive: true });
  });

  it('binds an application to FAPI 2.0, or to a single rule, with keys that it publishes', async () => {
    const { slug } = await anOrganization(app);
    const wanted = ['--org', slug, '--name', 'Bank', '--environment', 'test', '--grants', 'client_credentials'];
    const keys = ['--jwks-uri', 'https://bank.example.com/keys.json'];
    const made = await claimsJson('create', ...wanted, '--profile', 'fapi2', ...keys);
    expect(made).toMatchObject({ clientSecret: null, publicKeys: null, jwksUri: keys[1], securityRules: ['fapi2'] });
    const single = ['require_pushed_authorization_requests', 'dpop_bound_access_tokens'];
    expect(await claimsJson('set', made.id, '--rules', single.join(','))).toMatchObject({ jwksUri: keys[1], securityRules: single });
    expect(await claimsJson('set', made.id, '--profile', 'none')).toMatchObject({ securityRules: [] });
    for (const [args, code, reason] of [
      [['create', ...wanted, '--profile', 'fapi2'], 1, /public keys/],
      [['set', made.id, '--profile', 'fapi1'], 2, /fapi2/],
      [['set', made.id, '--profile', 'fapi2', '--rules', 'none'], 2, /cannot be used with/],
      [['set', made.id, '--jwks-uri', 'http://bank.example.com/keys.json'], 1, /https/],
    ] as const) {
      const refused = await runCommand(['app', ...args], env);
      expect([refused.code, refused.stderr], args.join(' ')).toEqual([code, expect.stringMatching(reason)]);
    }
  });

  it('registers a public application, which gets no secret and cannot be given one', async () => {
    const { slug } = await anOrganization(app);
    const made = await claimsJson(
      'create',
      '--org',
      slug,
      '--name',
      'Phone',
      '--environment',
      'live',
      '--grants',
      'authorization_code',
      '--redirect-uri',
      CALLBACK,
      '--public',
    );
    expect(made).toMatchObject({
      clientSecret: null,
      secretHint: null,
      isPublic: true,
      status: 'approved',
      scopes: expect.arrayContaining(['claim_projects:read', 'webhooks:write']),
    });
    const { code, stdout, stderr } = await runCommand(['app', 'rotate-secret', made.id], env);
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(/^claims: .*public.*\n$/)]);
  });

  it.each([
    [
      'an unknown grant',
      2,
      ['create', '--org', 'x', '--name', 'x', '--environment', 'test', '--grants', 'password'],
      /authorization_code, client_credentials/,
    ],
    ['a missing environment', 2, ['create', '--org', 'x', '--name', 'x', '--grants', 'client_credentials'], /--environment/],
    ['an application that does not exist', 1, ['suspend', 'nobody'], /no application nobody/],
  ])('gets a one-line error for %s', async (_what, code, args, said) => {
    const ended = await runCommand(['app', ...args], env);
    expect([ended.code, ended.stdout, ended.stderr]).toEqual([code, '', expect.stringMatching(/^claims: [^\n]+\n$/)]);
    expect(ended.stderr).toMatch(said);
  });

  it('gets a one-line error for a redirect URI that is not https', async () => {
    const { slug } = await anOrganization(app);
    const ended = await runCommand(
      [
        'app',
        'create',
        '--org',
        slug,
        '--name',
        'x',
        '--environment',
        'live',
        '--grants',
        'authorization_code',
        '--redirect-uri',
        'http://partner.example.com/back',
      ],
      env,
    );
    expect([ended.code, ended.stdout, ended.stderr]).toEqual([1, '', expect.stringMatching(/^claims: [^\n]*must be https[^\n]*\n$/)]);
  });
});
