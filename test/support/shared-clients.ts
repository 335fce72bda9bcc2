import { expect } from 'vitest';
import type { UserRole } from '../../src/kernel/roles.js';
import { UsersService } from '../../src/modules/users/index.js';
import { OPERATOR } from '../../src/kernel/context.js';
import { newId } from '../../src/kernel/ids.js';
import type { TestApp } from './app.js';
import { anOrganization } from './builders.js';
import { aVerifier, authorizeUrl, Browser, challengeOf, PASSWORD } from './oauth.js';
import type { Receiver } from './receiver.js';

/** Settings with which metadata documents may come from this machine. */
export const LOCAL_DOCUMENTS = { OAUTH_CLIENT_DOCUMENT_NETWORKS: '127.0.0.0/8' };
export const APP_CALLBACK = 'http://127.0.0.1/callback';

/** Serves the metadata document of an application. Its client id is the URL. */
export function aDocument(site: Receiver, wanted: Record<string, unknown> = {}): string {
  const path = `/${newId()}/client.json`;
  const clientId = site.url + path;
  const document = { client_id: clientId, client_name: 'A model', redirect_uris: [APP_CALLBACK], ...wanted };
  const others = site.answer;
  site.answer = (received, response) =>
    received.path === path
      ? void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document))
      : others(received, response);
  return clientId;
}

/** An organization with a user, by default its owner. */
export async function aMember(app: TestApp, { role = 'owner' }: { role?: UserRole } = {}) {
  const organization = await anOrganization(app);
  return { organization, user: await aUserOf(app, organization.id, role) };
}

export async function aUserOf({ app }: TestApp, organizationId: string, role: UserRole, email = `${newId()}@example.com`) {
  const { id } = await app.get(UsersService).create(OPERATOR, { organizationId, email, role, password: PASSWORD });
  return { id, email };
}

type Shown = Awaited<ReturnType<Browser['visit']>>;

/** The authorization request of an application, up to the page that follows the sign-in. */
export async function signInTo(
  app: TestApp,
  clientId: string,
  user: { email: string; organization?: string },
  wanted: Record<string, string | undefined> = {},
) {
  const browser = new Browser(app.url);
  const asked = { redirect_uri: 'http://127.0.0.1:7777/callback', ...wanted };
  const shown = await browser.visit(authorizeUrl(app.url, { application: { clientId } as never }, asked));
  const { email, organization = '' } = user;
  const after = await browser.submit(shown, { do: 'sign-in', email, password: PASSWORD, organization });
  return { browser, shown: after };
}

/** From the first request to tokens. */
export async function connect(
  app: TestApp,
  clientId: string,
  user: { email: string; organization?: string },
  { environment = 'test', ...wanted }: Record<string, string | undefined> = {},
) {
  const verifier = aVerifier();
  const { browser, shown } = await signInTo(app, clientId, user, { code_challenge: challengeOf(verifier), ...wanted });
  const back = await browser.submit(shown, { do: `allow:${environment}` });
  const code = back.url.searchParams.get('code');
  expect(code, textOf(back)).toMatch(/^[\w-]{43}$/);
  const redirectUri = wanted.redirect_uri ?? 'http://127.0.0.1:7777/callback';
  const answer = await token(app, {
    grant_type: 'authorization_code',
    client_id: clientId,
    code: code!,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return { accessToken: answer.body.access_token!, refreshToken: answer.body.refresh_token!, scope: answer.body.scope! };
}

export async function token(app: TestApp, body: Record<string, string>, path = '/oauth/token') {
  const answer = await fetch(new URL(path, app.url), { method: 'POST', body: new URLSearchParams(body) });
  const text = await answer.text();
  return { status: answer.status, body: (text === '' ? {} : JSON.parse(text)) as Record<string, string> };
}

export const refresh = (app: TestApp, clientId: string, refreshToken: string) =>
  token(app, { grant_type: 'refresh_token', client_id: clientId, refresh_token: refreshToken });

/** A page without its style. */
export const textOf = ({ status, text }: Shown): string => `${status} ${text.replace(/<style>.*<\/style>/s, '')}`;
