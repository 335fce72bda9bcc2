import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/app.js';
import { anApplication, aPartner, ask, authorizeUrl, CALLBACK } from '../../support/oauth.js';
import { anOrganization } from '../../support/builders.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const post = async (path: string, body: Record<string, string>, headers: Record<string, string> = {}) => {
  const answer = await fetch(app.url + path, { method: 'POST', headers, body: new URLSearchParams(body) });
  return { status: answer.status, body: await answer.json() };
};

describe('unauthorized_client (RFC 6749, 5.2)', () => {
  it.each([
    ['client_credentials', { grants: ['authorization_code'] as const }, {}],
    ['authorization_code', { grants: ['client_credentials'] as const, redirectUris: [] }, { code: 'x', redirect_uri: CALLBACK }],
    ['refresh_token', { grants: ['client_credentials'] as const, redirectUris: [] }, { refresh_token: 'x' }],
  ])('answers an application that may not use the grant %s', async (grantType, wanted, parameters) => {
    const application = await anApplication(app, (await anOrganization(app)).id, wanted);
    const answer = await ask(app, { application }, { grant_type: grantType, ...parameters });
    expect(answer).toMatchObject({ status: 400, body: { error: 'unauthorized_client' } });
  });

  it('does not hide other errors', async () => {
    const partner = await aPartner(app);
    expect((await ask(app, partner, { grant_type: 'nothing' })).body).toMatchObject({ error: 'unsupported_grant_type' });
    expect((await ask(app, partner, { grant_type: 'authorization_code' })).body).toMatchObject({ error: 'invalid_request' });
    const other = await anApplication(app, partner.organization.id, { grants: ['authorization_code'] });
    expect(await ask(app, { application: other }, { grant_type: 'client_credentials', client_secret: 'wrong' })).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
    });
  });

  it('answers an authorization request of an application that may not ask users', async () => {
    const { id } = await anOrganization(app);
    const application = await anApplication(app, id, { grants: ['client_credentials'], redirectUris: [] });
    const answer = await fetch(authorizeUrl(app.url, { application }), { redirect: 'manual' });
    expect(answer.status).toBe(400);
  });
});

describe('invalid_client', () => {
  it.each(['/oauth/token', '/oauth/introspect', '/oauth/revoke', '/oauth/par'])(
    'answers a call of %s that does not authenticate',
    async (path) => {
      const answer = await post(path, { token: 'x', grant_type: 'client_credentials' });
      expect(answer).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    },
  );

  it('answers a malformed Authorization header of its own', async () => {
    const answer = await post('/oauth/introspect', { token: 'x' }, { authorization: 'Basic !' });
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  });
});
