import { connect } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SETTINGS } from '../../../src/kernel/settings/settings.js';
import { newId } from '../../../src/kernel/ids.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { eventually } from '../../support/eventually.js';
import { memoryLog } from '../../support/memory-log.js';
import { answerOf, expectProblem } from '../../support/problem.js';
import { requestText, sendRaw } from '../../support/raw.js';

const PROJECTS = '/v1/claim-projects';
const TIMEOUT_MS = 300;
const SILENCE_MS = 75_000;
const { log, lines } = memoryLog();
let app: TestApp;
let key: string;

beforeAll(async () => {
  app = await startApp({ REQUEST_TIMEOUT_MS: String(TIMEOUT_MS) }, log);
  ({ key } = await aTenant(app));
});
afterAll(() => app.close());

/** Expects a 408 to these bytes, and that the server then closes the connection. */
async function expectTimeout(bytes: string) {
  const problem = expectProblem(answerOf(await sendRaw(app.url, bytes)), 'request_timeout');
  expect(problem).toMatchObject({ status: 408, retry: 'same_key', title: 'The request took too long to arrive' });
  return problem;
}

const write = (headers: Record<string, string> = {}) =>
  requestText('POST', PROJECTS, {
    'X-API-Key': key,
    'Idempotency-Key': newId(),
    'Content-Type': 'application/json',
    'Content-Length': '100',
    Connection: 'keep-alive',
    ...headers,
  });

describe('a request that does not arrive in time', () => {
  it('gets 408 after half of the body, with the headers of every answer, and a line in the log', async () => {
    const text = await sendRaw(app.url, `${write({ 'X-Request-Id': 'half-a-body' })}{"name":`);
    expect(expectProblem(answerOf(text), 'request_timeout').requestId).toBe('half-a-body');
    expect(text.toLowerCase()).toContain('\r\nconnection: close\r\n');
    expect(text.toLowerCase()).toContain('\r\nratelimit: ');
    expect(lines().filter(({ requestId }) => requestId === 'half-a-body')).toMatchObject([
      { status: 408, operation: 'claim_projects.create' },
    ]);
  });

  it.each([
    ['half of the headers', `GET ${PROJECTS} HTTP/1.1\r\nHost: x\r\nX-API-`],
    ['half of the first line', 'GET /v1/cl'],
    ['nothing at all', ''],
    [
      'half of a form',
      requestText('POST', '/oauth/token', { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': '99' }) + 'grant',
    ],
  ])('gets 408 after %s', async (_what, bytes) => {
    await expectTimeout(bytes);
  });

  it('gets 408 although its bytes keep coming, one at a time', async () => {
    const { hostname, port } = new URL(app.url);
    const socket = connect(Number(port), hostname);
    socket.write(write());
    const drip = setInterval(() => socket.write(' '), TIMEOUT_MS / 10);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    clearInterval(drip);
    socket.destroy();
    expectProblem(answerOf(answer.toString()), 'request_timeout');
  });

  it('loses its connection even if the client keeps its end open', async () => {
    const { hostname, port } = new URL(app.url);
    const before = await connectionsOf(app);
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    socket.write(`${write()}{`);
    socket.on('error', () => undefined).resume();
    await once(socket, 'end');
    await eventually(async () => expect(await connectionsOf(app)).toBeLessThanOrEqual(before));
    socket.destroy();
  });

  it('changes nothing, and succeeds with the same Idempotency-Key', async () => {
    const body = { name: newId(), periodStart: '2026-01-01', periodEnd: '2026-12-31' };
    await expectTimeout(`${write({ 'Idempotency-Key': body.name })}{"name":"${body.name}"`);
    const answer = await new Client(app.url, key).post(PROJECTS, body, { 'Idempotency-Key': body.name });
    expect(answer.status).toBe(201);
    expect(answer.headers['idempotent-replayed']).toBeUndefined();
  });
});

describe('a connection on which nothing happens', () => {
  it('is closed although its client waits, if the client does not read its answers', async () => {
    const server = app.app.getHttpServer();
    const { hostname, port } = new URL(app.url);
    const before = await connectionsOf(app);
    server.timeout = TIMEOUT_MS;
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    socket.pause();
    // More than both ends keep for a reader.
    socket.write(requestText('GET', '/openapi.json', { Connection: 'keep-alive' }).repeat(30));
    await eventually(async () => expect(await connectionsOf(app)).toBeGreaterThan(before));
    server.timeout = SILENCE_MS;
    await eventually(async () => expect(await connectionsOf(app)).toBeLessThanOrEqual(before));
    socket.destroy();
  });

  it('is closed after 75 seconds, with an answer that is not read and without any', () => {
    const { timeout, keepAliveTimeout } = app.app.getHttpServer();
    expect([timeout, keepAliveTimeout]).toEqual([SILENCE_MS, SILENCE_MS]);
  });
});

it('is told within 30 seconds by default', () => {
  // Node looks for slow requests ten times within the time that they have.
  expect(SETTINGS.requestTimeoutMs.fallback * 1.1).toBeLessThanOrEqual(30_000);
});

const connectionsOf = (running: TestApp) =>
  new Promise<number>((resolve, reject) =>
    running.app.getHttpServer().getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );
