import { readFileSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { Registry } from '../../src/api/operation/registry.js';
import { VIEWS } from '../support/console-crawl.js';
import { MAX_PICTURES_BYTES, ON_FIRST_PAGE, PARTS_PAGE, pictureOf, PICTURES, withPictures } from '../support/console-pictures.js';
import { startDocumentedApp } from '../support/documented-app.js';

// The guide is ours: it does not show the pages of extensions.
const app = await startDocumentedApp({}, undefined, []);
afterAll(() => app.close());

const pages = app.app
  .get(Registry)
  .consoleRoutes.filter(({ method }) => method === 'GET')
  .map(({ path }) => path);
const routes = [...pages, PARTS_PAGE];
const views = VIEWS.map(({ file }) => file);

// `npm run screenshots` makes the pictures, and writes the guide.
it('docs/console.md shows every page in every view', async () => {
  await expect(withPictures(readFileSync('docs/console.md', 'utf8'), routes, views)).toMatchFileSnapshot('../../docs/console.md');
});

it('there is a picture of every page in every view, and no other', async () => {
  const wanted = routes.flatMap((route) => views.map((view) => pictureOf(route, view)));
  expect((await readdir(PICTURES)).sort()).toEqual(wanted.sort());
});

it('the first page shows the pictures of the guide', () => {
  for (const [name, picture] of Object.entries(ON_FIRST_PAGE))
    expect(readFileSync(join('public', name)).equals(readFileSync(join(PICTURES, picture))), name).toBe(true);
});

it('the pictures are small together', async () => {
  const sizes = (await readdir(PICTURES)).map((name) => statSync(join(PICTURES, name)).size);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MAX_PICTURES_BYTES);
});
