import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { startApp, type TestApp } from '../../support/app.js';
import { rowsOf } from '../../support/database.js';
import { refusedOnAPage, watch } from '../../support/oauth-answers.js';
import { allow, aPartner, authorizeUrl, Browser } from '../../support/oauth.js';

type Partner = Awaited<ReturnType<typeof aPartner>>;

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());
afterEach(() => vi.restoreAllMocks());

describe('a page', () => {
  const HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(1)>';

  it.each([
    'client_id',
    'redirect_uri',
    'scope',
    'state',
    'login_hint',
    'response_type',
    'response_mode',
    'prompt',
    'resource',
    'ui_locales',
    'code_challenge',
  ])('escapes markup in %s', async (name) => {
    const partner = await aPartner(app);
    const { text } = await new Browser(app.url).visit(authorizeUrl(app.url, partner, { [name]: HOSTILE }));
    for (const markup of ['<script', '<img', '">&lt;script']) expect(text).not.toContain(markup);
  });

  it('escapes markup in the name of an application and in the e-mail address', async () => {
    const partner = await aPartner(app, { name: HOSTILE });
    const browser = new Browser(app.url);
    const asked = await browser.visit(authorizeUrl(app.url, partner, { login_hint: HOSTILE }));
    const again = await browser.submit(asked, { do: 'sign-in', email: HOSTILE, password: HOSTILE });
    const consent = await browser.submit(again, { do: 'sign-in', email: partner.user.email, password: partner.user.password });
    expect([asked.status, again.status, consent.status]).toEqual([200, 400, 200]);
    for (const { text } of [asked, again, consent]) {
      expect(text).toContain('&lt;script>');
      expect(text).not.toContain('<script');
      expect(text).not.toContain('<img');
    }
  });

  it('allows no frames, no scripts, no referrer and no caching', async () => {
    const partner = await aPartner(app);
    const browser = new Browser(app.url);
    const signIn = await browser.visit(authorizeUrl(app.url, partner));
    const consent = await browser.submit(signIn, { do: 'sign-in', email: partner.user.email, password: partner.user.password });
    expect(consent.text).toContain('value="allow"');
    const refused = await refusedOnAPage(authorizeUrl(app.url, partner, { redirect_uri: 'https://evil.example' }));
    const gone = await new Browser(app.url).visit(signIn.url.href);
    expect(gone.status).toBe(400);
    for (const { headers, text } of [signIn, consent, refused, gone]) {
      const policy = headers.get('content-security-policy')!;
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("base-uri 'none'");
      expect(policy).not.toContain('unsafe');
      expect(policy).not.toContain('script-src');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('referrer-policy')).toMatch(/^(same-origin|no-referrer)$/);
      expect(headers.get('cache-control')).toContain('no-store');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(text).not.toContain('<script');
    }
  });

  it('sets cookies that scripts cannot read and forms of other sites do not send', async () => {
    const watched = watch();
    await allow(app, await aPartner(app));
    const cookies = watched.cookies().filter((line) => !/expires=Thu, 01 Jan 1970/i.test(line));
    expect(cookies.length).toBeGreaterThan(3);
    for (const cookie of cookies) expect(cookie.toLowerCase()).toMatch(/httponly/);
    for (const cookie of cookies) expect(cookie.toLowerCase()).toMatch(/samesite=lax/);
  });
});

describe('a form', () => {
  const signIn = ({ user }: Partner) => ({ do: 'sign-in', email: user.email, password: user.password });

  it('changes nothing without its CSRF token or with the token of another page', async () => {
    const partner = await aPartner(app);
    const [browser, other] = [new Browser(app.url), new Browser(app.url)];
    const page = await browser.visit(authorizeUrl(app.url, partner));
    const stolen = /name="csrf" value="([^"]+)"/.exec((await other.visit(authorizeUrl(app.url, partner))).text)![1]!;
    for (const csrf of ['', 'wrong', stolen]) {
      expect((await browser.visit(page.url.href, { ...signIn(partner), csrf })).status).toBe(400);
      expect((await browser.visit(page.url.href, { do: 'refuse', csrf })).status).toBe(400);
    }
    const consent = await browser.submit(page, signIn(partner));
    expect(consent.text).toContain('value="allow"');
    for (const csrf of ['', 'wrong', stolen]) expect((await browser.visit(consent.url.href, { do: 'allow', csrf })).status).toBe(400);
    expect(
      await rowsOf(app.databaseUrl, `SELECT 1 FROM oauth_records WHERE user_id = $1 AND kind IN ('Grant', 'AuthorizationCode')`, [
        partner.user.id,
      ]),
    ).toEqual([]);
    expect((await browser.submit(consent, { do: 'allow' })).url.searchParams.get('code')).toBeTruthy();
  });

  it('is accepted only from the browser that it was shown to', async () => {
    const partner = await aPartner(app);
    const [victim, thief] = [new Browser(app.url), new Browser(app.url)];
    const page = await victim.visit(authorizeUrl(app.url, partner));
    const consent = await victim.submit(page, signIn(partner));
    for (const { url, text } of [page, consent]) {
      const csrf = /name="csrf" value="([^"]+)"/.exec(text)![1]!;
      // With cookies of another interaction, without cookies, and with an unsigned cookie.
      await thief.visit(authorizeUrl(app.url, partner));
      for (const browser of [thief, new Browser(app.url)]) {
        expect((await browser.visit(url.href)).status).toBe(400);
        expect((await browser.visit(url.href, { csrf, do: 'allow' })).status).toBe(400);
        const resumed = await browser.visit(url.href.replace('interaction', 'authorize'));
        expect(resumed.url.origin).toBe(app.url);
        expect(resumed.text).not.toContain('value="allow"');
      }
      const cookie = ['claims_interaction', 'claims_interaction_resume']
        .map((name) => `${name}=${url.pathname.split('/').at(-1)}`)
        .join('; ');
      for (const path of [url.pathname, url.pathname.replace('interaction', 'authorize')])
        expect((await fetch(new URL(path, app.url), { headers: { cookie } })).status).toBe(400);
    }
  });

  it('cannot be submitted twice', async () => {
    const partner = await aPartner(app);
    const browser = new Browser(app.url);
    const consent = await browser.submit(await browser.visit(authorizeUrl(app.url, partner)), signIn(partner));
    await browser.submit(consent, { do: 'allow' });
    const again = await browser.submit(consent, { do: 'allow' });
    expect([again.status, again.url.origin]).toEqual([400, app.url]);
  });

  it('signs in only users of the application’s organization', async () => {
    const [partner, stranger] = [await aPartner(app), await aPartner(app)];
    const browser = new Browser(app.url);
    const refused = await browser.submit(await browser.visit(authorizeUrl(app.url, partner)), signIn(stranger));
    expect([refused.status, refused.url.origin]).toEqual([400, app.url]);
    expect(refused.text).toContain('name="password"');
    // A user who is signed in to another organization has to sign in again.
    await allow(app, stranger, {}, browser);
    const asked = await browser.visit(authorizeUrl(app.url, partner));
    expect([asked.url.origin, asked.text.includes('name="password"')]).toEqual([app.url, true]);
  });

  it('that signs in starts a new browser session', async () => {
    const partner = await aPartner(app);
    const watched = watch();
    const sessions = () => watched.cookies().flatMap((line) => /^claims_oauth=([^;]+)/.exec(line)?.[1] ?? []);
    const browser = new Browser(app.url);
    const page = await browser.visit(authorizeUrl(app.url, partner));
    const before = new Set(sessions());
    const consent = await browser.submit(page, signIn(partner));
    await browser.submit(consent, { do: 'allow' });
    const signedIn = sessions().at(-1)!;
    expect(before).not.toContain(signedIn);
    for (const old of before) {
      const answer = await fetch(authorizeUrl(app.url, partner, { prompt: 'none' }), {
        redirect: 'manual',
        headers: { cookie: `claims_oauth=${old}` },
      });
      expect(new URL(answer.headers.get('location')!).searchParams.get('error')).toBe('login_required');
    }
  });
});

// Last, because it starts another application in this process.
describe('a service with an https address', () => {
  it('sets its cookies for https only', async () => {
    const secure = await startApp({ BASE_URL: 'https://api.example.com' });
    const { port } = secure.app.getHttpServer().address() as AddressInfo;
    const { headers } = await fetch(authorizeUrl(`http://127.0.0.1:${port}`, await aPartner(secure)), { redirect: 'manual' });
    expect(headers.getSetCookie().length).toBeGreaterThan(0);
    for (const cookie of headers.getSetCookie()) expect(cookie.toLowerCase()).toContain('secure');
    await secure.close();
  });
});
