import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium, openPage, startChromium } from '../../support/chromium.js';
import { freshInstall, type FreshInstall } from '../../support/fresh-install.js';
import { withoutReferences, type DocumentedOperation, type OpenApi, type Parameter } from '../../support/law-document.js';

const START_MS = 60_000;
const PATIENCE_MS = 60_000;

/** Everything else in a query is a filter. */
const WITH_DEFAULTS = ['page', 'page_size', 'limit'];

let fresh: FreshInstall;
beforeAll(async () => {
  fresh = await freshInstall();
}, START_MS);
afterAll(() => fresh.close());

/** What Swagger UI fills in before anyone types. */
const filledIn = ({ example, schema, required }: Parameter) =>
  (example ?? schema.example ?? (schema as { default?: unknown }).default ?? (required ? schema.enum?.[0] : undefined)) as
    | string
    | number
    | undefined;

/** The call that Swagger UI sends when only Execute is pressed. */
function firstTry(path: string, { parameters = [], requestBody }: DocumentedOperation) {
  const values = parameters.flatMap((parameter) => {
    const value = filledIn(parameter);
    return value === undefined || parameter.name === 'Idempotency-Key' ? [] : [{ ...parameter, value: String(value) }];
  });
  const valuesIn = (place: Parameter['in']) =>
    Object.fromEntries(values.filter((value) => value.in === place).map(({ name, value }) => [name, value]));
  const url = Object.entries(valuesIn('path')).reduce((found, [name, value]) => found.replace(`{${name}}`, value), path);
  const body = requestBody?.content['application/json']?.example as object | undefined;
  return { url: `${url}?${new URLSearchParams(valuesIn('query')).toString()}`, headers: valuesIn('header'), body };
}

/** The capabilities whose operations are clicked: each click takes a second. */
const CLICKED = ['webhooks', 'bank_statements'];

const isDeletion = (method: string): number => Number(method === 'DELETE');
/** A new run has lines of its own: those of the examples are gone then. After a reset, all of them are. */
const isLater = (method: string, path: string): number =>
  path === '/v1/test/reset' ? 2 : isDeletion(method) || Number(method === 'POST' && path === '/v1/claim-reports') / 2;

it('the report of a fresh install has the lines of its statement', async () => {
  const { body } = await fresh.api.get(`/v1/claim-reports/${fresh.made.records!.report_id}`);
  expect(JSON.stringify(body)).not.toContain('no_statements');
  expect(body).toMatchObject({ result: { totals: expect.any(Object) as object } });
});

/** What the demo has made has ended, and well: these say so. */
const isOver = (path: string, status: number, text: string): boolean =>
  /[/](?:cancel|retry)$/.test(path) && status === 409 && text.includes('"wrong_state"');

it('with the demo key and unedited examples, every operation succeeds, or says that what it is about is over', async () => {
  const document = (await fresh.api.get('/openapi.json')).body as OpenApi;
  const operations = Object.entries(document.paths)
    .flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })))
    .sort((a, b) => isLater(a.method, a.path) - isLater(b.method, b.path));
  const failed: string[] = [];
  for (const { method, path, operation } of operations) {
    const { url, headers, body } = firstTry(path, withoutReferences(document, operation));
    const { status, text } = await fresh.api.send(method, url, body, headers);
    if ((status < 200 || status > 299) && !isOver(path, status, text)) failed.push(`${method} ${url}: ${status} ${text}`);
  }
  expect(operations.length).toBeGreaterThan(25);
  expect(failed).toEqual([]);
});

// Skipped without Chromium, which the start of the test session reports. CI must have it.
describe.runIf(hasChromium() || process.env.CI)('in Swagger UI', () => {
  let other: FreshInstall;
  let browser: Browser;
  beforeAll(async () => {
    other = await freshInstall();
    browser = await startChromium();
  }, START_MS);
  afterAll(async () => {
    await browser?.close();
    await other?.close();
  });

  async function open(): Promise<Page> {
    const { page } = await openPage(browser, { viewport: { width: 1280, height: 1000 } });
    page.setDefaultTimeout(PATIENCE_MS);
    await page.goto(`${other.app.url}/docs`);
    await page.locator('.auth-wrapper > .authorize').click();
    const box = page.locator('.auth-container', { hasText: 'X-API-Key' });
    await box.locator('input').fill(other.made.keys.test);
    await box.getByRole('button', { name: 'Apply credentials' }).click();
    await page.locator('.modal-ux').getByRole('button', { name: 'Close', exact: true }).last().click();
    return page;
  }

  async function execute(page: Page, block: Locator): Promise<string | undefined> {
    await block.locator('.opblock-summary-control').click();
    const answered = page.waitForResponse((response) => response.url().startsWith(`${other.app.url}/v1`));
    await block.getByRole('button', { name: 'Execute' }).click();
    const answer = await answered;
    // The page gets slower with each block that stays open.
    await block.locator('.opblock-summary-control').click();
    const sent = [...new URL(answer.url()).searchParams.keys()];
    if (sent.some((name) => !WITH_DEFAULTS.includes(name))) return `${answer.url()} has a filter that nobody asked for.`;
    const [status, text] = [answer.status(), await answer.text()];
    const isWell = answer.ok() || isOver(new URL(answer.url()).pathname, status, text);
    return isWell ? undefined : `${answer.request().method()} ${answer.url()}: ${status} ${text}`;
  }

  it('the first click on Execute succeeds, for each method', async () => {
    const page = await open();
    const { paths } = (await other.api.get('/openapi.json')).body as OpenApi;
    const calls = Object.entries(paths)
      .flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, { tags }]) => ({ method: method.toUpperCase(), path, tag: tags![0]! })),
      )
      .filter(({ tag }) => CLICKED.includes(tag))
      .sort((a, b) => isDeletion(a.method) - isDeletion(b.method));
    expect(new Set(calls.map(({ method }) => method)).size).toBe(4);
    const toggle = (tag: string) => page.locator(`.opblock-tag[data-tag="${tag}"]`).click();
    // The page is much faster with one tag open at a time.
    for (const tag of new Set(Object.values(paths).flatMap((methods) => Object.values(methods).map(({ tags }) => tags![0]!))))
      await toggle(tag);
    const failed: string[] = [];
    let shown: string | undefined;
    for (const { method, path, tag } of calls) {
      if (shown !== undefined && shown !== tag) await toggle(shown);
      if (shown !== tag) await toggle(tag);
      shown = tag;
      const block = page.locator(`.opblock-${method.toLowerCase()}`, { has: page.locator(`[data-path="${path}"]`) });
      const problem = await execute(page, block).catch((error: Error) => `${method} ${path}: ${error.message.split('\n')[0]}`);
      if (problem !== undefined) failed.push(problem);
    }
    expect(failed).toEqual([]);
  });
});
