import { DiscoveryService } from '@nestjs/core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageOf } from '../../src/api/console/page.js';
import { Registry } from '../../src/api/operation/registry.js';
import { methodsOf } from '../../src/store/discovery/methods-of.js';
import { subscribableKinds } from '../../src/kernel/declare-event.js';
import { demoLink } from '../../src/program/demo.js';
import { newId } from '../../src/kernel/ids.js';
import { findingsOf } from '../support/axe.js';
import { openPage, startChromium } from '../support/chromium.js';
import { crawl, hostileOfEach, injectedInto, oneOfEach, pagesOf, shownByLinks, VIEWS } from '../support/console-crawl.js';
import { ConsoleBrowser } from '../support/console.js';
import { PARTS_PAGE } from '../support/console-pictures.js';
import { brokenWords, doesNotReflow, emptyEnd, obscuredFocus, smallTargets } from '../support/layout.js';
import { freshInstall, type FreshInstall } from '../support/fresh-install.js';

const PATIENCE_MS = 60_000;
/** With its style and scripts. */
const MAX_PAGE_BYTES = 64 * 1024;
const MAX_HTML_BYTES = 40 * 1024;
const MAX_STYLE_BYTES = 12 * 1024;

let install: FreshInstall;
let browser: Browser;
beforeAll(async () => {
  [install, browser] = await Promise.all([freshInstall(), startChromium()]);
  await oneOfEach(install);
  // Most kinds of record have a name.
  expect((await hostileOfEach(install)).filter((status) => status === 201).length).toBeGreaterThan(2);
});
afterAll(async () => {
  await browser?.close();
  await install?.close();
});

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

it('no page shows a day, an amount, an id or a word of the API as programs write it, but as code', async () => {
  const raw = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{20,}|\b\d{4}-\d\d-\d\d\b|\b\d{4,}\.\d\d\b|\b[a-z]+_[a-z_]+\b/;
  const events = new RegExp(subscribableKinds().join('|').replaceAll('.', '\\.'), 'g');
  const found: string[] = [];
  const pages = await shownByLinks(new ConsoleBrowser(install.app.url), install);
  expect(pages.length).toBeGreaterThan(40);
  for (const { text, url } of pages) {
    expect(text.length, url.pathname).toBeLessThan(MAX_HTML_BYTES);
    // What may be entered and chosen, and the names of events, are those of the API.
    const said = text
      .replace(/<(head|code|pre|script|textarea|option)\b[^]*?<\/\1>/g, ' ')
      .replace(/<(?:[^>"]|"[^"]*")*>/g, '\n')
      .replace(events, '');
    for (const line of said.split('\n')) if (raw.test(line)) found.push(`${url.pathname}: ${line.trim()}`);
  }
  expect(found).toEqual([]);
});

it('the style of all pages is small', async () => {
  const { text } = await new ConsoleBrowser(install.app.url).visit('/guides');
  const style = await fetch(install.app.url + /href="([^"]+\/console\.css)"/.exec(text)![1]!);
  expect((await style.text()).length).toBeLessThanOrEqual(MAX_STYLE_BYTES);
});

it('no form ends in an error of ours, whatever is missing or wrong in it', async () => {
  const browser = new ConsoleBrowser(install.app.url);
  const targets = new Map<string, { csrf: string; names: readonly string[] }>();
  for (const { text } of await shownByLinks(browser, install)) {
    for (const [, action, form] of text.matchAll(/<form method="post" action="([^"]+)"[^>]*>(.*?)<\/form>/gs)) {
      const csrf = /name="csrf" value="([^"]+)"/.exec(form!)?.[1] ?? '';
      const names = [...new Set([...form!.matchAll(/ name="([^"]+)"/g)].map(([, name]) => name!))].filter((name) => name !== 'csrf');
      const others = [...form!.matchAll(/formaction="([^"#]+)/gi)].map(([, target]) => target!);
      for (const target of [action!, ...others]) targets.set(target.replaceAll('&amp;', '&'), { csrf, names });
    }
  }
  expect(targets.size).toBeGreaterThan(30);
  // Those that keep the others from being sent come last.
  const isLast = (target: string): boolean => /sign-out|sessions|second-factor|delete|suspend|revoke/.test(target);
  const ordered = [...targets].sort(([one], [other]) => Number(isLast(one)) - Number(isLast(other)));
  const failed: unknown[] = [];
  for (const [target, { csrf, names }] of ordered) {
    const forms = [
      {},
      ...['', 'x', '\u{1f9fe}'.repeat(300), newId()].map((value) => Object.fromEntries(names.map((name) => [name, value]))),
    ];
    for (const fields of forms) {
      const { status, text } = await browser.visit(target, { csrf, ...fields });
      if (status >= 500) failed.push({ target, fields, status, text: text.slice(0, 300) });
    }
  }
  expect(failed).toEqual([]);
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

/** The items of a batch are changed there one by one, and what programs are tried against is asked for by programs. */
const OF_PROGRAMS = /^(?:batches\.create|test\.\w+)$/;

it('whatever the API changes is changed in the console, by an action that names the operation', () => {
  const actions = install.app.app
    .get(DiscoveryService)
    .getControllers()
    .flatMap(({ metatype }) => [...methodsOf(metatype!.prototype as object)].map(([, handler]) => pageOf(handler)))
    .flatMap((page) => (page?.isAction && page.operation ? [page.operation] : []));
  const missing = registry()
    .operations.filter(({ id, isWrite }) => isWrite && !actions.includes(id) && !OF_PROGRAMS.test(id))
    .map(({ id }) => id);
  expect(missing).toEqual([]);
});

it('the search is one key away, but not while somebody writes, or once they have switched the key off', async () => {
  const { page } = await openPage(browser);
  await page.goto(await demoLink(install.app.app, install.made));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  const focused = () => page.evaluate<string>(`document.activeElement.getAttribute('name')`);
  await page.keyboard.press('/');
  expect(await focused()).toBe('q');
  await page.keyboard.type('a/b');
  expect(await page.locator('.palette input').inputValue()).toBe('a/b');
  await page.goto(`${install.app.url}/console/test/projects/new`);
  await page.getByLabel('Name', { exact: true }).focus();
  await page.keyboard.type('a/b');
  expect([await focused(), await page.getByLabel('Name', { exact: true }).inputValue()]).toEqual(['name', 'a/b']);
  await page.keyboard.press('Control+k');
  expect(await focused()).toBe('q');
  await page.goto(`${install.app.url}/console/test/account`);
  await page.getByRole('button', { name: 'Switch / off' }).click();
  await page.keyboard.press('/');
  expect(await focused()).not.toBe('q');
  await page.goto(`${install.app.url}/console/test/account`);
  await page.keyboard.press('/');
  expect(await focused()).not.toBe('q');
  await page.getByRole('button', { name: 'Switch / on' }).click();
  await page.keyboard.press('/');
  expect(await focused()).toBe('q');
});

it('a short list is sorted by its headings, up and down, and says so; what is chosen in a list can be moved at once', async () => {
  const { page } = await openPage(browser);
  await page.goto(await demoLink(install.app.app, install.made));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.goto(`${install.app.url}/console/test/categories`);
  const heading = page.getByRole('columnheader', { name: 'Code' });
  const codes = () => page.locator('tbody tr').evaluateAll((rows) => rows.map((row) => (row as { textContent: string }).textContent));
  const found = await codes();
  await heading.getByRole('link').click();
  const up = await codes();
  expect([await heading.getAttribute('aria-sort'), up.toSorted()]).toEqual(['ascending', found.toSorted()]);
  await heading.getByRole('link').click();
  expect(await heading.getAttribute('aria-sort')).toBe('descending');
  expect(await codes()).toEqual(up.toReversed());

  await page.goto(`${install.app.url}/console/test/statements`);
  const move = page.getByRole('button', { name: 'Move to this project' });
  expect(await move.isVisible()).toBe(false);
  await page.locator('tbody input[type=checkbox]').first().check();
  await page.locator('[name=moveTo]').selectOption('');
  await move.click();
  expect(await page.getByRole('status').textContent()).toBe('1 statement was moved.');
});

describe.each(VIEWS)('$name', ({ options }) => {
  it(
    'every page is found by links, axe finds nothing wrong, no word in a table is broken, targets are large, and nothing leaves the host',
    { timeout: 600_000 },
    async () => {
      const { page, complaints } = await openPage(browser, { ...options, bypassCSP: true });
      page.setDefaultTimeout(PATIENCE_MS);
      const elsewhere: string[] = [];
      page.on('request', (request) => {
        if (!request.url().startsWith(install.app.url)) elsewhere.push(request.url());
      });
      const problems: string[] = [];
      const look = async (): Promise<void> => {
        problems.push(...(await findingsOf(page)), ...(await tooWide(page)), ...(await tooLarge(page)));
        problems.push(...(await brokenWords(page)), ...(await emptyEnd(page)));
        problems.push(...(await smallTargets(page)), ...(await doesNotReflow(page)), ...(await obscuredFocus(page)));
        if (await injectedInto(page)) problems.push(`${page.url()}: a name became a part of the page`);
      };
      const seen = await crawl(page, install, look);
      const project = seen.get('/console/:environment/projects/:project_id')!;
      for (const path of [PARTS_PAGE, ...TABS.map((tab) => `${project}?tab=${tab}`)]) {
        await page.goto(install.app.url + path);
        await look();
      }
      expect(
        pagesOf(install).filter((path) => !seen.has(path)),
        'pages that no link leads to',
      ).toEqual([]);
      expect(problems).toEqual([]);
      expect(complaints).toEqual([]);
      expect(elsewhere).toEqual([]);
    },
  );
});

/** Those of a project, beside the first one. */
const TABS = ['statements', 'categories', 'configurations'];

/** Phones, a phone on its side, a desktop, and the same at 400 %. */
const SIZES = [
  ...[
    { width: 360, height: 740 },
    { width: 740, height: 360 },
    { width: 1280, height: 800 },
  ],
  { width: 320, height: 640 },
  { width: 320, height: 256 },
];
const LONG_FORMS = ['webhooks/new', 'categories/new', 'configurations/new', 'keys/new', 'applications/new'];

it('the buttons of a long form stay in view, and cover nothing that has the focus', { timeout: 120_000 }, async () => {
  for (const locale of ['en', 'de']) {
    const { page } = await openPage(browser, { locale });
    await page.goto(await demoLink(install.app.app, install.made));
    await page.locator('form button').click();
    await page.waitForURL('**/console/test');
    for (const path of LONG_FORMS) {
      expect((await page.goto(`${install.app.url}/console/test/${path}`))!.status(), path).toBe(200);
      for (const size of SIZES) {
        await page.setViewportSize(size);
        expect(await obscuredFocus(page), `${locale} ${size.width} × ${size.height}`).toEqual([]);
        await page.evaluate('scrollTo(0, 0)');
        const end = await page.locator('.fields > .buttons:last-child').evaluate((foot) => foot.getBoundingClientRect().bottom);
        if (size.height >= 480) expect(end, `${path} ${size.width} × ${size.height}`).toBeLessThanOrEqual(size.height);
      }
    }
  }
});

const WIDTHS = [360, 768, 1280, 1920];
/** Lists, of which the first record is looked at as well, and pages with long words. */
const LISTS = ['projects', 'statements', 'reports', 'categories', 'webhooks'];
const OTHERS = ['', 'organization/edit', 'audit', 'requests', 'keys', 'reports/new', 'usage'];

describe.each(['de', 'fr', 'es', 'nl'])('in %s', (language) => {
  it('no page is broken or moved sideways at any width, and axe finds nothing', { timeout: 300_000 }, async () => {
    const { page, complaints } = await openPage(browser, { bypassCSP: true, locale: language, colorScheme: 'dark' });
    await page.goto(await demoLink(install.app.app, install.made));
    await page.locator('form button').click();
    await page.waitForURL('**/console/test');
    const problems: string[] = [];
    const look = async (path: string): Promise<void> => {
      expect((await page.goto(`${install.app.url}/console/test/${path}`.replace(/\/$/, '')))!.status(), path).toBe(200);
      expect(await page.locator('html').getAttribute('lang')).toBe(language);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 });
        problems.push(...(await tooWide(page)), ...(await brokenWords(page)), ...(await smallTargets(page)));
      }
      problems.push(...(await findingsOf(page)));
    };
    for (const path of OTHERS) await look(path);
    for (const path of LISTS) {
      await look(path);
      const first = page.locator('tbody td:first-child a').first();
      const one = (await first.getAttribute('href'))!.replace('/console/test/', '');
      await look(one);
      if (path === 'projects') for (const tab of TABS) await look(`${one}?tab=${tab}`);
    }
    expect(problems).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

/** What a first visit loads: the page, its style and its scripts. */
async function tooLarge(page: Page): Promise<string[]> {
  const bytes = await page.evaluate<number>(`[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
    .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`);
  expect(bytes).toBeGreaterThan(5000);
  return bytes > MAX_PAGE_BYTES ? [`${page.url()}: ${bytes} bytes`] : [];
}

/** Whether a page has to be moved sideways to be read. */
async function tooWide(page: Page): Promise<string[]> {
  const [content, window] = await page.evaluate<[number, number]>('[document.documentElement.scrollWidth, innerWidth]');
  return content > window ? [`${page.url()}: ${content} px wide in ${window}`] : [];
}
