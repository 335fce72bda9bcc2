import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/app.js';
import { aPartner, bearer, Browser, CALLBACK } from '../../support/oauth.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

type Partner = Awaited<ReturnType<typeof aPartner>>;

const SCOPE = 'claim_projects:read usage:read';
/** The libraries require https unless told otherwise. */
const INSECURE = { [oauth.allowInsecureRequests]: true };

/** The user's part: from the authorization URL that a library built to the callback URL that it reads. */
async function consent(address: URL, { user }: Partner): Promise<URL> {
  const browser = new Browser(app.url);
  const signedIn = await browser.submit(await browser.visit(address.href), { do: 'sign-in', email: user.email, password: user.password });
  return (await browser.submit(signedIn, { do: 'allow' })).url;
}

it('metadata can be read from any origin and lists no OpenID Connect endpoint', async () => {
  for (const name of ['oauth-authorization-server', 'oauth-protected-resource', 'oauth-protected-resource/mcp']) {
    const address = new URL(`/.well-known/${name}`, app.url);
    const answer = await fetch(address, { headers: { origin: 'https://partner.example.com' } });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
    const preflight = { Origin: 'https://partner.example.com', 'Access-Control-Request-Method': 'GET' };
    expect((await fetch(address, { method: 'OPTIONS', headers: preflight })).headers.get('access-control-allow-methods')).toBe('GET, HEAD');
    const document = (await answer.json()) as { scopes_supported: string[] };
    expect(document.scopes_supported).toContain('claim_projects:read');
    expect(Object.keys(document).filter((key) => /jwks|id_token|claims|subject|userinfo/.test(key))).toEqual([]);
  }
});

describe('oauth4webapi', () => {
  const discover = async () =>
    oauth.processDiscoveryResponse(new URL(app.url), await oauth.discoveryRequest(new URL(app.url), { algorithm: 'oauth2', ...INSECURE }));

  it('discovers the endpoints, starting from the protected resource metadata of the API', async () => {
    for (const resource of [app.url, `${app.url}/mcp`]) {
      const answer = await oauth.resourceDiscoveryRequest(new URL(resource), INSECURE);
      const { authorization_servers: [issuer] = [], scopes_supported: scopes } = await oauth.processResourceDiscoveryResponse(
        new URL(resource),
        answer,
      );
      expect(scopes).toContain('claim_projects:read');
      const server = await oauth.processDiscoveryResponse(
        new URL(issuer!),
        await oauth.discoveryRequest(new URL(issuer!), { algorithm: 'oauth2', ...INSECURE }),
      );
      expect(server.token_endpoint).toBe(`${app.url}/oauth/token`);
    }
  });

  it('discovers the metadata from the challenge of a 401', async () => {
    const server = await discover();
    const refused = await oauth
      .protectedResourceRequest('unknown', 'GET', new URL('/v1/claim-projects', app.url), undefined, undefined, INSECURE)
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(oauth.WWWAuthenticateChallengeError);
    const [challenge] = (refused as oauth.WWWAuthenticateChallengeError).cause;
    expect(challenge).toMatchObject({
      scheme: 'bearer',
      parameters: { error: 'invalid_token', resource_metadata: `${app.url}/.well-known/oauth-protected-resource` },
    });
    expect(server.issuer).toBe(app.url);
  });

  it.each([
    ['in the header', oauth.ClientSecretBasic],
    ['in the body', oauth.ClientSecretPost],
  ])('gets a token with client credentials and the secret %s', async (_where, authentication) => {
    const [server, { application }] = [await discover(), await aPartner(app)];
    const client = { client_id: application.clientId };
    const answer = await oauth.clientCredentialsGrantRequest(
      server,
      client,
      authentication(application.clientSecret),
      { scope: SCOPE },
      INSECURE,
    );
    const { access_token: token, scope } = await oauth.processClientCredentialsResponse(server, client, answer);
    expect(scope).toBe(SCOPE);
    expect(
      (await oauth.protectedResourceRequest(token, 'GET', new URL('/v1/claim-projects', app.url), undefined, undefined, INSECURE)).status,
    ).toBe(200);
  });

  it.each([
    ['confidential', false],
    ['public', true],
  ])('takes a %s application from the consent to the revocation of its tokens', async (_kind, isPublic) => {
    const [server, partner] = [await discover(), await aPartner(app, { isPublic })];
    const client = { client_id: partner.application.clientId };
    const authentication = isPublic ? oauth.None() : oauth.ClientSecretBasic(partner.application.clientSecret);
    const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()];
    const address = new URL(server.authorization_endpoint!);
    address.search = new URLSearchParams({
      ...client,
      redirect_uri: CALLBACK,
      response_type: 'code',
      scope: SCOPE,
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }).toString();
    const parameters = oauth.validateAuthResponse(server, client, await consent(address, partner), state);
    const exchanged = await oauth.authorizationCodeGrantRequest(server, client, authentication, parameters, CALLBACK, verifier, INSECURE);
    const first = await oauth.processAuthorizationCodeResponse(server, client, exchanged);
    expect((await bearer(app, first.access_token)).status).toBe(200);

    const refreshed = await oauth.processRefreshTokenResponse(
      server,
      client,
      await oauth.refreshTokenGrantRequest(server, client, authentication, first.refresh_token!, INSECURE),
    );
    expect((await bearer(app, refreshed.access_token)).status).toBe(200);
    const introspect = async () =>
      oauth.processIntrospectionResponse(
        server,
        client,
        await oauth.introspectionRequest(server, client, authentication, refreshed.access_token, INSECURE),
      );
    if (isPublic) await expect(introspect()).rejects.toMatchObject({ error: 'invalid_client', status: 401 });
    else expect(await introspect()).toMatchObject({ active: true, sub: partner.user.id, scope: SCOPE });
    for (const token of [refreshed.refresh_token!, refreshed.access_token])
      await oauth.processRevocationResponse(await oauth.revocationRequest(server, client, authentication, token, INSECURE));
    if (!isPublic) expect(await introspect()).toEqual({ active: false });
    const over = oauth.processRefreshTokenResponse(
      server,
      client,
      await oauth.refreshTokenGrantRequest(server, client, authentication, refreshed.refresh_token!, INSECURE),
    );
    await expect(over).rejects.toMatchObject({ error: 'invalid_grant' });
  });
});

describe('openid-client', () => {
  const discover = ({ application }: Partner, authentication?: openid.ClientAuth) =>
    openid.discovery(new URL(app.url), application.clientId, application.clientSecret, authentication, {
      algorithm: 'oauth2',
      execute: [openid.allowInsecureRequests],
    });

  it.each([
    ['in the header', openid.ClientSecretBasic],
    ['in the body', openid.ClientSecretPost],
  ])('gets a token with client credentials and the secret %s', async (_where, authentication) => {
    const partner = await aPartner(app);
    const configuration = await discover(partner, authentication(partner.application.clientSecret));
    const { access_token: token, scope } = await openid.clientCredentialsGrant(configuration, { scope: SCOPE });
    expect(scope).toBe(SCOPE);
    expect((await openid.fetchProtectedResource(configuration, token, new URL('/v1/claim-projects', app.url), 'GET')).status).toBe(200);
  });

  it.each([
    ['confidential', false],
    ['public', true],
  ])('takes a %s application from the consent to the revocation of its tokens', async (_kind, isPublic) => {
    const partner = await aPartner(app, { isPublic });
    const configuration = await discover(partner, isPublic ? openid.None() : undefined);
    const [verifier, state] = [openid.randomPKCECodeVerifier(), openid.randomState()];
    const address = openid.buildAuthorizationUrl(configuration, {
      redirect_uri: CALLBACK,
      scope: SCOPE,
      state,
      resource: app.url,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    const first = await openid.authorizationCodeGrant(configuration, await consent(address, partner), {
      pkceCodeVerifier: verifier,
      expectedState: state,
    });
    expect(first.scope).toBe(SCOPE);
    const refreshed = await openid.refreshTokenGrant(configuration, first.refresh_token!, { scope: 'usage:read' });
    expect(refreshed.scope).toBe('usage:read');
    const introspected = openid.tokenIntrospection(configuration, refreshed.access_token);
    if (isPublic) await expect(introspected).rejects.toMatchObject({ error: 'invalid_client' });
    else expect(await introspected).toMatchObject({ active: true, client_id: partner.application.clientId });
    await openid.tokenRevocation(configuration, refreshed.refresh_token!);
    await expect(openid.refreshTokenGrant(configuration, refreshed.refresh_token!)).rejects.toMatchObject({ error: 'invalid_grant' });
  });
});
