import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeJwt, exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import Provider, { type KoaContextWithOIDC } from 'oidc-provider';
import { expect } from 'vitest';
import { newId } from '../../src/kernel/ids.js';
import type { TestApp } from './app.js';
import { anOrganization } from './builders.js';
import { ConsoleBrowser, signInByLink } from './console.js';
import { Browser } from './oauth.js';
import { aUser } from './users.js';

/** Requests may go to providers on this machine. */
export const PROVIDERS_HERE = { IDENTITY_PROVIDER_NETWORKS: '127.0.0.0/8' };
export const START = '/console/sign-in/company';
export const SECTION = '/console/test/single-sign-on';

export interface Account {
  readonly sub: string;
  readonly email?: string;
  readonly [claim: string]: unknown;
}

export type IdentityProvider = Awaited<ReturnType<typeof startIdentityProvider>>;

/** A provider of OpenID Connect on loopback, with a login page of its own. One client: the service. */
export async function startIdentityProvider(redirectUri: string) {
  const client = { clientId: 'claims', clientSecret: newId() };
  const accounts = new Map<string, Account>();
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const key = { ...(await exportJWK(privateKey)), kid: 'one', alg: 'RS256', use: 'sig' };
  /** Set by tests: changes the next ID token, and signs it again. */
  const next: { idToken?: ((claims: JWTPayload) => JWTPayload) | undefined; key?: CryptoKey | undefined } = {};
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url!.split('?')[0]}`);
    void provider.callback()(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider: Provider = new Provider(issuer, {
    clients: [{ client_id: client.clientId, client_secret: client.clientSecret, redirect_uris: [redirectUri] }],
    claims: { openid: ['sub', 'groups'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: false,
    jwks: { keys: [key] },
    cookies: { keys: [newId()] },
    findAccount: (_ctx, sub) => {
      const account = accounts.get(sub);
      return account && { accountId: sub, claims: () => account };
    },
    loadExistingGrant: async ({ oidc }) => {
      const grant = new provider.Grant({ accountId: oidc.session!.accountId!, clientId: oidc.client!.clientId });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  provider.use(async (ctx, following) => {
    await following();
    const { oidc, body } = ctx as unknown as KoaContextWithOIDC & { body: { id_token?: string } };
    if (oidc?.route !== 'token' || body.id_token === undefined || !next.idToken) return;
    const claims = next.idToken(decodeJwt(body.id_token));
    body.id_token = await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(next.key ?? privateKey);
    Object.assign(next, { idToken: undefined, key: undefined });
  });
  const close = (): Promise<void> => new Promise((resolve) => (server.closeAllConnections(), server.close(() => resolve())));
  return { ...client, issuer, accounts, next, requests, close };
}

/** Settings of the console's form for this provider. */
export const formFor = ({ issuer, clientId, clientSecret }: IdentityProvider, domain: string) => ({
  ...{ issuer, clientId, clientSecret },
  emailDomains: domain,
});

/** An organization whose owner has set up single sign-on for addresses of a domain of its own. */
export async function aCompany(app: TestApp, provider: IdentityProvider, wanted: Readonly<Record<string, string>> = {}) {
  const organization = await anOrganization(app);
  const domain = `${organization.slug}.example`;
  const owner = await aUser(app, organization.id, { role: 'owner', email: `owner@${domain}` });
  const browser = new ConsoleBrowser(app.url);
  await signInByLink(app, browser, owner);
  const shown = await browser.fill(`${SECTION}/edit`, { ...formFor(provider, domain), ...wanted });
  expect(shown.text).toContain('Single sign-on was saved.');
  return { organization, domain, owner, browser };
}

/** Somebody who has an account at the provider. */
export function anAccount(provider: IdentityProvider, account: Partial<Account> = {}): Account {
  const made = { sub: newId(), email_verified: true, name: 'Jane Example', ...account };
  provider.accounts.set(made.sub, made);
  return made;
}

/** Begins a sign-in. Returns the address of the provider that the browser is sent to. */
export const begin = (browser: ConsoleBrowser, slug: string, next = '') =>
  browser.fill(`${START}?${new URLSearchParams({ organization: slug, next }).toString()}`, {});

/** Signs in at the provider. Returns the address that it sends people back to. */
export async function atProvider(provider: IdentityProvider, address: string | URL, { sub }: Account): Promise<string> {
  const there = new Browser(provider.issuer);
  const shown = await there.visit(String(address));
  const action = /action="([^"]+)"/.exec(shown.text)?.[1];
  expect(action, shown.text).toBeDefined();
  return (await there.visit(action!, { prompt: 'login', login: sub, password: 'any' })).url.href;
}

/** Signs in from beginning to end. */
export async function signOn(
  app: TestApp,
  provider: IdentityProvider,
  slug: string,
  account: Account,
  browser = new ConsoleBrowser(app.url),
) {
  const { url } = await begin(browser, slug);
  return { browser, shown: await browser.visit(await atProvider(provider, url, account)) };
}
