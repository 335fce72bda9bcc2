import { afterAll, beforeAll, expect, it } from 'vitest';
import { nestLogger } from '../../../src/api/http/nest-logger.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aTenant } from '../../support/builders.js';
import { eventually } from '../../support/eventually.js';
import { memoryLog } from '../../support/memory-log.js';
import { requestText, sendRaw } from '../../support/raw.js';

const { log, requests, lines } = memoryLog();
let app: TestApp;
beforeAll(async () => {
  app = await startApp({ TRUSTED_PROXIES: '127.0.0.1' }, log);
});
afterAll(() => app.close());

const FORGED = '{"level":30,"msg":"request","status":200}';

it.each([
  ['an escaped line break in a path', '/a%0d%0a%7B%22level%22%3A30%7D', {}, { path: '/a%0d%0a%7B%22level%22%3A30%7D' }],
  ['a request id', '/b', { 'X-Request-Id': `a\x85${FORGED}` }, { path: '/b' }],
  ['what a proxy passes on as an address', '/c', { 'X-Forwarded-For': `a\x9b2J ${FORGED}` }, { path: '/c', address: '127.0.0.1' }],
])('%s cannot break a line of the log', async (_what, path, headers, expected) => {
  await sendRaw(app.url, Buffer.from(requestText('GET', path, headers), 'latin1'));
  const line = await eventually(() => {
    const found = requests().find((one) => one.path === expected.path);
    expect(found).toBeDefined();
    return found!;
  });
  expect(line).toMatchObject(expected);
  expect(JSON.stringify(line)).toMatch(/^[\x20-\x7e]+$/);
});

// NEL ends a line for some readers, and CSI begins a command for terminals.
it.each(['/d\x85', '/d\x9b2J', '/d\rx', '/d\x1b[2J'])('a path with raw bytes is refused before it comes to the log: %j', async (path) => {
  expect(await sendRaw(app.url, Buffer.from(requestText('GET', path), 'latin1'))).toMatch(/^HTTP\/1\.1 400 /);
  expect(lines().filter((line) => String(line.path).startsWith('/d'))).toEqual([]);
});

it('what Nest says of a request stays in one line, also in the readable format', () => {
  nestLogger(log).warn(`refused: a\r\n${FORGED}\u0085b`, 'Somewhere');
  expect(lines().at(-1)).toMatchObject({ msg: `refused: a ${FORGED} b`, context: 'Somewhere' });
});

it('a tool call has one line, with the operation and the name of the tool', async () => {
  const { key } = await aTenant(app);
  const params = { name: 'list_claim_projects', arguments: {} };
  const headers = { 'X-API-Key': key, 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
  const answer = await fetch(`${app.url}/mcp`, {
    method: 'POST',
    headers: { ...headers, 'X-Request-Id': 'a-tool-call' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  expect(answer.status).toBe(200);
  await answer.text();
  // A later request on its own connection is logged after it.
  await sendRaw(app.url, requestText('GET', '/after'));
  await eventually(() => expect(requests().some(({ path }) => path === '/after')).toBe(true));
  expect(requests().filter(({ requestId }) => requestId === 'a-tool-call')).toEqual([
    expect.objectContaining({ operation: 'claim_projects.list', tool: 'list_claim_projects', path: '/v1/claim-projects', status: 200 }),
  ]);
});
