import { brotliDecompressSync, gunzipSync } from 'node:zlib';

import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONSOLE_HEADERS } from '../../../src/api/console/open-pages.js';
import { Registry } from '../../../src/api/operation/registry.js';
import { startApp, type TestApp } from '../../support/app.js';

const LARGE = ['/openapi.json', '/asyncapi.json', '/docs/swagger-ui-bundle.js', '/docs/swagger-ui.css', '/docs/swagger-ui-init.js'];
const CONTACT = 'mailto:security@example.com';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ SECURITY_CONTACT: CONTACT });
});
afterAll(() => app.close());

/** The bytes as they were sent: `fetch` would decompress them. */
async function get(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request(new URL(path, app.url), { headers, method }, resolve).on('error', reject).end();
  });
  return { status: answer.statusCode, headers: answer.headers, bytes: await buffer(answer) };
}

describe.each(LARGE)('%s', (path) => {
  it('is compressed as the caller accepts it, and is the same in every encoding', async () => {
    const plain = await get(path);
    expect([plain.status, plain.headers['content-encoding']]).toEqual([200, undefined]);
    expect(plain.bytes.length).toBeGreaterThan(20_000);
    const br = await get(path, { 'Accept-Encoding': 'gzip, deflate, br' });
    expect(br.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(br.bytes).equals(plain.bytes)).toBe(true);
    const zipped = await get(path, { 'Accept-Encoding': 'gzip;q=0.8, br;q=0' });
    expect(zipped.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(zipped.bytes).equals(plain.bytes)).toBe(true);
    expect(br.bytes.length).toBeLessThan(plain.bytes.length / 3);
    for (const { headers } of [plain, br, zipped]) {
      expect(headers).toMatchObject({ vary: 'Accept-Encoding', 'cache-control': 'public, max-age=300', etag: plain.headers.etag });
      expect(headers['content-type']).toBe(plain.headers['content-type']);
    }
  });

  it('is not sent again to a caller that has it', async () => {
    const { headers } = await get(path);
    for (const encoding of ['', 'br']) {
      const answer = await get(path, { 'If-None-Match': headers.etag!, ...(encoding && { 'Accept-Encoding': encoding }) });
      expect([answer.status, answer.bytes.length, answer.headers.etag]).toEqual([304, 0, headers.etag]);
    }
    expect((await get(path, { 'If-None-Match': '"other"' })).status).toBe(200);
  });

  it('answers HEAD without a body', async () => {
    const head = await get(path, {}, 'HEAD');
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
  });

  it('is whole for many callers at once', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => get(path, { 'Accept-Encoding': 'br' })));
    expect(new Set(answers.map(({ bytes }) => bytes.toString('base64'))).size).toBe(1);
  });
});

it.each(['/docs/%73wagger-ui.css', '/docs//swagger-ui.css'])('another spelling of a path is not kept: %s', async (path) => {
  const { status, headers } = await get(path, { 'Accept-Encoding': 'br' });
  expect(headers['content-encoding']).toBeUndefined();
  expect([200, 404]).toContain(status);
});

it('HEAD works before any GET', async () => {
  const fresh = await startApp();
  for (const path of LARGE) expect((await fetch(new URL(path, fresh.url), { method: 'HEAD' })).status, path).toBe(200);
  expect((await (await fetch(new URL('/docs/swagger-ui.css', fresh.url))).text()).length).toBeGreaterThan(20_000);
  await fresh.close();
});

it('a part of a file is that part', async () => {
  const whole = await get('/docs/swagger-ui-bundle.js');
  const part = await get('/docs/swagger-ui-bundle.js', { Range: 'bytes=0-99' });
  expect([part.status, part.bytes.toString()]).toEqual([206, whole.bytes.subarray(0, 100).toString()]);
});

describe('the first page', () => {
  it('is a page for people, with links that work', async () => {
    const { status, headers, bytes } = await get('/', { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
    expect([status, headers['content-type'], headers.vary, headers['cache-control']]).toEqual([
      200,
      'text/html; charset=utf-8',
      'Accept',
      'public, max-age=300',
    ]);
    expect(headers['content-security-policy']).toBe(CONSOLE_HEADERS['Content-Security-Policy']);
    const links = [...bytes.toString().matchAll(/href="([^"]+)"/g)].map(([, link]) => link!);
    expect(links).toEqual(expect.arrayContaining(['/docs', '/openapi.json', '/asyncapi.json', '/problems', '/llms.txt', '/favicon.ico']));
    // The console leads on to its sign-in.
    for (const link of links) expect((await get(link)).status, link).toBe(link === '/console' ? 303 : 200);
    expect(links.filter((link) => /^\/guides\/[\w-]+$/.test(link)).length).toBeGreaterThan(5);
  });

  it('is an index for programs', async () => {
    const { status, headers, bytes } = await get('/', { Accept: 'application/json' });
    expect([status, headers['content-type'], headers.vary]).toEqual([200, 'application/json; charset=utf-8', 'Accept']);
    expect(JSON.parse(bytes.toString())).toEqual({
      name: 'Claims API',
      version: '1.0.0',
      links: {
        console: `${app.url}/console`,
        swagger: `${app.url}/docs`,
        openapi: `${app.url}/openapi.json`,
        asyncapi: `${app.url}/asyncapi.json`,
        collection: `${app.url}/collection.json`,
        problems: `${app.url}/problems`,
        guides: `${app.url}/guides`,
        llms: `${app.url}/llms.txt`,
        api: `${app.url}/v1`,
        mcp: `${app.url}/mcp`,
      },
    });
  });
});

describe('the guides', () => {
  const listed = async () => JSON.parse((await get('/guides')).bytes.toString()) as { data: { path: string; title: string }[] };

  it('are Markdown that pages of any origin may read', async () => {
    const { data } = await listed();
    expect(data.length).toBeGreaterThan(5);
    for (const { path, title } of data) {
      const { status, headers, bytes } = await get(path, { Origin: 'https://elsewhere.example.com' });
      expect([status, headers['content-type'], headers['access-control-allow-origin']]).toEqual([200, 'text/markdown; charset=utf-8', '*']);
      expect(bytes.toString()).toContain(`# ${title}\n`);
    }
  });

  it('link only to what the service answers', async () => {
    for (const { path } of (await listed()).data) {
      const links = [...(await get(path)).bytes.toString().matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(([, link]) => link!);
      for (const link of links.filter((found) => !found.startsWith('https://')))
        expect((await get(new URL(link, `${app.url}/guides/`).pathname)).status, link).toBe(200);
    }
  });

  it('that do not exist are 404, whatever their name', async () => {
    for (const name of ['none.md', 'none', 'README', '..%2fREADME.md', '__proto__.md', 'constructor.md'])
      expect((await get(`/guides/${name}`)).status, name).toBe(404);
  });
});

describe('llms.txt', () => {
  it('tells a model how to authenticate, where the tool server is, and what every operation does', async () => {
    const { status, headers, bytes } = await get('/llms.txt', { Origin: 'https://elsewhere.example.com' });
    expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    expect([headers['cache-control'], headers['access-control-allow-origin']]).toEqual(['public, max-age=300', '*']);
    const text = bytes.toString();
    for (const part of ['# Claims API', 'X-API-Key', 'Idempotency-Key', `${app.url}/mcp`]) expect(text).toContain(part);
    for (const { method, path, summary } of app.app.get(Registry).operations) expect(text).toContain(`- \`${method} ${path}\`: ${summary}`);
  });
});

it('the icon is a small image that is cached', async () => {
  const { status, headers, bytes } = await get('/favicon.ico');
  expect([status, headers['content-type'], headers['cache-control']]).toEqual([200, 'image/svg+xml', 'public, max-age=300']);
  expect(bytes.length).toBeLessThan(1024);
  expect((await get('/favicon.ico', { 'If-None-Match': headers.etag! })).status).toBe(304);
});

describe('security.txt', () => {
  it('names the contact of the operator, for less than a year', async () => {
    const { status, headers, bytes } = await get('/.well-known/security.txt');
    expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    const lines = bytes.toString().split('\n');
    expect(lines).toContain(`Contact: ${CONTACT}`);
    expect(lines).toContain(`Canonical: ${app.url}/.well-known/security.txt`);
    const expires = Date.parse(/^Expires: (.+)$/m.exec(bytes.toString())![1]!) - Date.now();
    expect(expires).toBeGreaterThan(170 * 86_400_000);
    expect(expires).toBeLessThan(365 * 86_400_000);
  });

  it('does not exist without a contact', async () => {
    const other = await startApp();
    expect((await fetch(new URL('/.well-known/security.txt', other.url))).status).toBe(404);
    await other.close();
  });

  it.each(['security@example.com', 'http://example.com', 'mailto:', 'https://a b', 'mailto:a@b\nEvil: x'])(
    'cannot name the contact %j',
    async (contact) => {
      await expect(startApp({ SECURITY_CONTACT: contact })).rejects.toThrow('SECURITY_CONTACT must begin with mailto: or https:');
    },
  );
});
