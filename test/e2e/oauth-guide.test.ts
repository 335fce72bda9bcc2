import { execFile, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addApp } from '../../src/cli/commands/app.js';
import { startApp, type TestApp } from '../support/app.js';
import { aKey } from '../support/builders.js';
import { Client } from '../support/client.js';
import { parseCurl } from '../support/curl.js';
import { rowsOf } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { aDevice } from '../support/devices.js';
import { aPartner, ask, authorizeUrl, bearer, Browser, CALLBACK, challengeOf } from '../support/oauth.js';

let app: TestApp;
let guide: string;
beforeAll(async () => {
  guide = await readFile('docs/oauth.md', 'utf8');
  app = await startApp();
});
afterAll(() => app.close());

type Partner = Awaited<ReturnType<typeof aPartner>>;

/** Runs commands of the guide in a shell, with the variables of earlier commands. */
function aShell({ application }: Partner) {
  const variables: Record<string, string> = { CLIENT_ID: application.clientId, CLIENT_SECRET: application.clientSecret };
  const fill = (text: string) =>
    text
      .replaceAll('http://127.0.0.1:3000', app.url)
      .replace(/\$([A-Z_]+)/g, (_all, name: string) => variables[name] ?? expect.fail(`${name} is not set yet`));
  async function paste(start: string): Promise<Response> {
    const line =
      [...guide.matchAll(/^curl (?:.*\\\n)*.*$/gm)].map(([found]) => found).find((found) => found.includes(start)) ??
      expect.fail(`There is no curl line with ${start}`);
    const { url, init } = parseCurl(fill(line));
    return fetch(url, init);
  }
  return { variables, fill, paste };
}

/** Follows the guide up to the exchange of the code. */
async function followed(partner: Partner) {
  const shell = aShell(partner);
  const [, lines] = /```sh\n(STATE=[^]+?)```/.exec(guide)!;
  const { stdout } = await promisify(execFile)('sh', ['-c', `${lines}echo $STATE $VERIFIER $CHALLENGE`]);
  const [STATE = '', VERIFIER = '', CHALLENGE = ''] = stdout.trim().split(' ');
  expect(CHALLENGE).toBe(challengeOf(VERIFIER));
  Object.assign(shell.variables, { STATE, VERIFIER, CHALLENGE });
  const browser = new Browser(app.url);
  const signIn = await browser.visit(shell.fill(/```text\n(.*oauth\/authorize.*)\n```/.exec(guide)![1]!));
  const consent = await browser.submit(signIn, { do: 'sign-in', email: partner.user.email, password: partner.user.password });
  const { searchParams } = (await browser.submit(consent, { do: 'allow' })).url;
  expect([searchParams.get('state'), searchParams.get('iss')]).toEqual([STATE, app.url]);
  shell.variables.CODE = searchParams.get('code')!;
  const answer = await shell.paste('authorization_code');
  const tokens = (await answer.json()) as Record<string, string>;
  expect(answer.status, JSON.stringify(tokens)).toBe(200);
  Object.assign(shell.variables, { ACCESS_TOKEN: tokens.access_token, REFRESH_TOKEN: tokens.refresh_token });
  return { ...shell, tokens };
}

describe('the guide for partners', () => {
  it('has commands that lead to a token, and shows the answer as it is', async () => {
    const { tokens, paste } = await followed(await aPartner(app));
    const shown = JSON.parse(/```json\n([^]+?)```/.exec(guide)![1]!) as Record<string, unknown>;
    const { access_token: _access, refresh_token: _refresh, ...rest } = tokens;
    expect(Object.keys(tokens).sort()).toEqual(Object.keys(shown).sort());
    expect(shown).toMatchObject(rest);
    expect((await paste('/v1/claim-projects')).status).toBe(200);
  });

  it('has commands for introspection, a repeatable refresh, and revocation', async () => {
    const { variables, tokens, paste } = await followed(await aPartner(app));
    expect(await (await paste('/oauth/introspect')).json()).toMatchObject({ active: true });
    const [first, again] = [await (await paste('refresh_token')).json(), await (await paste('refresh_token')).json()] as Record<
      string,
      string
    >[];
    expect(again!.refresh_token).toBe(first!.refresh_token);
    variables.REFRESH_TOKEN = first!.refresh_token!;
    expect((await paste('/oauth/revoke')).status).toBe(200);
    for (const token of [tokens.access_token!, first!.access_token!])
      await eventually(async () => expect((await bearer(app, token)).status).toBe(401), 1500);
    expect([(await paste('refresh_token')).status, (await paste('/oauth/revoke')).status]).toEqual([400, 200]);
  });

  it('has commands for discovery and for a token without a user', async () => {
    const { paste } = aShell(await aPartner(app));
    const [resource, server] = [
      await (await paste('oauth-protected-resource')).json(),
      await (await paste('oauth-authorization-server')).json(),
    ] as Record<string, unknown>[];
    expect([resource!.authorization_servers, server!.issuer]).toEqual([[app.url], app.url]);
    expect(await (await paste('client_credentials')).json()).toEqual({
      access_token: expect.any(String),
      expires_in: 3600,
      scope: 'claim_projects:read',
      token_type: 'Bearer',
    });
  });

  it('has a JavaScript application that works and refuses a callback that another browser started', async () => {
    const port = await aFreePort();
    const home = `http://127.0.0.1:${port}`;
    const partner = await aPartner(app, { redirectUris: [`${home}/callback`] });
    const { key } = await aKey(app, partner.organization.id);
    await new Client(app.url, key).post('/v1/claim-projects', { name: 'Berlin', periodStart: '2026-01-01', periodEnd: '2026-12-31' });
    const [, code] = /```js\n([^]+?)```/.exec(guide)!;
    const env = {
      PATH: process.env.PATH,
      CLAIMS_URL: app.url,
      CLIENT_ID: partner.application.clientId,
      CLIENT_SECRET: partner.application.clientSecret,
      PORT: String(port),
    };
    const child = spawn(process.execPath, ['--input-type=module', '--eval', code!], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      await new Promise((resolve) => child.stdout.once('data', resolve));
      const begun = await fetch(home, { redirect: 'manual' });
      const [cookie = ''] = begun.headers.getSetCookie()[0]!.split(';');
      const browser = new Browser(app.url);
      const consent = await browser.submit(await browser.visit(begun.headers.get('location')!), {
        do: 'sign-in',
        email: partner.user.email,
        password: partner.user.password,
      });
      const { url } = await browser.submit(consent, { do: 'allow' });
      const get = async (address: URL, headers: Record<string, string>) => (await fetch(address, { headers })).text();
      expect(await get(url, {})).toBe('Please start again.');
      expect(await get(url, { cookie })).toBe('Projects: Berlin');
      expect(await get(url, { cookie })).toBe('Please start again.');
    } finally {
      child.kill();
    }
  });

  it('states the lifetimes as configured', async () => {
    const partner = await aPartner(app);
    await followed(partner);
    const UNITS: Record<string, number> = { seconds: 1, minutes: 60, hour: 3600, hours: 3600, days: 86_400 };
    const stated = Object.fromEntries(
      [...guide.matchAll(/^\| ([a-z -]+) \| (\d+) (\w+)/gm)].map(([, what, count, unit]) => [what!, Number(count) * UNITS[unit!]!]),
    );
    const rows = await rowsOf<{ kind: string; seconds: number }>(
      app.databaseUrl,
      `SELECT kind, extract(epoch FROM expires_at - now())::int AS seconds FROM oauth_records WHERE user_id = $1`,
      [partner.user.id],
    );
    const device = await aPartner(app, { grants: ['device_code'], redirectUris: [], isPublic: true });
    const { body: started } = await aDevice(app, device);
    const { body: pushed } = await ask(
      app,
      partner,
      Object.fromEntries(new URL(authorizeUrl(app.url, partner)).searchParams),
      '/oauth/par',
    );
    const actual = {
      ...Object.fromEntries(rows.map(({ kind, seconds }) => [kind, seconds])),
      DeviceCode: started.expires_in,
      PushedAuthorizationRequest: pushed.expires_in,
    } as Record<string, number>;
    const KINDS = {
      code: 'AuthorizationCode',
      'access token': 'AccessToken',
      'refresh token': 'RefreshToken',
      consent: 'Grant',
      'sign-in of a browser': 'Session',
      'pushed request': 'PushedAuthorizationRequest',
      'code for a device': 'DeviceCode',
    };
    expect(Object.keys(stated).sort()).toEqual(Object.keys(KINDS).sort());
    for (const [what, kind] of Object.entries(KINDS)) {
      expect(actual[kind], what).toBeLessThanOrEqual(stated[what]!);
      expect(actual[kind], what).toBeGreaterThan(stated[what]! - 30);
    }
  });

  it.each([
    ['invalid_client', { client_secret: 'another' }],
    [
      'invalid_grant',
      {
        grant_type: 'authorization_code',
        code: 'unknown',
        redirect_uri: 'https://partner.example.com/callback',
        code_verifier: 'v'.repeat(43),
      },
    ],
    ['invalid_scope', { scope: 'no:such' }],
    ['invalid_target', { resource: 'https://elsewhere.example.com' }],
    ['invalid_request', { grant_type: 'refresh_token' }],
    ['unsupported_grant_type', { grant_type: 'password' }],
  ])('explains %s, with its status', async (error, wrong) => {
    const { application } = await aPartner(app);
    const fields = { grant_type: 'client_credentials', client_id: application.clientId, client_secret: application.clientSecret, ...wrong };
    const answer = await fetch(new URL('/oauth/token', app.url), {
      method: 'POST',
      body: new URLSearchParams(fields),
    });
    expect(await answer.json()).toMatchObject({ error });
    expect(guide).toMatch(new RegExp(`^\\| .*\`${error}\`.* \\| ${answer.status} \\| \\S`, 'm'));
  });

  it.each([
    ['login_required', { prompt: 'none' }],
    ['invalid_scope', { scope: 'no:such' }],
    ['invalid_request', { code_challenge_method: 'plain' }],
  ])('explains %s, which is sent to the redirect address', async (error, wrong) => {
    const { url } = await new Browser(app.url).visit(authorizeUrl(app.url, await aPartner(app), wrong));
    expect([url.origin, url.searchParams.get('error')]).toEqual([new URL(CALLBACK).origin, error]);
    expect(guide).toContain(`\`${error}\``);
  });

  it('names only commands and options that exist', () => {
    const program = new Command();
    addApp(program);
    const lines = [...guide.matchAll(/npx claims app (\S+)((?:[^`\n]|(?<=\\)\n)*)/g)].map(([, name, rest]) => ({
      name,
      flags: rest!.match(/--[a-z-]+/g) ?? [],
    }));
    expect(new Set(lines.map(({ name }) => name))).toEqual(
      new Set(['create', 'approve', 'rotate-secret', 'set', 'suspend', 'create-shared', 'allow', 'deny', 'decisions']),
    );
    for (const { name, flags } of lines) {
      const command = program.commands[0]!.commands.find((candidate) => candidate.name() === name)!;
      expect(command.options.map(({ long }) => long)).toEqual(expect.arrayContaining(flags));
    }
  });

  it('has no broken links', async () => {
    const links = [...guide.matchAll(/\]\((?!https?:|#)([^)]+)\)/g)].map((match) => match[1]!);
    expect(links.length).toBeGreaterThan(0);
    for (const link of links) await expect(readFile(`docs/${link.split('#')[0]}`), link).resolves.toBeDefined();
  });
});

async function aFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
