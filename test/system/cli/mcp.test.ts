import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/app.js';
import { aKey, aTenant } from '../../support/builders.js';
import { stepsOf } from '../../support/law-database.js';
import { runClaims } from '../../support/process.js';
import { callTool, connectTools, namesOf } from '../../support/tools.js';

const COMMAND = fileURLToPath(new URL('../../../bin/claims.js', import.meta.url));

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

describe('claims mcp', () => {
  it('has the same tools as the service, with the same results', async () => {
    const { key } = await aTenant(app);
    const env = { PATH: process.env.PATH ?? '', CLAIMS_BASE_URL: `${app.url}/`, CLAIMS_API_KEY: key };
    const client = new Client({ name: 'A client', version: '1.0.0' });
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [COMMAND, 'mcp'], env, cwd: tmpdir() }));
    expect((await client.listTools()).tools).toEqual((await (await connectTools(app, { 'X-API-Key': key })).listTools()).tools);
    const inputs = { name: 'Berlin office', period_start: '2026-01-01', period_end: '2026-12-31', idempotency_key: 'once' };
    expect(await callTool(client, 'create_claim_project', inputs)).toMatchObject({
      isError: true,
      content: { code: 'confirmation_needed' },
    });
    const { content } = await callTool(client, 'create_claim_project', { ...inputs, confirm: true });
    expect(content).toMatchObject({ name: 'Berlin office', status: 'draft' });
    expect((await callTool(client, 'list_claim_projects')).content).toMatchObject({ data: [{ id: content.id }], pagination: { total: 1 } });
    expect(await callTool(client, 'get_claim_project', { project_id: 'x' })).toMatchObject({
      isError: true,
      content: { code: 'validation_failed' },
    });
    expect(await stepsOf(app, content.id as string)).toMatchObject([
      { action: 'claim_project.created', actor_type: 'api', actor_name: 'A key (mcp)' },
    ]);
    expect(await callTool(client, 'create_claim_project', { ...inputs, idempotency_key: '😀', confirm: true })).toMatchObject({
      isError: true,
      content: { code: 'validation_failed', errors: [{ field: 'idempotency_key' }] },
    });
    expect(await callTool(client, 'create_claim_project', { ...inputs, name: '', foo: 1 })).toMatchObject({
      isError: true,
      content: { status: 400, code: 'validation_failed', errors: [{ field: 'foo' }, { field: 'name' }] },
    });
    await client.close();
  });

  it('has fewer tools with --readonly and --toolsets', async () => {
    const { key } = await aTenant(app);
    const client = new Client({ name: 'A client', version: '1.0.0' });
    const env = { PATH: process.env.PATH ?? '', CLAIMS_BASE_URL: app.url, CLAIMS_API_KEY: key };
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [COMMAND, 'mcp', '--readonly', '--toolsets', 'claim_projects,usage'],
        env,
        cwd: tmpdir(),
      }),
    );
    expect(await namesOf(client)).toEqual(['list_claim_projects', 'get_claim_project', 'get_usage_summary']);
    await client.close();
    const unknown = new Client({ name: 'A client', version: '1.0.0' });
    const args = [COMMAND, 'mcp', '--toolsets', 'nothing'];
    await expect(unknown.connect(new StdioClientTransport({ command: process.execPath, args, env, cwd: tmpdir() }))).rejects.toThrow(
      /There is no toolset "nothing"\. There are: claim_projects, /,
    );
  });

  it.each([
    ['a placeholder', 'pk_test_…'],
    ['two lines', 'pk_test_one\npk_test_two'],
  ])('refuses %s as a credential without printing it', async (_what, key) => {
    const { code, stderr } = await runClaims(['mcp'], { CLAIMS_BASE_URL: app.url, CLAIMS_API_KEY: key });
    expect([code, stderr]).toEqual([1, 'claims: The credential holds characters that no credential has.\n']);
  });

  it.each([
    ['no credential', {}],
    ['two credentials', { CLAIMS_API_KEY: 'pk_test_one', CLAIMS_ACCESS_TOKEN: 'two' }],
  ])('refuses %s in one line without printing them', async (_case, credentials) => {
    const { code, stdout, stderr } = await runClaims(['mcp'], { CLAIMS_BASE_URL: app.url, ...credentials });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^[^\n]*CLAIMS_API_KEY or CLAIMS_ACCESS_TOKEN[^\n]*\n$/);
    expect(stderr).not.toMatch(/pk_test_one|two\b/);
  });

  it('answers requests with an error while the API does not answer', async () => {
    const client = new Client({ name: 'A client', version: '1.0.0' });
    const env = { PATH: process.env.PATH ?? '', CLAIMS_BASE_URL: 'http://127.0.0.1:1', CLAIMS_API_KEY: 'pk_test_one' };
    const transport = new StdioClientTransport({ command: process.execPath, args: [COMMAND, 'mcp'], env, cwd: tmpdir() });
    await expect(client.connect(transport)).rejects.toThrow(/^[^\n]*http:\/\/127\.0\.0\.1:1\/mcp does not answer\.$/);
  });

  it('makes the call of a dry run, which the service checks with limits, scope and plan', async () => {
    const { organization } = await aTenant(app);
    const { key } = await aKey(app, organization.id, { scopes: ['claim_projects:read'] });
    const client = new Client({ name: 'A client', version: '1.0.0' });
    const env = { PATH: process.env.PATH ?? '', CLAIMS_BASE_URL: app.url, CLAIMS_API_KEY: key };
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [COMMAND, 'mcp'], env, cwd: tmpdir() }));
    const inputs = { name: 'Berlin office', period_start: '2026-01-01', period_end: '2026-12-31' };
    expect(await callTool(client, 'create_claim_project', inputs)).toMatchObject({
      isError: true,
      content: { code: 'scope_missing', scope: 'claim_projects:write' },
    });
    await client.close();
  });
});
