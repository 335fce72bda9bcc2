import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';

const NEWEST = '2026-07-28';
/** The oldest revision has no header, so its clients send none. */
const OLDER = ['2025-11-25', '2025-06-18', '2025-03-26', undefined];
const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const VERSION = 'io.modelcontextprotocol/protocolVersion';
const META = { [VERSION]: NEWEST, [CAPABILITIES]: {} };

let app: TestApp;
let key: string;
let projectId: string;
beforeAll(async () => {
  app = await startApp({ TOOL_REPEATS: '0' });
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

interface Message {
  readonly id: unknown;
  readonly error?: { readonly code: number };
  readonly result?: {
    readonly isError?: boolean;
    readonly content: { readonly text: string }[];
    readonly structuredContent: Record<string, unknown>;
  };
}

async function post(headers: Record<string, string>, body: string, query = '') {
  const answer = await fetch(`${app.url}/mcp${query}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', 'X-API-Key': key, ...headers },
    body,
  });
  const text = await answer.text();
  // Older revisions are answered with an event stream of one message.
  return { status: answer.status, message: JSON.parse(/^data: (.+)$/m.exec(text)?.[1] ?? text) as Message };
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
  return post({ 'MCP-Protocol-Version': NEWEST, 'Mcp-Method': 'tools/call', 'Mcp-Name': name, ...headers }, body, query);
}

function callInOlder(revision: string | undefined, params: Record<string, unknown>, { headers, message }: Sent = {}) {
  return post(
    { ...(revision && { 'MCP-Protocol-Version': revision }), ...headers },
    JSON.stringify({ jsonrpc: '2.0', id: 'one', method: 'tools/call', params, ...message }),
  );
}

const PROJECT = { name: 'Berlin office', period_start: '2026-01-01', period_end: '2026-12-31', idempotency_key: 'once' };
type Case = readonly [does: string, tool: string, inputs: () => Record<string, unknown>, isError: boolean, content: () => object];
const CASES: readonly Case[] = [
  ['reads a record', 'get_claim_project', () => ({ project_id: projectId }), false, () => ({ id: projectId, name: 'Zürich “office”\n' })],
  ['lists records', 'list_claim_projects', () => ({ page_size: 50 }), false, () => ({ pagination: { pageSize: 50 } })],
  ['finds no record', 'get_claim_project', () => ({ project_id: newId() }), true, () => ({ status: 404, code: 'not_found' })],
  [
    'has invalid inputs',
    'get_claim_project',
    () => ({ project: projectId }),
    true,
    () => ({ status: 400, code: 'validation_failed', errors: [{ field: 'project' }, { field: 'project_id' }] }),
  ],
  ['is not confirmed', 'create_claim_project', () => PROJECT, true, () => ({ status: 428, code: 'confirmation_needed' })],
  [
    'is refused by the API',
    'create_claim_project',
    () => ({ ...PROJECT, period_end: '2025-01-01', confirm: true, idempotency_key: 'refused' }),
    true,
    () => ({ status: 400, code: 'validation_failed', errors: [{ field: 'period_end' }] }),
  ],
  [
    'creates a record',
    'create_claim_project',
    () => ({ ...PROJECT, confirm: true }),
    false,
    () => ({ name: 'Berlin office', periodStart: '2026-01-01' }),
  ],
];

describe.each([NEWEST, ...OLDER])('a call in revision %s', (revision) => {
  const callWith = (name: string, inputs: Record<string, unknown>) =>
    revision === NEWEST ? call(name, inputs) : callInOlder(revision, { name, arguments: inputs });

  it.each(CASES)('that %s is answered with the record or the problem document', async (_does, name, inputs, isError, content) => {
    const { status, message } = await callWith(name, inputs());
    expect([status, message.id, message.result?.isError ?? false]).toEqual([200, 'one', isError]);
    expect(message.result!.structuredContent).toMatchObject(content());
    const [{ text }] = message.result!.content as [{ text: string }];
    if (!isError) expect(text.split('\n').slice(1).join('\n')).toBe(JSON.stringify(message.result!.structuredContent));
  });

  it('gets the same answer if it asks for progress, which another part of the SDK answers', async () => {
    const [name, inputs, asking] = ['get_claim_project', { project_id: projectId }, { progressToken: 7 }];
    const plain = await callWith(name, inputs);
    const other =
      revision === NEWEST
        ? await call(name, inputs, { meta: { ...META, ...asking } })
        : await callInOlder(revision, { name, arguments: inputs, _meta: asking });
    expect(other).toEqual(plain);
  });

  it('that repeats an idempotency key gets the first answer again', async () => {
    const inputs = { ...PROJECT, confirm: true };
    const [first, again] = [await call('create_claim_project', inputs), await callWith('create_claim_project', inputs)];
    expect(again.message.result!.structuredContent).toEqual(first.message.result!.structuredContent);
  });
});

describe(`a call in revision ${NEWEST}`, () => {
  const get = (sent: Sent) => call('get_claim_project', { project_id: projectId }, sent);

  it('is answered with JSON that names the server', async () => {
    const { message } = await get({});
    expect(message.result).toMatchObject({
      resultType: 'complete',
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'claims-api', title: 'Claims API', version: '1.0.0' } },
    });
  });

  it.each<[string, Sent]>([
    ['the name of the client', { meta: { ...META, [CLIENT_INFO]: { name: 'A client', version: '1.0.0' } } }],
    ['more about the client', { meta: { ...META, [CLIENT_INFO]: { name: 'A client', version: '1.0.0', title: 'A' } } }],
    ['capabilities of the client', { meta: { ...META, [CAPABILITIES]: { elicitation: {} } } }],
    ['a progress token', { meta: { ...META, progressToken: 7 } }],
    ['a number as id', { message: { id: 7 } }],
    ['unknown keys', { meta: { ...META, traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' } }],
    ['a media type in another spelling', { headers: { 'Content-Type': 'application/json;charset="utf-8"' } }],
  ])('may have %s', async (_what, sent) => {
    expect(await get(sent)).toMatchObject({ status: 200, message: { result: { structuredContent: { id: projectId } } } });
  });

  it.each<[string, Sent, number]>([
    ['another tool in the header', { headers: { 'Mcp-Name': 'list_claim_projects' } }, -32020],
    ['no tool in the header', { headers: { 'Mcp-Name': '' } }, -32020],
    ['another revision in the header', { headers: { 'MCP-Protocol-Version': '2099-01-01' } }, -32020],
    ['another revision in the body', { meta: { ...META, [VERSION]: '2099-01-01' } }, -32020],
    ['no capabilities', { meta: { [VERSION]: NEWEST } }, -32602],
    ['invalid capabilities', { meta: { ...META, [CAPABILITIES]: { sampling: 5 } } }, -32602],
    ['an invalid client', { meta: { ...META, [CLIENT_INFO]: { name: 5 } } }, -32602],
    ['no `_meta`', { params: { _meta: undefined } }, -32602],
    ['inputs that are a list', { params: { arguments: [] } }, -32602],
    ['a fraction as id', { message: { id: 1.5 } }, -32600],
    ['another version of JSON-RPC', { message: { jsonrpc: '1.0' } }, -32600],
    ['a body that is cut off', { text: '{"jsonrpc":"2.0","id":' }, -32700],
    ['an unknown tool', { headers: { 'Mcp-Name': 'delete_everything' }, params: { name: 'delete_everything' } }, -32602],
    ['a tool that the client filtered out', { query: '?toolsets=usage' }, -32602],
  ])('is refused with %s', async (_what, sent, code) => {
    expect((await get(sent)).message.error?.code).toBe(code);
  });
});

describe('a call in revision 2025-11-25', () => {
  it('may have a progress token and no inputs', async () => {
    expect(await callInOlder('2025-11-25', { name: 'list_claim_projects', _meta: { progressToken: 'here' } })).toMatchObject({
      status: 200,
      message: { id: 'one', result: { structuredContent: {} } },
    });
  });

  it.each<[string, Sent, number, number]>([
    ['an Accept header without event streams', { headers: { Accept: 'application/json' } }, 406, -32000],
    ['an unknown revision', { headers: { 'MCP-Protocol-Version': '2099-01-01' } }, 400, -32602],
    ['null as id', { message: { id: null } }, 400, -32600],
    ['an unknown tool', { message: { params: { name: 'delete_everything' } } }, 200, -32602],
    ['inputs that are a list', { message: { params: { name: 'get_claim_project', arguments: [] } } }, 200, -32602],
  ])('is refused with %s', async (_what, sent, status, code) => {
    const refused = await callInOlder('2025-11-25', { name: 'get_claim_project', arguments: { project_id: projectId } }, sent);
    expect([refused.status, refused.message.error?.code]).toEqual([status, code]);
  });
});

it('answers a batch in revision 2025-03-26', async () => {
  const params = { name: 'get_claim_project', arguments: { project_id: projectId } };
  expect(
    await post({ 'MCP-Protocol-Version': '2025-03-26' }, JSON.stringify([{ jsonrpc: '2.0', id: 1, method: 'tools/call', params }])),
  ).toMatchObject({
    status: 200,
    message: { id: 1, result: { structuredContent: { id: projectId } } },
  });
});
