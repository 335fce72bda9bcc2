import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Registry } from '../../../src/api/operation/registry.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aTenant } from '../../support/builders.js';
import { hasChromium, openPage, startChromium } from '../../support/chromium.js';
import { aPartner } from '../../support/oauth.js';

const PATIENCE_MS = 60_000;
const LIST = '/v1/claim-projects';

// Skipped without Chromium, which the start of the test session reports. CI must have it.
describe.runIf(hasChromium() || process.env.CI)('Swagger UI in a browser', () => {
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    app = await startApp();
    browser = await startChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await app?.close();
  });

  async function open(): Promise<{ page: Page; complaints: string[] }> {
    const opened = await openPage(browser, { viewport: { width: 1280, height: 1000 } });
    // The library is large: its page takes a while where much else happens.
    opened.page.setDefaultTimeout(PATIENCE_MS);
    opened.page.context().setDefaultTimeout(PATIENCE_MS);
    await opened.page.goto(`${app.url}/docs`);
    await opened.page.getByRole('heading', { name: /^Claims API/ }).waitFor();
    return opened;
  }

  /** Calls the list of projects from the page, and returns the status and the headers that were sent. */
  async function callList(page: Page): Promise<{ status: number; sent: Record<string, string> }> {
    const block = page.locator('.opblock-get', { has: page.locator(`[data-path="${LIST}"]`) });
    await block.locator('.opblock-summary-control').click();
    const answered = page.waitForResponse((response) => response.url().startsWith(app.url + LIST));
    await block.getByRole('button', { name: 'Execute' }).click();
    const answer = await answered;
    return { status: answer.status(), sent: answer.request().headers() };
  }

  const authorize = (page: Page) => page.locator('.auth-wrapper > .authorize').click();
  const close = (page: Page) => page.locator('.modal-ux').getByRole('button', { name: 'Close', exact: true }).last().click();

  it('shows every operation and every webhook without an error', async () => {
    const { page, complaints } = await open();
    const { operations, events } = app.app.get(Registry);
    expect(await page.locator('.opblock').count()).toBe(operations.length + events.length);
    expect(await page.locator('.errors-wrapper').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('opens an operation by its address, and leads from there to the guide of the resource', async () => {
    const { page, complaints } = await openPage(browser, { viewport: { width: 1280, height: 1000 } });
    page.setDefaultTimeout(PATIENCE_MS);
    // As the list of operations links to it.
    await page.goto(`${app.url}/guides/operations`);
    await page.getByRole('link', { name: 'webhooks.create', exact: true }).click();
    await page.locator('.opblock-post.is-open', { has: page.locator('[data-path="/v1/webhooks"]') }).waitFor();
    expect(await page.locator('.opblock.is-open').count()).toBe(1);
    const opening = page.context().waitForEvent('page');
    await page.locator('#operations-tag-webhooks').getByRole('link', { name: 'Guide' }).click();
    const guide = await opening;
    await guide.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
    expect(guide.url()).toBe(`${app.url}/guides/webhooks`);
    expect(complaints).toEqual([]);
  });

  it('has for every resource a guide that the service answers with', async () => {
    const { tags } = (await (await fetch(new URL('/openapi.json', app.url))).json()) as {
      tags: { name: string; externalDocs?: { url: string } }[];
    };
    expect(tags.filter(({ externalDocs }) => externalDocs === undefined)).toEqual([]);
    for (const { externalDocs } of tags) expect((await fetch(externalDocs!.url)).status, externalDocs!.url).toBe(200);
  });

  it('has our title and icon, and none of the bar of the library', async () => {
    const { page } = await open();
    expect(await page.title()).toBe('Claims API');
    expect(await page.locator('link[rel=icon]').getAttribute('href')).toBe('/favicon.ico');
    expect(await page.locator('.topbar').isVisible()).toBe(false);
  });

  it('runs no script that is written into the page', async () => {
    const { page, complaints } = await open();
    await page.evaluate(`(() => {
      const script = document.createElement('script');
      script.textContent = 'window.hasRun = true';
      document.body.append(script);
    })()`);
    expect(await page.evaluate('window.hasRun')).toBeUndefined();
    expect(complaints.join()).toMatch(/inline script violates .*script-src 'self'/);
  });

  it('cannot be shown in a frame of another site', async () => {
    const trap = createServer((_request, response) =>
      response.setHeader('content-type', 'text/html').end(`<iframe src="${app.url}/docs"></iframe>`),
    );
    await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve));
    const { page } = await openPage(browser);
    await page.goto(`http://127.0.0.1:${(trap.address() as AddressInfo).port}/`);
    expect(page.frames()[1]!.url()).toMatch(/^chrome-error:/);
    trap.close();
  });

  it('calls the API with a key', async () => {
    const { key } = await aTenant(app);
    const { page } = await open();
    await authorize(page);
    const box = page.locator('.auth-container', { hasText: 'X-API-Key' });
    await box.locator('input').fill(key);
    await box.getByRole('button', { name: 'Apply credentials' }).click();
    await close(page);
    const { status, sent } = await callList(page);
    expect([status, sent['x-api-key']]).toEqual([200, key]);
  });

  it('keeps nothing in the browser that was entered there', async () => {
    const { page } = await open();
    await authorize(page);
    const box = page.locator('.auth-container', { hasText: 'X-API-Key' });
    await box.locator('input').fill('clk_test_entered');
    await box.getByRole('button', { name: 'Apply credentials' }).click();
    await close(page);
    expect(await page.evaluate('JSON.stringify([localStorage, sessionStorage])')).not.toContain('clk_test_entered');
    await page.reload();
    await page.getByRole('heading', { name: /^Claims API/ }).waitFor();
    expect((await callList(page)).sent['x-api-key']).toBeUndefined();
  });

  it.each([
    ['a public application', true],
    ['an application with a secret', false],
  ])('gets a token for %s by authorization code with PKCE, and calls the API with it', async (_what, isPublic) => {
    const partner = await aPartner(app, { redirectUris: [`${app.url}/docs/oauth2-redirect.html`], isPublic });
    const { page } = await open();
    await authorize(page);
    const box = page.locator('.auth-container', { hasText: 'authorizationCode' });
    await box.getByLabel('client_id:').fill(partner.application.clientId);
    if (!isPublic) await box.getByLabel('client_secret:').fill(partner.application.clientSecret);
    await box.locator('.scopes .checkbox', { hasText: 'claim_projects:read' }).locator('label').first().click();
    const opening = page.waitForEvent('popup');
    await box.getByRole('button', { name: 'Apply given OAuth2 credentials' }).click();
    const popup = await opening;
    await popup.getByLabel('E-mail').fill(partner.user.email);
    await popup.getByLabel('Password').fill(partner.user.password);
    await popup.getByRole('button', { name: 'Sign in', exact: true }).click();
    const closed = popup.waitForEvent('close');
    await popup.getByRole('button', { name: 'Allow' }).click();
    await closed;
    await box.getByRole('button', { name: 'Remove authorization' }).waitFor();
    await close(page);
    const { status, sent } = await callList(page);
    expect([status, sent.authorization]).toEqual([200, expect.stringMatching(/^Bearer /)]);
  });
});
