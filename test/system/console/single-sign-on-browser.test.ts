import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { findingsOf } from '../../support/axe.js';
import { startApp } from '../../support/app.js';
import { hasChromium, openPage, startChromium } from '../../support/chromium.js';
import { aCompany, anAccount, PROVIDERS_HERE, SECTION, START, startIdentityProvider } from '../../support/identity-provider.js';

/** What axe finds on the page, and whether it has to be moved sideways. */
async function findings(page: Page): Promise<string[]> {
  const [content, window] = await page.evaluate<[number, number]>('[document.documentElement.scrollWidth, innerWidth]');
  return [...(await findingsOf(page)), ...(content > window ? [`${page.url()}: ${content} px wide`] : [])];
}

describe.runIf(hasChromium() || process.env.CI)('in a real browser', () => {
  it.each([
    { width: 1280, colorScheme: 'light' },
    { width: 360, colorScheme: 'dark' },
  ] as const)('an owner signs in and sees single sign-on, $width pixels wide', async ({ width, colorScheme }) => {
    const app = await startApp(PROVIDERS_HERE);
    const provider = await startIdentityProvider(`${app.url}/console/sign-in/callback`);
    const browser = await startChromium();
    try {
      const { organization, owner } = await aCompany(app, provider);
      const { sub } = anAccount(provider, { email: owner.email });
      const { page } = await openPage(browser, { viewport: { width, height: 800 }, colorScheme });
      page.setDefaultTimeout(60_000);
      await page.goto(`${app.url}${START}?organization=nobody`);
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('alert').waitFor();
      expect(await findings(page)).toEqual([]);
      await page.getByLabel('Organization').fill(organization.slug);
      // The policy of the page lets the form lead to the provider.
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.locator('input[name=login]').fill(sub);
      await page.locator('input[name=password]').fill('any');
      await page.locator('button[type=submit]').click();
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      for (const path of [SECTION, `${SECTION}/edit`]) {
        await page.goto(app.url + path);
        expect(await findings(page)).toEqual([]);
      }
      await page.goto(app.url + SECTION);
      await page.getByRole('button', { name: 'Check' }).click();
      await page.getByRole('heading', { name: 'The provider answers' }).waitFor();
      expect(await findings(page)).toEqual([]);
    } finally {
      await browser.close();
      await app.close();
      await provider.close();
    }
  });
});
