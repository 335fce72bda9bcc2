import axe from 'axe-core';
import { DiscoveryService } from '@nestjs/core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageOf } from '../../src/api/console/page.js';
import { Registry } from '../../src/api/operation/registry.js';
import { fieldsOf } from '../../src/api/validation/field.js';
import { demoLink } from '../../src/demo.js';
import { methodsOf } from '../../src/store/discovery/methods-of.js';
import { newId } from '../../src/kernel/ids.js';
import { openPage, startChromium } from '../support/chromium.js';
import { freshInstall, type FreshInstall } from '../support/fresh-install.js';

const PATIENCE_MS = 20_000;

let install: FreshInstall;
let browser: Browser;
beforeAll(async () => {
  [install, browser] = await Promise.all([freshInstall(), startChromium()]);
  await oneOfEach();
});
afterAll(async () => {
  await browser?.close();
  await install?.close();
});

/** A record of every kind that the API creates, with the examples of the documents: a new resource needs no other sample. */
async function oneOfEach(): Promise<void> {
  // Endpoints before the records that are delivered to them.
  const creates = registry().operations.filter((operation) => operation.needsKey && operation.pathIds.length === 0);
  for (const { method, path, body } of [...creates].reverse()) {
    if (method !== 'POST' || !body) continue;
    const fields = [...fieldsOf(body.prototype as object)].filter(([name, { about }]) => !about.optional || name === 'name');
    // A run needs nothing: the demo has some, and another would have none of its kind before it.
    if (fields.length === 0) continue;
    // Refused where the demo has the same: then there is one already.
    await install.api.post(path, Object.fromEntries(fields.map(([name, { about }]) => [name, about.example])));
  }
}

const registry = (): Registry => install.app.app.get(Registry);
const routes = () => registry().consoleRoutes;
/** The address of a route, with ids of nothing. */
const addressOf = (path: string): string => path.replace(':environment', 'test').replace(/:\w+/g, newId());

it('whoever is not signed in is sent to the sign-in, from every page and every form', async () => {
  expect(routes().length).toBeGreaterThan(5);
  for (const { method, path } of routes()) {
    const answer = await fetch(install.app.url + addressOf(path), { method, redirect: 'manual' });
    expect([method, path, answer.status, answer.headers.get('location')]).toEqual([
      ...[method, path, 303],
      expect.stringMatching(/^\/console\/sign-in(\?next=|$)/),
    ]);
  }
});

it('every page and form says which operation or which role it takes, and every form what it records', () => {
  const handlers = install.app.app
    .get(DiscoveryService)
    .getControllers()
    .flatMap(({ metatype }) =>
      [...methodsOf(metatype!.prototype as object)].map(([name, handler]) => ({ name: `${metatype!.name}.${name}`, handler })),
    );
  const declared = handlers.flatMap(({ name, handler }) => ({ name, page: pageOf(handler) })).filter(({ page }) => page !== undefined);
  expect(declared.length).toBe(routes().length);
  for (const { name, page } of declared) {
    const { operation, role } = page!;
    expect(operation === undefined ? role : registry().operationCalled(operation), `${name}: operation or role`).toBeDefined();
    if (operation === undefined) continue;
    const isWrite = registry().operationCalled(operation).isWrite;
    if (page!.isAction) expect(isWrite, `${name} does what ${operation} does`).toBe(true);
  }
});

const VIEWS = [
  { name: 'on a desktop, in light colours', options: { viewport: { width: 1280, height: 800 }, colorScheme: 'light' } },
  {
    name: 'on a phone, in dark colours',
    options: { viewport: { width: 360, height: 740 }, colorScheme: 'dark' },
  },
] as const;

describe.each(VIEWS)('$name', ({ options }) => {
  it(
    'every page is found by links from the first one, axe finds nothing wrong, and nothing leaves the host',
    { timeout: 180_000 },
    async () => {
      const { page, complaints } = await openPage(browser, { ...options, bypassCSP: true });
      page.setDefaultTimeout(PATIENCE_MS);
      const elsewhere: string[] = [];
      page.on('request', (request) => {
        if (!request.url().startsWith(install.app.url)) elsewhere.push(request.url());
      });
      await page.goto(await demoLink(install.app.app, install.made));
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      const seen = new Map<string, string>();
      const waiting = ['/console/test'];
      const problems: string[] = [];
      for (let path = waiting.shift(); path; path = waiting.shift()) {
        await page.goto(install.app.url + path);
        problems.push(...(await findings(page)), ...(await tooWide(page)));
        for (const link of await page
          .locator('a[href^="/console/test"]')
          .evaluateAll((links) => links.map((link) => link.getAttribute('href')!))) {
          const pattern = patternOf(link);
          if (pattern === undefined || seen.has(pattern)) continue;
          seen.set(pattern, link);
          waiting.push(link);
        }
      }
      const pages = routes()
        .filter(({ method }) => method === 'GET')
        .map(({ path }) => path);
      expect(
        pages.filter((path) => !seen.has(path)),
        'pages that no link leads to',
      ).toEqual([]);
      expect(problems).toEqual([]);
      expect(complaints).toEqual([]);
      expect(elsewhere).toEqual([]);
    },
  );
});

/** The route that an address belongs to; those with fixed names come first. */
function patternOf(link: string): string | undefined {
  const path = new URL(link, install.app.url).pathname;
  const found = routes()
    .filter((route) => route.method === 'GET' && new RegExp(`^${route.path.replace(/:\w+/g, '[^/]+')}$`).test(path))
    .sort((a, b) => a.path.split(':').length - b.path.split(':').length);
  return found[0]?.path;
}

/** What axe finds on the page, by its rules and best practices: the rule, and the elements. */
async function findings(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations, passes } = await page.evaluate<axe.AxeResults>('axe.run()');
  expect(passes.length).toBeGreaterThan(10);
  return violations.map(({ id, nodes }) => `${page.url()}: ${id} at ${nodes.map(({ html }) => html).join(' ')}`);
}

/** Whether a page has to be moved sideways to be read. */
async function tooWide(page: Page): Promise<string[]> {
  const [content, window] = await page.evaluate<[number, number]>('[document.documentElement.scrollWidth, innerWidth]');
  return content > window ? [`${page.url()}: ${content} px wide in ${window}`] : [];
}
