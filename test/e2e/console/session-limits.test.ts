import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/app.js';
import { aVisitor, ConsoleBrowser, WITHIN_MS, type Visitor } from '../../support/console.js';
import { rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { PASSWORD } from '../../support/users.js';

// As docs/console.md has it: 12 hours without a page, 14 days at the latest.
let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const ACCOUNT = '/console/test/account';
const HOUR = 3600;
const DAY = 24 * HOUR;

const move = ({ user }: Visitor, column: 'last_seen_at' | 'expires_at', to: string) =>
  rowsOf(app.databaseUrl, `UPDATE console_sessions SET ${column} = ${to} WHERE user_id = $1`, [user.id]);

/** A page shows what a session was up to half a second before. */
const shows = (browser: ConsoleBrowser, path: string) =>
  eventually(async () => expect((await browser.visit(ACCOUNT)).url.pathname).toBe(path), WITHIN_MS);

describe('a session of the console', () => {
  it('ends after 12 hours without a page, and not before', async () => {
    const visitor = await aVisitor(app);
    await move(visitor, 'last_seen_at', `now() - interval '11 hours 55 minutes'`);
    await shows(visitor.browser, ACCOUNT);
    await move(visitor, 'last_seen_at', `now() - interval '12 hours 1 minute'`);
    await shows(visitor.browser, '/console/sign-in');
  });

  it('goes on while it is used', async () => {
    const visitor = await aVisitor(app);
    await move(visitor, 'last_seen_at', `now() - interval '11 hours'`);
    await eventually(async () => {
      await visitor.browser.visit(ACCOUNT);
      const [seen] = await rowsOf<{ ago: number }>(
        app.databaseUrl,
        'SELECT extract(epoch FROM now() - last_seen_at)::int AS ago FROM console_sessions WHERE user_id = $1',
        [visitor.user.id],
      );
      expect(seen!.ago).toBeLessThan(HOUR);
    });
  });

  it('ends 14 days after the sign-in however much it is used, and so does its cookie', async () => {
    const visitor = await aVisitor(app);
    const signedIn = await fetch(`${app.url}/console/sign-in`, {
      method: 'POST',
      body: new URLSearchParams({ do: 'sign-in', email: visitor.user.email, password: PASSWORD }),
      redirect: 'manual',
    });
    expect(signedIn.headers.get('set-cookie')).toContain(`; Max-Age=${14 * DAY}; HttpOnly; SameSite=Lax`);
    const ends = await rowsOf<{ days: number }>(
      app.databaseUrl,
      'SELECT round(extract(epoch FROM expires_at - created_at) / 86400)::int AS days FROM console_sessions WHERE user_id = $1',
      [visitor.user.id],
    );
    expect(ends).toEqual([{ days: 14 }, { days: 14 }]);
    await move(visitor, 'expires_at', `now() - interval '1 second'`);
    await shows(visitor.browser, '/console/sign-in');
    expect((await visitor.browser.visit(ACCOUNT)).text).toContain('name="password"');
  });

  it('leaves no page open: the browser goes to the sign-in by itself, which leads back if the session has gone on', async () => {
    const { browser } = await aVisitor(app);
    const shown = await browser.visit(`${ACCOUNT}?tab=1`);
    const [seconds, address] = shown.headers.get('refresh')!.split('; url=');
    expect([seconds, address]).toEqual([String(12 * HOUR), `/console/sign-in?next=${encodeURIComponent(`${ACCOUNT}?tab=1`)}`]);
    expect((await browser.visit(address!)).url.pathname).toBe(ACCOUNT);
    const refused = await browser.fill('/console/test/projects/new', { name: '' });
    expect([refused.status, refused.headers.get('refresh')]).toEqual([400, `${12 * HOUR}; url=/console/sign-in`]);
    expect((await browser.visit('/console/links/none')).headers.get('refresh')).toBeNull();
  });

  it('that is ended leaves nothing in the browser', async () => {
    const { browser } = await aVisitor(app);
    const csrf = /name="csrf" value="([^"]+)"/.exec((await browser.visit(ACCOUNT)).text)![1]!;
    const headers = { cookie: browser.cookieHeader() };
    const signedOut = await fetch(`${app.url}/console/sign-out`, {
      method: 'POST',
      redirect: 'manual',
      headers,
      body: new URLSearchParams({ csrf }),
    });
    expect(signedOut.headers.get('clear-site-data')).toBe('"cache", "storage"');
    expect(signedOut.headers.get('set-cookie')).toContain('claims_session=; Path=/; Max-Age=0');
    expect((await fetch(`${app.url}/console/sign-in`)).headers.get('clear-site-data')).toBeNull();
  });

  it('that has ended does nothing by a form either', async () => {
    const visitor = await aVisitor(app);
    const shown = await visitor.browser.visit('/console/test/projects/new');
    await move(visitor, 'last_seen_at', `now() - interval '13 hours'`);
    const sent = await visitor.browser.send(shown, { name: 'Too late', periodStart: '2026-01-01', periodEnd: '2026-12-31' });
    expect(sent.url.pathname).toBe('/console/sign-in');
    expect(await rowsOf(app.databaseUrl, 'SELECT 1 FROM claim_projects WHERE organization_id = $1', [visitor.organization.id])).toEqual([]);
  });
});
