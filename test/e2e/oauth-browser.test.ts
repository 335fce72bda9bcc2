import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';
import { contrasts, hasChromium, openPage, startChromium } from '../support/chromium.js';
import { aPartner, ask, authorizeUrl, aVerifier, bearer, challengeOf } from '../support/oauth.js';

const show =
  (body: string): RequestListener =>
  (_request, response) =>
    void response
      .setHeader('content-type', 'text/html')
      .end(
        `<!doctype html><html lang="en"><head><link rel="icon" href="data:,"><title>A partner</title></head><body>${body}</body></html>`,
      );
/** What an application shows to those who come back to it. */
const welcome = show('<h1>Back at the application</h1>');

// Where there is none the run says so at its beginning; but in CI one must be there.
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
  // To open another page takes longer than what is done in it.
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

  /** Somebody comes from an application of a partner. */
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

  it('somebody signs in and allows; the application has a code, a token for it, and calls the API', async () => {
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

  it('all of it works without JavaScript', async () => {
    const { partner, page } = await come(await openPage(browser, { javaScriptEnabled: false }));
    await signIn(page, partner);
    await allow(page);
    expect((await isBack(page)).get('code')).toMatch(/^[\w-]{43}$/);
  });

  it('all of it works with the keyboard alone, and nothing is allowed by pressing Enter once too often', async () => {
    const { partner, page } = await come();
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

  it('a wrong password is said where the focus is; the e-mail stays, and the password does not', async () => {
    const { partner, page } = await come();
    expect(await focused(page)).toBe('email');
    await signIn(page, { ...partner, user: { ...partner.user, password: 'not the password' } });
    await page.getByRole('alert').waitFor();
    const password = page.getByLabel('Password');
    expect(await focused(page)).toBe('password');
    expect(await page.getByRole('textbox', { name: 'Password', description: 'The e-mail or the password is not right.' }).count()).toBe(1);
    expect([await page.getByLabel('E-mail').inputValue(), await password.inputValue()]).toEqual([partner.user.email, '']);
    await password.fill(partner.user.password);
    await page.keyboard.press('Enter');
    await allow(page);
    expect((await isBack(page)).get('code')).toMatch(/^[\w-]{43}$/);
  });

  it('who refuses, signed in or not, goes back to the application, which is told', async () => {
    await (await come()).page.getByRole('button', { name: 'Do not sign in' }).click();
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

  it('a second consent shows only what is new, and one that is asked for again says so', async () => {
    const { partner, address, page } = await come();
    await signIn(page, partner);
    await allow(page);
    await isBack(page);
    await page.goto(address({ scope: 'claim_projects:read usage:read claim_projects:write' }));
    const asked = page.getByRole('listitem');
    expect(await asked.allInnerTexts()).toEqual([
      'See the usage of the current billing period (usage:read)',
      'Create and change a claim project (claim_projects:write)',
    ]);
    await allow(page);
    await isBack(page);
    await page.goto(address({ prompt: 'consent' }));
    await page.getByText('asks once more for what you have allowed it before').waitFor();
    expect(await asked.count()).toBe(0);
    await allow(page);
    expect((await isBack(page)).get('code')).toMatch(/^[\w-]{43}$/);
  });

  it('goes on to wherever the application leads next, on another address, too', async () => {
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

  it('the button back from the application shows a page that explains itself', async () => {
    const { partner, page } = await come();
    await signIn(page, partner);
    await allow(page);
    await isBack(page);
    await page.goBack();
    await page.getByRole('heading', { name: 'This request cannot be answered' }).waitFor();
  });

  it('an address that is not the application’s is not gone to: the page says so, and asks for nothing', async () => {
    const { address, page } = await come();
    await page.goto(address({ redirect_uri: 'https://elsewhere.example.com/callback' }));
    expect(new URL(page.url()).origin).toBe(app.url);
    expect(await page.getByRole('alert').innerText()).toContain('redirect_uri');
    expect(await page.locator('form, a').count()).toBe(0);
  });

  it('no page of another site can show them in a frame', async () => {
    const { address, page } = await come();
    const trap = await serve(show(`<iframe src="${address().replaceAll('&', '&amp;')}"></iframe>`));
    await page.goto(trap);
    expect(await page.frames()[1]!.getByLabel('Password').count()).toBe(0);
    expect(page.frames()[1]!.url()).toMatch(/^chrome-error:/);
  });

  describe('are for everybody:', () => {
    const WIDE = 'Extraordinary'.repeat(10);

    it('readers of the screen find language, headings, names and states', async () => {
      const { partner, page } = await come({ scope: 'claim_projects:read webhooks:read webhooks:write' });
      expect(await page.locator('html').getAttribute('lang')).toBe('en');
      expect(await page.locator('body').ariaSnapshot()).toMatchInlineSnapshot(`
        "- banner: Claims API
        - main:
          - heading "Sign in" [level=1]
          - paragraph:
            - text: You go on to
            - strong: Month-end sync
            - text: with your account at
            - strong: Example Accountants
            - text: .
          - text: E-mail
          - textbox "E-mail"
          - text: Password
          - textbox "Password"
          - text: Code of your authenticator
          - paragraph: Only if you have set one up.
          - textbox "Code of your authenticator"
          - button "Sign in"
          - button "Do not sign in""
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
            - strong: Month-end sync
            - text: "asks to do this in your name:"
          - heading "Look at data" [level=2]
          - list:
            - listitem: List claim projects and see a claim project (claim_projects:read)
            - listitem: List webhook endpoints and see a webhook endpoint (webhooks:read)
          - heading "Change data" [level=2]
          - list:
            - listitem: Create and change a webhook endpoint (webhooks:write)
          - term: Organization
          - definition: Example Accountants
          - term: Environment
          - definition: "Test: no real data"
          - term: Signed in as
          - definition: USER
          - term: You then go on to
          - definition: ORIGIN
          - button "Allow"
          - button "Refuse""
      `);
    });

    it('fit a phone: nothing to scroll sideways, and nothing too small for a finger', async () => {
      const phone = await openPage(browser, { viewport: { width: 360, height: 640 }, isMobile: true, hasTouch: true });
      const { partner, page } = await come({ ...phone, name: WIDE, scope: 'webhooks:read webhooks:write' });
      const expectToFit = async () => {
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
        for (const target of await page.locator('button, input:not([type=hidden])').all())
          expect((await target.boundingBox())!.height).toBeGreaterThanOrEqual(44);
      };
      await expectToFit();
      await signIn(page, partner);
      await page.getByRole('button', { name: 'Allow' }).waitFor();
      await expectToFit();
    });

    it.each(['light', 'dark'] as const)('can be read, in %s colours', async (colorScheme) => {
      await own.page.emulateMedia({ colorScheme });
      const { partner, address, page } = await come();
      const expectContrast = async (atLeast: number) => {
        const found = await contrasts(page);
        expect(found.length).toBeGreaterThanOrEqual(atLeast);
        for (const { what, ratio } of found) expect(ratio, what).toBeGreaterThanOrEqual(what.startsWith('field ') ? 3 : 4.5);
      };
      await signIn(page, { ...partner, user: { ...partner.user, password: 'not the password' } });
      await page.getByRole('alert').waitFor();
      await expectContrast(13);
      await signIn(page, partner);
      await page.getByRole('button', { name: 'Allow' }).waitFor();
      await expectContrast(14);
      await page.goto(address({ redirect_uri: 'https://elsewhere.example.com/callback' }));
      await expectContrast(4);
    });
  });
});
