import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { everyCommand, makeProgram } from '../../../src/cli/program.js';
import { newId } from '../../../src/kernel/ids.js';
import { createDatabase, rowsOf } from '../../support/database.js';
import { startApp, TEST_ENCRYPTION_KEY } from '../../support/app.js';
import { Client } from '../../support/client.js';
import { runCommand } from '../../support/command.js';
import { runClaims, type Ended } from '../../support/process.js';

const PATIENCE_MS = 300_000;

/** An address where no database answers, with a password that must not be shown. */
const NOWHERE = 'postgres://someone:s3cret@127.0.0.1:1/nothing';

let database: { url: string; drop: () => Promise<void> };
beforeAll(async () => {
  database = await createDatabase();
  // Builds the program if it is stale, once, before several processes need it.
  await runClaims(['--version'], {});
}, PATIENCE_MS);
afterAll(() => database.drop());

/** Calls a command with the arguments of one line, where a space within an argument is %20. */
const claims = (args: string, env: Record<string, string> = {}, command = runCommand): Promise<Ended> =>
  command(args.split(' ').map(decodeURIComponent), { DATABASE_URL: database.url, ...env });

/** The same in a process of its own. */
const claimsProcess = (args: string, env?: Record<string, string>) => claims(args, env, runClaims);

/** Runs a command with --json. Expects one document on stdout, and no other output. */
async function claimsJson(args: string, env: Record<string, string> = {}, command = runCommand) {
  const { code, stdout, stderr } = await claims(`${args} --json`, env, command);
  expect([code, stderr], args).toEqual([0, '']);
  expect(stdout.trimEnd().split('\n'), args).toHaveLength(1);
  return JSON.parse(stdout);
}

/** One line on stderr, and nothing on stdout. */
function expectOneLine({ code, stdout, stderr }: Ended, status: 1 | 2, text: string | RegExp): void {
  expect([code, stdout], stderr).toEqual([status, '']);
  expect(stderr).toMatch(/^claims: [^\n]+\n$/);
  expect(stderr).toMatch(text);
  expect(stderr).not.toContain('s3cret');
}

/** Their stdout is not the result of a command: it is the log of the service, or the protocol of the tool server. */
const STREAMING = ['claims start', 'claims mcp'];

describe('every command', () => {
  const commands = everyCommand(makeProgram()).map((command) => ({ command, names: namesOf(command) }));

  it.each(commands)('has a description and described options: $names', ({ command }) => {
    const help = command.helpInformation();
    expect(command.description()).toMatch(/^[A-Z].+\.$/);
    expect(help).toContain('--help');
    for (const option of command.options) expect(option.description, option.flags).not.toBe('');
  });

  it.each(commands.filter(({ command, names }) => command.commands.length === 0 && !STREAMING.includes(names)))(
    'has the option --json: $names',
    ({ command }) => {
      expect(command.options.map(({ long }) => long)).toContain('--json');
    },
  );

  it('exists if the documentation for operators names it', () => {
    const names = commands.map(({ names }) => names);
    expect(names).toEqual(
      expect.arrayContaining(
        [
          'start',
          'migrate',
          'doctor',
          'org create',
          'org set',
          'org list',
          'key create',
          'key list',
          'key set',
          'key revoke',
          'key rotate',
          'webhook ping',
          'webhook redeliver',
          'webhook replay',
          'webhook listen',
          'audit verify',
          'user create',
          'user invite',
          'user list',
          'user remove',
          'app create',
          'app suspend',
          'app approve',
          'app list',
          'app rotate-secret',
          'statement import',
          'statement check',
          'statement layout list',
          'statement layout add',
          'statement layout remove',
          'report show',
          'report cancel',
          'report download',
          'report diff',
          'report verify',
          'rates import',
          'rates show',
          'mcp',
        ].map((name) => `claims ${name}`),
      ),
    );
  });
});

function namesOf(command: ReturnType<typeof makeProgram>): string {
  return command.parent ? `${namesOf(command.parent)} ${command.name()}` : command.name();
}

describe.concurrent('bad usage is one line and exit 2:', () => {
  it.each([
    ['an unknown command', 'orgs list', /unknown command 'orgs'/],
    ['a command whose words are in another order', 'import-statement', /Did you mean claims statement import\?/],
    [
      'a command whose word three have',
      'import',
      /\(Did you mean claims org move import, or claims statement import, or claims rates import\?\)/,
    ],
    ['a value that is not allowed', 'org create --name X --plan gold', /starter, growth, enterprise/],
    ['an invalid time', 'webhook replay X --since yesterday', /2026-03-01T09:30:00Z, or how long ago, such as 24h/],
    ['an invalid URL', 'webhook listen --forward-to localhost:4000', /such as http:\/\/127\.0\.0\.1:4000/],
    [
      'an unknown kind of event',
      'webhook listen --forward-to http://127.0.0.1:1 --events claim_project.deleted',
      /holds claim_project\.deleted; the kinds are .*claim_project\.created/,
    ],
    ['two ways to verify a file', 'report verify x.zip --offline --run X', /'--offline'.* cannot be used with .*'--run/],
    [
      'a signing secret that anyone on the machine could see',
      'webhook listen --forward-to http://127.0.0.1:1 --secret x',
      /unknown option '--secret'/,
    ],
  ])('%s', async (_name, args, text) => {
    expectOneLine(await claims(args), 2, text);
  });

  it('in a process of its own', async () => {
    expectOneLine(await claimsProcess('orgs list'), 2, /unknown command 'orgs'/);
  });
});

it.concurrent('help goes to stdout, with exit 0', async () => {
  expect(await claimsProcess('key rotate --help')).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringMatching(/^Usage: claims key rotate [^]+--overlap <duration>[^]+\(default:\s+24h\)/),
  });
});

describe.concurrent('a failure is one line and exit 1:', () => {
  it.each([
    ['an endpoint that does not exist', `webhook ping ${newId()} --json`, {}, /There is no webhook endpoint/],
    ['a delivery that does not exist', `webhook redeliver ${newId()}`, {}, /There is no delivery/],
    ['an endpoint id that is not a UUID', 'webhook replay X --since 24h', {}, /There is no webhook endpoint X/],
    ['a file of a run that does not exist', 'report verify /dev/null/none --offline', {}, /\/dev\/null\/none cannot be read \(ENOTDIR\)/],
    ['a folder instead of a file of a run', 'report verify / --offline', {}, /\/ is no file/],
    ['a key that does not exist', `key revoke ${newId()} --json`, {}, /There is no API key/],
    [
      'invalid settings, all of them named',
      'org list',
      { PORT: 'x', ROLE: 'boss', RATE_LIMITS: '{', DATABASE_URL: 'mysql://x', IDEMPOTENCY_RETENTION: '1 day' },
      /^(?=.*PORT)(?=.*ROLE)(?=.*RATE_LIMITS)(?=.*DATABASE_URL)(?=.*IDEMPOTENCY_RETENTION)/,
    ],
    [
      'a database that cannot be reached',
      'org list',
      { DATABASE_URL: NOWHERE },
      /127\.0\.0\.1:1\/nothing cannot be reached .*check DATABASE_URL/,
    ],
  ])('%s', async (_name, args, env, text) => {
    expectOneLine(await claims(args, env), 1, text);
  });

  it('a key that does not exist, in a process of its own', async () => {
    expectOneLine(await claimsProcess(`key revoke ${newId()} --json`), 1, /There is no API key/);
  });

  it('a database that cannot be reached, at the start of the service', async () => {
    expectOneLine(
      await claimsProcess('start', { DATABASE_URL: NOWHERE }),
      1,
      /127\.0\.0\.1:1\/nothing cannot be reached .*check DATABASE_URL/,
    );
  });

  it('a port that is taken', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    // No worker: it would seal the audit entries that another test looks at.
    expectOneLine(
      await claimsProcess('start', { PORT: String(port), ROLE: 'api' }),
      1,
      new RegExp(`Port ${port} of 127\\.0\\.0\\.1 is taken`),
    );
    await new Promise((resolve) => other.close(resolve));
  });
});

describe.concurrent('claims doctor', () => {
  const checksOf = (text: string) =>
    (JSON.parse(text) as { ok: boolean; findings: { check: string; ok: boolean; detail: string }[] }).findings;

  it('reports that all checks pass', async () => {
    const env: Record<string, string> = {};
    const redisUrl = inject('redisUrl');
    if (redisUrl) env.REDIS_URL = redisUrl;
    const { ok, findings } = await claimsJson('doctor', env, runClaims);
    expect(ok).toBe(true);
    expect(findings.map(({ check }: { check: string }) => check)).toEqual([
      'settings',
      'database',
      'migrations',
      'privileges',
      'plans',
      'keys',
      'clock',
      'secrets',
      'files',
      'redis',
    ]);
  });

  it.each([
    ['database', { DATABASE_URL: NOWHERE }, /check DATABASE_URL/],
    ['redis', { REDIS_URL: 'redis://:s3cret@127.0.0.1:1' }, /127\.0\.0\.1:1 does not answer .*check REDIS_URL/],
  ])('names the problem with the %s and exits with 1', async (check, env, text) => {
    const { code, stdout, stderr } = await claims('doctor --json', env);
    expect([code, stderr]).toEqual([1, '']);
    expect(checksOf(stdout).filter(({ ok }) => !ok)).toEqual([{ check, ok: false, detail: expect.stringMatching(text) }]);
    expect(stdout).not.toContain('s3cret');
  });
});

it.concurrent('migrates a new database, also when called repeatedly or several times at once', async () => {
  const empty = await anEmptyDatabase();
  const env = { DATABASE_URL: empty };
  expectOneLine(await claims('org list', env), 1, /migrations are pending: run `claims migrate`/);
  const production = {
    ...env,
    NODE_ENV: 'production',
    REDIS_URL: 'redis://127.0.0.1:1',
    BASE_URL: 'https://api.example.com',
    ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
  };
  expectOneLine(await claimsProcess('start', production), 1, /migrations are pending: run `claims migrate`/);
  const both = await Promise.all([claimsJson('migrate', env, runClaims), claimsJson('migrate', env)]);
  const names = await rowsOf<{ name: string }>(empty, 'SELECT name FROM migrations ORDER BY id');
  expect(both.flatMap(({ migrations }) => migrations)).toEqual(names.map(({ name }) => name));
  expect(names.length).toBeGreaterThan(0);
  expect(await claimsJson('migrate', env)).toEqual({ migrations: [] });
});

it.concurrent('creates, changes and lists organizations; creates, rotates, revokes and lists keys', async () => {
  const made = await claimsJson('org create --name Müller%20&%20Söhne --plan growth', {}, runClaims);
  expect(made).toMatchObject({ name: 'Müller & Söhne', slug: 'muller-sohne', plan: 'growth', status: 'active' });
  const [again, key] = await Promise.all([
    claims('org create --name Muller%20Sohne'),
    claimsJson(
      'key create --org muller-sohne --environment live --name Sync --scopes claim_projects:read,usage:read ' +
        '--allow-ip 127.0.0.0/8,2001:db8::/32 --expires-in 30d',
    ),
  ]);
  expectOneLine(again, 1, /muller-sohne already exists/);
  expect(key).toMatchObject({
    name: 'Sync',
    prefix: 'pk_live_',
    environment: 'live',
    scopes: ['claim_projects:read', 'usage:read'],
    ipAllowlist: ['127.0.0.0/8', '2001:db8::/32'],
  });
  expect(key.key).toMatch(/^pk_live_[0-9A-Za-z]{38}$/);

  const place = { country: 'DE', timeZone: 'Europe/Berlin', billingCycleAnchor: '2026-01-15' };
  const changed = await claimsJson(
    `org set ${made.id} --plan enterprise --name Müller --country DE --time-zone Europe/Berlin --billing-anchor 2026-01-15`,
  );
  expect(changed).toMatchObject({ id: made.id, name: 'Müller', plan: 'enterprise', slug: 'muller-sohne', ...place });
  const [organizations, next] = await Promise.all([claimsJson('org list'), claimsJson(`key rotate ${key.id} --overlap 1h`)]);
  expect(organizations).toContainEqual(changed);

  const app = await startApp({ DATABASE_URL: database.url });
  const contexts = await Promise.all([key.key, next.key].map((credential) => new Client(app.url, credential).get('/v1/auth/context')));
  expect(contexts.map(({ status, body }) => [status, body.organization?.name])).toEqual([
    [200, 'Müller'],
    [200, 'Müller'],
  ]);
  await app.close();

  const revoked = await claimsJson(`key revoke ${next.id}`);
  expect(revoked).toMatchObject({ id: next.id, revokedAt: expect.stringMatching(/Z$/) });
  const [list, lines] = await Promise.all([claimsJson('key list --org muller-sohne'), claims(`key list --org ${made.id}`)]);
  expect(list.map(({ id }: { id: string }) => id)).toEqual([key.id, next.id]);
  expect(list[1]).toEqual(revoked);
  for (const secret of [key.key, next.key, 'keyHash']) expect(JSON.stringify(list) + lines.stdout).not.toContain(secret);
  expect(lines.stdout.trimEnd().split('\n')).toEqual([
    expect.stringMatching(/^ID +KEY +STATE +NAME$/),
    expect.stringMatching(`^${key.id} .*expires`),
    expect.stringMatching(`^${next.id} .*revoked`),
  ]);
  const rotated = Date.parse(list[0].expiresAt) - Date.now();
  expect(rotated).toBeLessThanOrEqual(3_600_000);
  expect(rotated).toBeGreaterThan(3_000_000);

  const audit = await rowsOf<{ action: string }>(
    database.url,
    `SELECT action FROM audit_entries
     WHERE organization_id = $1 AND actor_type = 'system' AND actor_name LIKE '% (claims command)' ORDER BY ordinal`,
    [made.id],
  );
  expect(audit.map(({ action }) => action)).toEqual([
    'organization.created',
    'api_key.created',
    'organization.updated',
    'api_key.rotated',
    'api_key.created',
    'api_key.revoked',
  ]);
});

async function anEmptyDatabase(): Promise<string> {
  const url = new URL(inject('templateUrl'));
  const name = `empty_${newId().replaceAll('-', '')}`;
  url.pathname = '/postgres';
  await rowsOf(url.href, `CREATE DATABASE "${name}"`);
  url.pathname = `/${name}`;
  return url.href;
}
