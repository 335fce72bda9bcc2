/* oxlint-disable house/max-width -- the names of boxes in a snapshot are long */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/app.js';
import { contrasts, hasChromium, openPage, startChromium } from '../../support/chromium.js';
import { eventually } from '../../support/eventually.js';
import { aPartner, ask, authorizeUrl, aVerifier, bearer, challengeOf } from '../../support/oauth.js';

const show =
  (body: string): RequestListener =>
  (_request, response) =>
    void response
      .setHeader('content-type', 'text/html')
      .end(
        `<!doctype html><html lang="en"><head><link rel="icon" href="data:,"><title>A partner</title></head><body>${body}</body></html>`,
      );
/** The page of the application after the redirect back. */
const welcome = show('<h1>Back at the application</h1>');

// Skipped without Chromium, which the start of the test session reports. CI must have it.
describe.runIf(hasChromium() || process.env.CI)('in a browser', () => {
  let app: TestApp;
  let browser: Browser;
  let own: Awaited<ReturnType<typeof openPage>>;
  let callback: string;
  const opened: Server[] = [];

  async function serve(answer: RequestListener): Promise<string> {
    const server = createServer(answer);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    opened.push(server);
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  beforeAll(async () => {
    callback = `${await serve(welcome)}/callback`;
    app = await startApp();
    browser = await startChromium();
    own = await openPage(browser);
  });
  // One page for all tests, because opening a page is slow.
  beforeEach(async () => {
    await own.page.context().clearCookies();
    own.complaints.length = 0;
  });
  afterAll(async () => {
    await browser?.close();
    await app?.close();
    for (const server of opened) server.close();
  });

  type Partner = Awaited<ReturnType<typeof aPartner>>;

  /** Opens the authorization page, as if coming from a partner's application. */
  async function come({
    scope = 'claim_projects:read',
    name = 'Month-end sync',
    page = own.page,
  }: { scope?: string; name?: string; page?: Page } = {}) {
    const partner = await aPartner(app, { redirectUris: [callback], name });
    const verifier = aVerifier();
    const address = (more: Record<string, string> = {}) =>
      authorizeUrl(app.url, partner, { redirect_uri: callback, code_challenge: challengeOf(verifier), scope, ...more });
    await page.goto(address());
    return { partner, verifier, address, page };
  }

  async function signIn(page: Page, { user }: Partner): Promise<void> {
    await page.getByLabel('E-mail').fill(user.email);
    await page.getByLabel('Password').fill(user.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }
  const allow = (page: Page) => page.getByRole('button', { name: 'Allow' }).click();
  const isBack = async (page: Page): Promise<URLSearchParams> => {
    await page.waitForURL(`${callback}?*`);
    return new URL(page.url()).searchParams;
  };
  const focused = (page: Page) => page.evaluate<string>('document.activeElement.name');

  it('a user signs in and allows access; the application gets a code, exchanges it, and calls the API', async () => {
    const { partner, verifier, page } = await come();
    await signIn(page, partner);
    await allow(page);
    const answer = await isBack(page);
    expect([answer.get('state'), answer.get('iss')]).toEqual(['a state', app.url]);
    const { status, body } = await ask(app, partner, {
      grant_type: 'authorization_code',
      code: answer.get('code')!,
      redirect_uri: callback,
      code_verifier: verifier,
    });
    expect(status).toBe(200);
    expect((await bearer(app, body.access_token!)).status).toBe(200);
    expect(own.complaints).toEqual([]);
  });

  it('everything works without JavaScript', async () => {
    const { partner, page } = await come(await openPage(browser, { javaScriptEnabled: false }));
    await signIn(page, partner);
    await allow(page);
    expect((await isBack(page)).get('code')).toMatch(/^[\w-]{43}$/);
  });

  it('everything works with the keyboard, and pressing Enter once too often allows nothing', async () => {
    const { partner, page } = await come();
    await eventually(async () => expect(await focused(page)).toBe('email'));
    await page.keyboard.type(partner.user.email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(partner.user.password);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Allow' }).waitFor();
    await page.keyboard.press('Enter');
    expect(await page.getByRole('button', { name: 'Allow' }).isVisible()).toBe(true);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
    await page.keyboard.press('Enter');
    expect((await isBack(page)).get('code')).toMatch(/^[\w-]{43}$/);
  });

  it('a wrong password is reported at the focused field; the e-mail address is kept and the password is not', async () => {
    const { partner, page } = await come();
    await eventually(async () => expect(await focused(page)).toBe('email'));
    await signIn(page, { ...partner, user: { ...partner.user, password: 'not the password' } });
    await page.getByRole('alert').waitFor();
    const password = page.getByLabel('Password');
    await eventually(async () => expect(await focused(page)).toBe('password'));
    const description = 'The e-mail address or the password is wrong.';
    expect(await page.getByRole('textbox', { name: 'Password', description }).count()).toBe(1);
    expect([await page.getByLabel('E-mail').inputValue(), await password.inputValue()]).toEqual([partner.user.email, '']);
    await password.fill(partner.user.password);
    await page.keyboard.press('Enter');
    await allow(page);
    expect((await isBack(page)).get('code')).toMatch(/^[\w-]{43}$/);
  });

  it('a user who refuses, signed in or not, is sent back to the application with an error', async () => {
    await (await come()).page.getByRole('button', { name: 'Cancel' }).click();
    expect((await isBack(own.page)).get('error')).toBe('access_denied');
    const { partner, page } = await come();
    await signIn(page, partner);
    await page.getByRole('button', { name: 'Refuse' }).click();
    const answer = await isBack(page);
    expect([answer.get('error'), answer.get('state'), answer.get('iss'), answer.get('code')]).toEqual([
      'access_denied',
      'a state',
      app.url,
      null,
    ]);
  });

  it('a second consent shows only new scopes, and a repeated consent says that it is one', async () => {
    const { partner, address, page } = await come();
    await signIn(page, partner);
    await allow(page);
    await isBack(page);
    await page.goto(address({ scope: 'claim_projects:read usage:read claim_projects:write' }));
    const asked = page.getByRole('checkbox');
    expect(await Promise.all((await asked.all()).map(async (box) => [await box.getAttribute('value'), await box.isChecked()]))).toEqual([
      ['claim_projects:write', true],
      ['usage:read', true],
    ]);
    await allow(page);
    await isBack(page);
    await page.goto(address({ prompt: 'consent' }));
    await page.getByText('asks you to confirm what you allowed before').waitFor();
    expect(await asked.count()).toBe(1);
    await allow(page);
    expect((await isBack(page)).get('code')).toMatch(/^[\w-]{43}$/);
  });

  it('follows redirects of the application to other origins', async () => {
    const elsewhere = await serve(welcome);
    const home = `${elsewhere.replace('127.0.0.1', 'localhost')}/home`;
    const redirects: RequestListener = (_request, response) => void response.writeHead(302, { location: home }).end();
    const site = await serve(redirects);
    const partner = await aPartner(app, { redirectUris: [`${site}/callback`] });
    const { page } = own;
    await page.goto(authorizeUrl(app.url, partner, { redirect_uri: `${site}/callback` }));
    await signIn(page, partner);
    await allow(page);
    await page.waitForURL(home);
  });

  it('the back button leads to a page that explains what happened', async () => {
    const { partner, page } = await come();
    await signIn(page, partner);
    await allow(page);
    await isBack(page);
    await page.goBack();
    await page.getByRole('heading', { name: 'This request cannot be completed' }).waitFor();
  });

  it('shows an error page and does not redirect to an unregistered address', async () => {
    const { address, page } = await come();
    await page.goto(address({ redirect_uri: 'https://elsewhere.example.com/callback' }));
    expect(new URL(page.url()).origin).toBe(app.url);
    expect(await page.getByRole('alert').innerText()).toContain('redirect_uri');
    expect(await page.locator('form, a').count()).toBe(0);
  });

  it('no other site can show the pages in a frame', async () => {
    const { address, page } = await come();
    const trap = await serve(show(`<iframe src="${address().replaceAll('&', '&amp;')}"></iframe>`));
    await page.goto(trap);
    expect(await page.frames()[1]!.getByLabel('Password').count()).toBe(0);
    expect(page.frames()[1]!.url()).toMatch(/^chrome-error:/);
  });

  describe('accessibility:', () => {
    const WIDE = 'Extraordinary'.repeat(10);

    it('screen readers find language, headings, names and states', async () => {
      const { partner, page } = await come({ scope: 'claim_projects:read webhooks:read webhooks:write' });
      expect(await page.locator('html').getAttribute('lang')).toBe('en-US');
      const said = await page.locator('body').ariaSnapshot();
      // Of this one interaction.
      expect(said.replace(/interaction%2F[\w-]+/, 'interaction%2FID')).toMatchInlineSnapshot(`
        "- banner: Claims API
        - main:
          - heading "Sign in" [level=1]
          - paragraph:
            - text: Sign in to continue to
            - strong: Month-end sync
            - text: with your account at
            - strong: Example Accountants
            - text: .
          - text: E-mail
          - textbox "E-mail"
          - text: Password
          - textbox "Password"
          - button "Sign in"
          - paragraph:
            - link "Sign in with a passkey":
              - /url: /console/sign-in?next=%2Foauth%2Finteraction%2FID&again=yes
          - button "Cancel"
          - navigation "Language":
            - link "English":
              - /url: "?lang=en"
            - link "Deutsch":
              - /url: "?lang=de"
            - link "español":
              - /url: "?lang=es"
            - link "français":
              - /url: "?lang=fr"
            - link "Nederlands":
              - /url: "?lang=nl""
      `);
      await signIn(page, partner);
      await page.getByRole('button', { name: 'Allow' }).waitFor();
      expect(
        (await page.locator('body').ariaSnapshot())
          .replace(partner.user.email.split('@')[0]!, 'USER')
          .replace(callback.replace('/callback', ''), 'ORIGIN'),
      ).toMatchInlineSnapshot(`
        "- banner: Claims API
        - main:
          - heading "Allow Month-end sync?" [level=1]
          - paragraph:
            - strong: "Test: no real data."
            - text: Real data is not touched.
          - paragraph:
            - strong: Month-end sync
            - text: asks for permission to do this for you. You can leave out what you do not want to allow.
          - group "Claim projects":
            - text: Claim projects
            - 'checkbox "View: List claim projects and see a claim project (claim_projects:read)" [checked]'
            - strong: "View:"
            - text: List claim projects and see a claim project (claim_projects:read)
          - group "Webhooks":
            - text: Webhooks
            - 'checkbox "View: List webhook endpoints and see a webhook endpoint (webhooks:read)" [checked]'
            - strong: "View:"
            - text: List webhook endpoints and see a webhook endpoint (webhooks:read)
            - 'checkbox "Change: Create and update a webhook endpoint (webhooks:write) This takes the role admin. Yours is member." [disabled]'
            - strong: "Change:"
            - text: Create and update a webhook endpoint (webhooks:write)
            - strong: This takes the role admin. Yours is member.
          - term: Organization
          - definition: Example Accountants
          - term: Environment
          - definition: "Test: no real data"
          - term: Signed in as
          - definition: USER
          - term: You will be sent to
          - definition: an app on this computer (ORIGIN)
          - term: For how long
          - definition: Until you end it, at most 365 days. Then you are asked again.
          - term: How to end it
          - definition:
            - text: Remove Month-end sync from
            - link "your connected applications":
              - /url: /oauth/connections
            - text: . It takes effect at once.
          - button "Allow"
          - button "Refuse"
          - button "Use another account"
          - navigation "Language":
            - link "English":
              - /url: "?lang=en"
            - link "Deutsch":
              - /url: "?lang=de"
            - link "español":
              - /url: "?lang=es"
            - link "français":
              - /url: "?lang=fr"
            - link "Nederlands":
              - /url: "?lang=nl""
      `);
    });

    it('the pages fit a phone: no horizontal scrolling, and targets large enough for a finger', async () => {
      const phone = await openPage(browser, { viewport: { width: 360, height: 640 }, isMobile: true, hasTouch: true });
      const { partner, page } = await come({ ...phone, name: WIDE, scope: 'webhooks:read webhooks:write' });
      const expectToFit = async () => {
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
        for (const target of await page.locator('button, input:not([type=hidden]):not([type=checkbox]), label.choice').all())
          expect((await target.boundingBox())!.height).toBeGreaterThanOrEqual(44);
      };
      await expectToFit();
      await signIn(page, partner);
      await page.getByRole('button', { name: 'Allow' }).waitFor();
      await expectToFit();
    });

    it.each(['light', 'dark'] as const)('text has enough contrast in %s colours', async (colorScheme) => {
      await own.page.emulateMedia({ colorScheme });
      const { partner, address, page } = await come();
      const expectContrast = async (atLeast: number) => {
        const found = await contrasts(page);
        expect(found.length).toBeGreaterThanOrEqual(atLeast);
        for (const { what, ratio } of found) expect(ratio, what).toBeGreaterThanOrEqual(what.startsWith('field ') ? 3 : 4.5);
      };
      await signIn(page, { ...partner, user: { ...partner.user, password: 'not the password' } });
      await page.getByRole('alert').waitFor();
      await expectContrast(11);
      await signIn(page, partner);
      await page.getByRole('button', { name: 'Allow' }).waitFor();
      await expectContrast(14);
      await page.goto(address({ redirect_uri: 'https://elsewhere.example.com/callback' }));
      await expectContrast(4);
    });
  });
});
