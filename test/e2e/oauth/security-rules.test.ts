import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR } from '../../../src/kernel/context.js';
import { ApplicationsService } from '../../../src/modules/oauth/index.js';
import { startApp, type TestApp } from '../../support/app.js';
import { anApplicationWithKey, anAssertion, askWith } from '../../support/assertions.js';
import { aKey, aProof, prove } from '../../support/dpop.js';
import { eventually } from '../../support/eventually.js';
import { aPartner, ask, authorizeUrl, bearer, Browser, CALLBACK, challengeOf, decide, tokensOf } from '../../support/oauth.js';
import { Receiver } from '../../support/receiver.js';
import { aDocument, aMember, APP_CALLBACK, LOCAL_DOCUMENTS, signInTo, textOf } from '../../support/shared-clients.js';

let app: TestApp;
let old: TestApp;
let site: Receiver;
beforeAll(async () => {
  site = await Receiver.start();
  old = await startApp({ OAUTH_ASSERTION_AUDIENCES: 'endpoints' });
  // The last one: passport keeps the strategies of the application that was started last.
  app = await startApp(LOCAL_DOCUMENTS);
});
afterAll(async () => {
  await app.close();
  await old.close();
  await site.close();
});

const OWN = { grant_type: 'client_credentials' };
const proofOf = async (key: Awaited<ReturnType<typeof aKey>>, claims: Record<string, unknown> = {}, url = `${app.url}/oauth/token`) => ({
  DPoP: await aProof(key, { method: 'POST', url, claims }),
});

describe('an application that must push its requests', () => {
  it('cannot send them through the browser, by its secret as before, and with bearer tokens', async () => {
    const partner = await aPartner(app, { securityRules: ['require_pushed_authorization_requests'] });
    const refused = (await new Browser(app.url).visit(authorizeUrl(app.url, partner))).url;
    expect([refused.origin + refused.pathname, refused.searchParams.get('error')]).toEqual([CALLBACK, 'invalid_request']);
    const asked = Object.fromEntries(new URL(authorizeUrl(app.url, partner, { code_challenge: challengeOf('v'.repeat(43)) })).searchParams);
    const { body } = await ask(app, partner, asked, '/oauth/par');
    const address = new URL('/oauth/authorize', app.url);
    address.search = new URLSearchParams({ client_id: partner.application.clientId, request_uri: body.request_uri! }).toString();
    const code = (await decide(new Browser(app.url), address.href, partner)).url.searchParams.get('code')!;
    const exchange = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: 'v'.repeat(43) };
    expect((await ask(app, partner, exchange)).body.token_type).toBe('Bearer');
  });
});

describe('an application whose tokens must be bound', () => {
  it('gets none without a proof, and needs no nonce', async () => {
    const partner = await aPartner(app, { securityRules: ['dpop_bound_access_tokens'] });
    expect((await ask(app, partner, OWN)).status).toBe(400);
    const key = await aKey();
    const { status, body, headers } = await ask(app, partner, OWN, '/oauth/token', await proofOf(key));
    expect([status, body.token_type, headers.get('dpop-nonce')]).toEqual([200, 'DPoP', null]);
    const url = `${app.url}/v1/claim-projects`;
    const called = await prove(url, body.access_token!, await aProof(key, { token: body.access_token!, url }));
    expect([called.status, called.headers.get('dpop-nonce')]).toEqual([200, null]);
  });

  it('loses the bearer tokens that it had, within a second, and they come back with the rule off', async () => {
    const partner = await aPartner(app);
    const { accessToken } = await tokensOf(app, partner);
    for (const [securityRules, status] of [
      [['dpop_bound_access_tokens'], 401],
      [[], 200],
    ] as const) {
      await app.app.get(ApplicationsService).update(OPERATOR, partner.application.id, { securityRules });
      await eventually(async () => expect((await bearer(app, accessToken)).status).toBe(status), 1500);
    }
  });

  it('may use a nonce that it was given, and then it must be right', async () => {
    const partner = await aPartner(app, { securityRules: ['dpop_bound_access_tokens'] });
    const key = await aKey();
    const refused = await ask(app, partner, OWN, '/oauth/token', await proofOf(key, { nonce: 'x'.repeat(43) }));
    expect([refused.status, refused.body.error]).toEqual([400, 'use_dpop_nonce']);
    const nonce = refused.headers.get('dpop-nonce')!;
    const { body } = await ask(app, partner, OWN, '/oauth/token', await proofOf(key, { nonce }));
    const url = `${app.url}/v1/claim-projects`;
    const callWith = async (claims: Record<string, unknown>) =>
      prove(url, body.access_token!, await aProof(key, { token: body.access_token!, url, claims }));
    expect((await callWith({ nonce })).status).toBe(200);
    const wrong = await callWith({ nonce: 'x'.repeat(43) });
    expect([wrong.status, wrong.headers.get('www-authenticate')]).toEqual([401, expect.stringContaining('error="use_dpop_nonce"')]);
    expect(wrong.headers.get('dpop-nonce')).toMatch(/^[\w-]{43}$/);
  });
});

describe('an application with a metadata document', () => {
  it('is bound to push its requests, if it says so', async () => {
    const clientId = aDocument(site, { require_pushed_authorization_requests: true });
    const asked = authorizeUrl(app.url, { application: { clientId } as never }, { redirect_uri: APP_CALLBACK });
    expect((await new Browser(app.url).visit(asked)).url.searchParams.get('error')).toBe('invalid_request');
    const pushed = await ask(
      app,
      { application: { clientId, clientSecret: '', id: '' } },
      Object.fromEntries(new URL(asked).searchParams),
      '/oauth/par',
    );
    expect(pushed.status, pushed.text).toBe(201);
  });

  it('gets bound tokens only, if it says so, and its connection shows it', async () => {
    const clientId = aDocument(site, { dpop_bound_access_tokens: true });
    const { user, organization } = await aMember(app);
    const verifier = 'v'.repeat(43);
    const codeFor = async () => {
      const { browser, shown } = await signInTo(app, clientId, user, { code_challenge: challengeOf(verifier) });
      const { url } = await browser.submit(shown, { do: 'allow:test' });
      return {
        grant_type: 'authorization_code',
        code: url.searchParams.get('code')!,
        redirect_uri: 'http://127.0.0.1:7777/callback',
        code_verifier: verifier,
      };
    };
    const as = { application: { clientId, clientSecret: '', id: '' } };
    expect((await ask(app, as, await codeFor())).status).toBe(400);
    expect((await ask(app, as, await codeFor(), '/oauth/token', await proofOf(await aKey()))).body.token_type).toBe('DPoP');
    expect(await app.app.get(ApplicationsService).ofOrganization(organization.id)).toMatchObject([
      { securityRules: ['dpop_bound_access_tokens'] },
    ]);
  });

  it.each(['require_pushed_authorization_requests', 'dpop_bound_access_tokens'])('is refused if %s is no boolean', async (rule) => {
    const { user } = await aMember(app);
    const clientId = aDocument(site, { [rule]: 'yes' });
    const shown = await new Browser(app.url).visit(
      authorizeUrl(app.url, { application: { clientId } as never }, { redirect_uri: APP_CALLBACK, login_hint: user.email }),
    );
    expect(textOf(shown)).toContain(`${rule} must be true or false`);
  });
});

describe('the operator, with OAUTH_ASSERTION_AUDIENCES=endpoints,', () => {
  const tokenWith = async (aud: unknown, wanted: { path?: string } = {}) => {
    const owner = await anApplicationWithKey(old);
    const body = { ...OWN, ...(await anAssertion(old, owner, { claims: { aud } })) };
    return (await askWith(old, owner.application, body, wanted.path)).status;
  };

  it('lets old clients name the token endpoint or the endpoint that they call', async () => {
    for (const aud of [old.url, `${old.url}/oauth/token`, [old.url, `${old.url}/oauth/token`]]) expect(await tokenWith(aud)).toBe(200);
    const owner = await anApplicationWithKey(old);
    const body = { ...Object.fromEntries(new URL(authorizeUrl(old.url, owner as never)).searchParams) };
    const pushed = await askWith(
      old,
      owner.application,
      { ...body, ...(await anAssertion(old, owner, { claims: { aud: `${old.url}/oauth/par` } })) },
      '/oauth/par',
    );
    expect(pushed.status, pushed.text).toBe(201);
  });

  it.each([
    ['another server', () => 'https://elsewhere.example'],
    ['another server beside us', () => [old.url, 'https://elsewhere.example']],
    ['another endpoint', () => `${old.url}/oauth/par`],
  ])('still refuses assertions for %s', async (_what, audOf) => {
    expect(await tokenWith(audOf())).toBe(401);
  });

  it('changes nothing for an application of the FAPI 2.0 profile', async () => {
    const owner = await anApplicationWithKey(old);
    await old.app.get(ApplicationsService).update(OPERATOR, owner.application.id, { securityRules: ['fapi2'] });
    await eventually(async () => {
      const assertion = await anAssertion(old, owner, { claims: { aud: `${old.url}/oauth/token` } });
      expect((await askWith(old, owner.application, { ...OWN, ...assertion })).body.error).toBe('invalid_client');
    }, 1500);
  });
});
