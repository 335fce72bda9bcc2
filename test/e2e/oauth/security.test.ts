import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { startApp, type TestApp } from '../../support/app.js';
import { rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { aCode, refusedAtCallback, refusedOnAPage, watch } from '../../support/oauth-answers.js';
import { allow, aPartner, ask, authorizeUrl, aVerifier, bearer, CALLBACK, challengeOf, tokensOf } from '../../support/oauth.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());
afterEach(() => vi.restoreAllMocks());

const INVALID_GRANT = { status: 400, body: { error: 'invalid_grant' } };

describe('the redirect address', () => {
  it.each([
    ['another path', `${CALLBACK}/more`],
    ['a path above', 'https://partner.example.com/'],
    ['a way back up', `${CALLBACK}/../callback`],
    ['a slash at the end', `${CALLBACK}/`],
    ['a query', `${CALLBACK}?next=1`],
    ['a fragment', `${CALLBACK}#part`],
    ['another case', 'https://partner.example.com/Callback'],
    ['another case of the host', 'https://PARTNER.example.com/callback'],
    ['a port', 'https://partner.example.com:8443/callback'],
    ['the usual port', 'https://partner.example.com:443/callback'],
    ['another scheme', 'http://partner.example.com/callback'],
    ['a user before the host', 'https://partner.example.com@evil.example/callback'],
    ['a longer host', 'https://partner.example.com.evil.example/callback'],
    ['a host below', 'https://evil.partner.example.com/callback'],
    ['an escaped letter', 'https://partner.example.com/%63allback'],
    ['a script', 'javascript:alert(1)'],
    ['no address', 'callback'],
    ['white space', ` ${CALLBACK}`],
  ])('must match the registered one exactly: no redirect for %s', async (_what, redirectUri) => {
    const partner = await aPartner(app);
    await refusedOnAPage(authorizeUrl(app.url, partner, { redirect_uri: redirectUri }));
    // Also if something else is wrong with the request.
    await refusedOnAPage(authorizeUrl(app.url, partner, { redirect_uri: redirectUri, response_type: 'token', code_challenge: undefined }));
  });

  it('is not used if the application is unknown or named twice', async () => {
    const partner = await aPartner(app);
    await refusedOnAPage(authorizeUrl(app.url, partner, { client_id: 'app_unknown' }));
    await refusedOnAPage(authorizeUrl(app.url, partner, { client_id: undefined }));
    await refusedOnAPage(`${authorizeUrl(app.url, partner)}&client_id=${partner.application.clientId}`);
  });

  it('gets the error if it is given twice', async () => {
    expect(
      await refusedAtCallback(`${authorizeUrl(app.url, await aPartner(app))}&redirect_uri=${encodeURIComponent('https://evil.example/')}`),
    ).toMatchObject({ error: 'invalid_request' });
    const partner = await aPartner(app, { redirectUris: [CALLBACK, 'https://partner.example.com/other'] });
    await refusedOnAPage(`${authorizeUrl(app.url, partner)}&redirect_uri=${encodeURIComponent('https://evil.example/')}`);
  });

  it('cannot be one of another application', async () => {
    const [partner, stranger] = [await aPartner(app, { redirectUris: ['https://other.example.com/back'] }), await aPartner(app)];
    await refusedOnAPage(authorizeUrl(app.url, partner));
    await refusedOnAPage(authorizeUrl(app.url, stranger, { redirect_uri: 'https://other.example.com/back' }));
  });

  it('must be repeated when the code is exchanged', async () => {
    const partner = await aPartner(app, { redirectUris: [CALLBACK, 'https://partner.example.com/other'] });
    expect(await ask(app, partner, { ...(await aCode(app, partner)), redirect_uri: 'https://partner.example.com/other' })).toMatchObject(
      INVALID_GRANT,
    );
    const { redirect_uri: _left, ...without } = await aCode(app, partner);
    expect((await ask(app, partner, without)).status).toBe(400);
  });

  it('does not depend on the Host header or on proxy headers', async () => {
    const partner = await aPartner(app);
    const answer = await fetch(authorizeUrl(app.url, partner), {
      redirect: 'manual',
      headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
    });
    expect(new URL(answer.headers.get('location')!, app.url).origin).toBe(app.url);
  });
});

describe('PKCE', () => {
  it.each([
    ['confidential', false],
    ['public', true],
  ])('is required of %s applications, with S256 only', async (_kind, isPublic) => {
    const partner = await aPartner(app, { isPublic });
    const refused = (wanted: Record<string, string | undefined>) => refusedAtCallback(authorizeUrl(app.url, partner, wanted));
    for (const wanted of [
      { code_challenge: undefined, code_challenge_method: undefined },
      { code_challenge: undefined },
      { code_challenge_method: undefined },
      { code_challenge_method: 'plain' },
      { code_challenge_method: 's256' },
      { code_challenge: 'too-short' },
    ])
      expect(await refused(wanted), JSON.stringify(wanted)).toMatchObject({ error: 'invalid_request', state: 'a state', iss: app.url });
  });

  it.each([
    ['confidential', false],
    ['public', true],
  ])('binds the code of a %s application to the client that requested it', async (_kind, isPublic) => {
    const partner = await aPartner(app, { isPublic });
    for (const wrong of [aVerifier(), ''])
      expect(await ask(app, partner, { ...(await aCode(app, partner)), code_verifier: wrong })).toMatchObject({
        status: 400,
        body: { error: expect.stringMatching(/^invalid_(grant|request)$/) },
      });
    const { code_verifier: verifier, ...without } = await aCode(app, partner);
    expect(await ask(app, partner, without)).toMatchObject(INVALID_GRANT);
    expect(await ask(app, partner, { ...without, code_verifier: challengeOf(verifier) })).toMatchObject(INVALID_GRANT);
  });
});

describe('a code', () => {
  it('works only for its own application, and an attempt of another one does not use it up', async () => {
    const [partner, stranger] = [await aPartner(app), await aPartner(app)];
    const exchange = await aCode(app, partner);
    expect(await ask(app, stranger, exchange)).toMatchObject(INVALID_GRANT);
    expect((await ask(app, partner, exchange)).status).toBe(200);
  });

  it('is valid for sixty seconds', async () => {
    const partner = await aPartner(app);
    const age = (seconds: number) =>
      rowsOf(
        app.databaseUrl,
        `UPDATE oauth_records SET expires_at = expires_at - make_interval(secs => $1),
      payload = jsonb_set(payload::jsonb, '{exp}', to_jsonb((payload->>'exp')::int - $1::int))::json
      WHERE kind = 'AuthorizationCode' AND user_id = $2`,
        [seconds, partner.user.id],
      );
    const [early, late] = [await aCode(app, partner), await aCode(app, partner)];
    await age(50);
    expect((await ask(app, partner, early)).status).toBe(200);
    await age(10);
    expect(await ask(app, partner, late)).toMatchObject(INVALID_GRANT);
  });

  it('gives tokens once, also for concurrent exchanges, and a second use revokes them', async () => {
    const partner = await aPartner(app);
    const exchange = await aCode(app, partner);
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask(app, partner, exchange)));
    const given = answers.filter(({ status }) => status === 200);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(7).fill(400)]);
    await eventually(async () => expect((await bearer(app, given[0]!.body.access_token!)).status).toBe(401), 1500);
    expect(await ask(app, partner, { grant_type: 'refresh_token', refresh_token: given[0]!.body.refresh_token! })).toMatchObject(
      INVALID_GRANT,
    );
  });

  it('is sent in the query only: no implicit tokens, no fragment, no form_post', async () => {
    const partner = await aPartner(app);
    for (const wanted of [
      { response_type: 'token' },
      { response_type: 'code token' },
      { response_type: 'id_token' },
      { response_type: 'code id_token' },
      { response_type: 'none' },
      { response_mode: 'fragment' },
      { response_mode: 'form_post' },
      { response_mode: 'web_message' },
    ]) {
      const answer = await refusedAtCallback(authorizeUrl(app.url, partner, wanted));
      expect(answer, JSON.stringify(wanted)).toMatchObject({
        error: expect.stringMatching(/^(unsupported_response_(type|mode)|unauthorized_client|invalid_request)$/),
        state: 'a state',
        iss: app.url,
      });
      expect(answer).not.toHaveProperty('code');
    }
  });
});

describe('the answer to the application', () => {
  it('has iss and state for codes and for errors, so that answers of several servers cannot be mixed up', async () => {
    const partner = await aPartner(app);
    const state = '"><script>&=?#é\u0000';
    expect(Object.fromEntries(await allow(app, partner, { state }))).toMatchObject({ code: expect.any(String), state, iss: app.url });
    expect(await refusedAtCallback(authorizeUrl(app.url, partner, { state, prompt: 'none' }))).toMatchObject({
      error: 'login_required',
      state,
      iss: app.url,
    });
    expect(await refusedAtCallback(authorizeUrl(app.url, partner, { state, scope: 'no:such' }))).toMatchObject({
      error: 'invalid_scope',
      state,
      iss: app.url,
    });
    const metadata = (await (await fetch(new URL('/.well-known/oauth-authorization-server', app.url))).json()) as { issuer: string };
    expect(metadata.issuer).toBe(app.url);
  });

  it('puts no secret into a URL except the code, once', async () => {
    const partner = await aPartner(app);
    const watched = watch();
    const { accessToken, refreshToken, exchange } = await tokensOf(app, partner);
    const refreshed = await ask(app, partner, { grant_type: 'refresh_token', refresh_token: refreshToken });
    const locations = watched.locations();
    expect(locations.length).toBeGreaterThan(3);
    for (const secret of [
      accessToken,
      refreshToken,
      refreshed.body.access_token!,
      refreshed.body.refresh_token!,
      exchange.code_verifier,
      partner.user.password,
      partner.application.clientSecret,
    ]) {
      expect(locations.filter((location) => location.includes(encodeURIComponent(secret)))).toEqual([]);
    }
    expect(locations.filter((location) => location.includes(exchange.code))).toEqual([expect.stringMatching(`^${CALLBACK}\\?`)]);
    expect(locations.filter((location) => location.includes('#'))).toEqual([]);
  });

  it('has no id token, also if openid is requested', async () => {
    const partner = await aPartner(app);
    const { body } = await ask(app, partner, await aCode(app, partner, { scope: 'openid claim_projects:read' }));
    expect(body).toEqual({
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'claim_projects:read',
    });
  });

  it.each([
    ['request', 'eyJhbGciOiJub25lIn0.e30.'],
    ['request_uri', 'https://evil.example/request'],
    ['registration', '{}'],
  ])('is an error for a request in %s, which is never fetched', async (name, value) => {
    const partner = await aPartner(app);
    const address = new URL(authorizeUrl(app.url, partner));
    address.searchParams.set(name, value);
    expect(await refusedAtCallback(address.href)).toMatchObject({ error: `${name}_not_supported` });
  });
});
