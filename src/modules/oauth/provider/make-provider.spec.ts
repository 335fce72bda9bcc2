import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider, type Adapter, type AdapterPayload } from 'oidc-provider';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { makeBorrowingProvider, type Borrowed } from './make-provider.js';

const CALLBACK = 'https://partner.example.com/callback';
/** Not registered: `isRedirectAllowed` allows it. */
const ELSEWHERE = 'https://elsewhere.example.com/callback';
const CLIENT: AdapterPayload = {
  client_id: 'a-client',
  client_secret: 'unused',
  grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
  response_types: ['code'],
  redirect_uris: [CALLBACK],
};

/** Storage in memory, like the one of the library's documentation. */
function adapterFactory() {
  const stored = new Map<string, AdapterPayload>();
  return (kind: string): Adapter => ({
    upsert: (id, payload) => Promise.resolve(void stored.set(`${kind} ${id}`, payload)),
    find: (id) => Promise.resolve(kind === 'Client' ? CLIENT : stored.get(`${kind} ${id}`)),
    findByUid: () => Promise.resolve(undefined),
    findByUserCode: () => Promise.resolve(undefined),
    consume: () => Promise.resolve(),
    destroy: () => Promise.resolve(),
    revokeByGrantId: () => Promise.resolve(),
  });
}

const compareClientSecret = vi.fn<Borrowed['compareClientSecret']>((_client, secret) => secret === 'right');
const isRedirectAllowed = vi.fn<Borrowed['isRedirectAllowed']>((_client, address) => address === ELSEWHERE);
const isFirstUse = vi.fn<Borrowed['isFirstUse']>(() => Promise.resolve(true));
const provider = makeBorrowingProvider(
  'http://issuer.example',
  {
    adapter: adapterFactory(),
    ttl: { ClientCredentials: 60, RefreshToken: 60 },
    renderError: (ctx, out) => void (ctx.body = out),
    features: { clientCredentials: { enabled: true }, devInteractions: { enabled: false } },
  },
  { compareClientSecret, isRedirectAllowed, successorId: (rotatedId) => `successor of ${rotatedId}`, isFirstUse },
);

/** What the library must still have. A missing member here means that an upgrade needs work on borrowed.ts. */
describe('what we borrow from oidc-provider is still there', () => {
  it.each([
    ['Client.prototype.compareClientSecret', provider.Client.prototype, 'compareClientSecret'],
    ['Client.prototype.redirectUriAllowed', provider.Client.prototype, 'redirectUriAllowed'],
    ['RefreshToken.prototype.generateTokenId', provider.RefreshToken.prototype, 'generateTokenId'],
    ['ReplayDetection.unique', provider.ReplayDetection, 'unique'],
    ['Provider.prototype.registerResponseMode', Provider.prototype, 'registerResponseMode'],
    ['Provider.ctx', Provider, 'ctx'],
    ['proxy, of Koa', provider, 'proxy'],
    ['silent, of Koa', provider, 'silent'],
  ])('%s', (name, owner, member) => {
    expect(member in owner, `oidc-provider no longer has ${name}: see src/modules/oauth/provider/make-provider.ts`).toBe(true);
  });

  it('a library without one of its methods is refused with the name of the method', () => {
    const crippled = vi.spyOn(Provider.prototype, 'Client', 'get').mockReturnValue(class {} as never);
    const make = () =>
      makeBorrowingProvider(
        'http://issuer.example',
        { adapter: adapterFactory() },
        { compareClientSecret, isRedirectAllowed, successorId: String, isFirstUse },
      );
    expect(make).toThrow('oidc-provider no longer has Client.prototype.compareClientSecret');
    crippled.mockRestore();
  });
});

describe('oidc-provider still uses what we replace', () => {
  let server: Server;
  let url: string;
  beforeAll(async () => {
    server = createServer((request, response) => void provider.callback()(request, response)).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => void server.close());

  const token = (secret: string) =>
    fetch(`${url}/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`a-client:${secret}`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });

  it('compareClientSecret decides which secret is right', async () => {
    expect((await token('right')).status).toBe(200);
    expect((await token('wrong')).status).toBe(401);
    expect(compareClientSecret.mock.calls.map(([, secret]) => secret)).toEqual(['right', 'wrong']);
  });

  it('redirectUriAllowed decides where answers may be sent', async () => {
    const authorize = (address: string) =>
      fetch(`${url}/auth?${new URLSearchParams({ client_id: 'a-client', response_type: 'none', redirect_uri: address }).toString()}`, {
        redirect: 'manual',
      });
    const allowed = await authorize(ELSEWHERE);
    expect(allowed.headers.get('location')).toMatch(/^https:\/\/elsewhere\.example\.com\/callback\?error=/);
    expect(await (await authorize(CALLBACK)).json()).toMatchObject({ error: 'invalid_redirect_uri' });
  });

  it('generateTokenId sets the id of a refresh token, and Provider.ctx has the token that it replaces', async () => {
    const rotated = { jti: 'the-old-one' };
    const ctx = vi.spyOn(Provider, 'ctx', 'get');
    const save = () => new provider.RefreshToken({ client: undefined, accountId: 'a-user' } as never).save();
    ctx.mockReturnValue({ oidc: { entities: { RotatedRefreshToken: rotated } } } as never);
    expect(await save()).toBe('successor of the-old-one');
    ctx.mockReturnValue(undefined);
    expect(await save()).toMatch(/^[\w-]{43}$/);
    ctx.mockRestore();
  });

  it('Provider.ctx is the context of the request', async () => {
    let route: string | undefined;
    compareClientSecret.mockImplementationOnce(() => {
      route = Provider.ctx?.oidc.route;
      return true;
    });
    await token('right');
    expect(route).toBe('token');
  });

  it.each(['form_post', 'fragment', 'web_message'])('registerResponseMode prevents answers by %s', async (mode) => {
    const address = new URL('/auth', url);
    const asked = { client_id: 'a-client', response_type: 'code', scope: 'openid', redirect_uri: CALLBACK, prompt: 'none' };
    address.search = new URLSearchParams({ ...asked, response_mode: mode }).toString();
    const answer = await fetch(address, { redirect: 'manual' });
    const location = answer.headers.get('location') ?? '';
    expect(location === '' ? answer.status : location.split('?')[0]).toBe(location === '' ? 400 : CALLBACK);
    expect(`${location} ${await answer.text()}`).toMatch(/error/);
    expect(location).not.toContain('#');
  });

  it('proxy makes addresses follow the X-Forwarded headers', async () => {
    const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'claims.example' };
    const document = (await (await fetch(`${url}/.well-known/openid-configuration`, { headers })).json()) as { token_endpoint: string };
    expect(document.token_endpoint).toBe('https://claims.example/token');
  });
});
