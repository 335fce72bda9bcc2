import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { GuideBlocks } from '../support/guide-blocks.js';
import { recipesIn } from '../support/recipes.js';

// test/e2e/extending-guide.test.ts checks their types.
it('test/extended/ports-guide.test.ts runs every block', async () => {
  const blocks = new GuideBlocks('extending-ports');
  const recipes = await recipesIn('docs/extending-ports.md');
  const test = (await readFile('test/extended/ports-guide.test.ts', 'utf8')) + (await readFile('test/support/recipes-app.ts', 'utf8'));
  const [extension, imported] = [recipes.get('acme/extension.ts')!, [...recipes.keys()].map((name) => name.replace('acme/', './'))];
  expect(blocks.takeAll('ts').map((text) => text.replace(/^.*\n/, ''))).toEqual([...recipes.values()]);
  // The extension imports them, or the test does.
  for (const name of imported.filter((path) => path !== './extension.ts'))
    expect(extension.includes(name.replace(/ts$/, 'js')) || test.includes(name.replace('./', 'acme/')), name).toBe(true);
  expect(blocks.left).toEqual([]);
});
