import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR } from '../../../src/kernel/context.js';
import { Accounts } from '../../../src/modules/users/index.js';
import { findingsOf } from '../../support/axe.js';
import { startApp, type TestApp } from '../../support/app.js';
import { anOrganization } from '../../support/builders.js';
import { hasChromium, openPage, startChromium } from '../../support/chromium.js';
import { aDevice } from '../../support/devices.js';
import { aPartner, authorizeUrl } from '../../support/oauth.js';
import { aVisitor } from '../../support/console.js';
import { linkOf, projectOf } from '../../support/upload-links.js';
import { anInvitation } from '../../support/users.js';

const PATIENCE_MS = 60_000;

// Skipped without Chromium, which the start of the test session reports. CI must have it.
describe.runIf(hasChromium() || process.env.CI)('axe finds nothing wrong', () => {
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

  const open = async (colorScheme: 'light' | 'dark', path: string): Promise<Page> => {
    const { page } = await openPage(browser, { colorScheme });
    page.setDefaultTimeout(PATIENCE_MS);
    await page.goto(new URL(path, app.url).href);
    return page;
  };

  describe.each(['light', 'dark'] as const)('in %s colours', (colours) => {
    it.each(['/', '/problems', '/problems/validation_failed', '/problems/rate_limited', '/invitations/none'])('on %s', async (path) => {
      expect(await findingsOf(await open(colours, path))).toEqual([]);
    });

    it('on the page of an invitation, also with an error', async () => {
      const { link } = await anInvitation(app, (await anOrganization(app)).id);
      const page = await open(colours, link);
      expect(await findingsOf(page)).toEqual([]);
      for (const box of await page.locator('input[type=password]').all()) await box.fill('short');
      await page.getByRole('button').first().click();
      await page.getByRole('alert').waitFor();
      expect(await findingsOf(page)).toEqual([]);
    });

    it('on the page of an upload link, also with an error, on a phone', async () => {
      const { browser: maker } = await aVisitor(app);
      const page = await open(colours, await linkOf(maker, { projectId: await projectOf(maker), note: 'All accounts' }));
      await page.setViewportSize({ width: 360, height: 740 });
      expect(await findingsOf(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
      const file = {
        name: 'a-long-name-of-a-file-'.repeat(8) + '.zip',
        mimeType: 'application/zip',
        buffer: Buffer.from('PK\u0003\u0004'),
      };
      await page.locator('input[type=file]').setInputFiles(file);
      await page.getByRole('button', { name: 'Send the files' }).click();
      await page.getByRole('heading', { name: 'Anything else?' }).waitFor();
      expect(await findingsOf(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
      await page.getByText('I am finished').press('Enter');
      await page.getByRole('button', { name: 'Finish' }).click();
      await page.getByRole('heading', { name: 'Thank you' }).waitFor();
      expect(await findingsOf(page)).toEqual([]);
    });

    it('from sign-in to consent, also with errors', async () => {
      const partner = await aPartner(app);
      const page = await open(colours, authorizeUrl(app.url, partner, { scope: 'claim_projects:read webhooks:write' }));
      expect(await findingsOf(page)).toEqual([]);
      const signIn = async (password: string): Promise<void> => {
        await page.getByLabel('E-mail').fill(partner.user.email);
        await page.getByLabel('Password').fill(password);
        await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      };
      await signIn('not the password');
      await page.getByRole('alert').waitFor();
      expect(await findingsOf(page)).toEqual([]);
      await signIn(partner.user.password);
      await page.getByRole('button', { name: 'Allow' }).waitFor();
      expect(await findingsOf(page)).toEqual([]);
      for (const box of await page.getByRole('checkbox').all()) await box.uncheck();
      await page.getByRole('button', { name: 'Allow' }).click();
      await page.getByRole('alert').waitFor();
      expect(await findingsOf(page)).toEqual([]);
      await page.goto(authorizeUrl(app.url, partner, { redirect_uri: 'https://elsewhere.example.com/callback' }));
      expect(await findingsOf(page)).toEqual([]);
    });

    it('on the consent for live data, and on the page for the code of a second factor', async () => {
      const partner = await aPartner(app, { environment: 'live' });
      await app.app.get(Accounts).enableTotp(OPERATOR, partner.user.id);
      const page = await open(colours, authorizeUrl(app.url, partner));
      await page.getByLabel('E-mail').fill(partner.user.email);
      await page.getByLabel('Password').fill(partner.user.password);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByLabel('Code from your authenticator app').fill('000000');
      expect(await findingsOf(page)).toEqual([]);
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('alert').waitFor();
      expect(await findingsOf(page)).toEqual([]);
      await app.app.get(Accounts).disableTotp(OPERATOR, partner.user.id);
      const live = await open(colours, authorizeUrl(app.url, partner));
      await live.getByLabel('E-mail').fill(partner.user.email);
      await live.getByLabel('Password').fill(partner.user.password);
      await live.getByRole('button', { name: 'Sign in', exact: true }).click();
      await live.getByText('Live: real data.').waitFor();
      expect(await findingsOf(live)).toEqual([]);
    });

    it('from the code of a device to the connected applications', async () => {
      const partner = await aPartner(app, { grants: ['device_code'], redirectUris: [], isPublic: true });
      const { userCode } = await aDevice(app, partner);
      const page = await open(colours, '/oauth/device');
      const next = async (button: string) => {
        expect(await findingsOf(page)).toEqual([]);
        await page.getByRole('button', { name: button, exact: true }).click();
      };
      await page.getByLabel('Code').fill('BBBB-BBBB');
      await next('Continue');
      await page.getByRole('alert').waitFor();
      await page.getByLabel('Code').fill(userCode);
      await next('Continue');
      await page.getByText(userCode).waitFor();
      await next('Continue');
      await page.getByLabel('E-mail').fill(partner.user.email);
      await page.getByLabel('Password').fill(partner.user.password);
      await next('Sign in');
      await next('Allow');
      await page.getByText('Your device is connected').waitFor();
      expect(await findingsOf(page)).toEqual([]);
      // The browser is signed in already.
      await page.goto(new URL(`/oauth/connections?organization=${partner.organization.slug}`, app.url).href);
      await page.getByRole('heading', { name: 'Month-end sync' }).waitFor();
      await next('Remove Month-end sync');
      await page.getByText('No application may act for you.').waitFor();
      expect(await findingsOf(page)).toEqual([]);
    });
  });
});
