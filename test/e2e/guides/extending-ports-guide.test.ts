import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { GuideBlocks } from '../../support/guide-blocks.js';
import { PORT_GUIDES, recipesOfPorts } from '../../support/recipes.js';

/** `test/extended/example-extension.test.ts` runs the laws. */
const READ_BY_LAWS = ['./test/facts.ts', './docs/data-protection.md'];

// test/e2e/guides/extending-guide.test.ts checks their types.
it('test/extended/ports-guide.test.ts runs every block', async () => {
  const blocks = new GuideBlocks(...PORT_GUIDES);
  const recipes = await recipesOfPorts();
  const test = (await readFile('test/extended/ports-guide.test.ts', 'utf8')) + (await readFile('test/support/recipes-app.ts', 'utf8'));
  const [extension, imported] = [recipes.get('acme/extension.ts')!, [...recipes.keys()].map((name) => name.replace('acme/', './'))];
  const shown = ['ts', 'md'].flatMap((language) => blocks.takeAll(language)).map((text) => text.replace(/^.*\n/, ''));
  expect(shown.sort()).toEqual([...recipes.values()].sort());
  // The extension imports them, or the test does.
  for (const name of imported.filter((path) => !['./extension.ts', ...READ_BY_LAWS].includes(path)))
    expect(extension.includes(name.replace(/ts$/, 'js')) || test.includes(name.replace('./', 'acme/')), name).toBe(true);
  expect(blocks.left).toEqual([]);
});
