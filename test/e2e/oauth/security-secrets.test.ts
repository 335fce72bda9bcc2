import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { anAddress } from '../../support/addresses.js';
import { startApp, type TestApp } from '../../support/app.js';
import { memoryLog } from '../../support/memory-log.js';
import { aCode, watch } from '../../support/oauth-answers.js';
import { aPartner, ask, authorizeUrl, bearer, CALLBACK, tokensOf } from '../../support/oauth.js';

const log = memoryLog();
let app: TestApp;
beforeAll(async () => {
  app = await startApp({ TRUSTED_PROXIES: '127.0.0.1' }, log.log);
});
afterAll(() => app.close());
afterEach(() => vi.restoreAllMocks());

describe('secrets', () => {
  it('never appear in the log, at any level', async () => {
    const partner = await aPartner(app);
    const watched = watch();
    const { accessToken, refreshToken, exchange } = await tokensOf(app, partner, { state: 'state-of-a-user' });
    const refreshed = await ask(app, partner, { grant_type: 'refresh_token', refresh_token: refreshToken });
    await ask(app, partner, exchange);
    await ask(app, partner, { token: accessToken }, '/oauth/introspect');
    await ask(app, partner, { grant_type: 'client_credentials', client_secret: 'cs_a-wrong-secret' });
    await fetch(new URL(`/v1/claim-projects?access_token=${accessToken}`, app.url));
    // The id of an interaction is part of a URL. It is useless without the signature in another cookie.
    const cookies = watched.cookies().flatMap((line) => /^claims_(?:session|\w+\.sig)=([^;]+)/.exec(line)?.[1] ?? []);
    expect(cookies.length).toBeGreaterThan(3);
    const text = log.text();
    expect(text).toContain('/oauth/token');
    const { application, user } = partner;
    for (const secret of [
      accessToken,
      refreshToken,
      refreshed.body.access_token!,
      refreshed.body.refresh_token!,
      exchange.code,
      exchange.code_verifier,
      application.clientSecret,
      user.password,
      user.email,
      'cs_a-wrong-secret',
      'state-of-a-user',
      ...cookies,
    ])
      expect(text.includes(secret)).toBe(false);
  });

  it('of the API are accepted only in the header, not in the URL or in a form', async () => {
    const { accessToken } = await tokensOf(app, await aPartner(app));
    expect((await bearer(app, accessToken)).status).toBe(200);
    expect((await fetch(new URL(`/v1/claim-projects?access_token=${accessToken}`, app.url))).status).toBe(401);
    const form = await fetch(new URL('/v1/claim-projects', app.url), {
      method: 'POST',
      headers: { 'idempotency-key': 'one' },
      body: new URLSearchParams({ access_token: accessToken }),
    });
    expect(form.status).toBe(401);
    expect((await bearer(app, accessToken, `/v1/claim-projects?access_token=${accessToken}`)).status).toBe(400);
    expect((await fetch(new URL('/v1/claim-projects', app.url), { headers: { 'x-api-key': accessToken } })).status).toBe(401);
  });

  it('of an application are not accepted in the URL', async () => {
    const { application } = await aPartner(app);
    const address = new URL('/oauth/token', app.url);
    address.search = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: application.clientId,
      client_secret: application.clientSecret,
    }).toString();
    expect((await fetch(address, { method: 'POST' })).status).toBe(401);
    expect((await fetch(address)).status).toBe(405);
  });

  it('such as codes, refresh tokens and client secrets are not accepted as bearer tokens', async () => {
    const partner = await aPartner(app);
    const { refreshToken } = await tokensOf(app, partner);
    const { code } = await aCode(app, partner);
    for (const secret of [refreshToken, code, partner.application.clientSecret, partner.application.clientId])
      expect((await bearer(app, secret)).status).toBe(401);
  });

  it('are wrong when shortened, extended or altered', async () => {
    const partner = await aPartner(app);
    const { clientSecret } = partner.application;
    for (const wrong of [
      'cs_',
      clientSecret.slice(0, -1),
      `${clientSecret}x`,
      ` ${clientSecret}`,
      clientSecret.toUpperCase(),
      'kept as a hash, and compared by it',
      'é'.repeat(40),
    ]) {
      expect(await ask(app, partner, { grant_type: 'client_credentials', client_secret: wrong }), wrong).toMatchObject({
        status: 401,
        body: { error: 'invalid_client' },
      });
    }
    const none = { application: { ...partner.application, clientSecret: '' } };
    expect((await ask(app, none, { grant_type: 'client_credentials' })).status).toBe(401);
    expect((await ask(app, none, { grant_type: 'client_credentials', client_secret: '' })).status).toBe(401);
  });
});

describe('a caller that guesses secrets', () => {
  let proxied: TestApp;
  beforeAll(async () => {
    proxied = await startApp({ TRUSTED_PROXIES: '127.0.0.0/8' });
  });
  afterAll(() => proxied.close());

  it('is limited to sixty failures a minute; other addresses and right secrets are not affected', async () => {
    const { application } = await aPartner(proxied);
    const address = anAddress();
    const asking = (secret: string, from: string, path = '/oauth/token') =>
      fetch(new URL(path, proxied.url), {
        method: 'POST',
        headers: { 'x-forwarded-for': from },
        body: new URLSearchParams({ grant_type: 'client_credentials', token: 'x', client_id: application.clientId, client_secret: secret }),
      });
    const paths = ['/oauth/token', '/oauth/introspect', '/oauth/revoke'];
    const answers = await Promise.all(Array.from({ length: 90 }, (_, index) => asking('cs_wrong', address, paths[index % 3])));
    const refused = answers.filter(({ status }) => status === 429);
    // One attempt per second becomes available again.
    expect(refused.length).toBeGreaterThan(15);
    expect(refused.length).toBeLessThanOrEqual(30);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(90 - refused.length);
    expect(Number(refused[0]!.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused[0]!.json()).toEqual({ error: 'temporarily_unavailable', error_description: expect.any(String) });
    expect((await asking(application.clientSecret, address)).status).toBe(200);
    expect((await asking('cs_wrong', '192.0.2.1')).status).toBe(401);
  });
});

describe('a hostile request', () => {
  const FORM = 'application/x-www-form-urlencoded';
  const send = async (body: string | Buffer | undefined, type?: string, path = '/oauth/token') => {
    const answer = await fetch(new URL(path, app.url), {
      method: 'POST',
      headers: { ...(type !== undefined && { 'content-type': type }) },
      body: body as RequestInit['body'],
    });
    return { status: answer.status, body: (await answer.json()) as { error?: string; error_description?: string } };
  };
  const expectRefused = ({ status, body }: Awaited<ReturnType<typeof send>>) => {
    expect([status >= 400 && status < 500, typeof body.error], `${status} ${JSON.stringify(body)}`).toEqual([true, 'string']);
    expect(Object.keys(body).filter((key) => !['error', 'error_description', 'scope'].includes(key))).toEqual([]);
  };

  it.each(['/oauth/token', '/oauth/revoke', '/oauth/introspect'])(
    'to %s is refused in OAuth’s own form, whatever its body',
    async (path) => {
      const { application } = await aPartner(app);
      const good = `grant_type=client_credentials&client_id=${application.clientId}&client_secret=${application.clientSecret}`;
      const bodies: [string | Buffer | undefined, string | undefined][] = [
        [undefined, undefined],
        ['', FORM],
        ['{', FORM],
        ['%', FORM],
        ['%ff=%ff&client_id=%ff', FORM],
        [Buffer.from([0xff, 0xfe, 0x00, 0x3d, 0xff]), FORM],
        [`${good}&padding=${'x'.repeat(200_000)}`, FORM],
        [`${good}&grant_type=client_credentials`, FORM],
        [`${good}&client_id=${application.clientId}`, FORM],
        [good, 'text/plain'],
        [good, 'multipart/form-data; boundary=x'],
        [JSON.stringify(Object.fromEntries(new URLSearchParams(good))), 'application/json'],
        ['client_id=%00&client_secret=%00', FORM],
        [`${good.replace(application.clientId, `${application.clientId}%00`)}`, FORM],
        ['client_id=__proto__&client_secret=constructor', FORM],
        [`client_id=${'x'.repeat(50_000)}&client_secret=y`, FORM],
        [`${'a=b&'.repeat(10_000)}client_id=x`, FORM],
        [`${good}&grant_type[]=x&__proto__[x]=1`.replace('grant_type=client_credentials&', ''), FORM],
      ];
      for (const [body, type] of bodies) expectRefused(await send(body, type, path));
    },
  );

  it('with an unknown authorization scheme gets an OAuth error', async () => {
    for (const authorization of [
      'Basic',
      'Basic !!!',
      `Basic ${Buffer.from('no colon').toString('base64')}`,
      `Basic ${Buffer.from('%ff:%00').toString('base64')}`,
      `Basic ${Buffer.from('a\u0000:b').toString('base64')}`,
      'Bearer x',
      'Digest x',
    ]) {
      const answer = await fetch(new URL('/oauth/token', app.url), {
        method: 'POST',
        headers: { authorization, 'x-forwarded-for': anAddress() },
        body: new URLSearchParams({ grant_type: 'client_credentials' }),
      });
      expect([400, 401], authorization).toContain(answer.status);
      expect(((await answer.json()) as { error: string }).error).toMatch(/^invalid_(client|request)$/);
    }
  });

  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.constantFrom(
      '__proto__',
      'constructor',
      'toString',
      '\u0000',
      '',
      ' ',
      'none',
      'login',
      'consent',
      'openid',
      'offline_access',
      'query',
      'S256',
      'https://partner.example.com/callback',
      'eyJhbGciOiJub25lIn0.e30.',
      '[{"type":"claim_projects","project_ids":["__proto__"]}]',
    ),
  );
  const AUTHORIZE = [
    'client_id',
    'redirect_uri',
    'response_type',
    'response_mode',
    'scope',
    'state',
    'nonce',
    'prompt',
    'max_age',
    'login_hint',
    'id_token_hint',
    'acr_values',
    'authorization_details',
    'claims',
    'resource',
    'code_challenge',
    'code_challenge_method',
    'request',
    'request_uri',
    'ui_locales',
    'dpop_jkt',
    '__proto__',
  ];
  const TOKEN = [
    'grant_type',
    'client_id',
    'client_secret',
    'client_assertion',
    'client_assertion_type',
    'code',
    'code_verifier',
    'redirect_uri',
    'refresh_token',
    'authorization_details',
    'scope',
    'resource',
    'token',
    'token_type_hint',
    '__proto__',
  ];
  const pairs = (names: string[]) => fc.array(fc.tuple(fc.constantFrom(...names), text), { maxLength: 4 });

  it('for a code gets a page or a redirect, whatever its parameters', async () => {
    const partner = await aPartner(app);
    await fc.assert(
      fc.asyncProperty(pairs(AUTHORIZE), fc.boolean(), async (given, replace) => {
        const address = new URL(authorizeUrl(app.url, partner));
        for (const [name, value] of given) address.searchParams[replace ? 'set' : 'append'](name, value);
        const answer = await fetch(address, { redirect: 'manual' });
        await answer.arrayBuffer();
        expect([303, 400], address.href).toContain(answer.status);
        const location = answer.headers.get('location');
        if (location !== null) expect([app.url, new URL(CALLBACK).origin]).toContain(new URL(location, app.url).origin);
      }),
      { numRuns: 150 },
    );
  });

  it('for a token gets a token or an OAuth error, whatever its parameters', async () => {
    const { application } = await aPartner(app);
    const start = fc.constantFrom<Record<string, string>>(
      { grant_type: 'client_credentials' },
      { grant_type: 'refresh_token', refresh_token: 'x' },
      { grant_type: 'authorization_code', code: 'x', redirect_uri: CALLBACK, code_verifier: 'x'.repeat(43) },
      { token: 'x' },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('/oauth/token', '/oauth/revoke', '/oauth/introspect'),
        start,
        pairs(TOKEN),
        fc.boolean(),
        async (path, base, given, replace) => {
          const body = new URLSearchParams({ client_id: application.clientId, client_secret: application.clientSecret, ...base });
          for (const [name, value] of given) body[replace ? 'set' : 'append'](name, value);
          const headers = { 'x-forwarded-for': anAddress() };
          const answer = await fetch(new URL(path, app.url), { method: 'POST', headers, body });
          await answer.arrayBuffer();
          expect([200, 400, 401], body.toString()).toContain(answer.status);
        },
      ),
      { numRuns: 200 },
    );
  });
});
