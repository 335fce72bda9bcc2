import { ApiKeysService } from '../../src/modules/api-keys/index.js';
import { OPERATOR } from '../../src/kernel/context.js';
import { newId } from '../../src/kernel/ids.js';
import type { OpenRoute, RegisteredOperation } from '../../src/api/operation/operation.js';
import { aKey, anOrganization } from '../support/builders.js';
import { Client } from '../support/client.js';
import { byIdOf, type DocumentedApp } from '../support/documented-app.js';
import { createRecord, validBody } from '../support/law-call.js';
import { queryParameters, type Body, type Parameter } from '../support/law-document.js';
import { anApplication, aPartner, ask, authorizeUrl, aVerifier, CALLBACK, challengeOf } from '../support/oauth.js';
import { keepFile, REPORTS } from '../support/reports.js';
import { anInvitation } from '../support/users.js';
import { aProject } from '../support/webhooks.js';
import { UNIQUE } from './bodies.js';

/** Limits that no generated request reaches: a 429 would hide what lies behind it. */
export const NO_LIMITS: Record<string, string> = {
  RATE_LIMITS: JSON.stringify(
    Object.fromEntries(['starter', 'growth', 'enterprise'].map((plan) => [plan, { perMinute: 1e8, burst: 1e8 }])),
  ),
  ADDRESS_LIMITS: JSON.stringify(
    Object.fromEntries(['authorize', 'pages', 'documents', 'preflights', 'failures'].map((name) => [name, { perMinute: 1e8, burst: 1e8 }])),
  ),
  TRUSTED_PROXIES: '127.0.0.1',
};

export interface TargetOperation {
  readonly operation: RegisteredOperation;
  readonly parameters: readonly Parameter[];
  readonly body?: Body;
}

/** What stays the same for all requests: tenants, credentials and records. */
export type World = Awaited<ReturnType<typeof makeWorld>>;

/** Creates what valid requests need. `url` is the service that the requests go to, with the database of `app`. */
export async function makeWorld(app: DocumentedApp, url: string) {
  const organization = await anOrganization(app);
  const { key } = await aKey(app, organization.id);
  const { key: liveKey } = await aKey(app, organization.id, { environment: 'live' });
  const { key: narrowKey } = await aKey(app, organization.id, { scopes: ['claim_projects:read'] });
  const { id: revokedId, key: revokedKey } = await aKey(app, organization.id);
  await app.app.get(ApiKeysService).revoke(OPERATOR, revokedId);
  const { key: starterKey } = await aKey(app, (await anOrganization(app, { plan: 'starter' })).id);
  const application = await anApplication(app, organization.id);
  const { body: token } = await ask({ ...app, url }, { application }, { grant_type: 'client_credentials' });
  const ids = new Map<string, string[]>();
  for (const collection of new Set(byIdOf(app).map(collectionOf)))
    ids.set(collection, [await anId(app, collection, key), await anId(app, collection, key)]);
  for (const id of ids.get(REPORTS)!) await keepFile(app.databaseUrl, id, '{}');
  const { body: catalog } = await new Client(url, key).get('/v1');
  return {
    app,
    url,
    key,
    keys: { key, liveKey, narrowKey, revokedKey, starterKey },
    accessToken: token.access_token!,
    ids,
    tools: toolsOf(catalog as Catalog),
    operations: await targetsOf(app, key),
    openRoutes: [...app.registry.openRoutes, { method: 'GET', path: '/docs', limit: 'documents', why: 'Swagger UI.' } as OpenRoute],
  };
}

/** The path before the first id: `/v1/webhooks` of `/v1/webhooks/{webhook_id}/deliveries`. */
export const collectionOf = ({ path }: { readonly path: string }): string => path.slice(0, path.indexOf('/{'));

interface Catalog {
  readonly capabilities: readonly { readonly operations: readonly { readonly id: string; readonly tool: string | null }[] }[];
}

/** The tool of each operation, by the id of the operation. */
function toolsOf({ capabilities }: Catalog): Map<string, string> {
  const all = capabilities.flatMap(({ operations }) => operations);
  return new Map(all.flatMap(({ id, tool }) => (tool === null ? [] : [[id, tool] as const])));
}

const anId = async (app: DocumentedApp, collection: string, key: string): Promise<string> => (await createRecord(app, collection, key)).id;

async function targetsOf(app: DocumentedApp, key: string): Promise<TargetOperation[]> {
  const targets: TargetOperation[] = [];
  for (const operation of app.operations) {
    // The others are about records that it deletes.
    if (operation.id === 'test.reset') continue;
    const body = operation.body && (await validBody(app, operation, key));
    for (const name of ['name', 'code']) if (body && name in body) body[name] = UNIQUE;
    targets.push({ operation, parameters: queryParameters(app.document, operation), body });
  }
  return targets;
}

/** What is used up by requests, so it is made anew for each batch of them. */
export type Perishables = Awaited<ReturnType<typeof makePerishables>>;

export async function makePerishables(world: World) {
  const { app, url } = world;
  // An application gets at most 300 new authorization requests a minute, and an organization has at most 100 applications.
  const partner = await aPartner(app);
  const publicApplication = await anApplication(app, partner.organization.id, { isPublic: true });
  const verifier = aVerifier();
  const page = (isSignedIn: boolean): Promise<OpenPage> => aPage({ url, partner }, verifier, isSignedIn);
  const [signIn, consent, other, spent] = [await page(false), await page(true), await page(true), await page(true)];
  const codes = [await codeOf(url, other), await codeOf(url, spent)];
  const exchange = { grant_type: 'authorization_code', code: codes[1]!, redirect_uri: CALLBACK, code_verifier: verifier };
  const { body: exchanged } = await ask({ ...app, url }, partner, exchange);
  const { body: machine } = await ask({ ...app, url }, partner, { grant_type: 'client_credentials', scope: 'claim_projects:read' });
  return {
    partner,
    publicClientId: publicApplication.clientId,
    verifier,
    code: codes[0]!,
    accessToken: machine.access_token!,
    pages: [signIn, consent],
    invitation: (await anInvitation(app, partner.organization.id)).token,
    refreshToken: exchanged.refresh_token ?? '',
    ...(await someWebhooks(world)),
    layoutIds: await someLayouts(world),
  };
}

/** Allows the application what it asks for. */
async function codeOf(url: string, { uid, csrf, jar }: OpenPage): Promise<string> {
  const { location } = await visit(url, jar, `/oauth/interaction/${uid}`, {
    csrf,
    do: 'allow',
    scope: 'claim_projects:read',
    projects: 'all',
  });
  const code = new URL(location).searchParams.get('code');
  if (code === null) throw new Error(`There is no code in ${location}.`);
  return code;
}

export interface OpenPage {
  readonly uid: string;
  readonly csrf: string;
  readonly cookies: string;
  readonly jar: Jar;
}

type Partner = Awaited<ReturnType<typeof aPartner>>;

type Jar = Map<string, string>;
const cookiesOf = (jar: Jar): string => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');

/** Follows redirects within the service, like a browser. Returns the first address outside it, or the last page. */
async function visit(url: string, jar: Jar, address: string, form?: Record<string, string>): Promise<{ location: string; text: string }> {
  const answer = await fetch(new URL(address, url), {
    redirect: 'manual',
    headers: { cookie: cookiesOf(jar) },
    ...(form && { method: 'POST', body: new URLSearchParams(form) }),
  });
  for (const line of answer.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (value === '') jar.delete(name);
    else jar.set(name, value);
  }
  const location = answer.headers.get('location');
  if (location === null) return { location: new URL(address, url).href, text: await answer.text() };
  const next = new URL(location, new URL(address, url));
  return next.origin === new URL(url).origin ? visit(url, jar, next.href) : { location: next.href, text: '' };
}

/** An open page of sign-in or, after it, of consent. */
async function aPage({ url, partner }: { url: string; partner: Partner }, verifier: string, isSignedIn: boolean): Promise<OpenPage> {
  const jar: Jar = new Map();
  const challenge = { code_challenge: challengeOf(verifier), prompt: 'consent' };
  let shown = await visit(url, jar, authorizeUrl(url, partner, challenge));
  const { email, password } = partner.user;
  if (isSignedIn) shown = await visit(url, jar, shown.location, { csrf: csrfOf(shown.text), do: 'sign-in', email, password });
  const uid = new URL(shown.location).pathname.split('/').at(-1)!;
  return { uid, csrf: csrfOf(shown.text), cookies: cookiesOf(jar), jar };
}

function csrfOf(text: string): string {
  const [, csrf] = /name="csrf" value="([^"]+)"/.exec(text) ?? [];
  if (csrf === undefined) throw new Error(`There is no form on this page: ${text.slice(0, 2000)}`);
  return csrf;
}

/** Requests create endpoints and delete those that they know: this leaves a few, and room for more. */
async function someWebhooks({ url, key }: World): Promise<{ webhookIds: string[]; deliveryIds: string[]; doomedIds: string[] }> {
  const api = new Client(url, key);
  const { body } = await api.get('/v1/webhooks');
  for (const { id } of (body as { data: { id: string }[] }).data.slice(10)) await api.delete(`/v1/webhooks/${id}`);
  const ids: string[] = [];
  for (let count = 0; count < 6; count += 1) {
    const wanted = { name: 'Sync', targetUrl: 'https://hooks.example.com/', subscribedEvents: ['claim_project.created'] };
    ids.push(((await api.post('/v1/webhooks', wanted)).body as { id: string }).id);
  }
  await aProject(api);
  // One endpoint, so that a delivery and the endpoint of a request fit together.
  const [kept, ...doomedIds] = ids;
  const { body: log } = await api.get(`/v1/webhooks/${kept}/deliveries`);
  return { webhookIds: [kept!], deliveryIds: (log as { data: { id: string }[] }).data.map(({ id }) => id), doomedIds };
}

/** There is one for each header: a request that makes one for the header of another takes its place. */
async function someLayouts({ url, key }: World): Promise<string[]> {
  const api = new Client(url, key);
  const ids: string[] = [];
  for (let count = 0; count < 6; count += 1) {
    const layout = { columns: { [newId()]: 'date', Text: 'description', Sum: 'amount' } };
    ids.push(((await api.post('/v1/statement-layouts', { name: newId(), layout })).body as { id: string }).id);
  }
  return ids;
}
