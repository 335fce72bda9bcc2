import type { Browser, CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR } from '../../../src/kernel/context.js';
import { SignInLinks } from '../../../src/modules/console/index.js';
import { findingsOf } from '../../support/axe.js';
import { startApp, type TestApp } from '../../support/app.js';
import { anOrganization } from '../../support/builders.js';
import { hasChromium, openPage, startChromium } from '../../support/chromium.js';
import { rowsOf } from '../../support/database.js';
import { aPartner, authorizeUrl } from '../../support/oauth.js';
import { aUser, PASSWORD } from '../../support/users.js';

const PASSKEYS = '/console/test/passkeys';
const SECURITY = '/console/test/security';
const PATIENCE_MS = 60_000;

let app: TestApp;
let browser: Browser;
beforeAll(async () => {
  app = await startApp({ HOST: 'localhost' });
  if (hasChromium()) browser = await startChromium();
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
});

/** A device in the browser, which says that it was unlocked until somebody says otherwise. */
async function aDevice(page: Page): Promise<{ devtools: CDPSession; authenticatorId: string }> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { devtools, authenticatorId };
}

const open = async (options = {}) => {
  const opened = await openPage(browser, options);
  opened.page.setDefaultTimeout(PATIENCE_MS);
  return { ...opened, device: await aDevice(opened.page) };
};

async function findings(page: Page): Promise<string[]> {
  const [content, window] = await page.evaluate<[number, number]>('[document.documentElement.scrollWidth, innerWidth]');
  return [...(await findingsOf(page)), ...(content > window ? [`${page.url()}: ${content} px wide`] : [])];
}

/** An owner who has signed in by a link, and adds a passkey. */
async function withPasskey(options = {}) {
  const organization = await anOrganization(app);
  const user = await aUser(app, organization.id, { role: 'owner' });
  const opened = await open(options);
  const { page } = opened;
  const { link } = await app.app.get(SignInLinks).make(OPERATOR, user);
  await page.goto(link);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.goto(app.url + PASSKEYS);
  const found = await findings(page);
  await page.getByLabel('Your password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Name').fill('Laptop');
  found.push(...(await findings(page)));
  await page.getByRole('button', { name: 'Create the passkey' }).click();
  await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
  await page.goto(app.url + PASSKEYS);
  found.push(...(await findings(page)));
  return { ...opened, user, found };
}

const signOut = async (page: Page): Promise<void> => {
  await page.context().clearCookies();
  await page.goto(`${app.url}/console/sign-in`);
};

// Skipped without Chromium, which the start of the test session reports. CI must have it.
describe.runIf(hasChromium() || process.env.CI)('in a real browser, a passkey', () => {
  it.each([
    { width: 1280, colorScheme: 'light' },
    { width: 360, colorScheme: 'dark' },
  ] as const)('is added, signs in, and is removed, $width pixels wide', async ({ width, colorScheme }) => {
    const { page, user, found, complaints } = await withPasskey({ viewport: { width, height: 800 }, colorScheme });
    expect(found).toEqual([]);
    await signOut(page);
    expect(await findings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.goto(app.url + PASSKEYS);
    await page.locator('form[action$="/remove"]').getByRole('button', { name: 'Use a passkey instead' }).click();
    await page.getByText('The passkey was removed').waitFor();
    expect(await rowsOf(app.databaseUrl, 'SELECT passkeys::text FROM users WHERE id = $1', [user.id])).toEqual([{ passkeys: '[]' }]);
    expect(complaints).toEqual([]);
  });

  it('takes the place of the code after the password, and of password and code where these are asked for again', async () => {
    const { page, user } = await withPasskey();
    await signOut(page);
    await page.getByLabel('E-mail').fill(user.email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Enter your code' }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.goto(app.url + SECURITY);
    expect(await findings(page)).toEqual([]);
    await page.locator('form[action$="/recovery-codes"]').getByRole('button', { name: 'Use a passkey instead' }).click();
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
  });

  it('does not sign in without unlocking the device, and the page says that none was used', async () => {
    const { page, device } = await withPasskey();
    await signOut(page);
    await device.devtools.send('WebAuthn.setUserVerified', { authenticatorId: device.authenticatorId, isUserVerified: false });
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByText('No passkey was used').waitFor();
    await device.devtools.send('WebAuthn.setUserVerified', { authenticatorId: device.authenticatorId, isUserVerified: true });
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });

  it('of this service is not offered to another site on the same machine under another name', async () => {
    const { page } = await withPasskey();
    await page.context().clearCookies();
    // The same process by its address: a page of another origin, as one of a phisher is.
    await page.goto(`${app.url.replace('localhost', '127.0.0.1')}/console/sign-in`);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByText('No passkey was used').waitFor();
  });

  it('signs in for an application: the page of the question leads to the console and back', async () => {
    const partner = await aPartner(app);
    const { page } = await open();
    const { link } = await app.app.get(SignInLinks).make(OPERATOR, { ...partner.user, organizationId: partner.organization.id });
    await page.goto(link);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.goto(app.url + PASSKEYS);
    await page.getByLabel('Your password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Create the passkey' }).click();
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
    await signOut(page);
    await page.goto(authorizeUrl(app.url, partner));
    await page.getByRole('link', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('button', { name: /^Continue as / }).click();
    await page.locator('button[value=allow]').waitFor();
  });
});
