import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/app.js';
import { ConsoleBrowser } from '../../support/console.js';
import { rowsOf } from '../../support/database.js';
import { allow, aPartner, ask, authorizeUrl, aVerifier, CALLBACK, challengeOf, PASSWORD } from '../../support/oauth.js';

const VERIFIER = aVerifier();
let app: TestApp;
beforeAll(async () => {
  app = await startApp({ TRUSTED_PROXIES: '127.0.0.0/8' });
});
afterAll(() => app.close());

/** Somebody who has allowed an application, and signed in so many minutes ago. */
async function signedInBefore(minutes: number) {
  const partner = await aPartner(app);
  const browser = new ConsoleBrowser(app.url);
  await allow(app, partner, {}, browser);
  const ago = `- interval '${minutes} minutes'`;
  await rowsOf(app.databaseUrl, `UPDATE console_sessions SET created_at = created_at ${ago} WHERE user_id = $1`, [partner.user.id]);
  const wants = (wanted: Record<string, string>) =>
    browser.visit(authorizeUrl(app.url, partner, { code_challenge: challengeOf(VERIFIER), ...wanted }));
  const password = { do: 'sign-in', email: partner.user.email, password: PASSWORD };
  return { partner, browser, wants, password };
}

const isAsked = ({ text }: { text: string }) => [text.includes('name="password"'), text.includes('value="continue"')];

describe('an application that asks for a new sign-in', () => {
  it('gets none by a press of “continue”, and a code after the password', async () => {
    const { browser, wants, password } = await signedInBefore(10);
    const asked = await wants({ prompt: 'login' });
    expect(isAsked(asked)).toEqual([true, false]);
    const pressed = await browser.submit(asked, { do: 'continue' });
    expect([pressed.url.origin, isAsked(pressed)]).toEqual([app.url, [true, false]]);
    const answered = await browser.submit(asked, password);
    expect(answered.url.searchParams.get('code')).toEqual(expect.any(String));
  });

  it('gets it also by way of the console, where people sign in by a passkey: they are asked there though they are signed in', async () => {
    const { browser, wants, password } = await signedInBefore(10);
    const asked = await wants({ prompt: 'login' });
    const href = /href="(\/console\/sign-in\?next=[^"]+)"/.exec(asked.text)![1]!.replaceAll('&amp;', '&');
    const console = await browser.visit(href);
    expect([console.url.pathname, console.text.includes('name="password"')]).toEqual(['/console/sign-in', true]);
    const back = await browser.send(console, password, '/console/sign-in');
    expect([back.url.pathname, isAsked(back)[1]]).toEqual([asked.url.pathname, true]);
    expect((await browser.submit(back, { do: 'continue' })).url.searchParams.get('code')).toEqual(expect.any(String));
  });
});

/** What introspection says of the token that a code gives. */
async function introspected(partner: Awaited<ReturnType<typeof aPartner>>, code: string) {
  const given = await ask(app, partner, { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: VERIFIER });
  expect(given.status, given.text).toBe(200);
  const refreshed = await ask(app, partner, { grant_type: 'refresh_token', refresh_token: given.body.refresh_token! });
  const of = async (token: string) => (await ask(app, partner, { token }, '/oauth/introspect')).body;
  return [await of(given.body.access_token!), await of(refreshed.body.access_token!)];
}

describe('an application that says how old a sign-in may be', () => {
  it('is answered at once while it is younger, and after the password when it is older', async () => {
    const { browser, wants, password } = await signedInBefore(10);
    expect((await wants({ max_age: '3600' })).url.searchParams.get('code')).toEqual(expect.any(String));
    expect(isAsked(await wants({ max_age: '0' }))).toEqual([true, false]);
    const asked = await wants({ max_age: '300' });
    expect(isAsked(asked)).toEqual([true, false]);
    expect(isAsked(await browser.submit(asked, { do: 'continue' }))).toEqual([true, false]);
    expect((await browser.submit(asked, password)).url.searchParams.get('code')).toEqual(expect.any(String));
    expect((await wants({ max_age: '300' })).url.searchParams.get('code')).toEqual(expect.any(String));
  });

  it('is answered so by a pushed request, too, and without a page by an error', async () => {
    const { partner, browser, wants } = await signedInBefore(10);
    const wanted = Object.fromEntries(new URL(authorizeUrl(app.url, partner, { max_age: '300' })).searchParams);
    const { body } = await ask(app, partner, wanted, '/oauth/par');
    const pushed = new URLSearchParams({ client_id: partner.application.clientId, request_uri: body.request_uri! });
    expect(isAsked(await browser.visit(`/oauth/authorize?${pushed.toString()}`))).toEqual([true, false]);
    expect((await wants({ max_age: '300', prompt: 'none' })).url.searchParams.get('error')).toBe('login_required');
  });

  it('learns by introspection when it was, also where somebody was signed in already', async () => {
    const { partner, browser, wants, password } = await signedInBefore(10);
    const before = Date.now() / 1000;
    const pressed = await browser.submit(await wants({ scope: 'claim_projects:read', prompt: 'consent' }), { do: 'allow' });
    const [old] = await introspected(partner, pressed.url.searchParams.get('code')!);
    expect(Number(old!.auth_time)).toBeGreaterThan(before - 700);
    const code = (await browser.submit(await wants({ max_age: '60' }), password)).url.searchParams.get('code')!;
    for (const { auth_time: at, acr } of await introspected(partner, code)) {
      expect(Number(at)).toBeGreaterThanOrEqual(Math.floor(before));
      expect(acr).toBeUndefined();
    }
  });

  it.each(['-1', '1.5', 'soon', '99999999'])('is told that %s is no number of seconds', async (age) => {
    const { wants } = await signedInBefore(10);
    const { searchParams } = (await wants({ max_age: age })).url;
    expect([searchParams.get('error'), searchParams.get('error_description')]).toEqual([
      'invalid_request',
      expect.stringContaining('max_age'),
    ]);
  });
});

describe('an application that asks for a passkey', () => {
  it('is not answered with a password, and is told so', async () => {
    const { browser, wants, password } = await signedInBefore(1);
    const asked = await wants({ acr_values: 'phr' });
    expect(isAsked(asked)).toEqual([true, false]);
    const { searchParams } = (await browser.submit(asked, password)).url;
    expect(searchParams.get('error')).toBe('unmet_authentication_requirements');
  });

  it('is answered after one, and introspection says it', async () => {
    const { partner, browser, wants } = await signedInBefore(1);
    await rowsOf(app.databaseUrl, "UPDATE console_sessions SET signed_in_by = 'passkey' WHERE user_id = $1", [partner.user.id]);
    const asked = await wants({ acr_values: 'phr' });
    expect(isAsked(asked)[1]).toBe(true);
    const { searchParams } = (await browser.submit(asked, { do: 'continue' })).url;
    for (const { acr } of await introspected(partner, searchParams.get('code')!)) expect(acr).toBe('phr');
  });

  it('is answered as ever if it names something else: nothing that is unknown is promised', async () => {
    const { wants } = await signedInBefore(1);
    expect((await wants({ acr_values: 'gold' })).url.searchParams.get('code')).toEqual(expect.any(String));
  });
});
