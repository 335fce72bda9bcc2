import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/app.js';
import { aKey, aProof, prove, type Key } from '../../support/dpop.js';
import { aPartner, ask, bearer, tokensOf } from '../../support/oauth.js';
import { aKey as anApiKey } from '../../support/builders.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

type Partner = Awaited<ReturnType<typeof aPartner>>;

const INSECURE = { [oauth.allowInsecureRequests]: true };
const projects = () => `${app.url}/v1/claim-projects`;
const tokenUrl = () => `${app.url}/oauth/token`;
const challengeOf = (answer: Response) => answer.headers.get('www-authenticate') ?? '';

/** A token of client credentials that is bound to a key. */
async function aBoundToken(partner?: Partner, key?: Key) {
  const { application } = partner ?? (await aPartner(app));
  const owner = key ?? (await aKey());
  const proof = await aProof(owner, { method: 'POST', url: tokenUrl() });
  const { status, body, text } = await ask(app, { application }, { grant_type: 'client_credentials' }, '/oauth/token', { DPoP: proof });
  expect([status, body.token_type], text).toEqual([200, 'DPoP']);
  return { token: body.access_token!, key: owner, application };
}

it('metadata says which algorithms proofs may have', async () => {
  for (const name of ['oauth-authorization-server', 'oauth-protected-resource', 'oauth-protected-resource/mcp']) {
    const document = (await (await fetch(`${app.url}/.well-known/${name}`)).json()) as Record<string, unknown>;
    expect(document.dpop_signing_alg_values_supported).toEqual(['ES256', 'Ed25519', 'EdDSA']);
  }
});

describe('a token that is bound to a key', () => {
  it('opens the API and the tool server for the holder of the key', async () => {
    const { token, key } = await aBoundToken();
    expect((await prove(`${projects()}?page=1`, token, await aProof(key, { token, url: projects() }))).status).toBe(200);
    const url = `${app.url}/mcp`;
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        authorization: `DPoP ${token}`,
        DPoP: await aProof(key, { token, method: 'POST', url }),
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
    });
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('list_claim_projects')]);
  });

  it('is refused as a Bearer token, and the audit log says so', async () => {
    const partner = await aPartner(app, { plan: 'enterprise' });
    const { token } = await aBoundToken(partner);
    const answer = await bearer(app, token);
    expect(answer.status).toBe(401);
    expect(challengeOf(answer)).toMatch(/^DPoP realm=.*error="invalid_token".*algs="ES256 Ed25519 EdDSA"/);
    const { key } = await anApiKey(app, partner.organization.id, { environment: 'live' });
    await expect
      .poll(async () => (await fetch(`${app.url}/v1/audit/events?action_prefix=oauth.refused`, { headers: { 'x-api-key': key } })).json())
      .toMatchObject({ data: [{ action: 'oauth.refused', changes: { reason: { to: 'unproved' } } }] });
  });

  it('is refused without a scope by a DPoP challenge', async () => {
    const partner = await aPartner(app, { scopes: ['usage:read'] });
    const { token, key } = await aBoundToken(partner);
    const answer = await prove(projects(), token, await aProof(key, { token, url: projects() }));
    expect([answer.status, challengeOf(answer)]).toEqual([403, expect.stringMatching(/^DPoP error="insufficient_scope"/)]);
  });

  it('is accepted with the name of the scheme in any case', async () => {
    const { token, key } = await aBoundToken();
    expect((await prove(projects(), token, await aProof(key, { token, url: projects() }), 'dpop')).status).toBe(200);
  });

  it.each([
    ['no proof', () => undefined],
    ['no JWT', () => 'a proof'],
    ['a proof of another key', async (token: string) => aProof(await aKey(), { token, url: projects() })],
    ['another method', (token: string, key: Key) => aProof(key, { token, url: projects(), method: 'POST' })],
    ['another address', (token: string, key: Key) => aProof(key, { token, url: `${app.url}/v1/usage` })],
    ['another host', (token: string, key: Key) => aProof(key, { token, url: 'https://elsewhere.example/v1/claim-projects' })],
    ['no address', (token: string, key: Key) => aProof(key, { token, url: projects(), claims: { htu: 'projects' } })],
    ['another token', (_token: string, key: Key) => aProof(key, { token: 'another', url: projects() })],
    ['no token', (_token: string, key: Key) => aProof(key, { url: projects() })],
    ['an old time', (token: string, key: Key) => aProof(key, { token, url: projects(), claims: { iat: Date.now() / 1000 - 70 } })],
    ['a future time', (token: string, key: Key) => aProof(key, { token, url: projects(), claims: { iat: Date.now() / 1000 + 70 } })],
    ['no time', (token: string, key: Key) => aProof(key, { token, url: projects(), claims: { iat: undefined } })],
    ['no id', (token: string, key: Key) => aProof(key, { token, url: projects(), claims: { jti: undefined } })],
    ['an id too long', (token: string, key: Key) => aProof(key, { token, url: projects(), claims: { jti: 'x'.repeat(257) } })],
    ['another type of JWT', (token: string, key: Key) => aProof(key, { token, url: projects(), header: { typ: 'jwt' } })],
    [
      'two proofs',
      async (token: string, key: Key) =>
        Array(2)
          .fill(await aProof(key, { token, url: projects() }))
          .join(', '),
    ],
  ])('is refused with %s', async (_what, proofOf: (token: string, key: Key) => Promise<string> | string | undefined) => {
    const { token, key } = await aBoundToken();
    const answer = await prove(projects(), token, await proofOf(token, key));
    expect(answer.status, await answer.text()).toBe(401);
    expect(challengeOf(answer)).toMatch(/^DPoP realm=.*error="invalid_dpop_proof", error_description="[^"]+", algs="ES256/);
  });

  it('is refused with a proof that was used before', async () => {
    const { token, key } = await aBoundToken();
    const proof = await aProof(key, { token, url: projects() });
    const answers = await Promise.all([1, 2, 3].map(() => prove(projects(), token, proof)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
  });
});

describe('other credentials', () => {
  it('an unbound token and an API key are refused as DPoP', async () => {
    const partner = await aPartner(app);
    const { accessToken } = await tokensOf(app, partner);
    const { key: apiKey } = await anApiKey(app, partner.organization.id);
    for (const credential of [accessToken, apiKey]) {
      const proof = await aProof(await aKey(), { token: credential, url: projects() });
      const answer = await prove(projects(), credential, proof);
      expect([answer.status, challengeOf(answer)]).toEqual([401, expect.stringMatching(/^DPoP .*error="invalid_token"/)]);
    }
  });

  it('an unknown token is refused by a DPoP challenge', async () => {
    const token = 'x'.repeat(43);
    const answer = await prove(projects(), token, await aProof(await aKey(), { token, url: projects() }));
    expect([answer.status, challengeOf(answer)]).toEqual([401, expect.stringMatching(/^DPoP .*error="invalid_token"/)]);
  });
});

describe('the token endpoint', () => {
  it('refuses a proof that was used before, also if two requests use it at once', async () => {
    const [{ application }, key] = [await aPartner(app), await aKey()];
    const proof = await aProof(key, { method: 'POST', url: tokenUrl() });
    const answers = await Promise.all(
      [1, 2, 3].map(() => ask(app, { application }, { grant_type: 'client_credentials' }, '/oauth/token', { DPoP: proof })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    expect(answers.find(({ status }) => status === 400)!.body).toMatchObject({ error: 'invalid_grant' });
  });

  it('binds the refresh token of a public application to the key', async () => {
    const partner = await aPartner(app, { isPublic: true });
    const [key, other] = [await aKey(), await aKey()];
    const proofOf = async (owner: Key) => ({ DPoP: await aProof(owner, { method: 'POST', url: tokenUrl() }) });
    const { refreshToken } = await tokensOf(app, partner, {}, await proofOf(key));
    const body = { grant_type: 'refresh_token', refresh_token: refreshToken };
    expect((await ask(app, partner, body)).body).toMatchObject({ error: 'invalid_grant' });
    expect((await ask(app, partner, body, '/oauth/token', await proofOf(other))).body).toMatchObject({ error: 'invalid_grant' });
    expect((await ask(app, partner, body, '/oauth/token', await proofOf(key))).body).toMatchObject({ token_type: 'DPoP' });
  });

  it('introspection tells the key of a token', async () => {
    const { token, application } = await aBoundToken();
    expect((await ask(app, { application }, { token }, '/oauth/introspect')).body).toMatchObject({
      active: true,
      token_type: 'DPoP',
      cnf: { jkt: expect.stringMatching(/^[\w-]{43}$/) as unknown },
    });
  });
});

describe('unmodified clients', () => {
  it('oauth4webapi gets a bound token and calls the API with it', async () => {
    const { application } = await aPartner(app);
    const issuer = new URL(app.url);
    const discovered = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...INSECURE });
    const [server, client] = [await oauth.processDiscoveryResponse(issuer, discovered), { client_id: application.clientId }];
    const options = { ...INSECURE, DPoP: oauth.DPoP({}, await oauth.generateKeyPair('ES256')) };
    const answer = await oauth.clientCredentialsGrantRequest(server, client, oauth.ClientSecretPost(application.clientSecret), {}, options);
    const { access_token: token, token_type: type } = await oauth.processClientCredentialsResponse(server, client, answer);
    expect(type).toBe('dpop');
    for (let call = 0; call < 2; call++)
      expect((await oauth.protectedResourceRequest(token, 'GET', new URL(projects()), undefined, undefined, options)).status).toBe(200);
  });

  it.each(['ES256', 'Ed25519'])('openid-client does so with a key for %s', async (algorithm) => {
    const { application } = await aPartner(app);
    const configuration = await openid.discovery(new URL(app.url), application.clientId, application.clientSecret, undefined, {
      algorithm: 'oauth2',
      execute: [openid.allowInsecureRequests],
    });
    const DPoP = openid.getDPoPHandle(configuration, await openid.randomDPoPKeyPair(algorithm));
    const { access_token: token } = await openid.clientCredentialsGrant(configuration, {}, { DPoP });
    const answer = await openid.fetchProtectedResource(configuration, token, new URL(projects()), 'GET', undefined, undefined, { DPoP });
    expect(answer.status).toBe(200);
  });
});
