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
