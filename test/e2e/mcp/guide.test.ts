import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/app.js';
import { aTenant } from '../../support/builders.js';
import { GuideBlocks } from '../../support/guide-blocks.js';
import { callTool, connectTools } from '../../support/tools.js';

const COMMAND = fileURLToPath(new URL('../../../bin/claims.js', import.meta.url));
const GUIDE_URL = 'http://127.0.0.1:3000/mcp';
const blocks = new GuideBlocks('mcp');

let app: TestApp;
let key: string;
beforeAll(async () => {
  app = await startApp();
  ({ key } = await aTenant(app));
});
afterAll(() => app.close());

interface Remote {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Connects with what a host would send, once it has filled in the key, and calls the tool that the guide begins with. */
async function expectProjects({ url, headers }: Remote): Promise<void> {
  expect(url).toBe(GUIDE_URL);
  const filled = Object.entries(headers).map(([name, value]) => [name, value.replace(/^\$.+$/, key)]);
  const client = await connectTools(app, Object.fromEntries(filled) as Record<string, string>);
  expect((await callTool(client, 'list_claim_projects')).content).toMatchObject({ data: [] });
  await client.close();
}

async function expectProgram({ command, args, env }: Program): Promise<void> {
  // test/system/mcp/packages.test.ts installs the package. The command of a checkout is the same bridge.
  expect([command, args]).toEqual(['npx', ['-y', '@claims-api/mcp']]);
  expect(env).toEqual({ CLAIMS_BASE_URL: GUIDE_URL.replace('/mcp', ''), CLAIMS_API_KEY: 'pk_test_…' });
  const client = new Client({ name: 'A host', version: '1.0.0' });
  const filled = { PATH: process.env.PATH ?? '', CLAIMS_BASE_URL: app.url, CLAIMS_API_KEY: key };
  const here = [COMMAND, 'mcp'];
  await client.connect(new StdioClientTransport({ command: process.execPath, args: here, env: filled, cwd: tmpdir() }));
  expect((await callTool(client, 'list_claim_projects')).content).toMatchObject({ data: [] });
  await client.close();
}

/** The words of a command, as the shell splits them. */
const wordsOf = (line: string): string[] => [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word!);

/** The values of a table. This small part of TOML is what the guide uses: `name = value`, whose values are JSON but for inline tables. */
const tableOf = (toml: string) =>
  Object.fromEntries(
    [...toml.matchAll(/^(\w+) = (.+)$/gm)].map(([, name, value]) => [
      name!,
      JSON.parse(value!.startsWith('{') ? value!.replace(/"?([\w-]+)"? = /g, '"$1": ') : value!) as unknown,
    ]),
  );

describe('the guide for hosts', () => {
  it('has a command for Claude Code without a key, whose address leads to the sign-in', async () => {
    const words = wordsOf(blocks.take('sh', 'claude mcp add').trim());
    expect(words).toEqual(['claude', 'mcp', 'add', '--transport', 'http', 'claims', GUIDE_URL]);
    const answer = await fetch(new URL('/mcp', app.url), { method: 'POST', body: '{}', headers: { 'Content-Type': 'application/json' } });
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, expect.stringContaining('resource_metadata=')]);
  });

  it('has a command for Claude Code with a key', async () => {
    const words = wordsOf(blocks.take('sh', 'claude mcp add').trim());
    expect(words.slice(0, 8)).toEqual(['claude', 'mcp', 'add', '--transport', 'http', 'claims', GUIDE_URL, '--header']);
    const [name = '', value = ''] = words[8]!.split(': ');
    await expectProjects({ url: words[6]!, headers: { [name]: value } });
  });

  it.each([
    ['Cursor', '${env:CLAIMS_API_KEY}'],
    ['VS Code', '"type": "http"'],
    ['Gemini CLI', '"httpUrl"'],
  ])('has a configuration of %s that connects', async (_host, mark) => {
    interface File {
      readonly servers?: { readonly claims: Remote };
      readonly mcpServers?: { readonly claims: Partial<Remote> & { readonly httpUrl?: string } };
      readonly inputs?: readonly { readonly id: string; readonly type: string; readonly password: boolean }[];
    }
    const file = JSON.parse(blocks.take('json', mark)) as File;
    const server = file.servers?.claims ?? file.mcpServers!.claims;
    const { headers = {}, url = 'httpUrl' in server ? server.httpUrl! : '' } = server;
    for (const [, id] of JSON.stringify(headers).matchAll(/\$\{input:([\w-]+)\}/g))
      expect(file.inputs).toContainEqual(expect.objectContaining({ id, type: 'promptString', password: true }));
    await expectProjects({ url, headers });
  });

  it('has a configuration of Codex that connects', async () => {
    const { url, env_http_headers: names } = tableOf(blocks.take('toml', 'url =')) as {
      url: string;
      env_http_headers: Record<string, string>;
    };
    await expectProjects({ url, headers: Object.fromEntries(Object.entries(names).map(([name, variable]) => [name, `$${variable}`])) });
  });

  it('has configurations that start a program, which connects', async () => {
    const { mcpServers } = JSON.parse(blocks.take('json', '"command"')) as { mcpServers: { claims: Program } };
    await expectProgram(mcpServers.claims);
    await expectProgram(tableOf(blocks.take('toml', 'command =')) as unknown as Program);
  });

  it('has no block that was not run or read', () => {
    expect(blocks.left).toEqual([]);
  });
});
