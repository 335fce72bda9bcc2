import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';
import { aTenant } from '../support/builders.js';
import { GuideBlocks } from '../support/guide-blocks.js';

const runFile = promisify(execFile);
const PATIENCE_MS = 120_000;
const STRICT = { strict: true, noUncheckedIndexedAccess: true, noUnusedLocals: true };

const blocks = new GuideBlocks('clients');

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** Does what the guide says, in a folder of its own with our packages, and returns what the program prints. */
async function follow(generator: string, library: string, strictness: object): Promise<string> {
  // Packages are installed here already.
  const command = blocks.take('sh', generator).split('\n').at(-2)!;
  const program = blocks.take('ts', library);
  const folder = await mkdtemp(join(tmpdir(), 'claims-client-'));
  const { key } = await aTenant(app);
  const env = { ...process.env, NODE_OPTIONS: '', CLAIMS_BASE_URL: app.url, CLAIMS_API_KEY: key, npm_config_offline: 'true' };
  const run = (file: string, args: string[]) => runFile(file, args, { cwd: folder, env, timeout: PATIENCE_MS });
  const options = {
    ...STRICT,
    ...strictness,
    module: 'nodenext',
    target: 'es2023',
    lib: ['es2023', 'dom'],
    types: ['node'],
    outDir: 'out',
  };
  try {
    await symlink(fileURLToPath(new URL('node_modules', import.meta.url)), join(folder, 'node_modules'));
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: { ...options, skipLibCheck: true } }));
    await writeFile(join(folder, 'program.ts'), program);
    await run('sh', ['-c', command]);
    // It prints its findings to the standard output.
    await run('node_modules/.bin/tsc', []).catch(({ stdout }: { stdout: string }) => expect(stdout).toBe(''));
    return (await run(process.execPath, ['out/program.js'])).stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe('a client generated as the guide says compiles in strict mode and calls the service', () => {
  it.each([
    ['npx openapi-typescript', 'openapi-fetch', { exactOptionalPropertyTypes: true }],
    ['npx @hey-api/openapi-ts', './claims-api/client.gen.js', {}],
    ['npx orval', './claims-api.js', {}],
  ])('%s', async (generator, library, strictness) => {
    expect(await follow(generator, library, strictness)).toBe('true\nqueued\nvalidation_failed periodEnd\n');
  });
});

it('every block of the guide was run', () => {
  expect(blocks.left).toEqual([]);
});
