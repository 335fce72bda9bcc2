import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/app.js';
import { rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { allow, aPartner, ask, authorizeUrl, bearer, Browser, CALLBACK, challengeOf, tokensOf } from '../../support/oauth.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const PROJECT = { name: 'Berlin office', periodStart: '2026-01-01', periodEnd: '2026-12-31' };

describe('an application with client credentials', () => {
  it('gets an opaque token that the API accepts for an hour', async () => {
    const partner = await aPartner(app);
    const { status, headers, body } = await ask(app, partner, { grant_type: 'client_credentials', scope: 'claim_projects:read' });
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(body).toEqual({
      access_token: expect.stringMatching(/^[\w-]{43}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'claim_projects:read',
    });
    expect((await bearer(app, body.access_token!)).status).toBe(200);
    const context = (await (await bearer(app, body.access_token!, '/v1/auth/context')).json()) as object;
    expect(context).toMatchObject({
      credential: {
        type: 'oauth',
        id: partner.application.id,
        name: 'Month-end sync',
        prefix: null,
        environment: 'test',
        scopes: ['claim_projects:read'],
        ipAllowlist: [],
      },
      organization: { id: partner.organization.id },
      application: { id: partner.application.id, name: 'Month-end sync' },
      user: null,
    });
  });

  it('can send its secret in the header or in the body', async () => {
    const { application } = await aPartner(app);
    const authorization = `Basic ${Buffer.from(`${application.clientId}:${application.clientSecret}`).toString('base64')}`;
    const answer = await fetch(new URL('/oauth/token', app.url), {
      method: 'POST',
      headers: { authorization },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    expect(answer.status).toBe(200);
  });

  it('gets the requested scopes that are approved, all approved scopes without a request, and an error if none is left', async () => {
    const partner = await aPartner(app, { scopes: ['claim_projects:read', 'usage:read'] });
    const scopeOf = async (scope?: string) =>
      (await ask(app, partner, { grant_type: 'client_credentials', ...(scope !== undefined && { scope }) })).body;
    expect((await scopeOf('claim_projects:read audit:read')).scope).toBe('claim_projects:read');
    expect((await scopeOf()).scope).toBe('claim_projects:read usage:read');
    expect(await scopeOf('audit:read no:such')).toMatchObject({ error: 'invalid_scope' });
  });

  it('gets a 403 that names the missing scope and the metadata', async () => {
    const partner = await aPartner(app);
    const { body } = await ask(app, partner, { grant_type: 'client_credentials', scope: 'usage:read' });
    const refused = await bearer(app, body.access_token!);
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      403,
      `Bearer error="insufficient_scope", scope="claim_projects:read", resource_metadata="${app.url}/.well-known/oauth-protected-resource"`,
    ]);
  });

  it.each([
    ['an unknown application', { client_id: 'app_unknown' }, 401, 'invalid_client'],
    ['a wrong secret', { client_secret: 'cs_wrong' }, 401, 'invalid_client'],
    ['another grant', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
    ['no grant', { grant_type: '' }, 400, 'invalid_request'],
    ['another resource', { resource: 'https://elsewhere.example.com' }, 400, 'invalid_target'],
  ])('is refused with %s', async (_what, wrong, status, error) => {
    const partner = await aPartner(app);
    expect(await ask(app, partner, { grant_type: 'client_credentials', ...wrong })).toMatchObject({ status, body: { error } });
  });

  it('can name the resource that the token is for', async () => {
    const partner = await aPartner(app);
    for (const resource of [app.url, `${app.url}/`, `${app.url}/mcp`])
      expect(await ask(app, partner, { grant_type: 'client_credentials', resource })).toMatchObject({ status: 200 });
  });
});

describe('an application that acts for a user', () => {
  it('gets a code after the user’s consent, and tokens for the code', async () => {
    const partner = await aPartner(app);
    const answer = await allow(app, partner);
    expect(Object.fromEntries(answer)).toEqual({ code: expect.stringMatching(/^[\w-]{43}$/), state: 'a state', iss: app.url });
    const { accessToken, refreshToken, scope, expiresIn } = await tokensOf(app, partner, {
      scope: 'claim_projects:read claim_projects:write',
    });
    expect([scope, expiresIn]).toEqual(['claim_projects:read claim_projects:write', 3600]);
    expect(refreshToken).toMatch(/^[\w-]{43}$/);
    const context = (await (await bearer(app, accessToken, '/v1/auth/context')).json()) as object;
    expect(context).toMatchObject({
      credential: { type: 'oauth' },
      application: { id: partner.application.id },
      user: { id: partner.user.id },
    });
  });

  it('is named in the audit log together with the user', async () => {
    const partner = await aPartner(app);
    const { accessToken } = await tokensOf(app, partner, { scope: 'claim_projects:write' });
    const made = await fetch(new URL('/v1/claim-projects', app.url), {
      method: 'POST',
      headers: { authorization: `Bearer ${accessToken}`, 'idempotency-key': 'one', 'content-type': 'application/json' },
      body: JSON.stringify(PROJECT),
    });
    expect(made.status).toBe(201);
    const [row] = await rowsOf<{ actor_type: string; actor_id: string; actor_name: string }>(
      app.databaseUrl,
      `SELECT * FROM audit_entries WHERE organization_id = $1 AND action = 'claim_project.created'`,
      [partner.organization.id],
    );
    expect(row).toMatchObject({
      actor_type: 'api',
      actor_id: partner.application.id,
      actor_name: expect.stringMatching(/^Month-end sync for /),
    });
  });

  it('does not ask again for scopes that the user allowed, while the browser is signed in', async () => {
    const partner = await aPartner(app);
    const browser = new Browser(app.url);
    await allow(app, partner, {}, browser);
    const again = await browser.visit(authorizeUrl(app.url, partner));
    expect(again.url.searchParams.get('code')).toMatch(/^[\w-]{43}$/);
    const more = await browser.visit(authorizeUrl(app.url, partner, { scope: 'claim_projects:read usage:read' }));
    expect(more.text).toContain('(usage:read)');
    expect(more.text).not.toContain('(claim_projects:read)');
  });

  it('gets an error if the user refuses', async () => {
    const partner = await aPartner(app);
    const browser = new Browser(app.url);
    const signedIn = await browser.submit(await browser.visit(authorizeUrl(app.url, partner)), {
      do: 'sign-in',
      email: partner.user.email,
      password: partner.user.password,
    });
    const refused = await browser.submit(signedIn, { do: 'refuse' });
    expect(Object.fromEntries(refused.url.searchParams)).toMatchObject({ error: 'access_denied', state: 'a state', iss: app.url });
    const [row] = await rowsOf<{ actor_id: string }>(
      app.databaseUrl,
      `SELECT actor_id FROM audit_entries WHERE resource_id = $1 AND action = 'application.access_refused'`,
      [partner.application.id],
    );
    expect(row).toEqual({ actor_id: partner.user.id });
  });

  it('can refresh its tokens with the same scopes or fewer', async () => {
    const partner = await aPartner(app);
    const { refreshToken } = await tokensOf(app, partner, { scope: 'claim_projects:read usage:read' });
    const refreshed = await ask(app, partner, { grant_type: 'refresh_token', refresh_token: refreshToken, scope: 'usage:read' });
    expect(refreshed).toMatchObject({ status: 200, body: { scope: 'usage:read' } });
    expect((await bearer(app, refreshed.body.access_token!, '/v1/usage')).status).toBe(200);
    expect((await bearer(app, refreshed.body.access_token!)).status).toBe(403);
    expect(
      await ask(app, partner, { grant_type: 'refresh_token', refresh_token: refreshed.body.refresh_token!, scope: 'audit:read' }),
    ).toMatchObject({ status: 400, body: { error: 'invalid_scope' } });
  });

  it('can be public: without a secret, and with PKCE', async () => {
    const partner = await aPartner(app, { isPublic: true });
    const { accessToken, refreshToken } = await tokensOf(app, partner);
    expect((await bearer(app, accessToken)).status).toBe(200);
    expect((await ask(app, partner, { grant_type: 'refresh_token', refresh_token: refreshToken })).status).toBe(200);
    expect(await ask(app, partner, { grant_type: 'client_credentials' })).toMatchObject({ status: 400 });
  });
});

describe('a refresh', () => {
  const refresh = (partner: Awaited<ReturnType<typeof aPartner>>, token: string) =>
    ask(app, partner, { grant_type: 'refresh_token', refresh_token: token });
  const age = ({ user }: Awaited<ReturnType<typeof aPartner>>, seconds: number) =>
    rowsOf(
      app.databaseUrl,
      `UPDATE oauth_records SET consumed_at = consumed_at - make_interval(secs => $1) WHERE consumed_at IS NOT NULL AND user_id = $2`,
      [seconds, user.id],
    );

  it('can be repeated within a minute and gives the same refresh token', async () => {
    const partner = await aPartner(app);
    const { refreshToken } = await tokensOf(app, partner);
    const [first, again] = [await refresh(partner, refreshToken), await refresh(partner, refreshToken)];
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.body.refresh_token).toBe(first.body.refresh_token);
    expect(first.body.refresh_token).not.toBe(refreshToken);
    const next = await refresh(partner, again.body.refresh_token!);
    expect(next.status).toBe(200);
    expect((await bearer(app, next.body.access_token!)).status).toBe(200);
  });

  it('gives the same refresh token to concurrent requests', async () => {
    const partner = await aPartner(app);
    const { refreshToken } = await tokensOf(app, partner);
    const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(partner, refreshToken)));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.refresh_token}`)).size).toBe(1);
    expect(answers[0]!.status).toBe(200);
  });

  it('that is repeated later revokes all tokens of the consent and is in the audit log', async () => {
    const partner = await aPartner(app);
    const { refreshToken, accessToken } = await tokensOf(app, partner);
    const first = await refresh(partner, refreshToken);
    await age(partner, 61);
    expect(await refresh(partner, refreshToken)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(await refresh(partner, first.body.refresh_token!)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    for (const token of [accessToken, first.body.access_token!])
      await eventually(async () => expect((await bearer(app, token)).status).toBe(401), 2000);
    const rows = await rowsOf<{ changes: object }>(
      app.databaseUrl,
      `SELECT changes FROM audit_entries WHERE resource_id = $1 AND action = 'application.access_revoked'`,
      [partner.application.id],
    );
    expect(rows).toMatchObject([{ changes: { reason: { to: 'used_again' }, user: { from: partner.user.id } } }]);
  });
});

describe('a token is refused within a second after', () => {
  const gone = async (token: string) => eventually(async () => expect((await bearer(app, token)).status).toBe(401), 1500);

  it('its revocation, which only its own application can request', async () => {
    const [partner, stranger] = [await aPartner(app), await aPartner(app)];
    const { accessToken, refreshToken } = await tokensOf(app, partner);
    expect((await ask(app, stranger, { token: accessToken }, '/oauth/revoke')).status).toBe(200);
    expect((await bearer(app, accessToken)).status).toBe(200);
    expect((await ask(app, partner, { token: accessToken }, '/oauth/revoke')).status).toBe(200);
    await gone(accessToken);
    expect((await ask(app, partner, { token: refreshToken }, '/oauth/revoke')).status).toBe(200);
    expect(await ask(app, partner, { grant_type: 'refresh_token', refresh_token: refreshToken })).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
  });

  it('it expires', async () => {
    const partner = await aPartner(app);
    const { accessToken } = await tokensOf(app, partner);
    await rowsOf(app.databaseUrl, `UPDATE oauth_records SET expires_at = now() WHERE kind = 'AccessToken' AND user_id = $1`, [
      partner.user.id,
    ]);
    await gone(accessToken);
  });

  it('its code is used a second time', async () => {
    const partner = await aPartner(app);
    const { accessToken, exchange } = await tokensOf(app, partner);
    expect(await ask(app, partner, exchange)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    await gone(accessToken);
  });
});

describe('introspection', () => {
  it('shows an application its own tokens only', async () => {
    const [partner, stranger] = [await aPartner(app), await aPartner(app)];
    const { accessToken } = await tokensOf(app, partner);
    const own = await ask(app, partner, { token: accessToken }, '/oauth/introspect');
    expect(own.body).toMatchObject({
      active: true,
      client_id: partner.application.clientId,
      sub: partner.user.id,
      scope: 'claim_projects:read',
      aud: app.url,
      token_type: 'Bearer',
    });
    expect((await ask(app, stranger, { token: accessToken }, '/oauth/introspect')).body).toEqual({ active: false });
    expect((await ask(app, partner, { token: 'no token' }, '/oauth/introspect')).body).toEqual({ active: false });
  });

  it('is not available to public applications', async () => {
    const partner = await aPartner(app, { isPublic: true });
    const { accessToken } = await tokensOf(app, partner);
    expect(await ask(app, partner, { token: accessToken }, '/oauth/introspect')).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
    });
    expect((await bearer(app, accessToken)).status).toBe(200);
  });
});

describe('metadata', () => {
  it('lists the endpoints, and none that does not exist', async () => {
    const document = (await (await fetch(new URL('/.well-known/oauth-authorization-server', app.url))).json()) as Record<string, unknown>;
    expect(document).toMatchObject({
      issuer: app.url,
      authorization_endpoint: `${app.url}/oauth/authorize`,
      token_endpoint: `${app.url}/oauth/token`,
      revocation_endpoint: `${app.url}/oauth/revoke`,
      introspection_endpoint: `${app.url}/oauth/introspect`,
      code_challenge_methods_supported: ['S256'],
      response_types_supported: ['code'],
      authorization_response_iss_parameter_supported: true,
    });
    expect(new Set(document.grant_types_supported as string[])).toEqual(
      new Set(['authorization_code', 'client_credentials', 'urn:ietf:params:oauth:grant-type:device_code', 'refresh_token']),
    );
    const addresses = Object.values(document).filter(
      (value): value is string => typeof value === 'string' && value.startsWith(app.url) && value !== app.url,
    );
    for (const address of addresses) expect((await fetch(address)).status, address).not.toBe(500);
  });

  it('names the authorization server for the API and for the tool server', async () => {
    for (const [path, resource] of [
      ['', app.url],
      ['/mcp', `${app.url}/mcp`],
    ]) {
      const document = (await (await fetch(new URL(`/.well-known/oauth-protected-resource${path}`, app.url))).json()) as Record<
        string,
        unknown
      >;
      expect(document).toMatchObject({
        resource,
        authorization_servers: [app.url],
        bearer_methods_supported: ['header'],
        scopes_supported: expect.arrayContaining(['claim_projects:read']),
      });
    }
  });

  it('does not exist for other paths', async () => {
    for (const path of ['/other', '/mcp/more', '/mcp/', '/'])
      expect((await fetch(new URL(`/.well-known/oauth-protected-resource${path}`, app.url))).status, path).toBe(404);
  });

  it('is named by every 401', async () => {
    const { headers } = await fetch(new URL('/v1/claim-projects', app.url));
    expect(headers.get('www-authenticate')).toContain(`resource_metadata="${app.url}/.well-known/oauth-protected-resource"`);
  });
});

describe('the database', () => {
  it('contains no code, no token and no secret', async () => {
    const partner = await aPartner(app);
    const { accessToken, refreshToken, exchange } = await tokensOf(app, partner);
    const rows = await rowsOf<{ text: string }>(
      app.databaseUrl,
      'SELECT oauth_records::text AS text FROM oauth_records UNION ALL SELECT oauth_applications::text FROM oauth_applications',
    );
    const stored = rows.map(({ text }) => text).join('\n');
    for (const secret of [accessToken, refreshToken, exchange.code, partner.application.clientSecret])
      expect(stored.includes(secret)).toBe(false);
    expect(stored).toContain(partner.application.clientId);
  });

  it('is shared by all replicas: a code of one can be exchanged at another', async () => {
    const other = await startApp({ BASE_URL: app.url });
    const partner = await aPartner(app);
    const code = (await allow(app, partner, { code_challenge: challengeOf('v'.repeat(43)) })).get('code')!;
    const { status, body } = await ask(other, partner, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: CALLBACK,
      code_verifier: 'v'.repeat(43),
    });
    expect(status).toBe(200);
    expect((await bearer(other, body.access_token!)).status).toBe(200);
    await other.close();
  });
});
