import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoLink } from '../../../src/program/demo.js';
import { hasChromium, openPage, startChromium } from '../../support/chromium.js';
import { eventually } from '../../support/eventually.js';
import { freshInstall, type FreshInstall } from '../../support/fresh-install.js';
import { emptyEnd } from '../../support/layout.js';
import { holdLines } from '../../support/reports.js';
import { JANUARY, PATIENCE_MS } from '../../support/statements.js';

const WIDTHS = [1280, 390];

// Skipped without Chromium, which the start of the test session reports. CI must have it.
describe.runIf(hasChromium() || process.env.CI)('in a browser', () => {
  let install: FreshInstall;
  let browser: Browser;
  beforeAll(async () => {
    [install, browser] = await Promise.all([freshInstall(), startChromium()]);
  });
  afterAll(async () => {
    await browser?.close();
    await install?.close();
  });

  async function signedIn(options: Parameters<typeof openPage>[1] = {}): Promise<Page> {
    const { page } = await openPage(browser, options);
    page.setDefaultTimeout(60_000);
    await page.goto(await demoLink(install.app.app, install.made));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    return page;
  }
  const open = (page: Page, path: string) => page.goto(`${install.app.url}/console/test${path}`);

  it.each(WIDTHS)('a chart fills its card at %d px: each label is under its bar, and each line has its number', async (width) => {
    const page = await signedIn({ viewport: { width, height: 800 } });
    await open(page, `/reports/${install.made.records!.report_id}`);
    const chart = page.locator('.chart', { hasText: 'Spent by month' });
    const centre = async (found: ReturnType<Page['locator']>): Promise<number> => {
      const box = (await found.boundingBox())!;
      return box.x + box.width / 2;
    };
    // Each of the three months has a bar of two parts.
    for (const [index, month] of ['Jan 2026', 'Feb 2026', 'Mar 2026'].entries()) {
      const [label, bar] = [chart.locator('.labels').getByText(month), chart.locator('rect').nth(index * 2)];
      expect(Math.abs((await centre(label)) - (await centre(bar)))).toBeLessThan(3);
    }
    const [card, drawing] = [(await chart.boundingBox())!, (await chart.locator('svg').boundingBox())!];
    expect(drawing.width / card.width).toBeGreaterThan(0.7);
    const numbers = await chart.locator('.ticks span').allInnerTexts();
    expect([numbers.length, numbers.at(-1)]).toEqual([5, '0']);
    const highest = (await chart.locator('.ticks span').first().boundingBox())!;
    expect(Math.abs(highest.y - drawing.y)).toBeLessThan(2);
    expect(await emptyEnd(page)).toEqual([]);
  });

  it('once a run has ended, its page no longer says that it began, nor offers to cancel it', async () => {
    const [page, without] = [await signedIn(), await signedIn({ javaScriptEnabled: false })];
    // Before the lines are held: the form reads them.
    for (const shown of [page, without]) await open(shown, '/reports/new?projectId=');
    const release = await holdLines(install.app);
    try {
      for (const shown of [page, without]) {
        await shown.getByRole('button', { name: 'Make the report' }).click();
        await shown.getByText('You started this report.').waitFor();
        await shown.getByText('Cancel the run', { exact: true }).first().waitFor();
      }
      // A question that is open is closed once it can no longer be answered.
      await page.getByText('Cancel the run', { exact: true }).first().click();
    } finally {
      await release();
    }
    await page.getByText('Succeeded', { exact: true }).waitFor({ timeout: PATIENCE_MS });
    await eventually(async () => {
      await without.reload();
      expect(await without.getByText('Succeeded', { exact: true }).count()).toBe(1);
    }, PATIENCE_MS);
    for (const shown of [page, without]) {
      expect(await shown.getByText('Cancel the run').count()).toBe(0);
      expect(await shown.locator('.notice').count()).toBe(0);
      expect(await shown.getByText('Claimable', { exact: true }).first().count()).toBe(1);
    }
  });

  it('after an upload of several files, each row goes on to say what became of its file', async () => {
    const page = await signedIn();
    await open(page, '/statements/new');
    const file = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
    await page
      .getByLabel('Files', { exact: true })
      .setInputFiles([
        file('good.csv', JANUARY),
        file('better.csv', `${JANUARY}\n`),
        file('bad.csv', 'nothing,that,is\na,bank,statement\n'),
      ]);
    await page.getByRole('button', { name: 'Upload' }).click();
    await page.getByText('3 files were received.').waitFor();
    const row = (name: string) => page.getByRole('row', { name });
    await row('bad.csv').getByText('Failed').waitFor({ timeout: PATIENCE_MS });
    await row('good.csv').getByText('Ready').waitFor({ timeout: PATIENCE_MS });
    await row('better.csv').getByText('Ready').waitFor({ timeout: PATIENCE_MS });
    await eventually(async () => expect(await page.locator('.notice').count()).toBe(0), PATIENCE_MS);
  });
});
