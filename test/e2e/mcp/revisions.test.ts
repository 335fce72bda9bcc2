import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Client, type ClientOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Registry } from '../../../src/api/operation/registry.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aTenant } from '../../support/builders.js';
import { Client as Api } from '../../support/client.js';
import { callTool, connectTools, namesOf } from '../../support/tools.js';

const COMMAND = fileURLToPath(new URL('../../../bin/claims.js', import.meta.url));

let app: TestApp;
let key: string;
let projectId: string;
beforeAll(async () => {
  app = await startApp();
  ({ key } = await aTenant(app));
  const { body } = await new Api(app.url, key).post('/v1/claim-projects', {
    name: 'Berlin office',
    periodStart: '2026-01-01',
    periodEnd: '2026-12-31',
  });
  projectId = body.id as string;
});
afterAll(() => app.close());

const onlyRevision = (revision: string): ClientOptions => ({
  versionNegotiation: { mode: 'legacy' },
  supportedProtocolVersions: [revision],
});

const CLIENTS: readonly [string, ClientOptions, string][] = [
  ['that prefers the newest revision', { versionNegotiation: { mode: 'auto' } }, '2026-07-28'],
  ['that speaks only the newest revision', { versionNegotiation: { mode: { pin: '2026-07-28' } } }, '2026-07-28'],
  ['with its defaults', {}, '2025-11-25'],
  ['of 2025-11-25', onlyRevision('2025-11-25'), '2025-11-25'],
  ['of 2025-06-18', onlyRevision('2025-06-18'), '2025-06-18'],
  ['of 2025-03-26', onlyRevision('2025-03-26'), '2025-03-26'],
];

async function overStdio(options: ClientOptions): Promise<Client> {
  const client = new Client({ name: 'A client', version: '1.0.0' }, options);
  const env = { PATH: process.env.PATH ?? '', CLAIMS_BASE_URL: app.url, CLAIMS_API_KEY: key };
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [COMMAND, 'mcp'], env, cwd: tmpdir() }));
  return client;
}

describe.each(CLIENTS)('the official client %s', (_which, options, revision) => {
  it.each([
    ['HTTP', () => connectTools(app, { 'X-API-Key': key }, '', options)],
    ['stdio', () => overStdio(options)],
  ])(`negotiates ${revision} over %s, lists and calls tools`, async (_transport, connect) => {
    const client = await connect();
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    expect(await namesOf(client)).toHaveLength(app.app.get(Registry).operations.filter(({ tool }) => tool && !tool.set).length);
    expect(await callTool(client, 'get_claim_project', { project_id: projectId })).toMatchObject({
      isError: false,
      content: { id: projectId, name: 'Berlin office' },
    });
    await client.close();
  });
});
