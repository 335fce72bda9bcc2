import type { ClientOptions } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import { aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { startDocumentedApp, type DocumentedApp } from '../../support/documented-app.js';
import { callTool, connectTools } from '../../support/tools.js';

let app: DocumentedApp;
beforeAll(async () => {
  app = await startDocumentedApp();
});
afterAll(() => app.close());

const NEWEST: ClientOptions = { versionNegotiation: { mode: 'auto' } };
const PROJECT = { name: 'Berlin office', period_start: '2026-01-01', period_end: '2026-12-31' };
const unconfirmed = () => ({ ...PROJECT, idempotency_key: newId() });

type Reply = { action: 'accept'; content: { confirm: boolean } } | { action: 'decline' | 'cancel' };
const YES: Reply = { action: 'accept', content: { confirm: true } };

/** A model with a person at its client, who is shown questions and replies to them. */
async function aPerson(reply: Reply, options: ClientOptions = NEWEST) {
  const { key } = await aTenant(app);
  const asked: string[] = [];
  const tools = await connectTools(app, { 'X-API-Key': key }, '', { ...options, capabilities: { elicitation: { form: {} } } });
  tools.setRequestHandler('elicitation/create', ({ params: { message } }) => {
    asked.push(message);
    return reply;
  });
  const projects = async () => ((await new Client(app.url, key).get('/v1/claim-projects')).body as { data: unknown[] }).data;
  return { asked, tools, projects };
}

it('a person is shown what would be sent, and with their yes it is done, once', async () => {
  const { asked, tools, projects } = await aPerson(YES);
  const { isError, content } = await callTool(tools, 'create_claim_project', unconfirmed());
  expect([isError, content.name, (await projects()).length]).toEqual([false, 'Berlin office', 1]);
  expect(asked).toEqual([
    'Create a claim project? This will be sent: POST /v1/claim-projects ' +
      '{"name":"Berlin office","periodStart":"2026-01-01","periodEnd":"2026-12-31"}',
  ]);
});

it.each<[string, Reply]>([
  ['a form that says no', { action: 'accept', content: { confirm: false } }],
  ['a no', { action: 'decline' }],
  ['a closed dialogue', { action: 'cancel' }],
])('with %s nothing is done, and the model is not told how to do it without the person', async (_what, reply) => {
  const { asked, tools, projects } = await aPerson(reply);
  const { isError, text, content } = await callTool(tools, 'create_claim_project', unconfirmed());
  expect([isError, content.code, asked.length, (await projects()).length]).toEqual([true, 'confirmation_needed', 1, 0]);
  expect(text).not.toContain('confirm: true');
});

it('nobody is asked about a call that would be refused, or that is confirmed', async () => {
  const { asked, tools, projects } = await aPerson(YES);
  const wrong = await callTool(tools, 'create_claim_project', { ...unconfirmed(), period_end: 'soon' });
  expect(wrong).toMatchObject({ isError: true, content: { code: 'validation_failed' } });
  expect((await callTool(tools, 'create_claim_project', { ...unconfirmed(), confirm: true })).isError).toBe(false);
  expect([asked, (await projects()).length]).toEqual([[], 1]);
});

interface Sending {
  readonly replies?: object;
  readonly capabilities?: object;
  readonly clientInfo?: object;
}

const A_CLIENT = { name: 'A client', version: '1' };

/** What a client sends that speaks for itself: one message of the newest revision, whatever it was asked. */
async function sendsItself(
  key: string,
  inputs: object,
  { replies = {}, capabilities = { elicitation: { form: {} } }, clientInfo = A_CLIENT }: Sending = {},
) {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': capabilities,
    'io.modelcontextprotocol/clientInfo': clientInfo,
  };
  const params = { name: 'create_claim_project', arguments: inputs, _meta: meta, ...replies };
  const headers = {
    ...{ 'X-API-Key': key, Accept: 'application/json, text/event-stream', 'Content-Type': 'application/json' },
    ...{ 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': 'create_claim_project' },
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const text = await (await fetch(`${app.url}/mcp`, { method: 'POST', headers, body })).text();
  const [, json = text] = /^data: (.*)$/m.exec(text) ?? [];
  return JSON.parse(json) as { result?: { requestState?: string; isError?: boolean; resultType?: string }; error?: { code: number } };
}

const yes = (requestState?: string) => ({ inputResponses: { confirmation: YES }, ...(requestState !== undefined && { requestState }) });

it('a yes is for what was shown, by the one who was asked, and from a client that can ask: else nothing is done', async () => {
  const [{ key }, other] = [await aTenant(app), await aTenant(app)];
  const inputs = unconfirmed();
  const asked = await sendsItself(key, inputs);
  const state = asked.result!.requestState!;
  expect(asked.result).toMatchObject({ resultType: 'input_required', requestState: expect.any(String) });
  const attempts = [
    await sendsItself(key, inputs, { replies: yes() }),
    await sendsItself(key, { ...inputs, name: 'Another' }, { replies: yes(state) }),
    await sendsItself(key, { ...inputs, idempotency_key: newId() }, { replies: yes(state) }),
    await sendsItself(key, inputs, { replies: yes(`${state.slice(0, -2)}xx`) }),
    await sendsItself(other.key, inputs, { replies: yes(state) }),
    await sendsItself(key, inputs, { replies: yes(state), capabilities: {} }),
  ];
  for (const { result, error } of attempts) expect(error ?? (result!.isError || result!.resultType === 'input_required')).toBeTruthy();
  const projects = async (of: string) => ((await new Client(app.url, of).get('/v1/claim-projects')).body as { data: unknown[] }).data;
  expect([await projects(key), await projects(other.key)]).toEqual([[], []]);
  expect((await sendsItself(key, inputs, { replies: yes(state) })).result).toMatchObject({ resultType: 'complete' });
  await sendsItself(key, inputs, { replies: yes(state) });
  expect(await projects(key)).toHaveLength(1);
});

it('the audit log names the client as it calls itself, without what could mislead', async () => {
  const { key } = await aTenant(app);
  const clientInfo = { name: 'Evil\u202e <b>client</b> '.repeat(9), version: '1' };
  await sendsItself(key, { ...unconfirmed(), confirm: true }, { clientInfo });
  const { body } = await new Client(app.url, key).get('/v1/audit/events?action_prefix=claim_project.created');
  const { name } = (body as { data: { actor: { name: string } }[] }).data[0]!.actor;
  expect(name).toMatch(/^A key \(mcp, Evil b client b Evil [\w ]{10,50}\)$/);
});

it('what would be sent is shown without an idempotency key, too', async () => {
  const { key } = await aTenant(app);
  const tools = await connectTools(app, { 'X-API-Key': key });
  const { content } = await callTool(tools, 'create_claim_project', PROJECT);
  expect(content).toMatchObject({ code: 'confirmation_needed', wouldSend: { method: 'POST', body: { name: 'Berlin office' } } });
  expect(await callTool(tools, 'create_claim_project', { ...PROJECT, confirm: true })).toMatchObject({
    isError: true,
    content: { code: 'validation_failed', errors: [{ field: 'idempotency_key', code: 'required' }] },
  });
});

it('a client of an older revision confirms with the input', async () => {
  const { asked, tools } = await aPerson(YES, {});
  const { content } = await callTool(tools, 'create_claim_project', unconfirmed());
  expect([content.code, content.confirmWith, asked]).toEqual(['confirmation_needed', 'confirm', []]);
});

it('a question of more than 2,000 characters says how many are not shown', async () => {
  const { asked, tools } = await aPerson({ action: 'decline' });
  await callTool(tools, 'create_claim_project', { ...unconfirmed(), metadata: { note: 'x'.repeat(5_000) } });
  expect(asked[0]).toMatch(/… \(31\d\d more characters\)$/);
});
