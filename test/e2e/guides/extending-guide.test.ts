import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { GuideBlocks, readGuide } from '../../support/guide-blocks.js';
import { PORT_GUIDES } from '../../support/recipes.js';
import { typeErrorsOf } from '../../support/guide-types.js';

const blocks = new GuideBlocks('extending');
const OWN = 'src/extensions/acme';

/** The name that a block begins with, or one that it has because it stands alone. */
const pathOf = (text: string, at: number): string => /^\/\/ (src\/\S+)\n/.exec(text)?.[1] ?? `${OWN}/block-${at}.ts`;

it('the compiler finds no mistake in any block of the guides for extensions', () => {
  const shown = [...PORT_GUIDES, 'extending-hooks'].flatMap((name) => readGuide(name).filter(({ language }) => language === 'ts'));
  const [, statement] = /```ts\n(\/\/ src\/modules[^]*?)```/.exec(readFileSync('docs/adding-a-resource.md', 'utf8'))!;
  const files = [...shown.map(({ text }) => text), statement!].map((text, at) => [pathOf(text, at), text] as const);
  expect(files.length).toBeGreaterThan(10);
  const wrong = "import { Nope } from '../../extension-api.js';\nexport const a = Nope;\n";
  // That of the last one shows that mistakes are found.
  expect(typeErrorsOf(new Map([...files, [`${OWN}/test/facts.ts`, blocks.take('ts')], [`${OWN}/wrong.ts`, wrong]]))).toEqual([
    expect.stringContaining(`${OWN}/wrong.ts:1: Module '"../../extension-api.js"' has no exported member 'Nope'.`),
  ]);
});

it('its commands exist, and tests of new resources and of the worked example run them', async () => {
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as { scripts: object };
  const [create, ...others] = blocks.take('sh').trim().split('\n');
  expect(create).toBe('npm run new:resource suppliers -- --extension purchasing');
  expect(others).toEqual(['npm run contracts', 'npm test']);
  expect(scripts).toMatchObject({ 'new:resource': expect.any(String), contracts: expect.any(String), test: expect.any(String) });
});

it('the commands of the inner loop are those of the worked example, whose test runs them', async () => {
  const commands = blocks.take('sh', 'npm run check').trim();
  expect(commands.split('\n')).toEqual(['npm run check -- --extension purchasing', 'npm run laws -- --extension purchasing']);
  expect(await readFile('examples/extension-suppliers/README.md', 'utf8')).toContain(commands);
});

it('the test of the worked example runs the others: packages of its own, and the removal of its tables', async () => {
  const [install, statements] = [blocks.take('sh'), blocks.take('sql')];
  expect(install).toBe('npm install\n');
  expect(blocks.take('json')).toContain('"type": "module"');
  expect(statements).toContain("DELETE FROM extension_migrations WHERE name LIKE 'purchasing.%';");
  expect(await readFile('test/extended/example-extension.test.ts', 'utf8')).toContain("new GuideBlocks('extending')");
});

it('the test of packages uses the others: the archive, what a package and an installation say, and the image with packages', async () => {
  const used = [blocks.take('sh', 'pack:extension'), blocks.take('json', 'madeFor'), blocks.take('json', '"extensions"')];
  expect([...used, blocks.take('dockerfile')]).toHaveLength(4);
  expect(await readFile('test/extended/extension-package.test.ts', 'utf8')).toContain("new GuideBlocks('extending')");
  expect(blocks.left).toEqual([]);
});
