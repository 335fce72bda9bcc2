import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  Claims,
  ConnectionError,
  CredentialInvalidError,
  NotFoundError,
  OAuthError,
  ScopeMissingError,
  TimeoutError,
} from '../../client/src/index.js';
import type { ClaimsOptions, Fetch } from '../../client/src/options.js';
import { startApp, type TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { aPartner, ask } from '../support/oauth.js';
import { watchedFetch } from '../support/oauth-client.js';

const TOKENS = '/oauth/token';
const PROJECT = { name: 'Berlin office 2026', periodStart: '2026-01-01', periodEnd: '2026-12-31' };
const NOBODY = '0199e9a4-7c1e-7b6a-9f0e-3d1c5a7b9d21';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

async function anApplication(options: Partial<ClaimsOptions> & { scope?: string; send?: Fetch } = {}) {
  const { scope, send, ...more } = options;
  const partner = await aPartner(app);
  const { clientId, clientSecret } = partner.application;
  const network = watchedFetch(send);
  const clientCredentials = { clientId, clientSecret, scope };
  return { partner, network, claims: new Claims({ baseUrl: app.url, fetch: network.fetch, clientCredentials, ...more }) };
}

/** Answers tokens that are named in turn, and lets `api` answer everything else. */
function scripted(api: Fetch, expiresIn = 3600) {
  let tokens = 0;
  const network = watchedFetch((url, init) =>
    url.endsWith(TOKENS)
      ? Promise.resolve(Response.json({ access_token: `token ${(tokens += 1)}`, expires_in: expiresIn, scope: 'x', token_type: 'Bearer' }))
      : api(url, init),
  );
  const clientCredentials = { clientId: 'app', clientSecret: 'secret' };
  return { network, claims: new Claims({ baseUrl: 'http://service.test', clientCredentials, fetch: network.fetch }) };
}
const refused = (): Response =>
  Response.json({ code: 'credential_invalid', detail: 'No.', status: 401, retry: 'never', errors: [] }, { status: 401 });
const tokenOf = (init: RequestInit): string | null => (init.headers as Headers).get('authorization');
const errorOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'no error',
    (error: unknown) => error,
  );

it('one token is requested for many parallel calls, and used for those that follow', async () => {
  const { claims, network } = await anApplication();
  await Promise.all(Array.from({ length: 50 }, () => claims.projects.list().page()));
  await claims.projects.list().page();
  expect([network.of(TOKENS).length, network.sent.length]).toEqual([1, 52]);
});

it('a token that was revoked is renewed once for all calls, and each is repeated', async () => {
  const { claims, network, partner } = await anApplication();
  await claims.projects.create(PROJECT);
  const { token } = network.sent.at(-1)!;
  await ask(app, partner, { token: token! }, '/oauth/revoke');
  await eventually(async () => {
    const answer = await fetch(`${app.url}/v1/claim-projects`, { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(401);
  });
  const pages = await Promise.all(Array.from({ length: 10 }, () => claims.projects.list().page()));
  expect(pages.map(({ data }) => data.length)).toEqual(Array(10).fill(1));
  expect(network.of(TOKENS)).toHaveLength(2);
});

it('a call whose new token is refused, too, fails after one repetition', async () => {
  const { claims, network } = scripted(() => Promise.resolve(refused()));
  expect(await errorOf(claims.organization.get())).toBeInstanceOf(CredentialInvalidError);
  expect(network.of('/v1/organization').map(({ token }) => token)).toEqual(['token 1', 'token 2']);
});

it('a write that is repeated with a new token keeps its Idempotency-Key', async () => {
  const keys: Array<string | null> = [];
  const { claims } = scripted((_url, init) => {
    keys.push((init.headers as Headers).get('idempotency-key'));
    return Promise.resolve(tokenOf(init) === 'Bearer token 1' ? refused() : Response.json({ id: NOBODY }, { status: 201 }));
  });
  await claims.projects.create(PROJECT);
  expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
});

it.each([
  [59, 3],
  [61, 1],
])('a token that is valid for %i seconds serves three calls with %i requests', async (seconds, requests) => {
  const { claims, network } = scripted(() => Promise.resolve(Response.json({ id: NOBODY })), seconds);
  for (let call = 0; call < 3; call += 1) await claims.organization.get();
  expect(network.of(TOKENS)).toHaveLength(requests);
});

it('the token has the scopes that were asked for', async () => {
  const { claims } = await anApplication({ scope: 'claim_projects:read usage:read' });
  await claims.projects.list().page();
  expect(await errorOf(claims.projects.create(PROJECT))).toBeInstanceOf(ScopeMissingError);
});

it('an id and a secret of any characters are sent as the service reads them', async () => {
  const network = watchedFetch(() => Promise.resolve(Response.json({ error: 'invalid_client' }, { status: 401 })));
  const clientCredentials = { clientId: 'https://partner.example/app', clientSecret: 'ä:%b' };
  await errorOf(new Claims({ baseUrl: app.url, clientCredentials, fetch: network.fetch }).organization.get());
  const [id, secret] = atob(network.sent[0]!.token!.replace('Basic ', '')).split(':').map(decodeURIComponent);
  expect({ clientId: id, clientSecret: secret }).toEqual(clientCredentials);
});

it('a wrong secret is an error that names it, is not repeated, and does not contain the secret', async () => {
  const { partner } = await anApplication();
  const network = watchedFetch();
  const clientCredentials = { clientId: partner.application.clientId, clientSecret: 'a wrong one' };
  const error = (await errorOf(new Claims({ baseUrl: app.url, clientCredentials, fetch: network.fetch }).organization.get())) as OAuthError;
  expect(error).toBeInstanceOf(OAuthError);
  expect(error).toMatchObject({ code: 'invalid_client', status: 401, retry: 'never' });
  expect(network.sent).toHaveLength(1);
  expect(JSON.stringify(error) + error.stack).not.toContain('a wrong one');
});

/** A connection that fails for the first request of a token. */
function failingOnce(failure: () => Promise<Response>): Fetch {
  let failed = false;
  return (url, init) => {
    if (failed || !url.endsWith(TOKENS)) return fetch(url, init);
    failed = true;
    return failure();
  };
}

it('a request of a token that fails is repeated like a call', async () => {
  const offline = await anApplication({ send: failingOnce(() => Promise.reject(new TypeError('fetch failed'))) });
  await offline.claims.projects.create(PROJECT);
  expect(offline.network.sent.map(({ path }) => path)).toEqual([TOKENS, TOKENS, '/v1/claim-projects']);
  const busy = Response.json({ error: 'temporarily_unavailable' }, { status: 503, headers: { 'Retry-After': '1' } });
  const { claims, network } = await anApplication({ send: failingOnce(() => Promise.resolve(busy)) });
  await claims.projects.create(PROJECT);
  expect(network.of(TOKENS)).toHaveLength(2);
  const gone = await anApplication({ send: () => Promise.reject(new TypeError('fetch failed')), maxRetries: 1 });
  expect(await errorOf(gone.claims.organization.get())).toBeInstanceOf(ConnectionError);
});

it('a DELETE of a missing record fails, even if the first request of a token was lost', async () => {
  const { claims } = await anApplication({ send: failingOnce(() => Promise.reject(new TypeError('fetch failed'))) });
  expect(await errorOf(claims.webhooks.delete(NOBODY))).toBeInstanceOf(NotFoundError);
});

it('a call that waits for a token ends with its own time or signal, and the others get the token', async () => {
  let answer = (): void => undefined;
  const asked = new Promise<void>((resolve) => (answer = resolve));
  const { claims, network } = await anApplication({
    send: async (url, init) => {
      if (url.endsWith(TOKENS)) await asked;
      return fetch(url, init);
    },
  });
  const reason = new Error('The page was left');
  const controller = new AbortController();
  const left = errorOf(claims.organization.get({ signal: controller.signal }));
  const late = errorOf(claims.organization.get({ timeout: 200 }));
  const patient = claims.organization.get();
  controller.abort(reason);
  expect(await left).toBe(reason);
  expect(await late).toBeInstanceOf(TimeoutError);
  answer();
  expect(await patient).toMatchObject({ plan: 'enterprise' });
  expect(network.of(TOKENS)).toHaveLength(1);
});
