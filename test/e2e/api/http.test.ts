import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import { BODY_MAX_BYTES } from '../../../src/kernel/product.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { eventually } from '../../support/eventually.js';
import { answerOf, expectProblem } from '../../support/problem.js';
import { readAnswer, requestText, sendRaw } from '../../support/raw.js';
import { TcpProxy } from '../../support/tcp-proxy.js';

const PROJECTS = '/v1/claim-projects';
let app: TestApp;
let api: Client;
let key: string;

beforeAll(async () => {
  app = await startApp();
  ({ key } = await aTenant(app));
  api = new Client(app.url, key);
});
afterAll(() => app.close());

const refusal = async (bytes: string | Buffer) => answerOf(await sendRaw(app.url, bytes));

describe('paths and methods', () => {
  it.each([
    '/nowhere',
    '//',
    '/v2/claim-projects',
    '/V1/claim-projects',
    `${PROJECTS}/`,
    `/${PROJECTS}`,
    `${PROJECTS}/a/b`,
    '/docs/..',
    '/docs/%2e%2e',
    '/docs/%2e%2e%2fpackage.json',
  ])('returns 404 for %s', async (path) => {
    expectProblem(await refusal(requestText('GET', path, { 'X-API-Key': key })), 'route_not_found');
  });

  it.each([
    ['DELETE', PROJECTS, 'GET, POST, HEAD'],
    ['PUT', PROJECTS, 'GET, POST, HEAD'],
    ['OPTIONS', PROJECTS, 'GET, POST, HEAD'],
    ['TRACE', PROJECTS, 'GET, POST, HEAD'],
    ['PROPFIND', PROJECTS, 'GET, POST, HEAD'],
    ['POST', `${PROJECTS}/${newId()}`, 'GET, PATCH, HEAD'],
    ['POST', '/v1', 'GET, HEAD'],
    ['DELETE', '/v1/usage?x=1', 'GET, HEAD'],
  ])('returns 405 to %s %s, and lists the allowed methods', async (method, path, allowed) => {
    const answer = await refusal(requestText(method, path, { 'Content-Type': 'nonsense' }, 'not JSON'));
    expectProblem(answer, 'method_not_allowed');
    expect(answer.headers.allow).toBe(allowed);
  });

  it('answers HEAD like GET, but without a body', async () => {
    const get = await api.get(PROJECTS);
    const head = readAnswer(await sendRaw(app.url, requestText('HEAD', PROJECTS, { 'X-API-Key': key })));
    expect(head.status).toBe(200);
    expect(head.body).toBe('');
    for (const name of ['content-type', 'content-length', 'cache-control']) expect(head.headers.get(name)).toBe(get.headers[name]);
    expect(readAnswer(await sendRaw(app.url, requestText('HEAD', PROJECTS))).status).toBe(401);
  });

  it.each([
    ['%', 'The path has %, which is no percent-escape. A percent sign is written as %25.'],
    ['100%', 'The path has %, which is no percent-escape. A percent sign is written as %25.'],
    ['a%20b%zz', 'The path has %zz, which is no percent-escape. A percent sign is written as %25.'],
    ['%ff', 'The percent-escapes in %ff of the path are not UTF-8.'],
    ['%c3%28', 'The percent-escapes in %c3%28 of the path are not UTF-8.'],
    ['%ff'.repeat(100), `The percent-escapes in ${'%ff'.repeat(20)}… of the path are not UTF-8.`],
  ])('returns 400 to a path with the wrong escape %s and names it, with the usual headers', async (bad, detail) => {
    const answer = await refusal(requestText('GET', `${PROJECTS}/${bad}?page=%zz`, { 'X-Request-Id': 'mine' }));
    expect(expectProblem(answer, 'bad_request').detail).toBe(detail);
    expect(answer.headers).toMatchObject({ 'x-request-id': 'mine', 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
  });
});

describe('negotiation', () => {
  it.each(['text/html', 'application/xml', 'application/json;q=0', 'application/json;q=0, */*', 'image/*'])(
    'returns 406 if only %s is accepted',
    async (accept) => {
      expectProblem(await api.get(PROJECTS, { Accept: accept }), 'not_acceptable');
    },
  );

  it.each(['*/*', 'application/*', 'application/json', 'text/html, application/json;q=0.1', 'APPLICATION/JSON', 'text/html,*/*;q=0.5'])(
    'returns JSON if %s is accepted',
    async (accept) => {
      const answer = await api.get(PROJECTS, { Accept: accept });
      expect(answer.status).toBe(200);
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    },
  );

  it('serves requests with Expect: 100-continue, or with an unknown expectation', async () => {
    const body = () => JSON.stringify({ name: newId(), periodStart: '2026-01-01', periodEnd: '2026-01-01' });
    const headers = () => ({ 'X-API-Key': key, 'Idempotency-Key': newId(), 'Content-Type': 'application/json' });
    const continued = await sendRaw(app.url, requestText('POST', PROJECTS, { ...headers(), Expect: '100-continue' }, body()));
    expect(continued).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /);
    expect(readAnswer(await sendRaw(app.url, requestText('POST', PROJECTS, { ...headers(), Expect: 'a-miracle' }, body()))).status).toBe(
      201,
    );
  });
});

describe('an invalid request', () => {
  it.each([
    ['text that is not HTTP', 'hello\r\n\r\n'],
    ['an unknown method', requestText('BREW', PROJECTS)],
    ['no host', `GET ${PROJECTS} HTTP/1.1\r\nConnection: close\r\n\r\n`],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a length that is not a number', requestText('POST', PROJECTS, { 'Content-Length': 'many' })],
    ['two lengths', `POST ${PROJECTS} HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx`],
    ['both a length and chunks', requestText('POST', PROJECTS, { 'Content-Length': '3', 'Transfer-Encoding': 'chunked' }, '0\r\n\r\n')],
    ['a header with a NUL', requestText('GET', PROJECTS, { 'X-Bad': 'a\0b' })],
    ['a header without a colon', `GET ${PROJECTS} HTTP/1.1\r\nHost: x\r\nbad\r\n\r\n`],
    ['a path with a space', `GET /v1/claim projects HTTP/1.1\r\nHost: x\r\n\r\n`],
  ])('returns 400 to %s', async (_what, bytes) => {
    const answer = await refusal(bytes);
    expectProblem(answer, 'bad_request');
    expect(answer.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
  });

  it('returns 400 to invalid chunks, and does nothing', async () => {
    const head = requestText('POST', PROJECTS, {
      'X-API-Key': key,
      'Idempotency-Key': newId(),
      'Content-Type': 'application/json',
      'Transfer-Encoding': 'chunked',
    });
    expectProblem(await refusal(`${head}2\r\n{}\r\nzz\r\n`), 'bad_request');
  });

  it('returns 431 to headers of more than 16 KiB, and serves smaller ones', async () => {
    expectProblem(await refusal(requestText('GET', PROJECTS, { 'X-Big': 'x'.repeat(16 * 1024) })), 'headers_too_large');
    expectProblem(await refusal(requestText('GET', `${PROJECTS}?search=${'x'.repeat(16 * 1024)}`)), 'headers_too_large');
    expect(
      readAnswer(await sendRaw(app.url, requestText('GET', PROJECTS, { 'X-API-Key': key, 'X-Big': 'x'.repeat(15 * 1024) }))).status,
    ).toBe(200);
  });
});

describe('a connection', () => {
  const next = () => requestText('GET', '/health/live');
  const write = (headers: Record<string, string>, body: string) =>
    requestText('POST', PROJECTS, { 'X-API-Key': key, 'Idempotency-Key': newId(), Connection: 'keep-alive', ...headers }, body);
  const statuses = async (bytes: string) =>
    [...(await sendRaw(app.url, bytes)).matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]));
  const tooLarge = 'x'.repeat(BODY_MAX_BYTES + 1);

  it('stays usable after a body that is too large', async () => {
    expect(await statuses(write({ 'Content-Type': 'application/json' }, tooLarge) + next())).toEqual([413, 200]);
    const head = write({ 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' }, '');
    const chunked = `${head}${tooLarge.length.toString(16)}\r\n${tooLarge}\r\n0\r\n\r\n`;
    expect(await statuses(chunked + next())).toEqual([413, 200]);
  });

  it('stays usable after a body that was not read', async () => {
    const body = JSON.stringify({ name: 'x'.repeat(100_000) });
    expect(await statuses(write({ 'Content-Type': 'text/plain' }, body) + next())).toEqual([415, 200]);
    expect(await statuses(write({ 'X-API-Key': 'wrong', 'Content-Type': 'application/json' }, body) + next())).toEqual([401, 200]);
    expect(await statuses(requestText('DELETE', PROJECTS, { Connection: 'keep-alive' }, body) + next())).toEqual([405, 200]);
  });
});

describe('every answer', () => {
  it('has the request id of the caller if it is valid, and a new one otherwise', async () => {
    for (const mine of ['a', 'A.b_c-9', 'x'.repeat(128)])
      expect((await api.get('/health/live', { 'X-Request-Id': mine })).headers['x-request-id']).toBe(mine);
    for (const other of ['x'.repeat(129), 'a b', 'a/b', 'é', '{}', 'a,b']) {
      const answer = await api.get(PROJECTS, { 'X-Request-Id': other });
      expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    }
    const both = readAnswer(
      await sendRaw(app.url, requestText('GET', '/health/live').replace('\r\n\r\n', '\r\nX-Request-Id: a\r\nX-Request-Id: b\r\n\r\n')),
    );
    expect(both.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('forbids storing and sniffing, whatever its status', async () => {
    const made = await api.post(PROJECTS, { name: newId(), periodStart: '2026-01-01', periodEnd: '2026-01-01' });
    const answers = [
      made,
      await api.get(PROJECTS),
      await api.get('/nowhere'),
      await new Client(app.url).get(PROJECTS),
      await api.post(PROJECTS, {}),
      await api.get('/health/live'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 404, 401, 400, 200]);
    for (const { headers } of answers) expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    for (const { headers } of answers) expect(headers['x-powered-by']).toBeUndefined();
  });
});

describe('health', () => {
  it('is live and ready', async () => {
    const anyone = new Client(app.url);
    for (const path of ['/health/live', '/health/ready']) {
      const answer = await anyone.get(path);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({ status: 'ok' });
    }
  });

  it('says whether its dependencies are there', async () => {
    const answer = await new Client(app.url).get('/health/dependencies');
    expect([answer.status, answer.body]).toEqual([200, { status: 'ok', database: 'ok', redis: 'not_used' }]);
  });

  it('is live and ready while the database is unavailable: no load balancer drops every process at once', async () => {
    const proxy = await TcpProxy.to(inject('databaseUrl'));
    const own = await startApp({ DATABASE_URL: proxy.url });
    const anyone = new Client(own.url);
    proxy.cut();
    const answer = await anyone.get('/health/dependencies');
    expect(expectProblem(answer, 'unavailable').retry).toBe('same_key');
    expect(answer.headers['retry-after']).toMatch(/^\d+$/);
    for (const path of ['/health/live', '/health/ready']) expect((await anyone.get(path)).status, path).toBe(200);
    proxy.restore();
    await eventually(async () => expect((await anyone.get('/health/dependencies')).status).toBe(200));
    await own.close();
    await proxy.close();
  });
});
