import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { RegisteredOperation } from '../../src/api/operation/operation.js';
import { Registry } from '../../src/api/operation/registry.js';
import { fieldsOf } from '../../src/api/validation/field.js';
import { newId } from '../../src/kernel/ids.js';
import { demoLink } from '../../src/program/demo.js';
import type { FreshInstall } from './fresh-install.js';
import { ruled, sends } from './confirmations.js';
import { rowsOf } from './database.js';
import { eventually } from './eventually.js';
import { collectionOf } from './law-records.js';
import type { Browser } from './oauth.js';

type View = { readonly name: string; readonly file: string; readonly options: BrowserContextOptions };

/** How the pages of the console are looked at. */
export const VIEWS: readonly View[] = [
  {
    name: 'on a desktop, in light colours',
    file: 'desktop',
    options: { viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
  },
  { name: 'on a phone, in dark colours', file: 'phone', options: { viewport: { width: 360, height: 740 }, colorScheme: 'dark' } },
];

const registry = ({ app }: FreshInstall): Registry => app.app.get(Registry);

/** The routes of the pages of the console, without those of forms. */
export const pagesOf = (install: FreshInstall): string[] =>
  registry(install)
    .consoleRoutes.filter(({ method }) => method === 'GET')
    .map(({ path }) => path);

/** A record of every kind that the API creates, with the examples of the documents: a new resource needs no other sample. */
export async function oneOfEach(install: FreshInstall, wanted: object = {}, only?: readonly RegisteredOperation[]): Promise<number[]> {
  const statuses: number[] = [];
  // Endpoints before the records that are delivered to them.
  const creates = (only ?? registry(install).operations).filter(
    ({ needsKey, pathIds, status }) => needsKey && pathIds.length === 0 && status === 201,
  );
  for (const { method, path, body } of [...creates].reverse()) {
    if (method !== 'POST' || !body) continue;
    const fields = [...fieldsOf(body.prototype as object)].filter(([name, { about }]) => !about.optional || name === 'name');
    // A run needs nothing: the demo has some, and another would have none of its kind before it.
    if (fields.length === 0) continue;
    // Refused where the demo has the same: then there is one already.
    const examples = Object.fromEntries(fields.map(([name, { about }]) => [name, about.example]));
    for (const name of Object.keys(examples)) {
      const collection = collectionOf(registry(install).operations, name);
      if (collection) examples[name] = await firstOf(install, collection);
    }
    statuses.push((await install.api.post(path, { ...examples, ...wanted })).status);
  }
  if (!only) await aConfirmation(install, wanted);
  return statuses;
}

/** A call of a tool that waits for people, for as long as a test looks at it. */
async function aConfirmation({ app, made }: FreshInstall, wanted: object): Promise<void> {
  await ruled(app, made.organization.id, { write: 'person' });
  const inputs = { name: 'Berlin office', period_start: '2026-01-01', period_end: '2026-12-31', idempotency_key: newId(), ...wanted };
  await eventually(async () => {
    const said = await sends(app, { 'X-API-Key': made.keys.test }, 'create_claim_project', inputs);
    expect(said.structuredContent?.confirmation?.state).toBe('open');
  });
  await rowsOf(app.databaseUrl, `UPDATE confirmations SET expires_at = now() + interval '1 day' WHERE organization_id = $1`, [
    made.organization.id,
  ]);
}

/** The id of a record of a collection, which is created if there is none. */
async function firstOf(install: FreshInstall, collection: string): Promise<string> {
  const first = async () => ((await install.api.get(`${collection}?page_size=1`)).body as { data: { id: string }[] }).data[0]?.id;
  const found = await first();
  if (found !== undefined) return found;
  const create = registry(install).operations.find(({ method, path }) => method === 'POST' && path === collection)!;
  await oneOfEach(install, {}, [create]);
  return (await first())!;
}

/** Markup, a change of the direction of writing, and emoji: as much as a name may have. */
const HOSTILE = `"><b data-injected onclick="alert(1)">\u202e{{7*7}}</title><script>injected=1</script>`;

/** The same with names that somebody chose to break pages. They are newer, so lists and links show them first. */
export const hostileOfEach = (install: FreshInstall): Promise<number[]> =>
  oneOfEach(install, { name: HOSTILE + '🧾'.repeat(200 - [...HOSTILE].length) });

/** Whether a text of a page became a part of it. */
export const injectedInto = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>(`document.querySelector('[data-injected]') !== null || 'injected' in globalThis`);

/**
 * Signs in as the owner of the demo organization, and opens one page of each route that links lead to from the first page; `visit` is
 * called on each with its route. Returns the addresses by route.
 */
export async function crawl(
  page: Page,
  install: FreshInstall,
  visit: (route: string) => Promise<void>,
): Promise<ReadonlyMap<string, string>> {
  const { app, made } = install;
  await page.goto(await demoLink(app.app, made));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  const first = '/console/test';
  const seen = new Map([[routeOf(install, first)!, first]]);
  // A map is walked with what is added meanwhile.
  for (const [route, path] of seen) {
    await page.goto(app.url + path);
    await visit(route);
    const links = page.locator('a[href^="/console/test"]');
    for (const link of await links.evaluateAll((found) => found.map((one) => one.getAttribute('href')!))) {
      const linked = routeOf(install, link);
      if (linked !== undefined && !seen.has(linked)) seen.set(linked, link);
    }
  }
  return seen;
}

/** One page of each route that links lead to from the first page, as a browser without scripts has it. */
export async function shownByLinks(browser: Browser, install: FreshInstall): Promise<Awaited<ReturnType<Browser['visit']>>[]> {
  const { app, made } = install;
  await browser.visit(new URL(await demoLink(app.app, made)).pathname, {});
  const first = '/console/test';
  const seen = new Map([[routeOf(install, first)!, first]]);
  const shown: Awaited<ReturnType<Browser['visit']>>[] = [];
  for (const [, path] of seen) {
    const page = await browser.visit(path);
    shown.push(page);
    for (const [, link] of page.text.matchAll(/<a [^>]*href="(\/console\/test[^"#]*)/g)) {
      const route = routeOf(install, link!.replaceAll('&amp;', '&'));
      if (route !== undefined && !seen.has(route)) seen.set(route, link!.replaceAll('&amp;', '&'));
    }
  }
  return shown;
}

/** The route that an address belongs to; those with fixed names come first. */
function routeOf(install: FreshInstall, link: string): string | undefined {
  const path = new URL(link, install.app.url).pathname;
  const found = pagesOf(install)
    .filter((route) => new RegExp(`^${route.replace(/:\w+/g, '[^/]+')}$`).test(path))
    .sort((a, b) => a.split(':').length - b.split(':').length);
  return found[0];
}
