import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { OPERATOR } from '../../../src/kernel/context.js';
import { SignInLinks } from '../../../src/modules/console/index.js';
import { type TestApp } from '../../support/app.js';
import { anOrganization } from '../../support/builders.js';
import { openPage, startChromium } from '../../support/chromium.js';
import { eventually } from '../../support/eventually.js';
import { Receiver } from '../../support/receiver.js';
import { aUser } from '../../support/users.js';
import { startDelivering } from '../../support/webhooks.js';

const STATEMENT = `Date,Description,Amount,Currency,Counterparty
2026-01-05,DB Fernverkehr Ticket 1234,-89.90,EUR,DB Fernverkehr AG
2026-02-11,Hotel Adler,-240.00,EUR,Hotel Adler GmbH
2026-03-02,Salary,2500.00,EUR,Example GmbH
`;

let app: TestApp;
let browser: Browser;
let receiver: Receiver;
beforeAll(async () => {
  [app, browser, receiver] = await Promise.all([startDelivering(), startChromium(), Receiver.start()]);
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
  await receiver?.close();
});

/** Somebody who sees the console for the first time, of an organization that has nothing yet. */
async function aStranger(options: BrowserContextOptions): Promise<{ page: Page; complaints: string[] }> {
  const organization = await anOrganization(app, { plan: 'enterprise' });
  const user = await aUser(app, organization.id, { role: 'owner' });
  const { link } = await app.app.get(SignInLinks).make(OPERATOR, user);
  const shown = await openPage(browser, options);
  await shown.page.goto(link);
  await shown.page.getByRole('button', { name: 'Sign in' }).click();
  return shown;
}

/** From a file of one's own to the PDF of the claim. */
const MOST_CLICKS = 25;

const BROWSERS: [string, BrowserContextOptions][] = [
  ['on a desktop', {}],
  ['on a phone, without scripts', { javaScriptEnabled: false, viewport: { width: 360, height: 740 }, colorScheme: 'dark' }],
];

it.each(BROWSERS)(
  'a stranger makes a key, a webhook, a rule and a report with its PDF by what the pages say, the claim in at most 25 clicks: %s',
  async (_name, options) => {
    const { page, complaints } = await aStranger(options);
    page.setDefaultTimeout(60_000);
    let clicks = 0;
    const click = async (target: Locator, timeout = 60_000) => {
      await target.click({ timeout });
      clicks += 1;
    };
    const open = async (name: string) => {
      const link = page.getByRole('link', { name, exact: true }).first();
      const menu = page.getByRole('link', { name: 'Menu', exact: true });
      await eventually(async () => {
        // On a phone, the sections are behind the menu.
        if (!(await link.isVisible()) && (await menu.isVisible())) await click(menu);
        await click(link, 2000);
      }, 60_000);
    };
    const press = (name: string) => click(page.getByRole('button', { name, exact: true }));
    const overview = () => open('Overview');
    /** Without scripts, people load the page again. */
    const awaitStatus = (status: string) =>
      eventually(async () => {
        if (options.javaScriptEnabled === false) await page.reload();
        expect(await page.getByText(status, { exact: true }).count()).toBeGreaterThan(0);
      }, 60_000);

    await open('Create an API key and use it');
    await open('New API key');
    await page.getByLabel('Name', { exact: true }).fill('Month-end sync');
    await page.getByLabel(/^Everything/).check();
    await press('Create the key');
    const line = await page.getByLabel('A line to try the key').innerText();
    const { stdout } = await promisify(execFile)('bash', ['-c', line]);
    expect(JSON.parse(stdout)).toMatchObject({ credential: { environment: 'test' } });

    await overview();
    await open('Receive a webhook');
    await open('New endpoint');
    await page.getByLabel('Name', { exact: true }).fill('Month-end sync');
    await page.getByLabel('URL', { exact: true }).fill(`${receiver.url}/hook`);
    await page.getByLabel(/^All events/).check();
    await press('Create the endpoint');
    await open('Webhooks');
    await open('Month-end sync');
    await press('Send a test');
    await page.getByText('200').first().waitFor();

    // From here it is a claim from a file of one's own.
    clicks = 0;
    await open('Categories');
    await open('New category');
    await page.getByLabel('Code', { exact: true }).fill('TRAVEL-RAIL');
    await page.getByLabel('Name', { exact: true }).fill('Rail');
    await page.getByLabel('Value', { exact: true }).first().fill('Fernverkehr');
    await press('Create the category');

    await overview();
    await open('Upload a statement');
    const file = { name: 'first-quarter.csv', mimeType: 'text/csv', buffer: Buffer.from(STATEMENT) };
    await page.getByLabel('Files', { exact: true }).setInputFiles(file);
    // The field, and the file.
    clicks += 2;
    await press('Upload');
    await page.getByText('One file was received.').waitFor();
    await awaitStatus('Ready');

    await overview();
    await open('Make your first report');
    await open('New configuration');
    await page.getByLabel('Name', { exact: true }).fill('First quarter');
    await page.getByLabel('First day of the period').fill('2026-01-01');
    await page.getByLabel('Last day of the period').fill('2026-03-31');
    expect(await page.getByLabel('PDF', { exact: true }).isChecked()).toBe(true);
    await press('Create the configuration');
    await open('Make a report with it');
    await press('Make the report');
    await awaitStatus('Succeeded');
    expect(await page.getByText('89.90').first().innerText()).toContain('89.90');
    const [download] = await Promise.all([page.waitForEvent('download'), click(page.getByRole('button', { name: /PDF|\.pdf/ }))]);
    expect(clicks).toBeLessThanOrEqual(MOST_CLICKS);
    expect((await readFile(await download.path())).subarray(0, 5).toString()).toBe('%PDF-');

    await overview();
    expect(await page.getByText('To do', { exact: true }).count()).toBe(0);
    expect(complaints).toEqual([]);
  },
);
