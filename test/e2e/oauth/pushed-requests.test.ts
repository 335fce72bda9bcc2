import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OAuthExpiry } from '../../../src/modules/oauth/storage/oauth-storage.js';
import { OPEN_REQUESTS_MAX } from '../../../src/modules/oauth/storage/oauth-records.repository.js';
import { startApp, type TestApp } from '../../support/app.js';
import { rowsOf } from '../../support/database.js';
import { aKey, aProof } from '../../support/dpop.js';
import { aPartner, ask, authorizeUrl, aVerifier, Browser, CALLBACK, challengeOf } from '../../support/oauth.js';
import { refusedAtCallback } from '../../support/oauth-answers.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

type Partner = Awaited<ReturnType<typeof aPartner>>;

const INSECURE = { [oauth.allowInsecureRequests]: true };

/** The parameters of an authorization request. */
const aRequest = (partner: Partner, wanted: Record<string, string> = {}) =>
  Object.fromEntries(new URL(authorizeUrl(app.url, partner, wanted)).searchParams);
const push = (partner: Partner, wanted: Record<string, string> = {}) => ask(app, partner, aRequest(partner, wanted), '/oauth/par');

function addressOf({ application }: Partner, requestUri: string): string {
  const url = new URL('/oauth/authorize', app.url);
  url.search = new URLSearchParams({ client_id: application.clientId, request_uri: requestUri }).toString();
  return url.href;
}

/** The user's part, from the address that the application redirects to. */
async function consent(address: string, { user }: Partner): Promise<URL> {
  const browser = new Browser(app.url);
  const signedIn = await browser.submit(await browser.visit(address), { do: 'sign-in', email: user.email, password: user.password });
  return (await browser.submit(signedIn, { do: 'allow' })).url;
}

describe('a pushed authorization request', () => {
  it('is announced', async () => {
    const document = (await (await fetch(`${app.url}/.well-known/oauth-authorization-server`)).json()) as Record<string, unknown>;
    expect(document.pushed_authorization_request_endpoint).toBe(`${app.url}/oauth/par`);
  });

  it('is answered with an address that works for a minute and brings the user to the consent', async () => {
    const partner = await aPartner(app);
    const { status, body } = await push(partner, { state: 'pushed' });
    expect([status, body]).toEqual([
      201,
      { expires_in: 60, request_uri: expect.stringMatching(/^urn:ietf:params:oauth:request_uri:/) as unknown },
    ]);
    const answer = await consent(addressOf(partner, body.request_uri!), partner);
    expect([answer.origin + answer.pathname, answer.searchParams.get('state')]).toEqual([CALLBACK, 'pushed']);
    expect(answer.searchParams.get('code')).toMatch(/^[\w-]{43}$/);
  });

  it('works once', async () => {
    const partner = await aPartner(app);
    const { request_uri: requestUri } = (await push(partner)).body;
    await consent(addressOf(partner, requestUri!), partner);
    expect(await refusedAtCallback(addressOf(partner, requestUri!))).toMatchObject({ error: 'invalid_request_uri' });
  });

  it('does not work for another application', async () => {
    const [partner, other] = [await aPartner(app), await aPartner(app)];
    const { request_uri: requestUri } = (await push(partner)).body;
    expect(await refusedAtCallback(addressOf(other, requestUri!))).toMatchObject({ error: 'invalid_request_object' });
  });

  it('takes nothing from the address that the browser is sent to', async () => {
    const partner = await aPartner(app);
    const { request_uri: requestUri } = (await push(partner, { scope: 'usage:read' })).body;
    const answer = await consent(`${addressOf(partner, requestUri!)}&scope=audit%3Aread&state=other`, partner);
    expect(answer.searchParams.get('state')).toBe('a state');
    const verified = { grant_type: 'authorization_code', redirect_uri: CALLBACK, code_verifier: 'verifier'.repeat(6) };
    expect((await ask(app, partner, { ...verified, code: answer.searchParams.get('code')! })).status).toBe(400);
  });

  it.each([
    ['a wrong redirect address', { redirect_uri: 'https://elsewhere.example/callback' }, 400, 'invalid_request'],
    ['no PKCE', { code_challenge: '', code_challenge_method: '' }, 400, 'invalid_request'],
    ['a scope it may not have', { scope: 'nothing:read' }, 400, 'invalid_scope'],
    ['another resource', { resource: 'https://elsewhere.example' }, 400, 'invalid_target'],
    ['a request_uri', { request_uri: 'urn:ietf:params:oauth:request_uri:x' }, 400, 'request_uri_not_supported'],
    ['a wrong secret', { client_secret: 'wrong' }, 401, 'invalid_client'],
  ])('is refused with %s', async (_what, wanted, status, error) => {
    expect(await push(await aPartner(app), wanted)).toMatchObject({ status, body: { error } });
  });

  it('is refused if it is longer than 8 KiB, or does not say how long it is', async () => {
    const partner = await aPartner(app);
    const state = 'x'.repeat(8192);
    expect(await push(partner, { state })).toMatchObject({ status: 413, body: { error: 'invalid_request' } });
    const body = new ReadableStream({
      start: (sent) => {
        sent.enqueue(new TextEncoder().encode(new URLSearchParams(aRequest(partner)).toString()));
        sent.close();
      },
    });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await fetch(`${app.url}/oauth/par`, { method: 'POST', headers, body, duplex: 'half' } as RequestInit);
    expect([answer.status, await answer.json()]).toMatchObject([411, { error: 'invalid_request' }]);
  });

  it('the newest are kept, if an application pushes too many, and expired ones are removed', async () => {
    const partner = await aPartner(app, { isPublic: true });
    const { clientId } = partner.application;
    const rows = (sql: string) => rowsOf(app.databaseUrl, sql, [clientId]);
    const kept = () => rows("SELECT count(*)::int AS kept FROM oauth_records WHERE kind = 'PushedAuthorizationRequest' AND client_id = $1");
    const first = (await push(partner)).body.request_uri!;
    await rows(
      `INSERT INTO oauth_records (kind, id_hash, client_id, payload, expires_at)
       SELECT 'PushedAuthorizationRequest', sha256(($1 || n)::bytea), $1, '{}', now() + interval '2 minutes'
       FROM generate_series(1, ${OPEN_REQUESTS_MAX}) n`,
    );
    await push(partner);
    expect(await kept()).toEqual([{ kept: OPEN_REQUESTS_MAX }]);
    expect(await refusedAtCallback(addressOf(partner, first))).toMatchObject({ error: 'invalid_request_uri' });
    await rows("UPDATE oauth_records SET expires_at = now() - interval '1 second' WHERE client_id = $1");
    await app.app.get(OAuthExpiry).expire();
    expect(await kept()).toEqual([{ kept: 0 }]);
  });

  it('with a proof, its code works with the key of the proof only', async () => {
    const [partner, key, verifier] = [await aPartner(app), await aKey(), aVerifier()];
    const proofFor = async (path: string, owner = key) => ({ DPoP: await aProof(owner, { method: 'POST', url: app.url + path }) });
    const request = aRequest(partner, { code_challenge: challengeOf(verifier) });
    const { body } = await ask(app, partner, request, '/oauth/par', await proofFor('/oauth/par'));
    const code = (await consent(addressOf(partner, body.request_uri!), partner)).searchParams.get('code')!;
    const exchange = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: verifier };
    expect((await ask(app, partner, exchange, '/oauth/token', await proofFor('/oauth/token', await aKey()))).body.error).toBe(
      'invalid_grant',
    );
  });
});

describe('unmodified clients', () => {
  it('oauth4webapi pushes a request', async () => {
    const partner = await aPartner(app);
    const issuer = new URL(app.url);
    const discovered = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...INSECURE });
    const [server, client] = [await oauth.processDiscoveryResponse(issuer, discovered), { client_id: partner.application.clientId }];
    const authentication = oauth.ClientSecretBasic(partner.application.clientSecret);
    const pushed = await oauth.pushedAuthorizationRequest(server, client, authentication, aRequest(partner), INSECURE);
    const { request_uri: requestUri } = await oauth.processPushedAuthorizationResponse(server, client, pushed);
    expect((await consent(addressOf(partner, requestUri), partner)).searchParams.get('code')).toBeTruthy();
  });

  it('openid-client pushes a request', async () => {
    const partner = await aPartner(app);
    const { clientId, clientSecret } = partner.application;
    const configuration = await openid.discovery(new URL(app.url), clientId, clientSecret, undefined, {
      algorithm: 'oauth2',
      execute: [openid.allowInsecureRequests],
    });
    const verifier = openid.randomPKCECodeVerifier();
    const address = await openid.buildAuthorizationUrlWithPAR(configuration, {
      redirect_uri: CALLBACK,
      scope: 'usage:read',
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    const tokens = await openid.authorizationCodeGrant(configuration, await consent(address.href, partner), { pkceCodeVerifier: verifier });
    expect(tokens.scope).toBe('usage:read');
  });
});
