import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Claims, ClaimsError, ConnectionError } from '../../client/src/index.js';
import {
  ConnectionRevokedError,
  MemoryTokenStore,
  NotConnectedError,
  OAuthError,
  type Tokens,
  type TokenStore,
} from '../../client/src/oauth.js';
import type { Fetch } from '../../client/src/options.js';
import { startApp, type TestApp } from '../support/app.js';
import { rowsOf } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { bearer, Browser } from '../support/oauth.js';
import { aPartnerProgram, type ProgramOptions } from '../support/oauth-client.js';

const TOKENS = '/oauth/token';
const PROJECTS = '/v1/claim-projects';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

type Program = Awaited<ReturnType<typeof aPartnerProgram>>;

const errorOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'no error',
    (error: unknown) => error,
  );
const claimsOf = ({ application, network }: Program) =>
  new Claims({ accessToken: application.accessToken('customer 7'), baseUrl: app.url, fetch: network.fetch });
const goneAtTheApi = (token: string) => eventually(async () => expect((await bearer(app, token)).status).toBe(401));

/** A program whose user has connected an hour ago. */
async function anExpiredConnection(options: ProgramOptions = {}) {
  const program = await aPartnerProgram(app, options);
  const tokens = await program.connect('customer 7');
  await program.store.set('customer 7', { ...tokens, expiresAt: Date.now() });
  program.network.sent.length = 0;
  return { ...program, tokens };
}

describe('an expired token', () => {
  it('is renewed once for 50 parallel calls, which all use the new one', async () => {
    const program = await anExpiredConnection();
    const claims = claimsOf(program);
    await Promise.all(Array.from({ length: 50 }, () => claims.projects.list().page()));
    const [used, renewed] = [program.tokens, (await program.store.get('customer 7'))!];
    expect(program.network.of(TOKENS).map(({ fields }) => fields.get('refresh_token'))).toEqual([used.refreshToken]);
    expect(new Set(program.network.of(PROJECTS).map(({ token }) => token))).toEqual(new Set([renewed.accessToken]));
    expect(renewed.accessToken).not.toBe(used.accessToken);
    await claims.projects.list().page();
    expect(program.network.of(TOKENS)).toHaveLength(1);
  });

  it('is stored with its new refresh token before it is used', async () => {
    const order: string[] = [];
    const memory = new MemoryTokenStore();
    const store: TokenStore = {
      get: (connection) => memory.get(connection),
      set: (connection, tokens) => memory.set(connection, tokens),
      delete: (connection) => memory.delete(connection),
      async replace(...renewed) {
        order.push('asked to store');
        // Longer than a call takes that does not wait for it.
        await bearer(app, 'another');
        order.push('stored');
        return memory.replace(...renewed);
      },
    };
    const send: Fetch = (url, init) => {
      order.push(new URL(url).pathname);
      return fetch(url, init);
    };
    const program = await anExpiredConnection({ store, send });
    order.length = 0;
    await claimsOf(program).projects.list().page();
    expect(order).toEqual([TOKENS, 'asked to store', 'stored', PROJECTS]);
  });

  it('that the service ended early is renewed once for all calls, and each is repeated', async () => {
    const program = await aPartnerProgram(app);
    const { accessToken } = await program.connect('customer 7');
    await rowsOf(app.databaseUrl, `UPDATE oauth_records SET expires_at = now() WHERE kind = 'AccessToken' AND user_id = $1`, [
      program.partner.user.id,
    ]);
    await goneAtTheApi(accessToken);
    const claims = claimsOf(program);
    await Promise.all(Array.from({ length: 10 }, () => claims.projects.list().page()));
    expect(program.network.of(TOKENS)).toHaveLength(2);
    expect(program.network.of(PROJECTS).filter(({ token }) => token === accessToken).length).toBeGreaterThan(0);
    expect((await program.store.get('customer 7'))!.accessToken).not.toBe(accessToken);
  });

  it('is renewed although the first answer was lost, because the repetition gets the same refresh token', async () => {
    const lost: string[] = [];
    const send: Fetch = async (url, init) => {
      const answer = await fetch(url, init);
      const isRefresh = new URLSearchParams(init.body as string | undefined).get('grant_type') === 'refresh_token';
      if (!isRefresh || lost.length > 0) return answer;
      lost.push(((await answer.json()) as { refresh_token: string }).refresh_token);
      throw new TypeError('fetch failed');
    };
    const program = await anExpiredConnection({ send });
    const claims = claimsOf(program);
    await claims.projects.list().page();
    const stored = (await program.store.get('customer 7'))!;
    expect([lost, program.network.of(TOKENS).length]).toEqual([[stored.refreshToken], 2]);
  });

  it('without the network is an error of the connection, and nothing is lost', async () => {
    const program = await anExpiredConnection();
    const offline = program.make(() => Promise.reject(new TypeError('fetch failed')));
    const claims = new Claims({ accessToken: offline.accessToken('customer 7'), baseUrl: app.url, maxRetries: 1 });
    expect(await errorOf(claims.projects.list().page())).toBeInstanceOf(ConnectionError);
    expect((await claimsOf(program).projects.list().page()).data).toEqual([]);
  });
});

/** Resolves for all when as many have come. */
function aMeeting(expected: number): () => Promise<void> {
  let [come, open] = [0, (): void => undefined];
  const met = new Promise<void>((resolve) => (open = resolve));
  return () => {
    if ((come += 1) === expected) open();
    return met;
  };
}

describe('several processes', () => {
  it('that renew the same token at the same time end with the same tokens', async () => {
    const program = await anExpiredConnection();
    const meet = aMeeting(2);
    const sent: Array<string | null> = [];
    const send: Fetch = async (url, init) => {
      sent.push(new URLSearchParams(init.body as string).get('refresh_token'));
      await meet();
      return fetch(url, init);
    };
    const processes = [program.make(send), program.make(send)];
    const tokens = await Promise.all(processes.map((one) => one.accessToken('customer 7')()));
    expect(sent).toEqual([program.tokens.refreshToken, program.tokens.refreshToken]);
    const stored = (await program.store.get('customer 7'))!;
    expect(tokens).toEqual([stored.accessToken, stored.accessToken]);
    // What is stored can be renewed again.
    await program.store.set('customer 7', { ...stored, expiresAt: 0 });
    expect((await claimsOf(program).projects.list().page()).data).toEqual([]);
  });

  it('use what another one has renewed', async () => {
    const program = await anExpiredConnection();
    const other = program.make(program.network.fetch);
    await other.accessToken('customer 7')();
    program.network.sent.length = 0;
    await claimsOf(program).projects.list().page();
    expect(program.network.of(TOKENS)).toEqual([]);
  });

  it('do not undo that the user has connected again meanwhile', async () => {
    const program = await anExpiredConnection();
    const connected: { again?: Tokens } = {};
    const send: Fetch = async (url, init) => {
      const answer = await fetch(url, init);
      connected.again = await program.connect('customer 7');
      return answer;
    };
    expect(await program.make(send).accessToken('customer 7')()).toBe(connected.again!.accessToken);
    expect(await program.store.get('customer 7')).toEqual(connected.again);
  });

  it('a store that says that it replaced nothing, although nothing has changed, is a mistake', async () => {
    class BrokenStore extends MemoryTokenStore {
      override replace(): boolean {
        return false;
      }
    }
    const program = await anExpiredConnection({ store: new BrokenStore() });
    expect(await errorOf(claimsOf(program).projects.list().page())).toBeInstanceOf(TypeError);
  });
});

describe('a connection', () => {
  it('that the user removes is an error of its own in the next call, until the user connects again', async () => {
    const program = await aPartnerProgram(app);
    const { accessToken } = await program.connect('customer 7');
    const { user, organization, application } = program.partner;
    const browser = new Browser(app.url);
    const shown = await browser.visit(`/oauth/connections?organization=${organization.slug}`);
    const credentials = { organization: organization.slug, email: user.email, password: user.password };
    const list = await browser.submit(shown, { do: 'sign-in', ...credentials });
    await browser.submit(list, { do: 'remove', application: application.id });
    await goneAtTheApi(accessToken);
    const claims = claimsOf(program);
    for (let call = 0; call < 2; call += 1) {
      const error = await errorOf(claims.projects.list().page());
      expect(error).toBeInstanceOf(ConnectionRevokedError);
      expect(error).toBeInstanceOf(ClaimsError);
      expect(error).toMatchObject({ code: 'connection_revoked', connection: 'customer 7', cause: { code: 'invalid_grant' } });
    }
    await program.connect('customer 7');
    expect((await claims.projects.list().page()).data).toEqual([]);
  });

  it('of which nothing is stored is an error of its own', async () => {
    const program = await aPartnerProgram(app);
    expect(await errorOf(claimsOf(program).projects.list().page())).toBeInstanceOf(NotConnectedError);
    expect(program.network.sent).toEqual([]);
  });

  it('of an application whose secret is wrong is not taken for a revoked one', async () => {
    const program = await anExpiredConnection();
    const send: Fetch = (url, init) => {
      (init.headers as Headers).set('authorization', `Basic ${btoa(`${program.partner.application.clientId}:wrong`)}`);
      return fetch(url, init);
    };
    const error = await errorOf(program.make(send).accessToken('customer 7')());
    expect(error).toBeInstanceOf(OAuthError);
    expect(error).toMatchObject({ code: 'invalid_client' });
    expect(await program.store.get('customer 7')).toBeDefined();
  });

  it('is disconnected: its tokens end, and nothing is stored', async () => {
    const program = await aPartnerProgram(app);
    const { accessToken } = await program.connect('customer 7');
    await program.application.disconnect('customer 7');
    await goneAtTheApi(accessToken);
    expect(await program.store.get('customer 7')).toBeUndefined();
    await program.application.disconnect('customer 7');
    expect(program.network.of('/oauth/revoke')).toHaveLength(1);
  });

  it('that is disconnected while it is renewed leaves no token behind', async () => {
    const program = await anExpiredConnection();
    let renewed = '';
    const send: Fetch = async (url, init) => {
      const answer = await fetch(url, init);
      renewed = ((await answer.clone().json()) as { access_token: string }).access_token;
      await program.application.disconnect('customer 7');
      return answer;
    };
    expect(await errorOf(program.make(send).accessToken('customer 7')())).toBeInstanceOf(NotConnectedError);
    await goneAtTheApi(renewed);
    expect(await program.store.get('customer 7')).toBeUndefined();
  });
});
