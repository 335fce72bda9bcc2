import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';
import { aTenant } from '../support/builders.js';
import { stepsOf } from '../support/law-database.js';
import { runClaims } from '../support/process.js';
import { callTool, connectTools } from '../support/tools.js';

const COMMAND = fileURLToPath(new URL('../../bin/claims.js', import.meta.url));
const PATIENCE_MS = 60_000;

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

describe('claims mcp', { timeout: PATIENCE_MS }, () => {
  it('has the same tools as the service, and they do the same', async () => {
    const { key } = await aTenant(app);
    const env = { PATH: process.env.PATH ?? '', CLAIMS_BASE_URL: `${app.url}/`, CLAIMS_API_KEY: key };
    const client = new Client({ name: 'A client', version: '1.0.0' });
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [COMMAND, 'mcp'], env, cwd: tmpdir() }));
    expect((await client.listTools()).tools).toEqual((await (await connectTools(app, { 'X-API-Key': key })).listTools()).tools);
    const inputs = { name: 'Berlin office', period_start: '2026-01-01', period_end: '2026-12-31', idempotency_key: 'once' };
    expect(await callTool(client, 'create_claim_project', inputs)).toMatchObject({ isError: true, content: { code: 'confirmation_needed' } });
    const { content } = await callTool(client, 'create_claim_project', { ...inputs, confirm: true });
    expect(content).toMatchObject({ name: 'Berlin office', status: 'draft' });
    expect((await callTool(client, 'list_claim_projects')).content).toMatchObject({ data: [{ id: content.id }], pagination: { total: 1 } });
    expect(await callTool(client, 'get_claim_project', { project_id: 'x' })).toMatchObject({ isError: true, content: { code: 'validation_failed' } });
    expect(await stepsOf(app, content.id as string)).toMatchObject([{ action: 'claim_project.created', actor_type: 'api' }]);
    await client.close();
  });

  it.each([['no credential', {}], ['two credentials', { CLAIMS_API_KEY: 'pk_test_one', CLAIMS_ACCESS_TOKEN: 'two' }]])('says in one line that it was given %s, and tells none of them', async (_case, credentials) => {
    const { code, stdout, stderr } = await runClaims(['mcp'], { CLAIMS_BASE_URL: app.url, ...credentials });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^[^\n]*CLAIMS_API_KEY or CLAIMS_ACCESS_TOKEN[^\n]*\n$/);
    expect(stderr).not.toMatch(/pk_test_one|two\b/);
  });

  it('says in one line that nobody answers at the address', async () => {
    const { code, stdout, stderr } = await runClaims(['mcp'], { CLAIMS_BASE_URL: 'http://127.0.0.1:1', CLAIMS_API_KEY: 'pk_test_one' });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^[^\n]+ does not answer as the Claims API\.\n$/);
    expect(stderr).not.toContain('pk_test_one');
  });
});
