import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Claims, UnexpectedAnswerError } from '../../client/src/index.js';
import { CallbackError, MemoryTokenStore, OAuthApplication, OAuthError, type CallbackMistake } from '../../client/src/oauth.js';
import { startApp, type TestApp } from '../support/app.js';
import { aKey } from '../support/builders.js';
import { Browser, CALLBACK, challengeOf, decide } from '../support/oauth.js';
import { aPartnerProgram } from '../support/oauth-client.js';

const PROJECT = { name: 'Berlin office 2026', periodStart: '2026-01-01', periodEnd: '2026-12-31' };
const SCOPE = 'claim_projects:read claim_projects:write';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const errorOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'no error',
    (error: unknown) => error,
  );

type Program = Awaited<ReturnType<typeof aPartnerProgram>>;

/** Where the browser is sent back to, and what the session has kept. */
async function begun({ application, partner }: Program, answer: 'allow' | 'refuse' = 'allow') {
  const { url, pending } = await application.begin({ scope: SCOPE });
  const { url: callback } = await decide(new Browser(app.url), url, partner, answer);
  return { callback, pending };
}

describe('an authorization', () => {
  it.each([
    ['with a secret', false],
    ['of a public application', true],
  ])('%s leads to calls for the user', async (_which, isPublic) => {
    const { application, connect, partner, network, store } = await aPartnerProgram(app, { isPublic });
    const tokens = await connect('customer 7');
    expect(tokens).toEqual({
      accessToken: expect.stringMatching(/^[\w-]{43}$/),
      refreshToken: expect.stringMatching(/^[\w-]{43}$/),
      expiresAt: expect.closeTo(Date.now() + 3_600_000, -5),
      scope: SCOPE,
    });
    expect(await store.get('customer 7')).toEqual(tokens);
    const claims = new Claims({ accessToken: application.accessToken('customer 7'), baseUrl: app.url });
    await claims.projects.create(PROJECT);
    expect((await claims.projects.list().page()).data).toMatchObject([PROJECT]);
    expect(await claims.api.authContext()).toMatchObject({ user: { id: partner.user.id }, credential: { type: 'oauth' } });
    expect(network.sent.map(({ path }) => path)).toEqual(['/oauth/token']);
  });

  it('can be for some claim projects: calls reach these alone', async () => {
    const { application, partner } = await aPartnerProgram(app);
    const { key } = await aKey(app, partner.organization.id);
    const own = new Claims({ apiKey: key, baseUrl: app.url });
    const [one] = [await own.projects.create(PROJECT), await own.projects.create({ ...PROJECT, name: 'Paris office 2026' })];
    const { url, pending } = await application.begin({ scope: SCOPE, projectIds: [one.id] });
    const { url: callback } = await decide(new Browser(app.url), url, partner);
    await application.finish('customer 8', callback, pending);
    const claims = new Claims({ accessToken: application.accessToken('customer 8'), baseUrl: app.url });
    expect((await claims.projects.list().page()).data).toMatchObject([{ id: one.id }]);
    expect(await claims.api.authContext()).toMatchObject({ credential: { projectIds: [one.id] } });
  });

  it('has its own state and verifier each time, and sends the challenge only', async () => {
    const { application } = await aPartnerProgram(app);
    const [first, second] = [await application.begin(), await application.begin({ loginHint: 'a@b.example', prompt: 'consent' })];
    const texts = [first.pending, second.pending].flatMap(({ state, verifier }) => [state, verifier]);
    expect(new Set(texts).size).toBe(4);
    for (const text of texts) expect(text).toMatch(/^[\w-]{43}$/);
    const { searchParams } = new URL(second.url);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      state: second.pending.state,
      code_challenge: challengeOf(second.pending.verifier),
      code_challenge_method: 'S256',
      login_hint: 'a@b.example',
      prompt: 'consent',
    });
    expect(second.url).not.toContain(second.pending.verifier);
  });

  it('can be finished with the path of the request, by another process, and for an address that ends with a slash', async () => {
    const program = await aPartnerProgram(app);
    const { callback, pending } = await begun(program);
    const { clientId, clientSecret } = program.partner.application;
    const store = new MemoryTokenStore();
    const other = new OAuthApplication({ clientId, clientSecret, redirectUri: CALLBACK, store, baseUrl: `${app.url}/` });
    const session = JSON.parse(JSON.stringify(pending)) as typeof pending;
    await other.finish('customer 7', callback.pathname + callback.search, session);
    expect(store.get('customer 7')).toMatchObject({ scope: SCOPE });
  });

  it('that the user refuses is an error with the reason', async () => {
    const program = await aPartnerProgram(app);
    const { callback, pending } = await begun(program, 'refuse');
    const error = await errorOf(program.application.finish('customer 7', callback, pending));
    expect(error).toBeInstanceOf(OAuthError);
    expect(error).toMatchObject({ code: 'access_denied', name: 'AccessDeniedError', retry: 'never' });
    expect([await program.store.get('customer 7'), program.network.sent]).toEqual([undefined, []]);
  });

  it('for which a page is needed, although none was wanted, is an error', async () => {
    const { application, partner } = await aPartnerProgram(app);
    const { url, pending } = await application.begin({ prompt: 'none' });
    const { url: callback } = await decide(new Browser(app.url), url, partner);
    expect(await errorOf(application.finish('customer 7', callback, pending))).toMatchObject({ code: 'login_required' });
  });
});

describe('a callback exchanges nothing', () => {
  const ELSEWHERE = 'https://elsewhere.example';
  it.each<[string, CallbackMistake, (query: URLSearchParams) => void]>([
    ['with the state of another browser', 'state', (query) => query.set('state', 'another')],
    ['without a state', 'state', (query) => query.delete('state')],
    ['of another service', 'issuer', (query) => query.set('iss', ELSEWHERE)],
    ['without an issuer', 'issuer', (query) => query.delete('iss')],
    ['with an error of another service', 'issuer', (query) => (query.set('iss', ELSEWHERE), query.set('error', 'access_denied'))],
    ['without a code', 'code_missing', (query) => query.delete('code')],
  ])('%s', async (_what, mistake, change) => {
    const program = await aPartnerProgram(app);
    const { callback, pending } = await begun(program);
    change(callback.searchParams);
    const error = await errorOf(program.application.finish('customer 7', callback, pending));
    expect(error).toBeInstanceOf(CallbackError);
    expect(error).toMatchObject({ code: 'callback', mistake });
    expect([await program.store.get('customer 7'), program.network.sent]).toEqual([undefined, []]);
  });

  it('of a browser that began nothing', async () => {
    const program = await aPartnerProgram(app);
    const { callback } = await begun(program);
    expect(await errorOf(program.application.finish('customer 7', callback, undefined))).toMatchObject({ mistake: 'state' });
    expect(program.network.sent).toEqual([]);
  });

  it('with a verifier that is not that of its beginning', async () => {
    const program = await aPartnerProgram(app);
    const { callback, pending } = await begun(program);
    const wrong = { ...pending, verifier: 'v'.repeat(43) };
    expect(await errorOf(program.application.finish('customer 7', callback, wrong))).toMatchObject({ code: 'invalid_grant', status: 400 });
    expect(await program.store.get('customer 7')).toBeUndefined();
  });

  it('if something else than the service answers', async () => {
    const send = () => Promise.resolve(new Response('<h1>Hello</h1>', { status: 200 }));
    const program = await aPartnerProgram(app, { send });
    const { callback, pending } = await begun(program);
    expect(await errorOf(program.application.finish('customer 7', callback, pending))).toBeInstanceOf(UnexpectedAnswerError);
  });
});
