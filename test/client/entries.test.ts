import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { folderWithClient } from '../support/client-package.js';

const run = promisify(execFile);
const TSC = fileURLToPath(new URL('../../node_modules/.bin/tsc', import.meta.url));
const PATIENCE_MS = 120_000;

let folder: string;
beforeAll(async () => {
  folder = await folderWithClient();
}, PATIENCE_MS);
afterAll(() => rm(folder, { recursive: true }));

const PROGRAM = `
async function main() {
  const mock = new MockClaims();
  const claims = new Claims({ apiKey: mock.apiKey, fetch: mock.fetch });
  const { id } = await claims.categories.create({ code: 'A', name: 'x', sourceMapping: { rules: [{ all: [inMonth('2026-02')] }] } });
  const refused = await claims.categories.create({ code: 'a', name: 'y' }).catch((error) => error);
  console.log(refused instanceof AlreadyExistsError && refused.conflictingId === id && mock.requests.length === 2);
}
main();
`;
const imported = (read: (names: string, from: string) => string): string =>
  [
    read('{ AlreadyExistsError, Claims }', '@claims-api/client'),
    read('{ MockClaims }', '@claims-api/client/mock'),
    read('{ inMonth }', '@claims-api/client/rules'),
  ].join('\n');

it.each([
  ['an ES module', 'mock.mjs', imported((names, from) => `import ${names} from '${from}';`)],
  ['CommonJS', 'mock.cjs', imported((names, from) => `const ${names} = require('${from}');`)],
])('a program that is %s tests with the mock of the installed package', async (_kind, file, imports) => {
  await writeFile(join(folder, file), imports + PROGRAM);
  const { stdout } = await run(process.execPath, [file], { cwd: folder });
  expect(stdout).toBe('true\n');
});

it('whoever does not use the mock does not load it', async () => {
  const listed = "import { createRequire } from 'node:module'; const { cache } = createRequire(import.meta.url);";
  await writeFile(
    join(folder, 'loaded.mjs'),
    `${listed} createRequire(import.meta.url)('@claims-api/client'); console.log(JSON.stringify(Object.keys(cache)));`,
  );
  const { stdout } = await run(process.execPath, ['loaded.mjs'], { cwd: folder });
  const loaded = JSON.parse(stdout) as string[];
  const texts = await Promise.all(loaded.map((path) => readFile(path, 'utf8')));
  expect(texts.join('')).toContain('/v1/claim-projects');
  expect(texts.join('')).not.toContain('not_in_mock');
});

const TYPED = `
  import { Claims, type SourceMappingCondition } from '@claims-api/client';
  import { MockClaims, type MockRequest } from '@claims-api/client/mock';
  import { amountBetween } from '@claims-api/client/rules';
  const mock = new MockClaims({ asksPerReport: 2 });
  export const claims = new Claims({ apiKey: mock.apiKey, fetch: mock.fetch });
  export const last: MockRequest | undefined = mock.requests.at(-1);
  export const condition: SourceMappingCondition = amountBetween(1, '2.50');
  // @ts-expect-error There is no such operation.
  mock.answer('projects.explode', {});
  // @ts-expect-error A run does not end like this.
  mock.finishReports({ status: 'exploded' });`;

it.each([
  ['an ES module', 'typed.mts'],
  ['CommonJS', 'typed.cts'],
])('the types of all entries are found by a program that is %s', async (_kind, file) => {
  await writeFile(join(folder, file), TYPED);
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--noEmit', '--target', 'es2022', '--module', 'nodenext'];
  const { stdout } = await run(TSC, [...strict, file], { cwd: folder }).catch((error: { stdout: string }) => error);
  expect(stdout).toBe('');
});
