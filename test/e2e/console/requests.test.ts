import { afterAll, beforeAll, expect, it } from 'vitest';
import { KEPT_PER_SECOND } from '../../../src/modules/request-history/api-request.entity.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aKey } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { aVisitor, type ConsoleBrowser } from '../../support/console.js';
import { eventually } from '../../support/eventually.js';
import { rowsOf } from '../../support/database.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const PATH = '/console/test/requests';
const rowsIn = (text: string): string[] => [...text.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row]) => row!).slice(1);

async function aCaller() {
  const visitor = await aVisitor(app);
  const { key, id } = await aKey(app, visitor.organization.id);
  return { ...visitor, id, api: new Client(app.url, key) };
}

/** Calls are written once a second, and before a list is read by the process that answered them. */
const listOf = (browser: ConsoleBrowser, query = '') => browser.visit(`${PATH}${query}`);

it('a call is in the list with its operation, status, problem and credential, and without what was sent', async () => {
  const { browser, api } = await aCaller();
  await api.get('/v1/claim-projects?search=secret-search');
  await api.post('/v1/claim-projects', { name: 'secret-name' });
  await eventually(async () => {
    const { text } = await listOf(browser);
    const [failed, read] = rowsIn(text);
    expect(rowsIn(text)).toHaveLength(2);
    expect(failed).toContain('POST /v1/claim-projects');
    expect(failed).toContain('validation_failed');
    expect(read).toContain('GET /v1/claim-projects');
    expect(text).not.toContain('secret-');
  });
  const { text } = await browser.visit(/href="(\/console\/test\/requests\/[^"]+)"/.exec((await listOf(browser)).text)![1]!);
  for (const said of ['claim_projects.create', '400', '/problems/validation_failed', 'all its calls']) expect(text).toContain(said);
});

it('is filtered by outcome, operation and key, and found by request id', async () => {
  const { browser, api, organization } = await aCaller();
  const { key } = await aKey(app, organization.id);
  await api.get('/v1/claim-projects');
  await api.get('/v1/claim-projects?page=x');
  await fetch(`${app.url}/v1/usage`, { headers: { 'x-api-key': key, 'x-request-id': 'my-own-id' } });
  await eventually(async () => expect(rowsIn((await listOf(browser)).text)).toHaveLength(3));
  expect(rowsIn((await listOf(browser, '?outcome=failed')).text)).toHaveLength(1);
  expect(rowsIn((await listOf(browser, '?outcome=succeeded')).text)).toHaveLength(2);
  expect(rowsIn((await listOf(browser, '?operation=claim_projects.list')).text)).toHaveLength(2);
  const [{ id } = { id: '' }] = await rowsOf<{ id: string }>(
    app.databaseUrl,
    "SELECT credential_id AS id FROM api_requests WHERE organization_id = $1 AND request_id = 'my-own-id'",
    [organization.id],
  );
  expect(rowsIn((await listOf(browser, `?key=${id}`)).text)).toHaveLength(1);
  const found = await listOf(browser, '?request=my-own-id');
  expect(found.url.pathname).toMatch(/\/requests\/[\w-]{36}$/);
  expect(found.text).toContain('my-own-id');
  expect((await listOf(browser, '?request=unknown')).text).toContain('No call is here');
});

it('goes on with older calls, without repeating or leaving out any', async () => {
  const { browser, api } = await aCaller();
  for (let count = 0; count < 6; count += 1) {
    await Promise.all(Array.from({ length: 10 }, () => api.get('/v1/claim-projects')));
    await eventually(async () => expect(await countOf(browser)).toBe(10 * (count + 1)));
  }
});

/** How many calls all pages of the list have together. */
async function countOf(browser: ConsoleBrowser): Promise<number> {
  const seen = new Set<string>();
  for (let path: string | undefined = PATH; path;) {
    const { text } = await browser.visit(path);
    for (const [, id] of text.matchAll(/requests\/([\w-]{36})"/g)) {
      expect(seen).not.toContain(id);
      seen.add(id!);
    }
    path = /rel="next" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
  }
  return seen.size;
}

it('shows nothing of another organization or environment', async () => {
  const [{ browser, api }, stranger] = [await aCaller(), await aVisitor(app)];
  await api.get('/v1/claim-projects');
  await eventually(async () => expect(rowsIn((await listOf(browser)).text)).toHaveLength(1));
  const path = /href="(\/console\/test\/requests\/[\w-]{36})"/.exec((await listOf(browser)).text)![1]!;
  expect(rowsIn((await listOf(stranger.browser)).text)).toEqual([]);
  expect((await stranger.browser.visit(path)).status).toBe(404);
  expect((await browser.visit(path.replace('/test/', '/live/'))).status).toBe(404);
  expect((await browser.visit(path)).status).toBe(200);
  expect((await browser.visit(`${PATH}/not-an-id`)).status).toBe(404);
});

it('of a flood of calls a bounded number is kept', async () => {
  const { browser, api } = await aCaller();
  const begun = performance.now();
  for (let batch = 0; batch < 6; batch += 1) await Promise.all(Array.from({ length: 100 }, () => api.get('/v1/usage')));
  const seconds = Math.ceil((performance.now() - begun) / 1000);
  await eventually(async () => expect(await countOf(browser)).toBeGreaterThan(0));
  expect(await countOf(browser)).toBeLessThanOrEqual((seconds + 2) * 2 * KEPT_PER_SECOND);
});
