import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OrganizationService } from '../../../src/modules/organization/index.js';
import { OPERATOR } from '../../../src/kernel/context.js';
import { newId } from '../../../src/kernel/ids.js';
import { aKey, anOrganization, aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { eventually } from '../../support/eventually.js';
import { everyRowOf } from '../../support/law-database.js';
import { startDocumentedApp, type DocumentedApp } from '../../support/documented-app.js';
import { memoryLog } from '../../support/memory-log.js';
import { callTool, connectTools } from '../../support/tools.js';

const PLENTY = { perMinute: 1e6, burst: 1e6 };
const PROJECT = { name: 'Berlin office', period_start: '2026-01-01', period_end: '2026-12-31' };
const log = memoryLog();

let app: DocumentedApp;
beforeAll(async () => {
  app = await startDocumentedApp(
    { RATE_LIMITS: JSON.stringify({ starter: { perMinute: 2, burst: 4 }, growth: PLENTY, enterprise: PLENTY }) },
    log.log,
  );
});
afterAll(() => app.close());

type Tools = Awaited<ReturnType<typeof connectTools>>;
type Inputs = Record<string, unknown>;

const toolsOf = (key: string, query = ''): Promise<Tools> => connectTools(app, { 'X-API-Key': key }, query);
const aToolUser = async (): Promise<Tools> => toolsOf((await aTenant(app)).key);

const confirmed = (inputs: Inputs): Inputs => ({ ...inputs, confirm: true, idempotency_key: newId() });
const unconfirmed = (inputs: Inputs): Inputs => ({ ...inputs, idempotency_key: newId() });
const textOf = async (tools: Tools, name: string, inputs: Inputs): Promise<string> => (await callTool(tools, name, inputs)).text;

const nested = (levels: number): unknown => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`) as unknown;

describe('a dry run', () => {
  it.each<[string, string, Inputs, string]>([
    ['a value that no schema can refuse', 'create_claim_project', { ...PROJECT, metadata: { note: 'x'.repeat(40_000) } }, 'metadata'],
    ['text that cannot be stored', 'create_claim_project', { ...PROJECT, name: 'Berlin \ud800' }, 'name'],
    ['an invalid id', 'update_claim_project', { project_id: `urn:uuid:${newId()}` }, 'project_id'],
    ['an invalid idempotency key', 'create_claim_project', { ...PROJECT, idempotency_key: '😀' }, 'idempotency_key'],
    ['a blank idempotency key', 'create_claim_project', { ...PROJECT, idempotency_key: '  ' }, 'idempotency_key'],
  ])('is refused like the real call for %s', async (_what, name, inputs, field) => {
    const tools = await aToolUser();
    const answers = await Promise.all(
      [
        { ...unconfirmed({}), ...inputs },
        { ...confirmed({}), ...inputs },
      ].map((sent) => callTool(tools, name, sent)),
    );
    for (const answer of answers) {
      expect(answer).toMatchObject({ isError: true, content: { status: 400, code: 'validation_failed', errors: [{ field }] } });
      expect(answer.text).toMatch(new RegExp(`^validation_failed: ${field} must `));
    }
  });

  it('is refused to a credential without the scope, of a lower plan, from another address, or of a suspended organization', async () => {
    const { id } = await anOrganization(app);
    const reader = await toolsOf((await aKey(app, id, { scopes: ['claim_projects:read'] })).key);
    const elsewhere = await aKey(app, id, { ipAllowlist: ['192.0.2.1'] });
    expect(await callTool(reader, 'create_claim_project', unconfirmed(PROJECT))).toMatchObject({
      isError: true,
      content: { code: 'scope_missing', scope: 'claim_projects:write' },
    });
    await expect(toolsOf(elsewhere.key)).rejects.toThrow(/HTTP 403/);
    const small = await toolsOf((await aTenant(app, { plan: 'growth' })).key);
    expect(
      await callTool(
        small,
        'create_webhook',
        unconfirmed({ name: 'x', target_url: 'https://hooks.example.com/', subscribed_events: ['claim_project.created'] }),
      ),
    ).toMatchObject({ isError: true, content: { code: 'plan_required' } });
    await app.app.get(OrganizationService).change(OPERATOR, id, { status: 'suspended' });
    await eventually(() =>
      expect(callTool(reader, 'create_claim_project', unconfirmed(PROJECT))).rejects.toThrow(/organization_suspended/),
    );
  });

  it('with an idempotency key that was used shows what it would send, and changes nothing', async () => {
    const { key, organization } = await aTenant(app);
    const tools = await toolsOf(key);
    const done = { ...PROJECT, idempotency_key: 'once', confirm: true };
    const first = await callTool(tools, 'create_claim_project', done);
    const before = await everyRowOf(app, organization.id);
    expect(await callTool(tools, 'create_claim_project', { ...done, confirm: false })).toMatchObject({
      isError: true,
      content: { code: 'confirmation_needed' },
    });
    expect(await everyRowOf(app, organization.id)).toEqual(before);
    expect(await callTool(tools, 'create_claim_project', done)).toEqual(first);
  });
});

describe('refused calls', () => {
  it.each<[string, Inputs]>([
    ['not confirmed', unconfirmed(PROJECT)],
    ['not valid', { nothing: 'of this kind' }],
  ])('count against the limit when %s; over the limit, the answer says when to retry', async (_which, inputs) => {
    // The first of four messages is the one that connects.
    const tools = await toolsOf((await aTenant(app, { plan: 'starter' })).key);
    for (let count = 0; count < 3; count += 1)
      expect(await callTool(tools, 'create_claim_project', inputs)).toMatchObject({
        isError: true,
        content: { status: expect.any(Number) },
      });
    const refusal = { status: 429, message: expect.stringMatching(/Try again in \d+ s\..*rate_limited/) as string };
    await expect(callTool(tools, 'create_claim_project', inputs)).rejects.toMatchObject(refusal);
    await expect(tools.listTools()).rejects.toMatchObject(refusal);
  });

  it('get a short answer even when they are large', async () => {
    const { key } = await aTenant(app);
    const subscribed_events = Array.from({ length: 50_000 }, (_, index) => `nothing.${index}`);
    const params = {
      name: 'create_webhook',
      arguments: {
        name: 'x',
        target_url: 'https://hooks.example.com/',
        subscribed_events,
        ...Object.fromEntries(subscribed_events.slice(0, 5000).map((name) => [name, 1])),
      },
    };
    const { text } = await new Client(app.url, key).post(
      '/mcp',
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
      { Accept: 'application/json, text/event-stream', 'MCP-Protocol-Version': '2025-11-25' },
    );
    expect(text).toContain('validation_failed');
    expect(text.length).toBeLessThan(20_000);
  });

  it.each(['2026-07-28', '2025-11-25'])('report inputs that are nested too deep in revision %s, and log no error', async (revision) => {
    const { key } = await aTenant(app);
    const tools = await connectTools(app, { 'X-API-Key': key }, '', revision === '2026-07-28' ? undefined : {});
    expect(await callTool(tools, 'create_claim_project', confirmed({ ...PROJECT, metadata: nested(90) }))).toMatchObject({
      isError: true,
      content: { code: 'validation_failed', errors: [{ field: 'metadata', code: 'too_deep' }] },
    });
    await expect(callTool(tools, 'create_claim_project', confirmed({ ...PROJECT, metadata: nested(1500) }))).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('nested deeper than 100 levels'),
    });
    expect(log.lines().filter(({ level }) => level === 'error' || level === 50)).toEqual([]);
  });
});

describe('the text of a refusal', () => {
  it('names every unknown input and the known ones, and the allowed values of an enum', async () => {
    const tools = await aToolUser();
    expect(await textOf(tools, 'create_claim_project', confirmed({ ...PROJECT, clientReference: 'C-1' }))).toBe(
      'validation_failed: clientReference is not an input of this tool ' +
        '(inputs: name, client_reference, period_start, period_end, status, metadata, confirm, idempotency_key).',
    );
    expect(await textOf(tools, 'list_claim_projects', { foo: 1, status: 'open' })).toMatch(
      /foo is not an input of this tool.*status must be one of draft, active, archived/,
    );
  });

  it('has the errors found by the schema and those found by the API', async () => {
    const tools = await aToolUser();
    const { content } = await callTool(
      tools,
      'update_claim_project',
      confirmed({ project_id: 'mine', name: '', foo: 1, metadata: { note: 'x'.repeat(40_000) } }),
    );
    const fields = (content.errors as { field: string }[]).map(({ field }) => field);
    expect(fields.sort()).toEqual(['foo', 'metadata', 'name', 'project_id']);
  });

  it('still names an invalid input among hundreds of unknown ones', async () => {
    const tools = await aToolUser();
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`input_${index}`, 1]));
    const { content } = await callTool(tools, 'update_claim_project', confirmed({ ...many, project_id: '\ud800/..', name: '' }));
    const fields = (content.errors as { field: string }[]).map(({ field }) => field);
    expect(fields).toHaveLength(22);
    expect(fields).toEqual(expect.arrayContaining(['input_0', 'project_id', 'name']));
  });

  it('uses the names of the inputs in every text', async () => {
    const tools = await aToolUser();
    const { content, text } = await callTool(tools, 'create_claim_project', confirmed({ ...PROJECT, period_end: '2025-01-01' }));
    expect(text).toBe('validation_failed: period_end must not be before period_start (2026-01-01)');
    expect(JSON.stringify(content)).not.toMatch(/period(Start|End)/);
    expect(await textOf(tools, 'create_expense_category', confirmed({ code: 'X', name: 'X', project_id: newId() }))).not.toContain(
      'projectId',
    );
  });
});

describe('an unknown tool filter', () => {
  it.each([
    ['?readOnly', 'readOnly'],
    ['?toolset=usage', 'toolset'],
    ['?toolsets=nothing', 'nothing'],
    ['?toolsets=', 'toolset'],
    ['?toolsets=Claim_Projects', 'Claim_Projects'],
    ['?readonly=yes', 'readonly'],
    ['?toolsets=usage&toolsets=audit', 'toolsets'],
  ])('%s is refused with a message that names it', async (query, name) => {
    const { key } = await aTenant(app);
    const answer = await new Client(app.url, key).post(
      `/mcp${query}`,
      { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      { Accept: 'application/json, text/event-stream' },
    );
    expect([answer.status, answer.body.error.data.error]).toEqual([400, 'unknown_wish']);
    expect(answer.body.error.message).toContain(name);
  });
});
