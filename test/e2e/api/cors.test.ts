import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXPOSED_HEADERS } from '../../../src/api/http/answer-headers.js';
import { newId } from '../../../src/kernel/ids.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';

const ORIGIN = 'https://partner.example';
const OPEN = [
  ['GET', '/v1'],
  ['GET', '/v1/claim-projects'],
  ['POST', '/v1/claim-projects'],
  ['PATCH', `/v1/claim-projects/${newId()}`],
  ['DELETE', `/v1/webhooks/${newId()}`],
  ['POST', '/mcp'],
  ['POST', '/oauth/token'],
  ['POST', '/oauth/revoke'],
  ['GET', '/.well-known/oauth-authorization-server'],
  ['GET', '/.well-known/oauth-protected-resource'],
  ['GET', '/.well-known/oauth-protected-resource/mcp'],
  ['GET', '/openapi.json'],
  ['GET', '/asyncapi.json'],
] as const;
const CLOSED = [
  ['GET', '/oauth/authorize'],
  ['GET', `/oauth/interaction/${newId()}`],
  ['POST', '/oauth/introspect'],
  ['GET', '/docs'],
  ['GET', '/problems'],
  ['GET', '/health/live'],
  ['GET', '/nowhere'],
] as const;

let app: TestApp;
let key: string;
beforeAll(async () => {
  app = await startApp();
  ({ key } = await aTenant(app));
});
afterAll(() => app.close());

const call = (method: string, path: string, headers: Record<string, string> = {}) =>
  fetch(new URL(path, app.url), { method, headers: { Origin: ORIGIN, ...headers }, redirect: 'manual' });
const preflight = (method: string, path: string, asked = 'authorization, idempotency-key, if-match') =>
  call('OPTIONS', path, { 'Access-Control-Request-Method': method, 'Access-Control-Request-Headers': asked });
const corsOf = ({ headers }: Response) => [...headers.keys()].filter((name) => name.startsWith('access-control-'));

describe('a page of another origin', () => {
  it.each(OPEN)('may send %s %s', async (method, path) => {
    const answer = await preflight(method, path);
    expect(answer.status).toBe(204);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-allow-methods')!.split(', ')).toContain(method);
    expect(answer.headers.get('access-control-allow-headers')).toBe('*, Authorization');
    expect(Number(answer.headers.get('access-control-max-age'))).toBeGreaterThan(0);
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
  });

  it.each(OPEN)('may read what %s %s answers, also an error', async (method, path) => {
    const answer = await call(method, path);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-expose-headers')).toBe(EXPOSED_HEADERS.join(', '));
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    // The same answer for every origin: a cache need not tell them apart.
    expect(answer.headers.get('vary') ?? '').not.toMatch(/origin/i);
  });

  it.each([
    ['GET', '/v1/nowhere', 404],
    ['PUT', '/v1/claim-projects', 405],
    ['GET', '/v1/claim-projects?page=0', 400],
    ['GET', '/v1/claim-projects/%zz', 400],
  ])('may read why %s %s is refused', async (method, path, status) => {
    const answer = await call(method, path, { 'X-API-Key': key });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([status, '*']);
  });

  it.each(CLOSED)('may not read %s %s, and gets no permission to send it', async (method, path) => {
    expect((await call(method, path)).headers.get('access-control-allow-origin')).not.toBe('*');
    const asked = await preflight(method, path);
    expect(corsOf(asked)).toEqual([]);
    expect(asked.status).toBeGreaterThanOrEqual(400);
  });

  it('may read a document that a cache got without being asked by a page', async () => {
    for (const path of ['/openapi.json', '/asyncapi.json', '/.well-known/oauth-authorization-server'])
      expect((await fetch(new URL(path, app.url))).headers.get('access-control-allow-origin'), path).toBe('*');
  });
});

it('a caller that is no browser gets no CORS headers', async () => {
  const { headers } = await new Client(app.url, key).get('/v1/claim-projects');
  expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
});

describe('a path that has other methods', () => {
  it.each([
    ['GET', '/oauth/token', 'POST'],
    ['PUT', '/oauth/authorize', 'GET, HEAD'],
    ['GET', '/oauth/introspect', 'POST'],
    ['PUT', '/mcp', 'GET, POST, DELETE, HEAD'],
    ['OPTIONS', '/mcp', 'GET, POST, DELETE, HEAD'],
    ['POST', '/openapi.json', 'GET, HEAD'],
    ['DELETE', '/problems', 'GET, HEAD'],
    ['POST', '/problems/not_found', 'GET, HEAD'],
    ['POST', '/health/live', 'GET, HEAD'],
    ['POST', '/docs', 'GET, HEAD'],
    ['PATCH', '/.well-known/oauth-protected-resource/mcp', 'GET, HEAD'],
  ])('answers %s %s with 405 and Allow: %s', async (method, path, allowed) => {
    const answer = await fetch(new URL(path, app.url), { method });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, allowed]);
    expect(await answer.json()).toMatchObject({ code: 'method_not_allowed' });
  });
});

it.each(['/problems/nope', '/.well-known/oauth-protected-resource/nope', '/docs/nope.js', '/nowhere'])(
  'caches do not keep the 404 of %s',
  async (path) => {
    const answer = await fetch(new URL(path, app.url));
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([404, 'no-store']);
  },
);
