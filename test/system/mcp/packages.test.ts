import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client, type ClientOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Ajv } from 'ajv';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { entriesOf } from '../../../tools/zip-archives/index.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aTenant } from '../../support/builders.js';
import { MCPB_MANIFEST, SERVER_JSON } from '../../support/mcp-schemas.js';
import { callTool, namesOf } from '../../support/tools.js';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const PATIENCE_MS = 120_000;
const ENVIRONMENT = { ...process.env, NODE_OPTIONS: '', npm_config_offline: 'true', RELEASE_DOWNLOADS: '' };

let app: TestApp;
let key: string;
let packed: string;
beforeAll(async () => {
  packed = await mkdtemp(join(tmpdir(), 'claims-mcp-'));
  await run(process.execPath, [join(ROOT, 'scripts/pack-mcp.js'), packed], { env: ENVIRONMENT, timeout: PATIENCE_MS });
  app = await startApp();
  ({ key } = await aTenant(app));
}, PATIENCE_MS);
afterAll(async () => {
  await app.close();
  await rm(packed, { recursive: true });
});

/** The content and the name of the file of this kind. */
async function read(kind: string): Promise<{ name: string; content: Buffer }> {
  const [name, ...others] = (await readdir(packed)).filter((file) => file.endsWith(kind));
  expect([name, others]).toEqual([expect.any(String), []]);
  return { name: name!, content: await readFile(join(packed, name!)) };
}

function expectValid(schema: object, value: unknown): void {
  const check = new Ajv({ strict: false }).compile(schema);
  expect([check(value), check.errors]).toEqual([true, null]);
}

interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Lists the tools and calls one, as a host would. */
async function expectTools({ command, args, env }: Program, options: ClientOptions, revision: string): Promise<void> {
  const client = new Client({ name: 'A host', version: '1.0.0' }, options);
  await client.connect(
    new StdioClientTransport({ command, args: [...args], env: { PATH: process.env.PATH ?? '', ...env }, cwd: tmpdir(), stderr: 'pipe' }),
  );
  expect(client.getNegotiatedProtocolVersion()).toBe(revision);
  expect(await namesOf(client)).toContain('create_claim_project');
  expect((await callTool(client, 'list_claim_projects')).content).toMatchObject({ data: [] });
  await client.close();
}

const REVISIONS: readonly [string, ClientOptions][] = [
  ['2026-07-28', { versionNegotiation: { mode: { pin: '2026-07-28' } } }],
  ['2025-11-25', { versionNegotiation: { mode: 'legacy' } }],
];

describe('the package', () => {
  it.each(REVISIONS)(
    'is installed in an empty folder, lists tools and calls one (%s)',
    async (revision, options) => {
      const folder = await mkdtemp(join(tmpdir(), 'claims-mcp-'));
      await writeFile(join(folder, 'package.json'), '{ "private": true }');
      const { name } = await read('.tgz');
      await run('npm', ['install', join(packed, name)], { cwd: folder, env: ENVIRONMENT, timeout: PATIENCE_MS });
      expect((await readdir(join(folder, 'node_modules'))).filter((entry) => !entry.startsWith('.'))).toEqual(['@claims-api']);
      const env = { CLAIMS_BASE_URL: app.url, CLAIMS_API_KEY: key };
      await expectTools({ command: join(folder, 'node_modules/.bin/claims-mcp'), args: [], env }, options, revision);
      await rm(folder, { recursive: true });
    },
    PATIENCE_MS,
  );

  it('says in one line what it lacks, and repeats no credential', async () => {
    const folder = await unpackedBundle();
    const start = (env: object, ...args: string[]) =>
      run(process.execPath, [join(folder, 'claims-mcp.js'), ...args], {
        env: { PATH: process.env.PATH, ...env },
      }).then(
        ({ stdout }) => stdout,
        ({ code, stderr }: { code: number; stderr: string }) => [code, stderr],
      );
    const service = { CLAIMS_BASE_URL: 'https://claims.example.com' };
    expect(await start({ ...service })).toEqual([1, 'claims-mcp: Set either CLAIMS_API_KEY or CLAIMS_ACCESS_TOKEN.\n']);
    expect(await start({ ...service, CLAIMS_API_KEY: 'one', CLAIMS_ACCESS_TOKEN: 'two' })).toEqual([
      1,
      expect.not.stringMatching(/one|two/),
    ]);
    expect(await start({ CLAIMS_API_KEY: 'one' })).toEqual([1, expect.stringMatching(/^claims-mcp: CLAIMS_BASE_URL must be [^\n]+\n$/)]);
    const open = { CLAIMS_BASE_URL: 'http://claims.example.com', CLAIMS_API_KEY: 'one' };
    expect(await start(open)).toEqual([1, expect.stringMatching(/^claims-mcp: Credentials are not sent to [^\n]+\n$/)]);
    expect(await start({ ...service, CLAIMS_API_KEY: 'one' }, '--readnly')).toEqual([
      1,
      expect.stringMatching(/^[^\n]+--readnly[^\n]+\n$/),
    ]);
    expect(await start({}, '--help')).toContain('CLAIMS_BASE_URL');
    await rm(folder, { recursive: true });
  });
});

/** As a host unpacks it. */
async function unpackedBundle(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'claims-mcpb-'));
  for (const { path, content } of entriesOf((await read('.mcpb')).content, { files: 10, unpackedBytes: 1024 * 1024 })) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content());
  }
  return folder;
}

describe('the bundle', () => {
  it.each(REVISIONS)('starts by its manifest, with what the person has typed in (%s)', async (revision, options) => {
    const folder = await unpackedBundle();
    const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as {
      server: { entry_point: string; mcp_config: Program };
      user_config: Readonly<Record<string, { readonly sensitive?: boolean }>>;
    };
    expectValid(MCPB_MANIFEST, manifest);
    expect(Object.entries(manifest.user_config).map(([name, { sensitive }]) => [name, sensitive])).toEqual([
      ['address', undefined],
      ['key', true],
    ]);
    expect(await readdir(folder)).toContain(manifest.server.entry_point);
    const typed: Readonly<Record<string, string>> = { __dirname: folder, 'user_config.address': app.url, 'user_config.key': key };
    const filled = JSON.stringify(manifest.server.mcp_config).replace(/\$\{([\w.]+)\}/g, (_braces, name: string) => typed[name]!);
    await expectTools(JSON.parse(filled) as Program, options, revision);
    await rm(folder, { recursive: true });
  });
});

describe('the entry for registries', () => {
  it('is as they want it, in the source and when it is packed', async () => {
    const source = JSON.parse(await readFile(join(ROOT, 'server.json'), 'utf8')) as { name: string; packages: object[] };
    const listed = JSON.parse((await read('.server.json')).content.toString()) as typeof source;
    expectValid(SERVER_JSON, source);
    expectValid(SERVER_JSON, listed);
    // By it, npm says that the package is of the same publisher.
    const { mcpName, name } = JSON.parse(await readFile(join(ROOT, 'tools/mcp-bridge/package.json'), 'utf8')) as Record<string, string>;
    expect([mcpName, { identifier: name }]).toMatchObject([source.name, { identifier: '@claims-api/mcp' }]);
    const bundle = await read('.mcpb');
    const fileSha256 = createHash('sha256').update(bundle.content).digest('hex');
    const identifier = `https://github.com/OWNER/REPOSITORY/releases/download/v1.0.0/${bundle.name}`;
    expect(listed.packages).toEqual([...source.packages, expect.objectContaining({ registryType: 'mcpb', identifier, fileSha256 })]);
  });

  it(
    'is packed to the same bytes again',
    async () => {
      const again = await mkdtemp(join(tmpdir(), 'claims-mcp-'));
      const env = { ...ENVIRONMENT, TZ: 'Pacific/Kiritimati' };
      await run(process.execPath, [join(ROOT, 'scripts/pack-mcp.js'), again], { env, timeout: PATIENCE_MS });
      for (const name of await readdir(packed))
        expect((await readFile(join(again, name))).equals(await readFile(join(packed, name))), name).toBe(true);
      await rm(again, { recursive: true });
    },
    PATIENCE_MS,
  );
});
