import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { readClientMetadata } from '../../../src/modules/oauth/applications/client-metadata.js';
import { startApp, TEST_ENCRYPTION_KEY, type TestApp } from '../../support/app.js';
import { aKey } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { eventually } from '../../support/eventually.js';
import { answerDevice } from '../../support/devices.js';
import { aFreePort } from '../../support/free-port.js';
import { GuideBlocks } from '../../support/guide-blocks.js';
import { startProgram } from '../../support/guide-programs.js';
import { GuideShell } from '../../support/guide-shell.js';
import { aPartner, bearer, Browser, CALLBACK, challengeOf } from '../../support/oauth.js';

const PATIENCE_MS = 120_000;
const blocks = new GuideBlocks('oauth', 'oauth-in-detail');

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

type Partner = Awaited<ReturnType<typeof aPartner>>;

/** A terminal of a reader who has registered the application. */
async function aShell({ application }: Partner): Promise<GuideShell> {
  const shell = await GuideShell.open({
    CLAIMS_BASE_URL: app.url,
    CLIENT_ID: application.clientId,
    CLIENT_SECRET: application.clientSecret,
    REDIRECT_URI: CALLBACK,
  });
  onTestFinished(() => shell.close());
  return shell;
}

const answersOf = (output: string) =>
  output
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** What an answer of the guide shows must be what the service answers, but for what is new each time. */
function expectShown(shown: string, answer: Record<string, unknown>): void {
  const example = JSON.parse(shown) as Record<string, unknown>;
  expect(Object.keys(answer).sort(), JSON.stringify(answer)).toEqual(Object.keys(example).sort());
  for (const [name, value] of Object.entries(example))
    if (typeof value === 'number' || name === 'scope' || name === 'token_type') expect(answer[name], name).toEqual(value);
}

describe('the guide for partners', () => {
  it('has commands for a whole authorization, in order, and shows the answers as they are', async () => {
    const partner = await aPartner(app);
    const shell = await aShell(partner);
    const [resource, server] = answersOf(await shell.paste(blocks.take('sh', 'oauth-protected-resource')));
    expect([resource!.authorization_servers, server!.issuer]).toEqual([[app.url], app.url]);
    await shell.paste(blocks.take('sh', 'STATE='));
    const { STATE, VERIFIER, CHALLENGE } = shell.variables;
    expect(CHALLENGE).toBe(challengeOf(VERIFIER!));
    const address = await shell.paste(blocks.take('sh', '/oauth/authorize?'));
    const browser = new Browser(app.url);
    const signIn = await browser.visit(address.trim());
    const consent = await browser.submit(signIn, { do: 'sign-in', email: partner.user.email, password: partner.user.password });
    const { searchParams } = (await browser.submit(consent, { do: 'allow' })).url;
    expect([searchParams.get('state'), searchParams.get('iss')]).toEqual([STATE, app.url]);
    shell.variables.CODE = searchParams.get('code')!;

    const [tokens] = answersOf(await shell.paste(blocks.take('sh', 'grant_type=authorization_code')));
    expectShown(blocks.take('json', 'access_token'), tokens!);
    const { access_token: first, refresh_token: old } = tokens as Record<string, string>;
    Object.assign(shell.variables, { ACCESS_TOKEN: first, REFRESH_TOKEN: old });
    const [list, context] = answersOf(await shell.paste(blocks.take('sh', '/v1/claim-projects')));
    expect([list!.data, context!.user]).toEqual([[], expect.objectContaining({ id: partner.user.id })]);
    expect(answersOf(await shell.paste(blocks.take('sh', '/oauth/introspect')))).toMatchObject([{ active: true }]);

    const refresh = blocks.take('sh', 'grant_type=refresh_token');
    const [next] = answersOf(await shell.paste(refresh));
    const [again] = answersOf(await shell.paste(refresh));
    expect(again!.refresh_token).toBe(next!.refresh_token);
    shell.variables.REFRESH_TOKEN = next!.refresh_token as string;
    const revoke = blocks.take('sh', '/oauth/revoke');
    await shell.paste(revoke);
    for (const token of [first!, next!.access_token as string])
      await eventually(async () => expect((await bearer(app, token)).status).toBe(401), 1500);
    expect(answersOf(await shell.paste(refresh))).toMatchObject([{ error: 'invalid_grant' }]);
    expect((await shell.paste(revoke)).trim()).toBe('');
  });

  it('has commands for a pushed request, and for a token without a user', async () => {
    const shell = await aShell(await aPartner(app));
    Object.assign(shell.variables, { STATE: 's', CHALLENGE: challengeOf('v'.repeat(43)) });
    const [pushed] = answersOf(await shell.paste(blocks.take('sh', '/oauth/par')));
    expectShown(blocks.take('json', 'request_uri'), pushed!);
    expect(answersOf(await shell.paste(blocks.take('sh', 'client_credentials -d')))).toEqual([
      { access_token: expect.any(String), expires_in: 3600, scope: 'claim_projects:read', token_type: 'Bearer' },
    ]);
  });

  it('has a command for a token of some claim projects, and shows its answer', async () => {
    const partner = await aPartner(app);
    const { key } = await aKey(app, partner.organization.id);
    const fields = { name: 'Berlin', periodStart: '2026-01-01', periodEnd: '2026-12-31' };
    const project = (await new Client(app.url, key).post('/v1/claim-projects', fields)).body as { id: string };
    const shell = await aShell(partner);
    shell.variables.PROJECT_ID = project.id;
    const [bound] = answersOf(await shell.paste(blocks.take('sh', 'authorization_details')));
    expectShown(blocks.take('json', 'authorization_details'), bound!);
    expect(bound!.authorization_details).toEqual([{ type: 'claim_projects', project_ids: [project.id] }]);
  });

  it('has commands for a device, and for the claims command', async () => {
    const partner = await aPartner(app, { grants: ['device_code'], redirectUris: [], isPublic: true });
    const shell = await aShell(partner);
    const [device] = answersOf(await shell.paste(blocks.take('sh', '/oauth/device_authorization')));
    expectShown(blocks.take('json', 'device_code'), device!);
    shell.variables.DEVICE_CODE = device!.device_code as string;
    const poll = blocks.take('sh', 'device_code=$DEVICE_CODE');
    expect(answersOf(await shell.paste(poll))).toMatchObject([{ error: 'authorization_pending' }]);
    await answerDevice(app, partner, device!.user_code as string);
    await eventually(async () => expect(answersOf(await shell.paste(poll))).toMatchObject([{ token_type: 'Bearer' }]), PATIENCE_MS);
    await shell.paste(blocks.take('sh', 'claims login'), /enter the code/);
  });

  it('has commands of the operator that work', async () => {
    const { organization } = await aPartner(app);
    const env = { DATABASE_URL: app.databaseUrl, ENCRYPTION_KEY: TEST_ENCRYPTION_KEY };
    const shell = await GuideShell.open(env);
    const paste = (block: string) => shell.paste(block.replaceAll('example-accountants', organization.slug));
    expect(await paste(blocks.take('sh', 'claims app create'))).toContain('app_');
    expect(await paste(blocks.take('sh', 'claims app create'))).toContain('app_');
    expect(await paste(blocks.take('sh', 'claims app allow'))).toContain('https://host.example.com/oauth/client.json');
    await shell.close();
  });

  it('shows a metadata document that the service accepts', () => {
    const url = 'https://host.example.com/oauth/client.json';
    const document = JSON.parse(blocks.take('json', url)) as Record<string, unknown>;
    expect(readClientMetadata(document, [])).toEqual({ name: 'Example host', redirectUris: document.redirect_uris, securityRules: [] });
  });

  it('has a JavaScript application that works and refuses a callback that another browser started', async () => {
    const port = await aFreePort();
    const home = `http://127.0.0.1:${port}`;
    const partner = await aPartner(app, { redirectUris: [`${home}/callback`] });
    const { key } = await aKey(app, partner.organization.id);
    await new Client(app.url, key).post('/v1/claim-projects', { name: 'Berlin', periodStart: '2026-01-01', periodEnd: '2026-12-31' });
    const code = blocks.take('js');
    const env = {
      CLAIMS_URL: app.url,
      CLIENT_ID: partner.application.clientId,
      CLIENT_SECRET: partner.application.clientSecret,
      PORT: String(port),
    };
    const child = await startProgram(code, env);
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

  it('has no block that was not run or read', () => {
    expect(blocks.left).toEqual([]);
  });
});
