import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { McpEndpoint } from '../../src/modules/mcp/mcp.endpoint.js';
import { toolServer } from '../../src/modules/mcp/tool-server.js';
import { newId } from '../../src/kernel/ids.js';
import { startApp, type TestApp } from '../support/app.js';
import { aTenant } from '../support/builders.js';
import { Client } from '../support/client.js';

const REVISION = '2026-07-28';
const META = { 'io.modelcontextprotocol/protocolVersion': REVISION, 'io.modelcontextprotocol/clientCapabilities': {} };
/** The library makes a server for each request that it answers, and for no other. */
const makeServer = vi.fn(toolServer);

let app: TestApp;
let key: string;
let projectId: string;
beforeAll(async () => {
  app = await startApp();
  app.app.get(McpEndpoint).makeServer = makeServer;
  ({ key } = await aTenant(app));
  const { body } = await new Client(app.url, key).post('/v1/claim-projects', {
    name: 'Zürich “office”\n',
    periodStart: '2026-01-01',
    periodEnd: '2026-12-31',
  });
  projectId = body.id as string;
});
afterAll(() => app.close());

interface Sent {
  readonly headers?: Record<string, string>;
  readonly meta?: Record<string, unknown>;
  readonly params?: Record<string, unknown>;
  readonly message?: Record<string, unknown>;
  readonly query?: string;
  readonly text?: string;
}

interface Said {
  readonly error?: { readonly code: number };
}

async function post(headers: Record<string, string>, body: string, query = '') {
  makeServer.mockClear();
  const answer = await fetch(`${app.url}/mcp${query}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', 'X-API-Key': key, ...headers },
    body,
  });
  const text = await answer.text();
  // The library answers calls of the former revisions with a stream of one message.
  const said = JSON.parse(/^data: (.+)$/m.exec(text)?.[1] ?? text) as Said;
  return { status: answer.status, type: answer.headers.get('content-type'), said, madeServers: makeServer.mock.calls.length };
}

function call(name: string, inputs: unknown, { headers, meta = META, params, message, query, text }: Sent = {}) {
  const body =
    text ??
    JSON.stringify({
      jsonrpc: '2.0',
      id: 'one',
      method: 'tools/call',
      params: { name, arguments: inputs, _meta: meta, ...params },
      ...message,
    });
  return post({ 'MCP-Protocol-Version': REVISION, 'Mcp-Method': 'tools/call', 'Mcp-Name': name, ...headers }, body, query);
}

/** As clients of a former revision call: whatever is undefined, they do not send. */
function formerCall(revision: string | undefined, params: Record<string, unknown>, { headers, message }: Sent = {}) {
  return post(
    { ...(revision && { 'MCP-Protocol-Version': revision }), ...headers },
    JSON.stringify({ jsonrpc: '2.0', id: 'one', method: 'tools/call', params, ...message }),
  );
}

const PROJECT = { name: 'Berlin office', period_start: '2026-01-01', period_end: '2026-12-31', idempotency_key: 'once' };
const CASES: readonly [string, string, () => Record<string, unknown>][] = [
  ['reads', 'get_claim_project', () => ({ project_id: projectId })],
  ['lists', 'list_claim_projects', () => ({ page_size: 50 })],
  ['finds nothing', 'get_claim_project', () => ({ project_id: newId() })],
  ['is not valid', 'get_claim_project', () => ({ project: projectId })],
  ['is not confirmed', 'create_claim_project', () => PROJECT],
  ['is refused by the API', 'create_claim_project', () => ({ ...PROJECT, period_end: '2025-01-01', confirm: true })],
  ['writes', 'create_claim_project', () => ({ ...PROJECT, confirm: true })],
];

describe('a plain call of a tool', () => {
  it.each(CASES)('that %s is answered as the library of the protocol answers it, without making a server', async (_case, name, inputs) => {
    const { madeServers, ...plain } = await call(name, inputs());
    const { madeServers: made, ...full } = await call(name, inputs(), { meta: { ...META, 'com.example/other': true } });
    expect([madeServers, made]).toEqual([0, 1]);
    expect(withoutTrace(plain)).toEqual(withoutTrace(full));
    expect(plain.status).toBe(200);
  });

  describe.each(['2025-11-25', '2025-06-18', '2025-03-26', undefined])('of revision %s', (revision) => {
    it.each(CASES)('that %s says what the library of the protocol says, without making a server', async (_case, name, inputs) => {
      const plain = await formerCall(revision, { name, arguments: inputs() });
      const full = await formerCall(revision, { name, arguments: inputs(), _meta: { 'com.example/other': true } });
      expect([plain.madeServers, full.madeServers]).toEqual([0, 1]);
      expect([plain.status, plain.type]).toEqual([200, 'application/json']);
      expect(withoutTrace(plain.said)).toEqual(withoutTrace(full.said));
    });
  });

  it('of a former revision may say where progress is to be told, and have no inputs', async () => {
    expect(await formerCall('2025-11-25', { name: 'list_claim_projects', _meta: { progressToken: 'here' } })).toMatchObject({
      status: 200,
      madeServers: 0,
      said: { id: 'one', result: { structuredContent: {} } },
    });
  });

  it.each<[string, Sent]>([
    ['who the client is', { meta: { ...META, 'io.modelcontextprotocol/clientInfo': { name: 'A client', version: '1.0.0' } } }],
    ['what the client can do', { meta: { ...META, 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } } }],
    ['where progress is to be told', { meta: { ...META, progressToken: 7 } }],
    ['a number for an id', { message: { id: 7 } }],
  ])('may have %s', async (_what, sent) => {
    expect(await call('get_claim_project', { project_id: projectId }, sent)).toMatchObject({
      status: 200,
      madeServers: 0,
      said: { result: { structuredContent: { id: projectId } } },
    });
  });
});

/** Each call has an id of its own, which problems repeat. */
const withoutTrace = (answer: unknown): unknown =>
  JSON.parse(
    JSON.stringify(answer)
      .replace(/\\?"requestId\\?":\\?"[^"\\]+\\?"/g, '"requestId":""')
      .replace(/01[0-9a-f]{6}-[0-9a-f-]{27}/g, 'id'),
  );

describe('a call with anything else about it is left to the library of the protocol, which', () => {
  const get = (sent: Sent) => call('get_claim_project', { project_id: projectId }, sent);

  it.each<[string, Sent, number]>([
    ['another name in the header', { headers: { 'Mcp-Name': 'list_claim_projects' } }, -32020],
    ['no name in the header', { headers: { 'Mcp-Name': '' } }, -32020],
    ['another revision in the header', { headers: { 'MCP-Protocol-Version': '2099-01-01' } }, -32020],
    ['another revision in the body', { meta: { ...META, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' } }, -32020],
    ['no capabilities', { meta: { 'io.modelcontextprotocol/protocolVersion': REVISION } }, -32602],
    ['capabilities that are none', { meta: { ...META, 'io.modelcontextprotocol/clientCapabilities': { sampling: 5 } } }, -32602],
    ['a client that is none', { meta: { ...META, 'io.modelcontextprotocol/clientInfo': { name: 5 } } }, -32602],
    ['no `_meta`', { params: { _meta: undefined } }, -32602],
    ['inputs that are no object', { params: { arguments: [] } }, -32602],
    ['an id that is none', { message: { id: 1.5 } }, -32600],
    ['another JSON-RPC', { message: { jsonrpc: '1.0' } }, -32600],
    ['a body that is cut off', { text: '{"jsonrpc":"2.0","id":' }, -32700],
    ['a tool that is not there', { headers: { 'Mcp-Name': 'delete_everything' }, params: { name: 'delete_everything' } }, -32602],
    ['a tool that was not wished for', { query: '?toolsets=usage' }, -32602],
  ])('refuses %s', async (_what, sent, code) => {
    expect((await get(sent)).said.error?.code).toBe(code);
  });

  it.each<[string, Sent]>([
    ['keys that it does not know', { meta: { ...META, traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' } }],
    [
      'a client that tells more of itself',
      { meta: { ...META, 'io.modelcontextprotocol/clientInfo': { name: 'A client', version: '1.0.0', title: 'A' } } },
    ],
    ['a media type in another spelling', { headers: { 'Content-Type': 'application/json;charset="utf-8"' } }],
  ])('takes %s', async (_what, sent) => {
    expect(await get(sent)).toMatchObject({ status: 200, madeServers: 1, said: { result: { structuredContent: { id: projectId } } } });
  });
});

describe('a call of a former revision with anything else about it is left to the library, which', () => {
  it.each<[string, Sent, number, number]>([
    ['no wish for a stream', { headers: { Accept: 'application/json' } }, 406, -32000],
    ['a revision that it does not know', { headers: { 'MCP-Protocol-Version': '2099-01-01' } }, 400, -32602],
    ['an id that is none', { message: { id: null } }, 400, -32600],
    ['a tool that is not there', { message: { params: { name: 'delete_everything' } } }, 200, -32602],
    ['inputs that are no object', { message: { params: { name: 'get_claim_project', arguments: [] } } }, 200, -32602],
  ])('refuses %s', async (_what, sent, status, code) => {
    const refused = await formerCall('2025-11-25', { name: 'get_claim_project', arguments: { project_id: projectId } }, sent);
    expect([refused.status, refused.said.error?.code]).toEqual([status, code]);
  });

  it('answers a batch', async () => {
    const one = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'get_claim_project', arguments: { project_id: projectId } },
    };
    expect(await post({ 'MCP-Protocol-Version': '2025-03-26' }, JSON.stringify([one]))).toMatchObject({
      status: 200,
      madeServers: 1,
      said: { id: 1, result: { structuredContent: { id: projectId } } },
    });
  });
});
