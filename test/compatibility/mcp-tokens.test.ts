import { encode } from 'gpt-tokenizer';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { extensions } from '../../src/extensions/index.js';
import { aTenant } from '../support/builders.js';
import { Client } from '../support/client.js';
import { startDocumentedApp, type DocumentedApp } from '../support/documented-app.js';
import { callTool, connectTools } from '../support/tools.js';

let app: DocumentedApp;
beforeAll(async () => {
  app = await startDocumentedApp();
});
afterAll(() => app.close());

type Row = Readonly<Record<string, unknown>> & { readonly changes: Readonly<Record<string, unknown>> };
const rowsOf = ({ content }: { content: Record<string, unknown> }): Row[] => content.data as Row[];

async function aLogOf(changes: number) {
  const { key } = await aTenant(app);
  const api = new Client(app.url, key);
  const project = { name: 'Berlin office', periodStart: '2026-01-01', periodEnd: '2026-12-31' };
  const { body } = await api.post('/v1/claim-projects', { ...project, metadata: { kept: null } });
  for (let change = 1; change < changes; change += 1)
    if (change % 3 === 0) await api.post('/v1/claim-projects', { ...project, name: `Office ${change}` });
    else await api.patch(`/v1/claim-projects/${body.id as string}`, { name: `Berlin ${change}`, clientReference: `CLIENT-${change}` });
  return { api, tools: await connectTools(app, { 'X-API-Key': key }) };
}

const tokensOf = (given: unknown): number => encode(JSON.stringify(given)).length;

const listed = async (query = '') => {
  const { key } = await aTenant(app);
  return (await (await connectTools(app, { 'X-API-Key': key }, query)).listTools()).tools;
};

it('each tool costs at most 600 tokens, and the one with a whole statement in it 800', async () => {
  const costs = (await listed('?tools=claims')).map(({ name, title, description, inputSchema, outputSchema }) => ({
    name,
    tokens: tokensOf({ title, description, inputSchema, outputSchema }),
  }));
  expect(costs.length).toBeGreaterThan(25);
  expect(costs.filter(({ name, tokens }) => tokens > (name === 'import_bank_statement' ? 800 : 600))).toEqual([]);
});

// Each event of an extension is a value of the tools of webhooks.
it.skipIf(extensions.length > 0)(
  'all tools cost a model at most 9,000 tokens, 6,000 without outputs; those that read projects under 2,500',
  async () => {
    const tools = await listed();
    const inputs = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
    const withClaims = (await listed('?tools=claims')).map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
    const counts = [tools, inputs, await listed('?readonly&toolsets=claim_projects'), withClaims].map(tokensOf) as [number, ...number[]];
    console.log(
      `Tools: ${counts[0]} tokens; names, descriptions and inputs: ${counts[1]}, with those of claims ${counts[3]}; projects: ${counts[2]}.`,
    );
    expect(counts[0]).toBeLessThanOrEqual(9000);
    expect(counts[1]).toBeLessThanOrEqual(6000);
    expect(counts[2]).toBeLessThan(2500);
    expect(counts[3]).toBeLessThanOrEqual(9000);
  },
);

it('99 audit events cost a model at most 12,000 tokens, two fifths of all their fields', async () => {
  const { tools } = await aLogOf(99);
  const prefix = { action_prefix: 'claim_project.', limit: 99 };
  const [lean, full] = [
    await callTool(tools, 'list_audit_events', prefix),
    await callTool(tools, 'list_audit_events', { ...prefix, detail: 'full' }),
  ];
  const [cost, whole] = [encode(lean.text).length, encode(full.text).length];
  console.log(`99 audit events: ${cost} tokens; with every field: ${whole}.`);
  expect(rowsOf(lean)).toHaveLength(99);
  expect(cost).toBeLessThanOrEqual(12_000);
  expect(cost).toBeLessThan(whole * 0.4);
});

it('a lean audit event says who changed what and when, and leaves out hashes and what is null', async () => {
  const { api, tools } = await aLogOf(2);
  const actions = { action_prefix: 'claim_project.' };
  const { body } = await api.get('/v1/audit/events?action_prefix=claim_project.');
  const [created, updated] = rowsOf({ content: body });
  const lean = await callTool(tools, 'list_audit_events', actions);
  const kept = ({ occurredAt, action, resource }: Row) => ({ occurredAt, action, resource: { id: (resource as Row).id } });
  expect(rowsOf(lean)[1]).toEqual({
    ...kept(updated!),
    actor: { type: 'api', name: 'A key' },
    changes: { name: { from: 'Berlin office', to: 'Berlin 1' }, clientReference: { to: 'CLIENT-1' } },
  });
  expect(rowsOf(lean)[0]).toMatchObject({ ...kept(created!), changes: { name: { to: 'Berlin office' } } });
  expect(lean.content).toMatchObject({ nextCursor: body.nextCursor, hasMore: false });
});

it('a lean audit event shows values of users as they are, with what is null in them', async () => {
  const { tools } = await aLogOf(1);
  const [created] = rowsOf(await callTool(tools, 'list_audit_events', { action_prefix: 'claim_project.' }));
  expect(created!.changes.metadata).toEqual({ to: { kept: null } });
});

it('with `detail: "full"`, the tool answers what the API does', async () => {
  const { api, tools } = await aLogOf(2);
  const { body } = await api.get('/v1/audit/events?action_prefix=claim_project.');
  const { content } = await callTool(tools, 'list_audit_events', { action_prefix: 'claim_project.', detail: 'full' });
  expect(content).toEqual(body);
});

it('refuses another `detail`, and names the input', async () => {
  const { tools } = await aLogOf(1);
  expect(await callTool(tools, 'list_audit_events', { detail: 'some' })).toMatchObject({
    isError: true,
    content: { code: 'validation_failed', errors: [{ field: 'detail', code: 'not_allowed' }] },
  });
});
