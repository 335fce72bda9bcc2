import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/app.js';
import { answerDevice } from '../../support/devices.js';
import { eventually } from '../../support/eventually.js';
import { aPartner, bearer } from '../../support/oauth.js';
import { runClaims, startClaims } from '../../support/process.js';
import { namesOf } from '../../support/tools.js';

const COMMAND = fileURLToPath(new URL('../../../bin/claims.js', import.meta.url));
const TIMEOUT_MS = 60_000;
const CODE = /enter the code ([A-Z]{4}-[A-Z]{4})$/;

interface Kept {
  accessToken: string;
  refreshToken: string;
  expiresAt: string;
}

let app: TestApp;
let config: string;
beforeAll(async () => {
  app = await startApp();
  config = await mkdtemp(join(tmpdir(), 'claims-login-'));
});
afterAll(async () => {
  await app.close();
  await rm(config, { recursive: true });
});

type Partner = Awaited<ReturnType<typeof aPartner>>;

const aPerson = () => aPartner(app, { grants: ['device_code'], redirectUris: [], isPublic: true });
const fileIn = (folder: string) => join(folder, 'claims', 'logins.json');
const readLogin = async (folder: string) => (JSON.parse(await readFile(fileIn(folder), 'utf8')) as Record<string, Kept>)[app.url]!;

/** Runs `claims login` while the user answers in a browser. */
async function login(partner: Partner, folder: string, args: readonly string[] = [], answer: 'allow' | 'refuse' = 'allow') {
  const env = { XDG_CONFIG_HOME: folder, CLAIMS_BASE_URL: app.url, CLAIMS_CLIENT_ID: partner.application.clientId };
  const command = startClaims(['login', ...args], env);
  await eventually(() => expect(command.errors[0] ?? '').toMatch(CODE), TIMEOUT_MS);
  expect(command.errors[0]).toContain(`${app.url}/oauth/device`);
  await answerDevice(app, partner, CODE.exec(command.errors[0]!)![1]!, answer);
  return { env, ...(await command.ended) };
}

const aFolder = () => mkdtemp(join(config, 'user-'));

describe('claims login', { timeout: TIMEOUT_MS, concurrent: true }, () => {
  it('keeps a token that only its owner can read; other commands use and renew it; logout ends it', async () => {
    const [partner, folder] = [await aPerson(), await aFolder()];
    const { env, code, stdout } = await login(partner, folder);
    expect([code, stdout]).toEqual([0, `Signed in at ${app.url}. The token is kept in ${fileIn(folder)}\n`]);
    expect([(await stat(fileIn(folder))).mode & 0o777, (await stat(join(folder, 'claims'))).mode & 0o777]).toEqual([0o600, 0o700]);
    const first = await readLogin(folder);
    expect((await runClaims(['token'], env)).stdout).toBe(`${first.accessToken}\n`);

    await writeFile(fileIn(folder), JSON.stringify({ [app.url]: { ...first, expiresAt: new Date().toISOString() } }));
    const client = new Client({ name: 'A client', version: '1.0.0' });
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [COMMAND, 'mcp'], env: { ...path(), ...env }, cwd: tmpdir() }),
    );
    expect(await namesOf(client)).toContain('list_claim_projects');
    await client.close();
    const renewed = await readLogin(folder);
    expect(renewed.accessToken).not.toBe(first.accessToken);
    expect((await bearer(app, renewed.accessToken)).status).toBe(200);

    const listening = startClaims(['webhook', 'listen', '--api', app.url, '--forward-to', 'http://127.0.0.1:9/'], env);
    await eventually(() => expect([...listening.lines, ...listening.errors].join()).toContain('Forwarding the events'), TIMEOUT_MS);
    await listening.interrupt();

    expect((await runClaims(['logout'], env)).code).toBe(0);
    await eventually(async () => expect((await bearer(app, renewed.accessToken)).status).toBe(401));
    expect(await readFile(fileIn(folder), 'utf8')).toBe('{}\n');
    expect(await runClaims(['token'], env)).toMatchObject({
      code: 1,
      stderr: `claims: There is no login at ${app.url}: run \`claims login\`.\n`,
    });
    expect(await runClaims(['logout'], env)).toMatchObject({ code: 1, stderr: `claims: There is no login at ${app.url}.\n` });
  });

  it('prints the token and keeps nothing with --print', async () => {
    const [partner, folder] = [await aPerson(), await aFolder()];
    const { code, stdout } = await login(partner, folder, ['--print', '--json', '--scope', 'claim_projects:read']);
    const { accessToken, scope } = JSON.parse(stdout) as { accessToken: string; scope: string };
    expect([code, scope, (await bearer(app, accessToken)).status]).toEqual([0, 'claim_projects:read', 200]);
    await expect(stat(fileIn(folder))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('says so if the user refuses', async () => {
    const { code, stderr } = await login(await aPerson(), await aFolder(), [], 'refuse');
    expect([code, stderr.trim().split('\n').at(-1)]).toEqual([1, 'claims: The access was refused in the browser.']);
  });

  it.each([['login'], ['logout'], ['token'], ['mcp'], ['webhook', 'listen', '--forward-to', 'http://127.0.0.1:9/']])(
    'sends credentials in the clear to no other machine: %s',
    async (...command) => {
      const env = { XDG_CONFIG_HOME: await aFolder(), CLAIMS_CLIENT_ID: 'app_1', CLAIMS_API_KEY: 'pk_live_secret' };
      const given = { CLAIMS_BASE_URL: 'http://claims.example.com' };
      const args = command[0] === 'webhook' ? [...command, '--api', given.CLAIMS_BASE_URL] : command;
      const { code, stderr } = await runClaims(args, { ...env, ...given });
      expect(code).not.toBe(0);
      expect(stderr).toContain('Credentials are not sent to http://claims.example.com');
    },
  );

  it('says so if the application is unknown, the service is away, or the login has ended', async () => {
    const folder = await aFolder();
    const env = { XDG_CONFIG_HOME: folder, CLAIMS_CLIENT_ID: 'app_unknown', CLAIMS_BASE_URL: app.url };
    expect(await runClaims(['login'], env)).toMatchObject({ code: 1, stderr: expect.stringMatching(/\(invalid_client\)/) as string });
    const away = await runClaims(['login', '--api', 'http://127.0.0.1:9'], env);
    expect(away).toMatchObject({ code: 1, stderr: 'claims: http://127.0.0.1:9 cannot be reached (ECONNREFUSED).\n' });
    expect(await runClaims(['login'], { XDG_CONFIG_HOME: folder })).toMatchObject({ code: 2 });
    const partner = await aPerson();
    expect(await login(partner, folder)).toMatchObject({ code: 0, stderr: expect.any(String) as string });
    const ended = { ...(await readLogin(folder)), refreshToken: 'x'.repeat(43), expiresAt: new Date().toISOString() };
    await writeFile(fileIn(folder), JSON.stringify({ [app.url]: ended }));
    const { code, stderr } = await runClaims(['token'], env);
    expect([code, stderr]).toEqual([1, `claims: The login at ${app.url} has ended: run \`claims login\` again.\n`]);
  });
});

const path = () => ({ PATH: process.env.PATH ?? '' });
