import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { ApplicationsService, type GrantType, type SecurityRule } from '../../src/modules/oauth/index.js';
import { UsersService } from '../../src/modules/users/index.js';
import { type Environment, OPERATOR } from '../../src/kernel/context.js';
import { newId } from '../../src/kernel/ids.js';
import type { UserRole } from '../../src/kernel/roles.js';
import { anAddress } from './addresses.js';
import type { TestApp } from './app.js';
import { anOrganization } from './builders.js';

export const CALLBACK = 'https://partner.example.com/callback';
export const PASSWORD = 'correct horse battery staple';

interface WantedApplication {
  name?: string;
  environment?: Environment;
  grants?: readonly GrantType[];
  redirectUris?: readonly string[];
  scopes?: readonly string[] | 'all';
  isPublic?: boolean;
  isPending?: boolean;
  publicKeys?: string;
  securityRules?: readonly SecurityRule[];
  rateShare?: number;
  dailyCalls?: number;
  projectIds?: string[];
}

/** A partner's application, by default with all scopes and both grants. */
export async function anApplication({ app }: TestApp, organizationId: string, wanted: WantedApplication = {}) {
  const { row, clientSecret } = await app.get(ApplicationsService).create(OPERATOR, {
    organizationId,
    environment: 'test',
    name: 'Month-end sync',
    grants: wanted.isPublic ? ['authorization_code'] : ['authorization_code', 'client_credentials'],
    redirectUris: [CALLBACK],
    scopes: 'all',
    isPublic: false,
    isPending: false,
    ...wanted,
  });
  return { id: row.id, clientId: row.clientId, clientSecret: clientSecret ?? '' };
}

export async function aUser({ app }: TestApp, organizationId: string, role: UserRole = 'member') {
  const email = `${newId()}@example.com`;
  const user = await app.get(UsersService).create(OPERATOR, { organizationId, email, role, password: PASSWORD });
  return { id: user.id, email, password: PASSWORD };
}

/** An organization with an application and a user, by default a member. */
export async function aPartner(
  app: TestApp,
  wanted: WantedApplication & { plan?: 'starter' | 'growth' | 'enterprise'; role?: UserRole } = {},
) {
  const { plan, role, ...application } = wanted;
  const organization = await anOrganization(app, { plan });
  const user = await aUser(app, organization.id, role);
  return { organization, application: await anApplication(app, organization.id, application), user };
}

export const aVerifier = (): string => randomBytes(32).toString('base64url');
export const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

type Fields = Readonly<Record<string, string | readonly string[]>>;

/** A browser without scripts: keeps cookies, submits forms, and follows redirects within the service. */
export class Browser {
  private readonly cookies = new Map<string, string>();

  constructor(
    readonly origin: string,
    private readonly languages = '*',
  ) {}

  /** Returns the last page, or the first address outside the service. */
  async visit(address: string, form?: Fields | FormData): Promise<{ url: URL; status: number; text: string; headers: Headers }> {
    const url = new URL(address, this.origin);
    if (url.origin !== this.origin) return { url, status: 0, text: '', headers: new Headers() };
    const cookie = this.cookieHeader();
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { cookie, accept: 'text/html', 'accept-language': this.languages },
      ...(form && {
        method: 'POST',
        body:
          form instanceof FormData
            ? form
            : new URLSearchParams(
                Object.entries(form).flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, one])),
              ),
      }),
    });
    for (const line of answer.headers.getSetCookie()) this.keep(line);
    const location = answer.headers.get('location');
    if (location !== null) return this.visit(new URL(location, url).href);
    return { url, status: answer.status, text: await answer.text(), headers: answer.headers };
  }

  /** Submits the form of a page with one of its buttons. */
  submit({ url, text }: { url: URL; text: string }, fields: Fields) {
    const [, name = 'csrf', value = ''] = /name="(csrf|xsrf)" value="([^"]+)"/.exec(text) ?? [];
    const action = /<form method="post" action="([^"]+)"/.exec(text)?.[1] ?? url.href;
    const checked = (box: string) =>
      [...text.matchAll(new RegExp(`type="checkbox" name="${box}" value="([^"]+)" checked`, 'g'))].map(([, one]) => one!);
    const projects =
      /name="projects" value="(\w+)"/.exec(text)?.[1] ?? /<select[^>]* name="projects"[^]*?value="(\w+)" selected/.exec(text)?.[1];
    const chosen: Fields = projects === undefined ? {} : { projects, projectIds: checked('projectIds') };
    return this.visit(action, { [name]: value, scope: checked('scope'), ...chosen, ...fields });
  }

  /** The cookies as they are sent. */
  cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  /** Takes over the cookies of another browser, as an attacker may bring about. */
  keepCookiesOf(other: Browser): void {
    for (const [name, value] of other.cookies) this.cookies.set(name, value);
  }

  private keep(line: string): void {
    const [pair = ''] = line.split(';');
    const [name = '', value = ''] = pair.split(/=(.*)/s);
    if (/expires=Thu, 01 Jan 1970/i.test(line)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

type Partner = Awaited<ReturnType<typeof aPartner>>;

export function authorizeUrl(
  origin: string,
  { application }: Pick<Partner, 'application'>,
  wanted: Record<string, string | undefined> = {},
): string {
  const url = new URL('/oauth/authorize', origin);
  const parameters = {
    client_id: application.clientId,
    response_type: 'code',
    redirect_uri: CALLBACK,
    scope: 'claim_projects:read',
    state: 'a state',
    code_challenge_method: 'S256',
    code_challenge: challengeOf('verifier'),
    ...wanted,
  };
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}

/** Opens an address of an authorization, signs in if asked, and answers its question. Returns where the browser then is. */
export async function decide(browser: Browser, address: string, { user }: Pick<Partner, 'user'>, answer: 'allow' | 'refuse' = 'allow') {
  let shown = await browser.visit(address);
  if (shown.text.includes('name="password"'))
    shown = await browser.submit(shown, { do: 'sign-in', email: user.email, password: user.password });
  if (shown.text.includes(`value="${answer}"`)) shown = await browser.submit(shown, { do: answer });
  return shown;
}

/** Signs in and allows access. Returns the query that the application gets. */
export async function allow(
  app: TestApp,
  partner: Partner,
  wanted: Record<string, string | undefined> = {},
  browser = new Browser(app.url),
): Promise<URLSearchParams> {
  const shown = await decide(browser, authorizeUrl(app.url, partner, wanted), partner);
  expect(shown.url.href.startsWith(CALLBACK), `${shown.status} ${shown.text.replace(/<style>.*<\/style>/s, '')}`).toBe(true);
  return shown.url.searchParams;
}

/** Failed credentials are limited by address. So each call pretends to come from another one. */
const fromAnywhere = () => ({ 'x-forwarded-for': anAddress() });

/** Sends a request as the application, by default for a token. */
export async function ask(
  app: TestApp,
  { application }: Pick<Partner, 'application'>,
  body: Record<string, string>,
  path = '/oauth/token',
  headers: Record<string, string> = {},
) {
  const { clientId, clientSecret } = application;
  const credentials: Record<string, string> =
    clientSecret === '' ? { client_id: clientId } : { client_id: clientId, client_secret: clientSecret };
  const answer = await fetch(new URL(path, app.url), {
    method: 'POST',
    headers: { ...fromAnywhere(), ...headers },
    body: new URLSearchParams({ ...credentials, ...body }),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    body: (text === '' ? {} : JSON.parse(text)) as Record<string, string> & { expires_in?: number },
  };
}

/** From sign-in to tokens. */
export async function tokensOf(
  app: TestApp,
  partner: Partner,
  wanted: Record<string, string | undefined> = {},
  headers: Record<string, string> = {},
) {
  const verifier = aVerifier();
  const code = (await allow(app, partner, { code_challenge: challengeOf(verifier), ...wanted })).get('code')!;
  const exchange = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: verifier };
  const { status, text, body } = await ask(app, partner, exchange, '/oauth/token', headers);
  expect(status, text).toBe(200);
  return { accessToken: body.access_token!, refreshToken: body.refresh_token!, scope: body.scope!, expiresIn: body.expires_in, exchange };
}

/** A call of the API with a token. */
export const bearer = (app: TestApp, token: string, path = '/v1/claim-projects') =>
  fetch(new URL(path, app.url), { headers: { ...fromAnywhere(), authorization: `Bearer ${token}` } });
