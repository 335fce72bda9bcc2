import { readFile } from 'node:fs/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { DEFAULT_ADDRESS_LIMITS } from '../../src/kernel/address-limits.js';
import { newId } from '../../src/kernel/ids.js';
import { PAGE_HEADERS } from '../../src/api/http/pages/page.js';
import type { OpenRoute } from '../../src/api/operation/operation.js';
import { aNetwork } from '../support/addresses.js';
import { startDocumentedApp } from '../support/documented-app.js';
import { fromNewAddress } from '../support/law-call.js';

const TINY = { perMinute: 1, burst: 3 };
const app = await startDocumentedApp({
  ADDRESS_LIMITS: JSON.stringify(Object.fromEntries(Object.keys(DEFAULT_ADDRESS_LIMITS).map((name) => [name, TINY]))),
});
// The guide is ours: it does not name the routes of extensions.
const ours = await startDocumentedApp({}, undefined, []);
afterAll(() => Promise.all([app.close(), ours.close()]));

/** Swagger UI brings its own routes. */
const SWAGGER: OpenRoute = { method: 'GET', path: '/docs', limit: 'documents', why: 'Swagger UI.' };
const routesOf = ({ registry }: typeof app): OpenRoute[] => [...registry.openRoutes, SWAGGER];
const routes = routesOf(app);
const nameOf = ({ method, path }: OpenRoute): string => `${method} ${path}`;
/** People open these routes in a browser. */
const isPage = ({ limit }: OpenRoute): boolean => limit === 'pages' || limit === 'authorize';
const rows = routes.map((route): [string, OpenRoute] => [nameOf(route), route]);

function call({ method, path }: OpenRoute, headers: Record<string, string>): Promise<Response> {
  const url = new URL(path.replace(':code', 'not_found').replace(/:\w+/, newId()).replace('*', 'mcp'), app.url);
  return fetch(url, { method, headers, redirect: 'manual', ...(method === 'POST' && { body: new URLSearchParams({ a: 'b' }) }) });
}

async function statuses(route: OpenRoute, times: number, headers = fromNewAddress()): Promise<number[]> {
  const found: number[] = [];
  for (let index = 0; index < times; index += 1) found.push((await call(route, headers)).status);
  return found;
}

describe.each(rows.filter(([, { limit }]) => limit !== 'probes'))('without a credential, %s', (_name, route) => {
  it('answers 429 once its limit is used up, and other addresses are not affected', async () => {
    const found = await statuses(route, TINY.burst + 1);
    expect(found.slice(0, TINY.burst)).not.toContain(429);
    expect(found.at(-1)).toBe(429);
    expect((await call(route, fromNewAddress())).status).not.toBe(429);
  });

  it('says so to people on a page, and to programs in a document, with Retry-After', async () => {
    const headers = fromNewAddress();
    await statuses(route, TINY.burst, headers);
    const refused = await call(route, headers);
    const text = await refused.text();
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.headers.get('cache-control')).toBe('no-store');
    const type = refused.headers.get('content-type');
    if (!isPage(route)) return expect(type).toMatch(/^application\/(problem\+)?json\b/);
    expect(type).toBe('text/html; charset=utf-8');
    expect(refused.headers.get('content-security-policy')).toBe(PAGE_HEADERS['Content-Security-Policy']);
    expect(text).toContain('<h1>Too many requests</h1>');
    expect(text).toMatch(/Wait 1 minute, then try again\.|Wait \d+ seconds, then try again\./);
  });

  it('counts the addresses of an IPv6 network together', async () => {
    const network = aNetwork();
    const answers: number[] = [];
    for (const host of [':1', ':2', ':3', 'ffff:ffff:ffff:ffff'])
      answers.push(...(await statuses(route, 1, { 'X-Forwarded-For': `${network}:${host}` })));
    expect(answers.at(-1)).toBe(429);
  });
});

it('a probe of a load balancer is never refused', async () => {
  const probes = routes.filter(({ limit }) => limit === 'probes');
  expect(probes.map(nameOf)).toEqual(expect.arrayContaining(['GET /health/live', 'GET /health/ready', 'GET /health/dependencies']));
  for (const probe of probes) expect(new Set(await statuses(probe, 20))).toEqual(new Set([200]));
});

describe('docs/security.md', () => {
  it('names every route that needs no credential, with its limit', async () => {
    const page = await readFile('docs/security.md', 'utf8');
    const lines = page.split('\n').filter((line) => line.startsWith('| `'));
    const missing = routesOf(ours).filter(
      (route) =>
        !lines.some((line) => line.split(' | ')[0]!.includes(`\`${nameOf(route)}\``) && line.split(' | ')[1] === `\`${route.limit}\``),
    );
    expect(
      missing.map((route) => `${nameOf(route)} (${route.limit})`),
      'routes to add to the table of docs/security.md',
    ).toEqual([]);
  });

  it('states the limits as they are', async () => {
    const page = await readFile('docs/security.md', 'utf8');
    for (const [name, { perMinute, burst }] of Object.entries(DEFAULT_ADDRESS_LIMITS))
      expect(page).toContain(`| \`${name}\` | ${perMinute} | ${burst} |`);
  });
});
