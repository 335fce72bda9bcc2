import { afterAll, beforeAll, expect, it } from 'vitest';
import { Registry } from '../../src/api/operation/registry.js';
import { oneOfEach, shownByLinks } from '../support/console-crawl.js';
import { ConsoleBrowser } from '../support/console.js';
import { freshInstall, type FreshInstall } from '../support/fresh-install.js';
import { declareMarkedLanguage, MARKED, textsIn, textsOf, unmarkedIn } from '../support/marked-language.js';

let install: FreshInstall;
beforeAll(async () => {
  install = await freshInstall();
  await oneOfEach(install);
});
afterAll(() => install?.close());

it('every page says all that it says in the language of its reader', async () => {
  declareMarkedLanguage();
  const lists = install.app.app
    .get(Registry)
    .operations.filter(({ method, path, pathIds }) => method === 'GET' && pathIds.length === 0 && path !== '/v1/openapi.json');
  const data = (await Promise.all(lists.map(async ({ path }) => textsIn((await install.api.get(path)).body)))).flat();
  const samples = ['templates/demo.json', 'templates/categories.json'].flatMap(textsOf);
  const known = [...new Set([...data, ...samples, 'Demo Owner', 'Enterprise', 'eu-central-1', '(mcp, A client)'])]
    .filter((text) => text.length > 2)
    .sort((one, other) => other.length - one.length);
  const left = new Map<string, string>();
  const pages = await shownByLinks(new ConsoleBrowser(install.app.url, MARKED), install);
  for (const { text, url } of pages) {
    expect(text, url.pathname).toContain(`<html lang="${MARKED}"`);
    for (const said of unmarkedIn(text, known)) left.set(said, url.pathname);
  }
  expect([...left]).toEqual([]);
});
