import { exportSPKI } from 'jose';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApplicationsService } from '../../../src/modules/oauth/index.js';
import { OPERATOR } from '../../../src/kernel/context.js';
import { startApp, type TestApp } from '../../support/app.js';
import { anApplicationWithKey, anAssertion, askWith } from '../../support/assertions.js';
import { aKey as anApiKey } from '../../support/builders.js';
import { eventually } from '../../support/eventually.js';
import { aKey } from '../../support/dpop.js';
import { aPartner, ask, bearer } from '../../support/oauth.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

type Owner = Awaited<ReturnType<typeof anApplicationWithKey>>;

const INSECURE = { [oauth.allowInsecureRequests]: true };
const GRANT = { grant_type: 'client_credentials' };
const REFUSED = { status: 401, body: { error: 'invalid_client' } };
const tokenFor = async (owner: Owner, wanted: Parameters<typeof anAssertion>[2] = {}) =>
  askWith(app, owner.application, { ...GRANT, ...(await anAssertion(app, owner, wanted)) });
const soon = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

it('metadata says with which algorithms assertions are signed', async () => {
  const document = (await (await fetch(`${app.url}/.well-known/oauth-authorization-server`)).json()) as Record<string, string[]>;
  for (const endpoint of ['token', 'revocation', 'introspection']) {
    expect(document[`${endpoint}_endpoint_auth_methods_supported`]).toContain('private_key_jwt');
    expect(document[`${endpoint}_endpoint_auth_signing_alg_values_supported`]).toEqual(['ES256', 'Ed25519', 'EdDSA', 'PS256', 'RS256']);
  }
});

describe('an application with a public key', () => {
  it.each(['ES256', 'EdDSA', 'PS256', 'RS256'])('gets a token with an assertion that is signed with %s', async (algorithm) => {
    const owner = await anApplicationWithKey(app, algorithm);
    const { status, body, text } = await tokenFor(owner);
    expect(status, text).toBe(200);
    expect((await bearer(app, body.access_token!)).status).toBe(200);
  });

  it.each(['/oauth/introspect', '/oauth/revoke'])('calls %s with an assertion', async (path) => {
    const owner = await anApplicationWithKey(app);
    const { body } = await tokenFor(owner);
    const answer = await askWith(app, owner.application, { token: body.access_token!, ...(await anAssertion(app, owner)) }, path);
    expect(answer.status).toBe(200);
  });

  it('addresses the assertion to the issuer, as a text or as a list of one', async () => {
    for (const aud of [app.url, [app.url]]) expect((await tokenFor(await anApplicationWithKey(app), { claims: { aud } })).status).toBe(200);
  });

  it.each([
    ['another key', async () => ({ signer: (await aKey()).privateKey })],
    ['another server among its audiences, which could use it here', () => ({ claims: { aud: [app.url, 'https://elsewhere.example'] } })],
    ['the token endpoint as its audience', () => ({ claims: { aud: `${app.url}/oauth/token` } })],
    ['another audience', () => ({ claims: { aud: 'https://elsewhere.example' } })],
    ['another issuer', () => ({ claims: { iss: 'app_another' } })],
    ['no jti', () => ({ claims: { jti: undefined } })],
    ['a jti that is too long', () => ({ claims: { jti: 'x'.repeat(257) } })],
    ['no expiry', () => ({ claims: { exp: undefined } })],
    ['an expiry in the past', () => ({ claims: { exp: soon(-60) } })],
    ['an expiry that is far away', () => ({ claims: { exp: soon(7200) } })],
    ['an unknown kid', () => ({ header: { kid: 'unknown' } })],
  ])('is refused with %s', async (_what, wanted: () => Parameters<typeof anAssertion>[2] | Promise<Parameters<typeof anAssertion>[2]>) => {
    expect(await tokenFor(await anApplicationWithKey(app), await wanted())).toMatchObject(REFUSED);
  });

  it('is refused with an assertion that was used before, also if two requests use it at once', async () => {
    const owner = await anApplicationWithKey(app);
    const body = { ...GRANT, ...(await anAssertion(app, owner)) };
    const answers = await Promise.all([1, 2, 3].map(() => askWith(app, owner.application, body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    expect(await askWith(app, owner.application, body)).toMatchObject(REFUSED);
  });

  it('is refused with a secret, and with its id alone', async () => {
    const { application } = await anApplicationWithKey(app);
    expect(await ask(app, { application: { ...application, clientSecret: 'stored as a hash' } }, GRANT)).toMatchObject(REFUSED);
    expect(await askWith(app, application, GRANT)).toMatchObject(REFUSED);
  });
});

describe('the operator', () => {
  it('replaces a secret by a key: then the secret no longer works, and the audit log names the key', async () => {
    const [partner, key] = [await aPartner(app, { plan: 'enterprise' }), await aKey()];
    const applications = app.app.get(ApplicationsService);
    const { publicKeys } = await applications.setPublicKeys(OPERATOR, partner.application.id, await exportSPKI(key.publicKey));
    await eventually(async () => {
      expect(await ask(app, partner, GRANT)).toMatchObject(REFUSED);
      expect((await tokenFor({ ...partner, key, algorithm: 'ES256' })).status).toBe(200);
    }, 1500);
    const { key: apiKey } = await anApiKey(app, partner.organization.id, { environment: 'live' });
    await expect
      .poll(async () =>
        (await fetch(`${app.url}/v1/audit/events?action_prefix=application.keys_changed`, { headers: { 'x-api-key': apiKey } })).json(),
      )
      .toMatchObject({ data: [{ changes: { publicKeys: { from: null, to: [publicKeys!.keys[0]!.kid] } } }] });
    await expect(applications.rotateSecret(OPERATOR, partner.application.id, 0)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('cannot give keys to a public application', async () => {
    const { application } = await aPartner(app, { isPublic: true });
    const set = app.app.get(ApplicationsService).setPublicKeys(OPERATOR, application.id, await exportSPKI((await aKey()).publicKey));
    await expect(set).rejects.toMatchObject({ code: 'validation_failed' });
  });
});

describe('unmodified clients', () => {
  it('oauth4webapi gets a token', async () => {
    const { application, key } = await anApplicationWithKey(app);
    const issuer = new URL(app.url);
    const discovered = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...INSECURE });
    const [server, client] = [await oauth.processDiscoveryResponse(issuer, discovered), { client_id: application.clientId }];
    const answer = await oauth.clientCredentialsGrantRequest(server, client, oauth.PrivateKeyJwt(key.privateKey), {}, INSECURE);
    expect((await oauth.processClientCredentialsResponse(server, client, answer)).token_type).toBe('bearer');
  });

  it('openid-client gets a token', async () => {
    const { application, key } = await anApplicationWithKey(app);
    const authentication = openid.PrivateKeyJwt(key.privateKey);
    const configuration = await openid.discovery(new URL(app.url), application.clientId, undefined, authentication, {
      algorithm: 'oauth2',
      execute: [openid.allowInsecureRequests],
    });
    expect((await openid.clientCredentialsGrant(configuration)).token_type).toBe('bearer');
  });
});
