import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OrganizationService } from '../../../src/modules/organization/index.js';
import { OPERATOR } from '../../../src/kernel/context.js';
import { newId } from '../../../src/kernel/ids.js';
import { FREE_FORM_MAX_BYTES } from '../../../src/kernel/json.js';
import { BODY_MAX_BYTES } from '../../../src/kernel/product.js';
import { MEMBERS_MAX } from '../../../src/modules/mcp/server/mcp.service.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aKey, anOrganization, aTenant } from '../../support/builders.js';
import { readAnswer, requestText, sendRaw } from '../../support/raw.js';

const BURST = 20;
const ONE_A_MINUTE = { perMinute: 1, burst: BURST };
const PLENTY = { perMinute: 1e6, burst: 1e6 };

let app: TestApp;
let key: string;
beforeAll(async () => {
  app = await startApp({
    TRUSTED_PROXIES: '127.0.0.1',
    RATE_LIMITS: JSON.stringify({ starter: ONE_A_MINUTE, growth: { perMinute: 1, burst: 1 }, enterprise: PLENTY }),
  });
  ({ key } = await aTenant(app));
});
afterAll(() => app.close());

const ACCEPTED = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
type Headers = Record<string, string>;

interface Refused {
  readonly error: { readonly code: number; readonly message: string; readonly data: { readonly error: string } };
}

async function post(path: string, body: string, headers: Headers) {
  const answer = await fetch(new URL(path, app.url), { method: 'POST', headers: { ...ACCEPTED, ...headers }, body });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

const send = (body: unknown, apiKey: string, headers: Headers = {}) =>
  post('/mcp', JSON.stringify(body), { 'X-API-Key': apiKey, 'MCP-Protocol-Version': '2025-11-25', ...headers });

const errorOf = ({ text }: { text: string }): Refused['error'] => (JSON.parse(text) as Refused).error;
const message = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params });

/** Suspended as soon as the key was made, so that no cache knows the organization as active. */
async function aSuspendedKey(): Promise<string> {
  const { id } = await anOrganization(app);
  const suspended = await aKey(app, id);
  await app.app.get(OrganizationService).change(OPERATOR, id, { status: 'suspended' });
  return suspended.key;
}

async function aKeyFromElsewhere(): Promise<string> {
  const { id } = await anOrganization(app);
  return (await aKey(app, id, { ipAllowlist: ['192.0.2.1'] })).key;
}

async function aKeyOverItsLimit(): Promise<string> {
  const { key: limited } = await aTenant(app, { plan: 'growth' });
  expect((await send(message('ping'), limited)).status).toBe(200);
  return limited;
}

describe('a request to /mcp is refused before a byte of its body is read', () => {
  const CASES: readonly [who: string, headers: () => Promise<Headers> | Headers, status: number, code: string][] = [
    ['a caller without a credential', () => ({}), 401, 'credential_missing'],
    ['an unknown key', () => ({ 'X-API-Key': 'pk_test_nothing' }), 401, 'credential_invalid'],
    ['two credentials', () => ({ 'X-API-Key': key, Authorization: `Bearer ${key}` }), 400, 'ambiguous_credentials'],
    ['a suspended organization', async () => ({ 'X-API-Key': await aSuspendedKey() }), 403, 'organization_suspended'],
    ['a key from an address that its allowlist lacks', async () => ({ 'X-API-Key': await aKeyFromElsewhere() }), 403, 'ip_not_allowed'],
    ['a tenant over its rate limit', async () => ({ 'X-API-Key': await aKeyOverItsLimit() }), 429, 'rate_limited'],
    ['a web page that uses another name of this service', () => ({ 'X-API-Key': key, Host: 'evil.example' }), 403, 'forbidden'],
    ['a body over the limit', () => ({ 'X-API-Key': key, 'Content-Length': String(BODY_MAX_BYTES + 1) }), 413, 'body_too_large'],
  ];

  it.each(CASES)('from %s', async (_who, headersOf, status, code) => {
    // The body that the header announces is never sent: an answer can only come from a server that does not wait for it.
    const headers = { Host: new URL(app.url).host, ...ACCEPTED, 'Content-Length': '1000000', ...(await headersOf()) };
    const answer = readAnswer(await sendRaw(app.url, requestText('POST', '/mcp', headers)));
    expect([answer.status, (JSON.parse(answer.body) as Refused).error.data.error]).toEqual([status, code]);
  });

  it('in the order of the API: credential, organization, address, rate limit', async () => {
    const { id } = await anOrganization(app, { plan: 'growth' });
    const allowlisted = await aKey(app, id, { ipAllowlist: ['10.0.0.0/8'] });
    const codeFrom = async (apiKey: string, address: string) =>
      errorOf(await send(message('ping'), apiKey, { 'X-Forwarded-For': address })).data.error;
    expect(await codeFrom(allowlisted.key, '192.0.2.9')).toBe('ip_not_allowed');
    // The refusal has not used up the only call.
    expect((await send(message('ping'), allowlisted.key, { 'X-Forwarded-For': '10.0.0.1' })).status).toBe(200);
    expect(await codeFrom(allowlisted.key, '10.0.0.1')).toBe('rate_limited');
    expect(await codeFrom(allowlisted.key, '192.0.2.9')).toBe('ip_not_allowed');
    const later = await aKey(app, id, { ipAllowlist: ['10.0.0.0/8'] });
    await app.app.get(OrganizationService).change(OPERATOR, id, { status: 'suspended' });
    expect(await codeFrom(later.key, '192.0.2.9')).toBe('organization_suspended');
  });

  it('counts calls without a valid credential by address, like the API', async () => {
    const headers = { 'X-Forwarded-For': '198.51.100.7', 'X-API-Key': 'nothing' };
    // At once, because one more is allowed each second.
    const tools = await Promise.all(Array.from({ length: 100 }, async () => (await post('/mcp', '', headers)).status));
    expect(new Set(tools)).toEqual(new Set([401, 429]));
    const api = await Promise.all(Array.from({ length: 20 }, () => fetch(new URL('/v1', app.url), { headers })));
    expect(api.map(({ status }) => status)).toContain(429);
  });
});

describe('the body of a request to /mcp', () => {
  it.each([
    ['a megabyte of brackets', '['.repeat(BODY_MAX_BYTES)],
    [
      'a message nested deeper than 100 levels',
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${'['.repeat(99)}${']'.repeat(99)}}}`,
    ],
  ])('that is %s is refused like by the API', async (_what, body) => {
    const answer = await post('/mcp', body, { 'X-API-Key': key });
    expect(answer.status).toBe(400);
    expect(errorOf(answer)).toEqual({
      code: -32700,
      message: 'The body is nested deeper than 100 levels.',
      data: { error: 'malformed_json' },
    });
  });

  it('may have 100 levels', async () => {
    const body = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${'['.repeat(98)}${']'.repeat(98)}}}`;
    expect((await post('/mcp', body, { 'X-API-Key': key, 'MCP-Protocol-Version': '2025-11-25' })).status).toBe(200);
  });

  it('may have 1 MiB and not a byte more, whether or not its length is announced', async () => {
    const text = JSON.stringify(message('ping'));
    const ofBytes = (bytes: number): string => text + ' '.repeat(bytes - text.length);
    expect((await post('/mcp', ofBytes(BODY_MAX_BYTES), { 'X-API-Key': key, 'MCP-Protocol-Version': '2025-11-25' })).status).toBe(200);
    const announced = await post('/mcp', ofBytes(BODY_MAX_BYTES + 1), { 'X-API-Key': key });
    const chunked = await fetch(new URL('/mcp', app.url), {
      method: 'POST',
      headers: { ...ACCEPTED, 'X-API-Key': key },
      body: new Blob([ofBytes(BODY_MAX_BYTES + 1)]).stream(),
      duplex: 'half',
    } as RequestInit);
    for (const answer of [announced, { status: chunked.status, text: await chunked.text() }]) {
      expect(answer.status).toBe(413);
      expect(errorOf(answer)).toMatchObject({ message: 'The body may have at most 1024 KiB.', data: { error: 'body_too_large' } });
    }
  });
});

describe('a message to /mcp with more members than the protocol can check quickly', () => {
  const many = (count: number, value: unknown = 1) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, value]));
  const initialize = (experimental: object) =>
    message('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: { experimental },
      clientInfo: { name: 'A client', version: '1' },
    });

  it.each([
    ['in its parameters', message('ping', many(MEMBERS_MAX))],
    ['in its `_meta`', message('ping', { _meta: many(MEMBERS_MAX) })],
    ['in the inputs of a tool', message('tools/call', { name: 'list_claim_projects', arguments: many(MEMBERS_MAX) })],
    ['in the capabilities of the client', initialize(many(MEMBERS_MAX, {}))],
    ['in a batch', Array.from({ length: 100 }, () => message('ping', many(MEMBERS_MAX / 100)))],
  ])('is refused with the bound: %s', async (_where, body) => {
    const answer = await send(body, key);
    expect(answer.status).toBe(400);
    expect(errorOf(answer)).toMatchObject({ code: -32600, data: { error: 'too_many_members' } });
    expect(errorOf(answer).message).toContain(`at most ${MEMBERS_MAX} members`);
  });

  it('has as many as two free-form objects can have, and is answered', async () => {
    // Each object is as large as it may be, and has the shortest members there are.
    const deepest = `${'{"":'.repeat(18)}1${'}'.repeat(18)}`;
    const items = Math.floor((FREE_FORM_MAX_BYTES - 10) / (deepest.length + 1));
    const fullest = JSON.parse(`{"a":[${Array.from({ length: items }, () => deepest).join()}]}`) as object;
    const inputs = { ...CONFIGURATION, category_filter: fullest, output_options: fullest, confirm: true, idempotency_key: newId() };
    const answer = await send(message('tools/call', { name: 'create_report_configuration', arguments: inputs }), key);
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('"accountingProvider":"manual"');
  });
});

const CONFIGURATION = { name: 'Year', period_start: '2026-01-01', period_end: '2026-12-31' };
const PROJECT = { name: 'Berlin office', period_start: '2026-01-01', period_end: '2026-12-31' };
const MODERN = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };
const call = (name: string, inputs: object) => message('tools/call', { name, arguments: inputs });

/** What is left of the limit after a request, by the header that every answer has. */
const leftAfter = (headers: Pick<globalThis.Headers, 'get'>): number => Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);

describe('every message to /mcp counts against the rate limit exactly once', () => {
  const MESSAGES: readonly [string, object, Headers?][] = [
    [
      'initialize',
      message('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'A client', version: '1' } }),
    ],
    ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }],
    ['ping', message('ping')],
    ['tools/list', message('tools/list')],
    ['an unknown method', message('tools/none')],
    ['a tool that reads', call('list_claim_projects', {})],
    ['a tool that writes', call('create_claim_project', { ...PROJECT, confirm: true, idempotency_key: newId() })],
    ['a tool that is not confirmed', call('create_claim_project', { ...PROJECT, idempotency_key: newId() })],
    ['a tool with invalid inputs', call('get_claim_project', { project: 1 })],
    ['a tool that the plan lacks', call('list_webhooks', {})],
    ['an unknown tool', call('delete_everything', {})],
    [
      'a tool in the newest revision',
      message('tools/call', { name: 'list_claim_projects', arguments: {}, _meta: MODERN }),
      { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': 'list_claim_projects' },
    ],
    [
      'server/discover',
      message('server/discover', { _meta: MODERN }),
      { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'server/discover' },
    ],
  ];

  it.each(MESSAGES)('%s', async (_what, body, headers) => {
    const { key: limited } = await aTenant(app, { plan: 'starter' });
    expect(leftAfter((await send(message('ping'), limited)).headers)).toBe(BURST - 1);
    expect(leftAfter((await send(body, limited, headers)).headers)).toBe(BURST - 2);
    expect(leftAfter((await send(message('ping'), limited)).headers)).toBe(BURST - 3);
  });

  it('also in a batch', async () => {
    const { key: limited } = await aTenant(app, { plan: 'starter' });
    const batch = [message('ping'), { ...call('list_claim_projects', {}), id: 2 }, { ...message('tools/list'), id: 3 }];
    const answer = await send(batch, limited, { 'MCP-Protocol-Version': '2025-03-26' });
    expect([answer.status, leftAfter(answer.headers)]).toEqual([200, BURST - 3]);
    expect(leftAfter((await send(message('ping'), limited)).headers)).toBe(BURST - 4);
  });

  it('so five hundred pings do not pass a limit of twenty', async () => {
    const { key: limited } = await aTenant(app, { plan: 'starter' });
    const statuses = [];
    for (let sent = 0; sent < 500; sent += 50)
      statuses.push(...(await Promise.all(Array.from({ length: 50 }, async () => (await send(message('ping'), limited)).status))));
    // A slow run may last into the next minute, which adds one.
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(BURST + 1);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
  });
});

describe('a batch', () => {
  const pings = (count: number) => Array.from({ length: count }, (_, id) => ({ ...message('ping'), id }));
  const older = { 'MCP-Protocol-Version': '2025-03-26' };

  it('that the remaining limit does not cover is refused as a whole', async () => {
    const { key: limited } = await aTenant(app, { plan: 'starter' });
    await send(pings(BURST - 5), limited, older);
    const answer = await send(pings(6), limited, older);
    expect([answer.status, errorOf(answer).data.error]).toEqual([429, 'rate_limited']);
    // Only the request itself was counted.
    expect(leftAfter((await send(message('ping'), limited)).headers)).toBe(3);
  });

  it('with more messages than the burst of the limit, or than 100, is refused with the bound', async () => {
    const { key: limited } = await aTenant(app, { plan: 'starter' });
    for (const [apiKey, max] of [
      [limited, BURST],
      [key, 100],
    ] as const) {
      const answer = await send(pings(max + 1), apiKey, older);
      expect(answer.status).toBe(400);
      expect(errorOf(answer)).toMatchObject({ code: -32600, data: { error: 'batch_too_large' } });
      expect(errorOf(answer).message).toContain(`at most ${max} messages`);
      if (apiKey === key) expect((await send(pings(max), apiKey, older)).status).toBe(200);
    }
  });
});

it('a 429 of /mcp has the same headers as one of the API', async () => {
  const limited = await aKeyOverItsLimit();
  const tools = await send(message('ping'), limited);
  const api = await fetch(new URL('/v1', app.url), { headers: { 'X-API-Key': limited } });
  expect([tools.status, api.status]).toEqual([429, 429]);
  for (const { headers } of [tools, api]) {
    expect(headers.get('ratelimit-policy')).toBe('"growth";q=1;w=60');
    // The seconds count down while the test runs.
    expect(headers.get('ratelimit')).toMatch(/^"growth";r=0;t=[1-6]?\d$/);
    expect(headers.get('retry-after')).toMatch(/^[1-6]?\d$/);
    expect(headers.get('cache-control')).toBe('no-store');
  }
  expect(errorOf(tools).message).toMatch(/Try again in \d+ s\.$/);
});
