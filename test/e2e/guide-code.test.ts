import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LISTED } from '../../src/modules/contracts/guides.js';
import { freshInstall, type FreshInstall } from '../support/fresh-install.js';
import { isFilledIn, readGuide } from '../support/guide-blocks.js';

const START_MS = 60_000;
const RUN_MS = 60_000;
const run = promisify(execFile);

/** A guide whose blocks need more than a fresh install has a test of its own, which says that it has left none. */
const ownTestOf = (name: string): string => `test/e2e/${name}-guide.test.ts`;
const GUIDES = LISTED.map(({ name }) => name).filter((name) => !existsSync(ownTestOf(name)));

let fresh: FreshInstall;
let folder: string;
beforeAll(async () => {
  fresh = await freshInstall();
  // Inside the checkout, so that the compiler finds the types of Node.
  folder = await mkdtemp(join(process.cwd(), 'node_modules', '.guide-code-'));
}, START_MS);
afterAll(async () => {
  await fresh.close();
  await rm(folder, { recursive: true, force: true });
});

const environment = () => ({ PATH: process.env.PATH, CLAIMS_BASE_URL: fresh.app.url, CLAIMS_API_KEY: fresh.made.keys.test });
const fileFor = async (name: string, text: string): Promise<string> => {
  const file = join(folder, name);
  await writeFile(file, text);
  return file;
};

const blocksOf = (language: string): [string, string][] =>
  GUIDES.flatMap((name) =>
    readGuide(name)
      .filter((block) => block.language === language && !isFilledIn(block))
      .map(({ text }, index): [string, string] => [`${name}-${index + 1}`, text]),
  );

it('every block is in a language that is run or read here', () => {
  const languages = new Set(GUIDES.flatMap((name) => readGuide(name).map(({ language }) => language)));
  expect([...languages].sort()).toEqual(['json', 'python', 'sh', 'ts']);
});

it('every other guide with a block has a test that reads its blocks and says that none is left', async () => {
  const others = LISTED.map(({ name }) => name).filter((name) => !GUIDES.includes(name) && readGuide(name).length > 0);
  expect(others.length).toBeGreaterThan(5);
  for (const name of others) {
    const text = await readFile(ownTestOf(name), 'utf8');
    expect(text, name).toContain(`new GuideBlocks('${name}')`);
    expect(text, name).toContain('expect(blocks.left).toEqual([])');
  }
});

it.each(blocksOf('sh'))('bash runs %s', { timeout: RUN_MS }, async (name, text) => {
  const file = await fileFor(`${name}.sh`, `set -euo pipefail\ncurl() { command curl -sS "$@"; echo; }\n${text}`);
  const { stdout } = await run('bash', [file], { env: environment() });
  const refused = stdout.split('\n').filter((line) => /"code":"/.test(line) && /"retry":"/.test(line));
  // One page shows what an error looks like.
  expect(refused.length, stdout).toBe(name.startsWith('errors') ? 1 : 0);
});

it('the repeated request of the page about idempotency has made one record', async () => {
  const { body } = await fresh.api.get('/v1/claim-projects?search=Imported%20in%20July');
  expect(body).toMatchObject({ pagination: { total: 1 } });
});

it.each(blocksOf('json'))('%s is JSON', (_name, text) => {
  expect(JSON.parse(text)).toBeInstanceOf(Object);
});

it.each(blocksOf('python'))('Python runs %s', { timeout: RUN_MS }, async (name, text) => {
  const { stdout } = await run('python3', [await fileFor(`${name}.py`, text)], { env: environment() });
  expect(stdout).toContain(name.startsWith('quickstart') ? 'Quickstart with Python' : 'Leipzig office 2026');
});

describe('TypeScript', () => {
  it('finds no mistake in any block', { timeout: RUN_MS }, async () => {
    const files = await Promise.all(blocksOf('ts').map(([name, text]) => fileFor(`${name}.ts`, text)));
    const program = ts.createProgram(files, {
      strict: true,
      noEmit: true,
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      types: ['node'],
      skipLibCheck: true,
    });
    const found = ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
    expect(files.length).toBeGreaterThan(1);
    expect(found).toEqual([]);
  });

  it.each(blocksOf('ts'))('runs %s', { timeout: RUN_MS }, async (name, text) => {
    const { outputText } = ts.transpileModule(text, { compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext } });
    const { stdout } = await run(process.execPath, [await fileFor(`${name}.mjs`, outputText)], { env: environment() });
    expect(stdout.trim()).toBe(name.startsWith('quickstart') ? 'Quickstart with TypeScript' : 'true');
  });
});
