import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { addressOf, bridge } from './bridge.js';

type Message = Readonly<Record<string, unknown>>;
type Answer = (body: Message, response: ServerResponse, request: IncomingMessage) => unknown;

const closed: (() => void)[] = [];
afterEach(() => {
  for (const close of closed.splice(0)) close();
});

/** A bridge to a service that answers as the test says. */
async function open(answer: Answer, given: { readonly address?: string; readonly headers?: Record<string, string> } = {}) {
  const seen: { readonly headers: IncomingHttpHeaders; readonly body: Message; readonly url: string | undefined }[] = [];
  const server = createServer((request, response) => {
    void text(request).then(async (sent) => {
      const body = JSON.parse(sent) as Message;
      seen.push({ headers: request.headers, body, url: request.url });
      await answer(body, response, request);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const input = new PassThrough();
  const [told, logged]: [Message[], string[]] = [[], []];
  const service = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const headers = () => Promise.resolve({ 'x-api-key': 'pk_test_one', ...given.headers });
  const address = given.address ?? addressOf(service, {});
  const done = bridge(input, {
    address,
    headers,
    write: (line) => told.push(JSON.parse(line) as Message),
    log: (line) => logged.push(line),
  });
  closed.push(() => {
    input.end();
    server.closeAllConnections();
    server.close();
  });
  const say = (...messages: Message[]) => void input.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
  return { seen, told, logged, input, done, say, service };
}

const request = (id: number | string, method: string, params: object = {}): Message => ({ jsonrpc: '2.0', id, method, params });
const NEWEST = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };

const asJson = (response: ServerResponse, message: object, status = 200): void =>
  void response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(message));
const echo: Answer = ({ id }, response) => asJson(response, { jsonrpc: '2.0', id, result: {} });

describe('a bridge', () => {
  it('passes each message on with its credential, and with the headers that its revision wants', async () => {
    const { say, seen, told } = await open(echo);
    say(request(1, 'tools/call', { name: 'list_things', _meta: NEWEST }), request(2, 'resources/read', { uri: 'a://ä', _meta: NEWEST }));
    await vi.waitFor(() => expect(told).toHaveLength(2));
    const [first, second] = seen.sort((a, b) => Number(a.body.id) - Number(b.body.id));
    expect(first).toMatchObject({
      url: '/mcp',
      headers: {
        'x-api-key': 'pk_test_one',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'list_things',
        accept: 'application/json, text/event-stream',
      },
      body: request(1, 'tools/call', { name: 'list_things', _meta: NEWEST }),
    });
    expect(second!.headers['mcp-name']).toBe(`=?base64?${Buffer.from('a://ä').toString('base64')}?=`);
  });

  it('keeps the version that the handshake of an older revision has agreed on', async () => {
    const { say, seen, told } = await open(({ id }, response) =>
      asJson(response, { jsonrpc: '2.0', id, result: { protocolVersion: '2025-06-18' } }),
    );
    say(request('a', 'initialize', { protocolVersion: '2025-11-25' }));
    await vi.waitFor(() => expect(told).toHaveLength(1));
    say(request('b', 'tools/list'));
    await vi.waitFor(() => expect(told).toHaveLength(2));
    expect(seen.map(({ headers }) => [headers['mcp-protocol-version'], headers['mcp-method']])).toEqual([
      [undefined, undefined],
      ['2025-06-18', undefined],
    ]);
  });

  it('writes each message of an event stream as a line, as it comes', async () => {
    const progress = { jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } };
    let finish = (): void => undefined;
    const { say, told } = await open(({ id }, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`: still here\r\n\r\nid: 1\ndata:\n\nevent: message\ndata: ${JSON.stringify(progress)}\n\n`);
      finish = () => response.end(`data: {"jsonrpc":"2.0",\ndata: "id":${id as number},"result":{}}\n\n`);
    });
    say(request(1, 'tools/call'));
    await vi.waitFor(() => expect(told).toEqual([progress]));
    finish();
    await vi.waitFor(() => expect(told).toEqual([progress, { jsonrpc: '2.0', id: 1, result: {} }]));
  });

  it('cancels a request when the client does, and all that run at the end of the input, without a word', async () => {
    let cancelled = 0;
    const { say, seen, told, input, done } = await open((_body, response) => void response.on('close', () => (cancelled += 1)));
    say(request(1, 'tools/call'), request(2, 'subscriptions/listen'), request(3, 'tools/call'));
    await vi.waitFor(() => expect(seen).toHaveLength(3));
    say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    await vi.waitFor(() => expect(cancelled).toBe(1));
    input.end();
    await done;
    await vi.waitFor(() => expect(cancelled).toBe(3));
    expect([seen.length, told]).toEqual([3, []]);
  });

  it.each([401, 403, 429])('answers a request that is refused with %i in the words of the service', async (status) => {
    const error = { code: -32001, message: 'Not now. Try again in 3 s.', data: { error: 'rate_limited' } };
    const { say, told, logged } = await open((_body, response) => asJson(response, { jsonrpc: '2.0', id: null, error }, status));
    say(request(7, 'tools/list'));
    await vi.waitFor(() => expect(told).toEqual([{ jsonrpc: '2.0', id: 7, error }]));
    say({ jsonrpc: '2.0', method: 'notifications/initialized' });
    await vi.waitFor(() => expect(logged).toEqual([error.message]));
    expect(told).toHaveLength(1);
  });

  it.each<[string, Answer, string]>([
    ['a page of a proxy', (_body, response) => response.writeHead(502).end('<h1>Bad gateway</h1>'), 'answered with 502'],
    ['a broken answer', (_body, response) => response.writeHead(200, { 'content-length': '9' }).destroy(), 'does not answer'],
    ['a stream that ends early', (_body, response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(), 'but not to'],
    ['an answer to another request', (_body, response) => asJson(response, { jsonrpc: '2.0', id: 8, result: {} }), 'but not to'],
  ])('answers a request with an error after %s', async (_what, answer, said) => {
    const { say, told } = await open(answer);
    say(request(7, 'tools/list'));
    await vi.waitFor(() =>
      expect(told.at(-1)).toMatchObject({
        id: 7,
        error: { code: -32001, message: expect.stringContaining(said) as string, data: { error: 'unavailable' } },
      }),
    );
  });

  it('follows no redirect with the credential', async () => {
    const { say, seen, told } = await open((_body, response) => void response.writeHead(307, { location: '/elsewhere' }).end());
    say(request(1, 'tools/list'));
    await vi.waitFor(() => expect(told).toMatchObject([{ id: 1, error: { data: { error: 'unavailable' } } }]));
    expect(seen).toHaveLength(1);
  });

  it('refuses what is no message, or too long, and goes on', async () => {
    const { input, say, seen, told } = await open(echo);
    input.write(`no message\n[]\n{"id":{}}\n\n{"padding":"${'x'.repeat(4 * 1024 * 1024)}"}\n`);
    say(request(1, 'tools/list'));
    await vi.waitFor(() => expect(told).toHaveLength(5));
    const codes = told.map(({ error }) => (error as { code: number } | undefined)?.code);
    expect(codes).toEqual([-32700, -32600, -32600, -32600, undefined]);
    expect(seen).toHaveLength(1);
  });

  it('passes on 32 requests at once, and refuses others until one is answered', async () => {
    const waiting: (() => void)[] = [];
    const { say, told } = await open((body, response, sent) => void waiting.push(() => void echo(body, response, sent)));
    say(...Array.from({ length: 33 }, (_, id) => request(id, 'tools/list')));
    await vi.waitFor(() => expect(waiting).toHaveLength(32));
    expect(told).toMatchObject([{ id: 32, error: { data: { error: 'too_many_requests' } } }]);
    say(request(0, 'tools/list'));
    await vi.waitFor(() => expect(told.at(-1)).toMatchObject({ id: 0, error: { code: -32600 } }));
    for (const answer of waiting) answer();
    await vi.waitFor(() => expect(told).toHaveLength(34));
    say(request(33, 'tools/list'));
    await vi.waitFor(() => expect(waiting).toHaveLength(33));
  });

  it('refuses a credential that no header can hold, without repeating it', async () => {
    const { done } = await open(echo, { headers: { 'x-api-key': 'pk_test_…' } });
    await expect(done).rejects.toThrow(/^The credential holds characters that no credential has\.$/);
  });
});

it('the address says which tools the client wants', () => {
  expect(addressOf('https://claims.example.com', {})).toBe('https://claims.example.com/mcp');
  const wishes = { readonly: true, toolsets: 'claim_projects,usage', tools: 'claims' };
  expect(addressOf('https://claims.example.com/api', wishes)).toBe(
    'https://claims.example.com/api/mcp?readonly=true&toolsets=claim_projects%2Cusage&tools=claims',
  );
});
