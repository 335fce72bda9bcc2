import { exportSPKI } from 'jose';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR } from '../../../src/kernel/context.js';
import { ApplicationsService } from '../../../src/modules/oauth/index.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aKey } from '../../support/dpop.js';
import { eventually } from '../../support/eventually.js';
import { aCode, aFapiPartner, aNonce, callWith, type FapiPartner, parametersOf, push, send } from '../../support/fapi.js';
import { anApplication, aPartner, ask, authorizeUrl, bearer, Browser, CALLBACK, decide, tokensOf } from '../../support/oauth.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const OWN = { grant_type: 'client_credentials' };
const soon = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;
const applications = () => app.app.get(ApplicationsService);

describe('an application of the FAPI 2.0 profile', () => {
  it('gets a bound token by a pushed request, an assertion and a proof with a nonce, and calls the API with it', async () => {
    const partner = await aFapiPartner(app);
    const { answer, exchange } = await aCode(app, partner);
    expect([answer.get('iss'), answer.get('state')]).toEqual([app.url, 'a state']);
    const { status, body, text } = await send(app, partner, exchange);
    expect([status, body.token_type], text).toEqual([200, 'DPoP']);
    const nonce = await aNonce(app, partner);
    const called = await callWith(app, body.access_token!, partner.proofKey, { claims: { nonce } });
    expect(called.status, await called.text()).toBe(200);
  });

  it('signs with ES256, EdDSA or PS256', async () => {
    for (const algorithm of ['ES256', 'EdDSA', 'PS256']) {
      const { status, text } = await send(app, await aFapiPartner(app, { algorithm }), OWN);
      expect(status, `${algorithm} ${text}`).toBe(200);
    }
    const { status, body } = await send(app, await aFapiPartner(app, { algorithm: 'RS256' }), OWN);
    expect([status, body.error]).toEqual([401, 'invalid_client']);
  });

  it.each([
    ['the token endpoint as audience', { aud: (url: string) => `${url}/oauth/token` }],
    ['the endpoint of pushed requests as audience', { aud: (url: string) => `${url}/oauth/par` }],
    ['a list as audience, even of the issuer alone', { aud: (url: string) => [url] }],
    ['another server as audience', { aud: () => 'https://elsewhere.example' }],
    ['a time that is more than a minute ahead', { iat: () => soon(90) }],
    ['a beginning that is more than a minute ahead', { nbf: () => soon(90) }],
  ])('is refused with an assertion that has %s', async (_what, wanted: Record<string, (url: string) => unknown>) => {
    const partner = await aFapiPartner(app);
    const claims = Object.fromEntries(Object.entries(wanted).map(([name, valueOf]) => [name, valueOf(app.url)]));
    const nonce = await aNonce(app, partner);
    expect(await send(app, partner, OWN, { assertion: { claims }, proof: { nonce } })).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
    });
    expect(await push(app, partner, {}, { assertion: { claims }, proof: null })).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
    });
  });

  it('may have a clock that is ten seconds ahead', async () => {
    const partner = await aFapiPartner(app);
    const { status, text } = await send(app, partner, OWN, { assertion: { claims: { iat: soon(8), nbf: soon(8) } } });
    expect(status, text).toBe(200);
  });

  it('cannot use an assertion twice', async () => {
    const partner = await aFapiPartner(app);
    const nonce = await aNonce(app, partner);
    const assertion = { claims: { jti: 'once' } };
    expect((await send(app, partner, OWN, { assertion, proof: { nonce } })).status).toBe(200);
    expect(await send(app, partner, OWN, { assertion, proof: { nonce } })).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
    });
  });

  it('cannot send its authorization request through the browser', async () => {
    const partner = await aFapiPartner(app);
    const { url, text } = await new Browser(app.url).visit(authorizeUrl(app.url, partner));
    expect([url.origin + url.pathname, url.searchParams.get('code')], text).toEqual([CALLBACK, null]);
    expect(url.searchParams.get('error')).toBe('invalid_request');
    expect(url.searchParams.get('iss')).toBe(app.url);
  });

  it.each([
    ['without a challenge', { code_challenge: undefined, code_challenge_method: undefined }],
    ['with a plain challenge', { code_challenge_method: 'plain' }],
    ['without a redirect address', { redirect_uri: undefined }],
    ['with another redirect address', { redirect_uri: `${CALLBACK}/` }],
    ['for a token in the address', { response_type: 'token' }],
  ])('cannot push a request %s', async (_what, wanted) => {
    const { status, body } = await push(app, await aFapiPartner(app), wanted);
    expect([status, body.request_uri]).toEqual([400, undefined]);
  });

  it('cannot push a request, or ask for a token, with its id alone or with a secret', async () => {
    const partner = await aFapiPartner(app);
    for (const clientSecret of ['', 'stored as a hash', 'cs_guessed']) {
      const as = { application: { ...partner.application, clientSecret } };
      expect((await ask(app, as, parametersOf(app, partner), '/oauth/par')).body.error).toBe('invalid_client');
      expect((await ask(app, as, OWN)).body.error).toBe('invalid_client');
    }
  });

  it('gets no token without a proof, or with one that has no nonce, an old one, a forged one or one of another kind', async () => {
    const partner = await aFapiPartner(app);
    expect((await send(app, partner, OWN, { proof: null })).status).toBe(400);
    for (const nonce of [undefined, 'a nonce', 'x'.repeat(43), 'A'.repeat(43)]) {
      const { status, body, headers } = await send(app, partner, OWN, { proof: { nonce } });
      expect([status, body.error]).toEqual([400, 'use_dpop_nonce']);
      const given = headers.get('dpop-nonce')!;
      expect((await send(app, partner, OWN, { proof: { nonce: given } })).status).toBe(200);
    }
    expect((await send(app, partner, OWN, { proof: { nonce: 7 } })).status).toBe(400);
  });

  it('cannot use a proof twice', async () => {
    const partner = await aFapiPartner(app);
    const proof = { nonce: await aNonce(app, partner), jti: 'once' };
    expect((await send(app, partner, OWN, { proof })).status).toBe(200);
    expect((await send(app, partner, OWN, { proof })).status).toBe(400);
  });

  it('exchanges a code once, with the key that it was pushed with', async () => {
    const partner = await aFapiPartner(app);
    const { calculateJwkThumbprint, exportJWK } = await import('jose');
    const jkt = await calculateJwkThumbprint(await exportJWK(partner.proofKey.publicKey));
    const stolen = await aCode(app, partner, { dpop_jkt: jkt });
    expect((await send(app, partner, stolen.exchange, { proofKey: await aKey() })).body.error).toBe('invalid_grant');
    const { exchange } = await aCode(app, partner, { dpop_jkt: jkt });
    expect((await send(app, partner, exchange)).status).toBe(200);
    expect((await send(app, partner, exchange)).body.error).toBe('invalid_grant');
  });

  it('keeps its refresh token, which is of no use without its keys', async () => {
    const partner = await aFapiPartner(app);
    const { refresh_token: refreshToken } = (await send(app, partner, (await aCode(app, partner)).exchange)).body;
    const body = { grant_type: 'refresh_token', refresh_token: refreshToken! };
    for (let time = 0; time < 2; time++) {
      const answer = await send(app, partner, body);
      expect([answer.status, answer.body.refresh_token, answer.body.token_type]).toEqual([200, refreshToken, 'DPoP']);
    }
    const other = await aFapiPartner(app);
    expect((await send(app, other, body)).body.error).toBe('invalid_grant');
    expect((await send(app, partner, body, { proof: null })).status).toBe(400);
    expect((await ask(app, partner, body)).body.error).toBe('invalid_client');
  });

  it('has no token that works as Bearer', async () => {
    const partner = await aFapiPartner(app);
    const { access_token: token } = (await send(app, partner, OWN)).body;
    expect((await bearer(app, token!)).status).toBe(401);
  });
});

describe('the API, for a token of such an application', () => {
  const aToken = async (partner: FapiPartner) => (await send(app, partner, OWN)).body.access_token!;

  it('asks for a nonce, and takes the one that it gives, which also opens the token endpoint', async () => {
    const partner = await aFapiPartner(app);
    const token = await aToken(partner);
    const refused = await callWith(app, token, partner.proofKey);
    const nonce = refused.headers.get('dpop-nonce')!;
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringMatching(/^DPoP realm=.*error="use_dpop_nonce", error_description="[^"]+", algs="ES256/),
    ]);
    const called = await callWith(app, token, partner.proofKey, { claims: { nonce } });
    expect([called.status, called.headers.get('dpop-nonce')]).toEqual([200, nonce]);
    expect((await send(app, partner, OWN, { proof: { nonce } })).status).toBe(200);
  });

  it.each(['a nonce', 'x'.repeat(43), ''])('refuses the nonce "%s"', async (nonce) => {
    const partner = await aFapiPartner(app);
    const refused = await callWith(app, await aToken(partner), partner.proofKey, { claims: { nonce } });
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, expect.stringContaining('error="use_dpop_nonce"')]);
  });

  it('tells no stranger a nonce, who has the token but not its key', async () => {
    const partner = await aFapiPartner(app);
    const refused = await callWith(app, await aToken(partner), await aKey());
    expect([refused.status, refused.headers.get('dpop-nonce')]).toEqual([401, null]);
  });

  it('asks for a nonce at the tool server as well', async () => {
    const partner = await aFapiPartner(app);
    const refused = await callWith(app, await aToken(partner), partner.proofKey, { path: '/mcp' });
    expect([refused.status, refused.headers.get('dpop-nonce')]).toEqual([401, expect.stringMatching(/^[\w-]{43}$/)]);
  });
});

describe('the profile', () => {
  it.each([
    ['a secret', { publicKeys: undefined }, 'securityRules'],
    ['a public application', { isPublic: true, publicKeys: undefined, grants: ['authorization_code'] }, 'securityRules'],
    ['the grant of devices', { grants: ['authorization_code', 'device_code'] }, 'grants'],
    ['a redirect address on this machine', { redirectUris: ['http://127.0.0.1/callback'] }, 'redirectUris'],
    ['another name', { securityRules: ['fapi3'] }, 'securityRules'],
  ])('is refused with %s', async (_what, wanted, field) => {
    const { organization } = await aPartner(app);
    const publicKeys = await exportSPKI((await aKey()).publicKey);
    const made = anApplication(app, organization.id, { securityRules: ['fapi2'], publicKeys, ...(wanted as object) });
    await expect(made).rejects.toMatchObject({ code: 'validation_failed', errors: [{ field }] });
  });

  it('ends bearer tokens of an application within a second, and its old refresh tokens need an assertion and a proof', async () => {
    const partner = await aPartner(app);
    const { accessToken, refreshToken } = await tokensOf(app, partner);
    expect((await bearer(app, accessToken)).status).toBe(200);
    const key = await aKey();
    await applications().update(OPERATOR, partner.application.id, {
      securityRules: ['fapi2'],
      publicKeys: await exportSPKI(key.publicKey),
    });
    await eventually(async () => expect((await bearer(app, accessToken)).status).toBe(401), 1500);
    const bound = { ...partner, key, algorithm: 'ES256', proofKey: await aKey() };
    const body = { grant_type: 'refresh_token', refresh_token: refreshToken };
    expect((await ask(app, partner, body)).body.error).toBe('invalid_client');
    expect((await send(app, bound, body, { proof: null })).status).toBe(400);
    expect((await send(app, bound, body)).body.token_type).toBe('DPoP');
  });
});

describe('unmodified clients', () => {
  it('openid-client goes the whole way: PAR, consent, code, call, refresh, revocation', async () => {
    const partner = await aFapiPartner(app);
    const configuration = await openid.discovery(
      new URL(app.url),
      partner.application.clientId,
      { require_pushed_authorization_requests: true, dpop_bound_access_tokens: true },
      openid.PrivateKeyJwt(partner.key.privateKey),
      { algorithm: 'oauth2', execute: [openid.allowInsecureRequests] },
    );
    const DPoP = openid.getDPoPHandle(configuration, await openid.randomDPoPKeyPair('ES256'));
    const [verifier, state] = [openid.randomPKCECodeVerifier(), openid.randomState()];
    const request = {
      redirect_uri: CALLBACK,
      scope: 'claim_projects:read',
      state,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    };
    const address = await openid.buildAuthorizationUrlWithPAR(configuration, request, { DPoP });
    const { url } = await decide(new Browser(app.url), address.href, partner);
    const checks = { expectedState: state, pkceCodeVerifier: verifier };
    const tokens = await openid.authorizationCodeGrant(configuration, url, checks, undefined, { DPoP });
    expect(tokens.token_type).toBe('dpop');
    const projects = new URL('/v1/claim-projects', app.url);
    for (const token of [tokens, await openid.refreshTokenGrant(configuration, tokens.refresh_token!, undefined, { DPoP })])
      expect(
        (await openid.fetchProtectedResource(configuration, token.access_token, projects, 'GET', undefined, undefined, { DPoP })).status,
      ).toBe(200);
    await openid.tokenRevocation(configuration, tokens.refresh_token!);
    await expect(openid.refreshTokenGrant(configuration, tokens.refresh_token!, undefined, { DPoP })).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });

  it('oauth4webapi gets a token, and repeats each call that lacks a nonce', async () => {
    const partner = await aFapiPartner(app);
    const insecure = { [oauth.allowInsecureRequests]: true };
    const issuer = new URL(app.url);
    const discovered = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure });
    const [server, client] = [await oauth.processDiscoveryResponse(issuer, discovered), { client_id: partner.application.clientId }];
    const options = { ...insecure, DPoP: oauth.DPoP({}, await oauth.generateKeyPair('ES256')) };
    const ask = async () =>
      oauth.processClientCredentialsResponse(
        server,
        client,
        await oauth.clientCredentialsGrantRequest(server, client, oauth.PrivateKeyJwt(partner.key.privateKey), {}, options),
      );
    await expect(ask()).rejects.toSatisfy(oauth.isDPoPNonceError);
    const { access_token: token } = await ask();
    const called = await oauth.protectedResourceRequest(
      token,
      'GET',
      new URL('/v1/claim-projects', app.url),
      undefined,
      undefined,
      options,
    );
    expect(called.status).toBe(200);
  });
});
