import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR } from '../../../src/kernel/context.js';
import { newId } from '../../../src/kernel/ids.js';
import { UsersService } from '../../../src/modules/users/index.js';
import { eventually } from '../../support/eventually.js';
import { startApp, type TestApp } from '../../support/app.js';
import { anOrganization } from '../../support/builders.js';
import { aVisitor, aVisitorOf, ConsoleBrowser, signInByLink, textOf, WITHIN_MS } from '../../support/console.js';
import { rowsOf } from '../../support/database.js';
import { aUser, PASSWORD } from '../../support/users.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const OVERVIEW = '/console/test';
const PROJECTS = '/console/test/projects';

describe('signing in to the console', () => {
  it('leads to the page that somebody wanted', async () => {
    const organization = await anOrganization(app);
    const user = await aUser(app, organization.id);
    const browser = new ConsoleBrowser(app.url);
    const asked = await browser.visit(`${PROJECTS}?status=draft`);
    expect(asked.url.pathname).toBe('/console/sign-in');
    const shown = await browser.send(asked, { do: 'sign-in', email: user.email, password: PASSWORD, organization: organization.slug });
    expect([shown.url.pathname, shown.url.search, shown.status]).toEqual([PROJECTS, '?status=draft', 200]);
    expect(shown.text).toContain(organization.name);
  });

  it.each([
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/console/../v1',
    'javascript:alert(1)',
    '/console/test//evil.example',
  ])('never leads anywhere else: %s', async (next) => {
    const organization = await anOrganization(app);
    const user = await aUser(app, organization.id);
    const browser = new ConsoleBrowser(app.url);
    const asked = await browser.visit(`/console/sign-in?next=${encodeURIComponent(next)}`);
    const fields = { do: 'sign-in', email: user.email, password: PASSWORD, organization: organization.slug, next };
    expect((await browser.send(asked, fields)).url.href).toBe(app.url + OVERVIEW);
  });

  it('is refused with the wrong password, and says so', async () => {
    const organization = await anOrganization(app);
    const user = await aUser(app, organization.id);
    const browser = new ConsoleBrowser(app.url);
    const shown = await browser.fill('/console/sign-in', {
      do: 'sign-in',
      email: user.email,
      password: 'wrong',
      organization: organization.slug,
    });
    expect([shown.status, shown.text]).toEqual([400, expect.stringContaining('The e-mail address or the password is wrong.')]);
    expect((await browser.visit(OVERVIEW)).url.pathname).toBe('/console/sign-in');
  });

  it('always makes a new session: one that somebody else prepared is not used', async () => {
    const organization = await anOrganization(app);
    const user = await aUser(app, organization.id);
    const [attacker, victim] = [new ConsoleBrowser(app.url), new ConsoleBrowser(app.url)];
    await signInByLink(app, attacker, await aUser(app, organization.id));
    victim.keepCookiesOf(attacker);
    await victim.visit('/console/sign-in');
    await signInByLink(app, victim, user);
    expect((await victim.visit(`${OVERVIEW}/account`)).text).toContain(user.email);
    expect((await attacker.visit(`${OVERVIEW}/account`)).text).not.toContain(user.email);
  });

  it('by a link works once, and only for a while', async () => {
    const organization = await anOrganization(app);
    const user = await aUser(app, organization.id);
    const { SignInLinks } = await import('../../../src/modules/console/index.js');
    const { link } = await app.app.get(SignInLinks).make(OPERATOR, user);
    const path = new URL(link).pathname;
    const [first, second] = [new ConsoleBrowser(app.url), new ConsoleBrowser(app.url)];
    // A mail scanner opens it, too.
    expect((await second.visit(path)).text).toContain(user.email);
    const answers = await Promise.all([first.visit(path, {}), second.visit(path, {})]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect((await second.visit(path)).status).toBe(404);
  });

  it('ends with signing out', async () => {
    const { browser } = await aVisitor(app);
    const shown = await browser.visit(OVERVIEW);
    expect((await browser.send(shown, {}, '/console/sign-out')).url.pathname).toBe('/console/sign-in');
    expect((await browser.visit(OVERVIEW)).url.pathname).toBe('/console/sign-in');
  });

  it('can be ended everywhere else', async () => {
    const { browser, user } = await aVisitor(app);
    const elsewhere = new ConsoleBrowser(app.url);
    await signInByLink(app, elsewhere, user);
    const shown = await browser.fill(`${OVERVIEW}/account`, { password: PASSWORD });
    expect(shown.text).toContain('One other browser was signed out.');
    expect((await elsewhere.visit(OVERVIEW)).url.pathname).toBe('/console/sign-in');
    expect((await browser.visit(OVERVIEW)).status).toBe(200);
  });

  it('ends when the user is removed', async () => {
    const { organization } = await aVisitor(app);
    const other = await aVisitorOf(app, organization, { role: 'member' });
    await app.app.get(UsersService).remove(OPERATOR, other.user.id);
    await eventually(async () => expect((await other.browser.visit(OVERVIEW)).url.pathname).toBe('/console/sign-in'), WITHIN_MS);
  });

  it('ends one other session of a user: the others, and those of other people, stay', async () => {
    const { browser, user, organization } = await aVisitor(app);
    const [lost, kept] = [new ConsoleBrowser(app.url), new ConsoleBrowser(app.url)];
    for (const other of [lost, kept]) await signInByLink(app, other, user);
    const colleague = await aVisitorOf(app, organization);
    const idsOf = async (userId: string) =>
      (await rowsOf<{ id: string }>(app.databaseUrl, 'SELECT id FROM console_sessions WHERE user_id = $1 ORDER BY id', [userId])).map(
        ({ id }) => id,
      );
    const [, lostId] = await idsOf(user.id);
    const signOut = (session: string) => browser.fill(`${OVERVIEW}/account`, { session, password: PASSWORD });
    expect((await signOut(lostId!)).text).toContain('One other browser was signed out.');
    expect((await lost.visit(OVERVIEW)).url.pathname).toBe('/console/sign-in');
    for (const other of [browser, kept]) expect((await other.visit(OVERVIEW)).url.pathname).toBe(OVERVIEW);
    const [theirs] = await idsOf(colleague.user.id);
    for (const id of [theirs!, lostId!, newId(), 'none'])
      expect([id, (await signOut(id)).text]).toEqual([id, expect.stringContaining('0 other browsers were signed out.')]);
    expect((await colleague.browser.visit(OVERVIEW)).url.pathname).toBe(OVERVIEW);
  });

  it('ends nothing elsewhere without the password: a browser that was left open is not enough', async () => {
    const { browser, user } = await aVisitor(app);
    const elsewhere = new ConsoleBrowser(app.url);
    await signInByLink(app, elsewhere, user);
    for (const password of ['', 'a wrong one']) {
      const refused = await browser.fill(`${OVERVIEW}/account`, { password });
      expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('is wrong')]);
    }
    expect((await elsewhere.visit(OVERVIEW)).url.pathname).toBe(OVERVIEW);
  });

  it('keeps no session that could be used from the database', async () => {
    const { user } = await aVisitor(app);
    const [session] = await rowsOf<{ token_hash: Buffer }>(app.databaseUrl, 'SELECT token_hash FROM console_sessions WHERE user_id = $1', [
      user.id,
    ]);
    const cookie = `claims_session=${session!.token_hash.toString('base64url')}`;
    const answer = await fetch(app.url + OVERVIEW, { headers: { cookie }, redirect: 'manual' });
    expect(answer.status).toBe(303);
  });
});

describe('a page of the console', () => {
  it('loads nothing from elsewhere, runs no inline script, and can be in no frame', async () => {
    const { browser } = await aVisitor(app);
    const { headers, text } = await browser.visit(PROJECTS);
    expect(headers.get('content-security-policy')).not.toContain('unsafe');
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(text).not.toMatch(/ style="| on\w+="|<style|<script>/);
    for (const [, address] of text.matchAll(/(?:href|src|action)="([^"]+)"/g)) expect(address).toMatch(/^[/#?]/);
  });

  it('serves its style and script compressed, and for good', async () => {
    const { browser } = await aVisitor(app);
    const { text } = await browser.visit(OVERVIEW);
    for (const [, address] of text.matchAll(/"(\/console-assets\/[^"]+)"/g)) {
      for (const encoding of ['br', 'gzip']) {
        const answer = await fetch(app.url + address, { headers: { 'accept-encoding': encoding } });
        expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, encoding]);
        expect((await answer.text()).length).toBeGreaterThan(500);
      }
      const answer = await fetch(app.url + address);
      expect(answer.headers.get('cache-control')).toContain('immutable');
    }
    expect((await fetch(`${app.url}/console-assets/old/console.css`)).status).toBe(404);
  });

  it('has an environment in its address, and its data are those of that environment', async () => {
    const { browser } = await aVisitor(app);
    await browser.fill(`${PROJECTS}/new`, { name: 'Only in test', periodStart: '2026-01-01', periodEnd: '2026-12-31' });
    expect((await browser.visit(PROJECTS)).text).toContain('Only in test');
    expect((await browser.visit('/console/live/projects')).text).not.toContain('Only in test');
    for (const path of ['/console/elsewhere/projects', `${PROJECTS}/not-an-id`, `${PROJECTS}/%00/edit`])
      expect((await browser.visit(path)).status, path).toBe(404);
  });

  it('shows nothing of another organization or environment', async () => {
    const [{ browser }, stranger] = [await aVisitor(app), await aVisitor(app)];
    const { url } = await browser.fill(`${PROJECTS}/new`, { name: 'Mine', periodStart: '2026-01-01', periodEnd: '2026-12-31' });
    expect((await browser.visit(url.pathname)).status).toBe(200);
    for (const path of [url.pathname, `${url.pathname}/edit`, url.pathname.replace('/test/', '/live/')]) {
      const other = path.includes('/live/') ? browser : stranger.browser;
      const shown = await other.visit(path);
      expect([shown.status, shown.text.includes('Mine')]).toEqual([404, false]);
    }
    const form = await stranger.browser.visit(`${PROJECTS}/new`);
    const csrf = /name="csrf" value="([^"]+)"/.exec(form.text)![1]!;
    const yours = { csrf, name: 'Yours', periodStart: '2026-01-01', periodEnd: '2026-12-31', status: 'active' };
    const changed = await stranger.browser.visit(`${url.pathname}/edit`, yours);
    expect(changed.status).toBe(404);
    expect((await browser.visit(url.pathname)).text).toContain('Mine');
  });
});

describe('a form of the console', () => {
  const fields = { name: 'A project', clientReference: 'C-1', periodStart: '2026-01-01', periodEnd: '2026-12-31', status: 'active' };

  it('does what the API does: the same event and audit row, with the user as its actor', async () => {
    const { browser, organization, user } = await aVisitor(app);
    const shown = await browser.fill(`${PROJECTS}/new`, fields);
    expect(shown.text).toContain('The project was created.');
    const id = shown.url.pathname.split('/').at(-1)!;
    const entries = await rowsOf(
      app.databaseUrl,
      `SELECT action, actor_type, actor_id, actor_name, environment, ip_address, changes->'name'->>'to' AS name
       FROM audit_entries WHERE organization_id = $1 AND resource_id = $2`,
      [organization.id, id],
    );
    expect(entries).toEqual([
      {
        action: 'claim_project.created',
        actor_type: 'user',
        actor_id: user.id,
        actor_name: user.name,
        environment: 'test',
        ip_address: expect.any(String),
        name: 'A project',
      },
    ]);
    const events = await rowsOf(app.databaseUrl, 'SELECT kind FROM events WHERE organization_id = $1 AND resource_id = $2', [
      organization.id,
      id,
    ]);
    expect(events).toEqual([{ kind: 'claim_project.created' }]);
  });

  it('counts once, however often its button is pressed', async () => {
    const { browser, organization } = await aVisitor(app);
    const form = await browser.visit(`${PROJECTS}/new`);
    const answers = await Promise.all([browser.send(form, fields), browser.send(form, fields), browser.send(form, fields)]);
    expect(new Set(answers.map(({ url }) => url.pathname)).size).toBe(1);
    expect(await rowsOf(app.databaseUrl, 'SELECT 1 FROM claim_projects WHERE organization_id = $1', [organization.id])).toHaveLength(1);
  });

  it('says at the field what is wrong, and keeps what was entered', async () => {
    const { browser } = await aVisitor(app);
    const shown = await browser.fill(`${PROJECTS}/new`, { ...fields, periodEnd: '2025-12-31' });
    expect(shown.status).toBe(400);
    expect(shown.text).toMatch(/id="periodEnd"[^>]*aria-invalid="true"/);
    expect(shown.text).toContain('Last day of the period is before the start.');
    expect(shown.text).toContain('value="A project"');
    await browser.fill(`${PROJECTS}/new`, fields);
    expect((await browser.fill(`${PROJECTS}/new`, fields)).status).toBe(409);
  });

  it('takes no field that it does not have: another status, organization or id', async () => {
    const { browser, organization } = await aVisitor(app);
    const extra = { id: organization.id, organizationId: organization.id, environment: 'live', metadata: '{"a":1}' };
    const shown = await browser.fill(`${PROJECTS}/new`, { ...fields, ...extra });
    const id = shown.url.pathname.split('/').at(-1)!;
    const rows = await rowsOf(app.databaseUrl, 'SELECT environment, metadata FROM claim_projects WHERE id = $1', [id]);
    expect(rows).toEqual([{ environment: 'test', metadata: {} }]);
  });

  it('is not accepted from another site, or without its token', async () => {
    const { browser, organization } = await aVisitor(app);
    const form = await browser.visit(`${PROJECTS}/new`);
    for (const csrf of ['', 'wrong']) expect((await browser.send(form, { ...fields, csrf })).status).toBe(403);
    const csrf = /name="csrf" value="([^"]+)"/.exec(form.text)![1]!;
    const other = await aVisitorOf(app, organization);
    expect((await other.browser.visit(`${PROJECTS}/new`, { ...fields, csrf })).status).toBe(403);
    const answer = await fetch(`${app.url}${PROJECTS}/new`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: browser.cookieHeader(), 'sec-fetch-site': 'cross-site' },
      body: new URLSearchParams({ ...fields, csrf }),
    });
    expect(answer.status).toBe(403);
    expect(await rowsOf(app.databaseUrl, 'SELECT 1 FROM claim_projects WHERE organization_id = $1', [organization.id])).toEqual([]);
  });

  const HOSTILE = [
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    '\u202Egnp.exe',
    '🙂'.repeat(200),
    '</title><b>',
    '{{7*7}}',
  ];
  it.each(HOSTILE)('shows a text as the text that it is: %j', async (name) => {
    const { browser } = await aVisitor(app);
    const shown = await browser.fill(`${PROJECTS}/new`, { ...fields, name, clientReference: name.slice(0, 100) });
    for (const page of [shown, await browser.visit(PROJECTS), await browser.visit(`${shown.url.pathname}/edit`)]) {
      expect(page.status).toBe(200);
      expect(page.text).not.toMatch(/<script>|<img|<b>/);
    }
    expect(textOf(shown.text)).toContain(`<h1>${name}</h1>`);
  });
});
