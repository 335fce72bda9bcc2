import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aKey } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { aVisitor, aVisitorOf, textOf } from '../../support/console.js';
import { importStatement } from '../../support/statements.js';

const SEARCH = '/console/test/search';
let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const found = (html: string) =>
  textOf(
    html
      .slice(html.indexOf('<main'))
      .replace(/<form.*?<\/form>/gs, '')
      .replace(/<[^>]+>/g, ' ')
      .replace(/\s+/g, ' '),
  );

describe('the search of the console', () => {
  it('finds records by name, statements by file, pages and guides, each under its kind', async () => {
    const { browser, organization } = await aVisitor(app);
    const { key } = await aKey(app, organization.id);
    const api = new Client(app.url, key);
    await api.post('/v1/claim-projects', { name: 'Webhook studio', periodStart: '2026-01-01', periodEnd: '2026-12-31' });
    await api.post('/v1/expense-categories', { name: 'Webhook costs', code: 'HOOK' });
    await importStatement(app, organization.id, { fileName: 'webhook-bank.csv' });
    const text = found((await browser.visit(`${SEARCH}?q=webhook`)).text);
    expect(text).toMatch(
      /Projects Webhook studio 2026 .*Statements webhook-bank\.csv.*Categories Webhook costs HOOK .*Pages Webhooks .*Guides Webhooks/,
    );
  });

  it('finds what can be done, by who may do it, and all of it in the language of the reader', async () => {
    const { browser, organization } = await aVisitor(app);
    const shown = await browser.visit(`${SEARCH}?q=new+p`);
    expect(shown.text).toContain('<a href="/console/test/projects/new">New project</a>');
    const german = found((await browser.visit(`${SEARCH}?q=neues+proj&lang=de`)).text);
    expect(german).toMatch(/^\D*Suchen Aktionen Neues Projekt/);
    const member = await aVisitorOf(app, organization, { role: 'member' });
    const asked = async (one: typeof browser) => found((await one.visit(`${SEARCH}?q=new+api`)).text);
    expect([await asked((await aVisitorOf(app, organization)).browser), await asked(member.browser)]).toEqual([
      expect.stringContaining('New API key'),
      expect.not.stringContaining('New API key'),
    ]);
  });

  it('leads to the record of an id: of a project, a statement, and a call by its request id', async () => {
    const { browser, organization } = await aVisitor(app);
    const { key } = await aKey(app, organization.id);
    const api = new Client(app.url, key);
    const { body } = await api.post('/v1/claim-projects', { name: 'Leipzig', periodStart: '2026-01-01', periodEnd: '2026-12-31' });
    expect((await browser.visit(`${SEARCH}?q=${body.id}`)).url.pathname).toBe(`/console/test/projects/${body.id}`);
    const { id } = await importStatement(app, organization.id, {});
    expect((await browser.visit(`${SEARCH}?q=%20${id}%20`)).url.pathname).toBe(`/console/test/statements/${id}`);
    const requestId = newId();
    await api.get('/v1/claim-projects', { 'X-Request-Id': requestId });
    expect((await browser.visit(`${SEARCH}?q=${requestId}`)).url.pathname).toMatch(/^\/console\/test\/requests\//);
  });

  it('finds nothing of another organization or environment, and takes any text', async () => {
    const [{ organization }, stranger] = [await aVisitor(app), await aVisitor(app)];
    const { key } = await aKey(app, organization.id);
    const { body } = await new Client(app.url, key).post('/v1/claim-projects', {
      ...{ name: 'Secret studio', periodStart: '2026-01-01', periodEnd: '2026-12-31' },
    });
    for (const query of ['Secret', body.id]) {
      const { status, text } = await stranger.browser.visit(`${SEARCH}?q=${query}`);
      expect([status, text.includes('Secret studio')]).toEqual([200, false]);
    }
    for (const odd of ['%25', '%00', '<script>', `${'x'.repeat(5000)}`, '__proto__', "'; --"])
      expect((await stranger.browser.visit(`${SEARCH}?q=${encodeURIComponent(odd)}`)).status, odd.slice(0, 20)).toBe(200);
    expect(found((await stranger.browser.visit(`${SEARCH}?q=zzz`)).text)).toContain('Nothing has “zzz” in its name.');
  });
});
