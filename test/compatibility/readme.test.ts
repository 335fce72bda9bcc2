import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import * as client from '../../client/src/index.js';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

type Exports = Record<string, { import?: { default: string } } | string>;

/** The source of each entry of the package, by the name under which it is imported. */
async function sourcesOfEntries(): Promise<Record<string, string>> {
  const { exports } = JSON.parse(await readFile(join(ROOT, 'client/package.json'), 'utf8')) as { exports: Exports };
  const entries = Object.entries(exports).flatMap(([name, entry]) => {
    const built = typeof entry === 'string' ? undefined : entry.import?.default;
    const source = built?.replace(/^\.\/dist\/esm\/(.+)\.js$/, 'client/src/$1.ts');
    return source ? [[`@claims-api/client${name.slice(1)}`, join(ROOT, source)] as const] : [];
  });
  return Object.fromEntries(entries);
}

it('every TypeScript block of the README compiles in strict mode', async () => {
  const text = await readFile(join(ROOT, 'client/README.md'), 'utf8');
  const blocks = [...text.matchAll(/```ts\n([^]+?)```/g)].map(([, block]) => block!);
  expect(blocks.length).toBeGreaterThan(5);
  // Within the package that has the frameworks.
  const folder = await mkdtemp(fileURLToPath(new URL('node_modules/.readme-', import.meta.url)));
  try {
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    await Promise.all(blocks.map((block, number) => writeFile(join(folder, `block-${number}.ts`), block)));
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      module: 'nodenext',
      target: 'es2022',
      experimentalDecorators: true,
      types: ['node'],
      skipLibCheck: true,
      paths: Object.fromEntries(Object.entries(await sourcesOfEntries()).map(([name, source]) => [name, [source]])),
    };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
    const { stdout } = await run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', folder]).catch((error: { stdout: string }) => error);
    expect(stdout).toBe('');
  } finally {
    await rm(folder, { recursive: true });
  }
});

it('every mistake and every name of the package that the README states exists', async () => {
  const text = await readFile(join(ROOT, 'client/README.md'), 'utf8');
  const sources = await sourcesOfEntries();
  for (const [, names, entry] of text.matchAll(/import \{ ([^}]+) \} from '(@claims-api\/client[^']*)'/g)) {
    const exported = (await import(sources[entry!] ?? expect.fail(`There is no entry ${entry}`))) as object;
    expect(names!.split(', ').filter((name) => !name.startsWith('type ') && !(name in exported))).toEqual([]);
  }
  const resources = /claims\.projects`, ([^.]+)\./.exec(text)![1]!.match(/\w+(?=`)/g)!;
  expect(resources.filter((name) => !(name in new client.Claims({ apiKey: 'pk_test_x' })))).toEqual([]);
});
