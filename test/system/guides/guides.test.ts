import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { find } from '../../../public/guides.js';
import { CONSOLE_HEADERS } from '../../../src/api/console/open-pages.js';
import { GUIDES_PATH, guides, shownOf, type GuideText } from '../../../src/modules/contracts/guides.js';
import { QUERY_MAX_LENGTH, RESULTS_MAX, type IndexEntry } from '../../../src/modules/contracts/site/search.js';
import { findingsOf } from '../../support/axe.js';
import { startApp, type TestApp } from '../../support/app.js';
import { brokenWords } from '../../support/layout.js';
import { hasChromium, openPage, startChromium } from '../../support/chromium.js';

/** A page that is longer is about two things: split it by readers or tasks. */
const PAGE_MAX_BYTES = 40 * 1024;
/** A row for each operation: it is looked up, not read. */
const TABLE_MAX_BYTES = 48 * 1024;
const FOR_PEOPLE = { headers: { Accept: 'text/html' } };

let app: TestApp;
let all: readonly GuideText[];
beforeAll(async () => {
  app = await startApp();
  all = await guides();
});
afterAll(() => app.close());

const get = (path: string, init?: RequestInit) => fetch(new URL(path, app.url), init);
const pageAt = async (path: string): Promise<string> => (await get(path)).text();
const linksOf = (page: string): string[] => [...page.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, link]) => link!.replaceAll('&amp;', '&'));
const idsOf = (page: string): string[] => [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!);
const resultsOf = (page: string): string[] =>
  [...(/<ol class="results">([^]*)<\/ol>/.exec(page)?.[1] ?? '').matchAll(/href="([^"]+)"/g)].map(([, link]) => link!);

describe('a guide', () => {
  it('is a page with the navigation, its neighbours, Swagger UI and its Markdown, under the strict policy', async () => {
    for (const [at, { page, path, title }] of all.entries()) {
      const answer = await get(page);
      expect([answer.status, answer.headers.get('content-type')], page).toEqual([200, 'text/html; charset=utf-8']);
      expect(answer.headers.get('content-security-policy')).toBe(CONSOLE_HEADERS['Content-Security-Policy']);
      const html = await answer.text();
      expect(html.match(/<h1/g), page).toHaveLength(1);
      expect(html).not.toMatch(/<style|style="|<script(?! src=)| on\w+="/);
      expect(linksOf(html)).toEqual(expect.arrayContaining(['/docs', path, ...all.map((guide) => guide.page)]));
      expect(html).toContain(`aria-current="page">${title}`);
      const nextTo = (rel: string): string | undefined => new RegExp(`<a href="([^"]+)" rel="${rel}"`).exec(html)?.[1];
      expect([nextTo('prev'), nextTo('next')], page).toEqual([all[at - 1]?.page, all[at + 1]?.page]);
    }
  });

  it('links only to pages and sections that exist', async () => {
    const pages = new Map<string, string>();
    const read = async (path: string): Promise<string> => {
      const known = pages.get(path);
      if (known !== undefined) return known;
      const answer = await get(path, FOR_PEOPLE);
      const text = answer.status < 400 ? await answer.text() : '';
      pages.set(path, text);
      return text;
    };
    const broken: string[] = [];
    for (const { page } of [...all, { page: GUIDES_PATH }]) {
      for (const link of linksOf(await read(page))) {
        const { origin, pathname, hash } = new URL(link, new URL(page, app.url));
        // links.test.ts looks at the places within Swagger UI.
        if (origin !== app.url || pathname === '/docs') continue;
        const target = await read(pathname);
        if (target === '' || (hash && !idsOf(target).includes(decodeURIComponent(hash.slice(1))))) broken.push(`${page}: ${link}`);
      }
    }
    expect(broken).toEqual([]);
  });

  it('is not too long for a page', async () => {
    const sizes = await Promise.all(all.map(async ({ page }) => [page, Buffer.byteLength(await pageAt(page))] as const));
    const boundOf = (page: string): number => (page === '/guides/operations' ? TABLE_MAX_BYTES : PAGE_MAX_BYTES);
    expect(sizes.filter(([page, bytes]) => bytes > boundOf(page))).toEqual([]);
  });

  it('about changes shows the newest and says where all are, and the search finds what the page has', async () => {
    const guide = all.find(({ name }) => name === 'changelog')!;
    const { page, path, text } = guide;
    expect(await pageAt(path)).toBe(text);
    const html = await pageAt(page);
    const [version] = /^\d+\.\d+\.\d+ /m.exec(text.replace(/^## /gm, ''))!;
    expect(html).toContain(version.trim());
    const { data } = (await (await get('/guides/search-index.json')).json()) as { data: IndexEntry[] };
    const words = data.filter(({ href }) => href.startsWith(`${page}#`)).flatMap((entry) => entry.words.split(' ').filter(Boolean));
    expect(words.length).toBeGreaterThan(100);
    expect(words.filter((word) => !html.toLowerCase().includes(word))).toEqual([]);
  });

  it('about changes shows only the newest when there are many', () => {
    const guide = all.find(({ name }) => name === 'changelog')!;
    const shown = shownOf({ ...guide, text: `${guide.text}${'- Another change.\n'.repeat(5000)}` });
    expect(Buffer.byteLength(shown)).toBeLessThan(PAGE_MAX_BYTES);
    expect(shown).toContain(`These are the newest changes. The [changelog as Markdown](${guide.path}) has all.`);
  });

  it('says before its first heading what it is for', () => {
    const silent = all.filter(({ text }) => !/^# .+\n+(?:<!--[^]*?-->\n+)?[A-Z*`][^\n]{20,}/.test(text));
    expect(silent.map(({ name }) => name)).toEqual([]);
  });

  it('has no notes for those who change it', () => {
    expect(all.filter(({ text }) => text.includes('shown by `test/')).map(({ name }) => name)).toEqual([]);
  });

  it('is listed in llms.txt as Markdown', async () => {
    const text = await pageAt('/llms.txt');
    for (const { title, path, about } of all) expect(text).toContain(`- [${title}](${app.url}${path}): ${about}`);
  });
});

describe('the list of guides', () => {
  it('is a page for people and JSON for programs, whoever asks first', async () => {
    for (let round = 0; round < 2; round += 1) {
      const [forPeople, forPrograms] = [await get(GUIDES_PATH, FOR_PEOPLE), await get(GUIDES_PATH)];
      expect([forPeople.headers.get('content-type'), forPrograms.headers.get('content-type')]).toEqual([
        'text/html; charset=utf-8',
        'application/json; charset=utf-8',
      ]);
      expect([forPeople.headers.get('vary'), forPrograms.headers.get('vary')]).toEqual([
        'Accept, Accept-Encoding',
        'Accept, Accept-Encoding',
      ]);
      expect(linksOf(await forPeople.text())).toEqual(expect.arrayContaining(all.map(({ page }) => page)));
      expect(((await forPrograms.json()) as { data: unknown[] }).data).toHaveLength(all.length);
    }
  });
});

describe('the search', () => {
  const found = (query: string) => pageAt(`/guides/search?${new URLSearchParams({ q: query }).toString()}`);

  it('finds sections by their words and parts of them, those with the word in their heading first', async () => {
    expect(resultsOf(await found('idempotency_conflict'))[0]).toBe('/guides/errors#idempotency_conflict');
    expect(resultsOf(await found('verify signat'))[0]).toBe('/guides/webhooks#verify-the-signature');
    expect(resultsOf(await found('REPLACE key'))[0]).toBe('/guides/authentication#replace-a-key');
  });

  it('says that nothing was found, and keeps what was typed', async () => {
    const page = await found('no-such-word-anywhere');
    expect(page).toContain('Nothing found for “no-such-word-anywhere”.');
    expect(page).toContain('value="no-such-word-anywhere"');
  });

  it.each(['/guides/search', '/guides/search?q=', '/guides/search?q=%20&q=a', '/guides/search?q=...'])(
    'has no results for %s',
    async (path) => {
      const answer = await get(path);
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
      expect(resultsOf(await answer.text())).toEqual([]);
    },
  );

  it('shows markup as text', async () => {
    const page = await found('<script>alert(1)</script>"\'');
    expect(page).not.toContain('<script>alert');
    expect(page).toContain('&lt;script>alert(1)&lt;/script>');
  });

  it('is bounded, however long the question is', async () => {
    expect(resultsOf(await found('a'))).toHaveLength(RESULTS_MAX);
    const page = await found(`${'key '.repeat(2000)}zzz`);
    expect(resultsOf(page).length).toBeGreaterThan(0);
    expect(page).not.toContain('key '.repeat(QUERY_MAX_LENGTH / 4 + 1));
  });

  it('answers each question for itself, also after others', async () => {
    expect(await found('pagination')).not.toBe(await found('webhooks'));
  });

  it('finds the same in the browser as in the service', async () => {
    const { data } = (await (await get('/guides/search-index.json')).json()) as { data: IndexEntry[] };
    for (const query of ['pagination', 'rate limit', 'scope_missing', 'Webhook secret', '', '...', 'zzzz']) {
      const inBrowser = find(data, query).map(({ href }) => href);
      expect(inBrowser, query).toEqual(resultsOf(await found(query)).slice(0, 8));
    }
  });
});

/** Of fields, in the browser. */
const valuesOf = (fields: Element[]): (string | null)[] => fields.map((field) => field.getAttribute('value'));

// Skipped without Chromium, which the start of the test session reports. CI must have it.
describe.runIf(hasChromium() || process.env.CI)('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser?.close());

  it.each([
    ['dark', 360],
    ['light', 1280],
  ] as const)(
    'axe finds nothing wrong in %s at %d pixels, nothing is wider, and no word in a table is broken',
    async (colorScheme, width) => {
      const { page, complaints } = await openPage(browser, { colorScheme, viewport: { width, height: 800 } });
      for (const path of [
        '/guides',
        '/guides/quickstart',
        '/guides/errors',
        '/guides/limits',
        '/guides/mcp',
        '/guides/webhooks',
        '/guides/operations',
        '/guides/events',
        '/guides/search?q=key',
        '/guides/nothing',
        // Not guides, but as open.
        '/problems',
        '/problems/validation_failed',
      ]) {
        await page.goto(new URL(path, app.url).href);
        expect(await findingsOf(page)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBeLessThanOrEqual(width);
        expect(await brokenWords(page)).toEqual([]);
      }
      // The browser itself says that a page was not found.
      expect(complaints.filter((text) => !text.includes('404 (Not Found)'))).toEqual([]);
      await page.context().close();
    },
  );

  it('suggests sections while somebody types, and needs the network no more than once', async () => {
    const { page, complaints } = await openPage(browser);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(`${app.url}/guides/quickstart`);
    const loaded = page.waitForResponse(/search-index/);
    await page.getByRole('searchbox').focus();
    await (await loaded).finished();
    await page.context().setOffline(true);
    await page.keyboard.type('idempotency_conflict');
    await page.getByRole('link', { name: 'Errors: idempotency_conflict' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('list', { name: 'Suggestions' }).waitFor({ state: 'hidden' });
    expect(asked.filter((url) => !url.startsWith(app.url))).toEqual([]);
    expect(asked.filter((url) => url.includes('search'))).toEqual([`${app.url}/guides/search-index.json`]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('shows the language that was chosen last, in all guides, and what was chosen stays where it is', async () => {
    const { page, complaints } = await openPage(browser, { viewport: { width: 1280, height: 800 } });
    await page.goto(`${app.url}/guides/webhooks`);
    const chosen = page.getByRole('radio', { checked: true });
    expect(await chosen.evaluateAll(valuesOf)).toEqual(['JavaScript']);
    const label = page.getByText('Python', { exact: true });
    const top = async (): Promise<number> => (await label.boundingBox())!.y;
    await label.scrollIntoViewIfNeeded();
    const before = await top();
    await label.click();
    expect(await top()).toBeCloseTo(before, 0);
    await page.getByText('from standardwebhooks.webhooks import').waitFor();
    expect(await page.getByText('import { createServer }').isVisible()).toBe(false);
    // Its arrows choose among them, as in any group of such fields.
    await page.keyboard.press('ArrowRight');
    expect(await chosen.evaluateAll(valuesOf)).toEqual(['Go']);
    await page.goto(`${app.url}/guides/quickstart`);
    expect(await chosen.evaluateAll(valuesOf)).toEqual(['Python']);
    await page.getByText('curl', { exact: true }).click();
    await page.reload();
    expect(await chosen.evaluateAll(valuesOf)).toEqual(['curl']);
    await page.goto(`${app.url}/guides/webhooks`);
    expect(await chosen.evaluateAll(valuesOf)).toEqual(['Go']);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('copies the code that is shown, as the guide has it', async () => {
    const { page } = await openPage(browser, { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.goto(`${app.url}/guides/quickstart`);
    await page.getByText('Python', { exact: true }).click();
    await page.locator('.copyable', { hasText: 'import requests' }).getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const [, code] = /```python.*\n([^]*?)\n```/.exec(all.find(({ name }) => name === 'quickstart')!.text)!;
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(code);
    await page.context().close();
  });

  it('works where the browser keeps nothing', async () => {
    const { page, complaints } = await openPage(browser);
    await page.addInitScript("Object.defineProperty(globalThis, 'localStorage', { get: () => { throw new Error('none is kept'); } })");
    await page.goto(`${app.url}/guides/webhooks`);
    await page.getByText('Ruby', { exact: true }).click();
    await page.getByText('class ClaimsHooksController').waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('works without scripts: tabs are chosen, the form leads to the results, and the menu to the navigation', async () => {
    const { page } = await openPage(browser, { javaScriptEnabled: false, viewport: { width: 360, height: 740 } });
    await page.goto(`${app.url}/guides/quickstart`);
    await page.getByText('JavaScript', { exact: true }).click();
    await page.getByText('// quickstart.mjs').waitFor();
    await page.getByRole('searchbox').fill('pagination');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Pagination', exact: true }).first().click();
    await page.getByRole('link', { name: 'Menu' }).click();
    await page.getByRole('navigation', { name: 'Guides' }).getByRole('link', { name: 'Limits' }).click();
    expect(page.url()).toBe(`${app.url}/guides/limits`);
    await page.context().close();
  });
});
