import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { IDEMPOTENCY_KEY_EXAMPLE } from '../../../src/api/operation/operation.js';
import { Registry } from '../../../src/api/operation/registry.js';
import { startApp, type TestApp } from '../../support/app.js';
import { Client } from '../../support/client.js';

let app: TestApp;
let anyone: Client;
beforeAll(async () => {
  app = await startApp();
  anyone = new Client(app.url);
});
afterAll(() => app.close());

it('serves Swagger UI and everything it loads, without a credential', async () => {
  const page = await anyone.get('/docs');
  expect(page.status).toBe(200);
  expect(page.headers['content-type']).toMatch(/^text\/html/);
  expect(page.text).toContain('<title>Claims API</title>');
  const assets = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => new URL(match[1]!, `${app.url}/docs`));
  expect(assets.length).toBeGreaterThan(3);
  for (const { pathname, origin } of assets) {
    expect(origin).toBe(app.url);
    const asset = await anyone.get(pathname);
    expect(asset.status, pathname).toBe(200);
    expect(asset.headers['content-type']).not.toMatch(/json|html/);
  }
  const init = await anyone.get(assets.find(({ pathname }) => pathname.endsWith('swagger-ui-init.js'))!.pathname);
  expect(init.text).toContain('/v1/claim-projects');
});

it.each(['/docs', '/docs/', '/docs/index.html', '/docs/oauth2-redirect.html', '/docs/swagger-ui-bundle.js'])(
  '%s runs only scripts of ours, and no site can show it in a frame',
  async (path) => {
    const { status, headers } = await anyone.get(path);
    expect(status).toBe(200);
    const policy = headers['content-security-policy'] as string;
    expect(policy.split('; ')).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        `connect-src 'self' ${app.url}`,
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ]),
    );
    expect(headers).toMatchObject({ 'x-frame-options': 'DENY', 'referrer-policy': 'same-origin' });
  },
);

it('sends a new Idempotency-Key instead of the example in each call from Swagger UI, and keeps any other key', async () => {
  const { text } = await anyone.get('/docs/swagger-ui-init.js');
  const [, source] = /"requestInterceptor": (\(request\) => \{[^]*?\n\})/.exec(text)!;
  const intercept = runInNewContext(`(${source})`, { crypto }) as (request: object) => { headers: Record<string, string> };
  const keyFor = (key: string) => intercept({ headers: { 'Idempotency-Key': key } }).headers['Idempotency-Key'];
  expect(keyFor('mine')).toBe('mine');
  expect(text).toContain(`"example": "${IDEMPOTENCY_KEY_EXAMPLE}"`);
  const keys = [keyFor(IDEMPOTENCY_KEY_EXAMPLE), keyFor(IDEMPOTENCY_KEY_EXAMPLE), IDEMPOTENCY_KEY_EXAMPLE];
  expect(new Set(keys).size).toBe(3);
});

it('has a page that Swagger UI sends users back to after they have signed in', async () => {
  const [, redirect] = /"oauth2RedirectUrl": "([^"]+)"/.exec((await anyone.get('/docs/swagger-ui-init.js')).text)!;
  expect(redirect).toBe(`${app.url}/docs/oauth2-redirect.html`);
  expect((await fetch(redirect!)).status).toBe(200);
});

it('names no address in its examples but that of the service, and one of a receiver', async () => {
  for (const path of ['/openapi.json', '/asyncapi.json']) {
    const { text } = await anyone.get(path);
    const origins = new Set([...text.matchAll(/https?:\/\/[\w.:-]*\w/g)].map(([origin]) => origin));
    expect([app.url, 'https://hooks.example.com', 'https://www.apache.org'], path).toEqual(expect.arrayContaining([...origins]));
    expect(origins).toContain(app.url);
  }
});

it('serves the OpenAPI 3.1 document without a credential, and lets caches keep it for a while', async () => {
  const answer = await anyone.get('/openapi.json');
  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(answer.headers['cache-control']).toBe('public, max-age=300');
  const document = JSON.parse(answer.text) as {
    openapi: string;
    info: object;
    servers: object[];
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  expect(document.openapi).toMatch(/^3\.1\.\d+$/);
  expect(document.info).toMatchObject({ title: 'Claims API', version: '1.0.0' });
  expect(document.servers).toMatchObject([{ url: app.url }]);
  const documented = Object.values(document.paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
  expect(documented.sort()).toEqual(
    app.app
      .get(Registry)
      .operations.map(({ id }) => id)
      .sort(),
  );
});
