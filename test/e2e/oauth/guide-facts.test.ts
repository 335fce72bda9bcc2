import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addApp } from '../../../src/cli/commands/app.js';
import { startApp, type TestApp } from '../../support/app.js';
import { rowsOf } from '../../support/database.js';
import { aDevice } from '../../support/devices.js';
import { aPartner, ask, authorizeUrl, Browser, CALLBACK, tokensOf } from '../../support/oauth.js';

let app: TestApp;
let guide: string;
beforeAll(async () => {
  guide = (await Promise.all(['docs/oauth.md', 'docs/oauth-in-detail.md'].map((file) => readFile(file, 'utf8')))).join('\n');
  app = await startApp();
});
afterAll(() => app.close());

describe('the guides for partners', () => {
  it('states the lifetimes as configured', async () => {
    const partner = await aPartner(app);
    await tokensOf(app, partner);
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
});
