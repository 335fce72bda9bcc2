import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LISTED } from '../../../src/modules/contracts/guides.js';
import { freshInstall, type FreshInstall } from '../../support/fresh-install.js';
import { isFilledIn, readGuide } from '../../support/guide-blocks.js';
import { PORT_GUIDES } from '../../support/recipes.js';
import { outputOf, programIn } from '../../support/guide-programs.js';

const START_MS = 60_000;
const run = promisify(execFile);

const testsIn = (folder: string, recursive: boolean): string[] =>
  readdirSync(folder, { recursive, encoding: 'utf8' })
    .filter((file) => file.endsWith('guide.test.ts'))
    .map((file) => readFileSync(`${folder}/${file}`, 'utf8'));
const TESTS = [...testsIn('test/e2e', true), ...testsIn('test/system', true), ...testsIn('test/compatibility', false)];
/** A guide whose blocks need more than a fresh install has a test of its own, which says that it has left none. */
const ownTestOf = (name: string): string | undefined => TESTS.find((text) => new RegExp(`new GuideBlocks\\([^)]*'${name}'`).test(text));
/** Those of ports have one for all of them. */
const ofPorts: readonly string[] = PORT_GUIDES;
const GUIDES = LISTED.map(({ name }) => name).filter((name) => !ofPorts.includes(name) && !ownTestOf(name));

let fresh: FreshInstall;
let folder: string;
beforeAll(async () => {
  fresh = await freshInstall();
  folder = await mkdtemp(join(tmpdir(), 'claims-guide-'));
}, START_MS);
afterAll(async () => {
  await fresh.close();
  await rm(folder, { recursive: true, force: true });
});

const environment = () => ({ PATH: process.env.PATH!, CLAIMS_BASE_URL: fresh.app.url, CLAIMS_API_KEY: fresh.made.keys.test });
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
  expect([...languages].sort()).toEqual(['js', 'json', 'python', 'sh']);
});

it('every other guide with a block has a test that reads its blocks and says that none is left', () => {
  const others = LISTED.map(({ name }) => name).filter(
    (name) => !GUIDES.includes(name) && !ofPorts.includes(name) && readGuide(name).length > 0,
  );
  expect(others.length).toBeGreaterThan(5);
  for (const name of others) expect(ownTestOf(name), name).toContain('expect(blocks.left).toEqual([])');
});

it.each(blocksOf('sh'))('bash runs %s', async (name, text) => {
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

const PRINTED: Readonly<Record<string, string>> = {
  'quickstart.mjs': 'Quickstart with JavaScript',
  'quickstart.py': 'Quickstart with Python',
  'create_once.mjs': 'true',
  'read_all.py': 'Leipzig office 2026',
};
const programs = ['js', 'python'].flatMap((language) => blocksOf(language).map(([name, text]) => ({ name, program: programIn(text) })));

it('every program of a guide names its file and the command that runs it', () => {
  const inAll = LISTED.flatMap(({ name }) => readGuide(name).map((block) => ({ name, ...block }))).filter(
    ({ language }) => language === 'js',
  );
  // What others import has no command.
  const unnamed = inAll.filter(({ text }) => !/^export /m.test(text) && !programIn(text));
  expect(unnamed.map(({ name, text }) => `${name}: ${text.split('\n')[0]}`)).toEqual([]);
  expect(programs.filter(({ program }) => !program).map(({ name }) => name)).toEqual([]);
  expect(programs.map(({ program }) => program!.file).sort()).toEqual(Object.keys(PRINTED).sort());
});

it.each(programs.map(({ program }) => [program!.command, program!] as const))('%s', async (_command, program) => {
  expect(await outputOf(program, environment())).toContain(PRINTED[program.file]);
});
