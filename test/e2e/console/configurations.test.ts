import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/app.js';
import { aVisitor } from '../../support/console.js';
import { rowsOf } from '../../support/database.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const CONFIGURATIONS = '/console/test/configurations';
const FIELDS = { name: 'Of January', periodStart: '2026-01-01', periodEnd: '2026-01-31' };

const storedAt = async (path: string) =>
  (
    await rowsOf<{ output_options: object; category_filter: object }>(
      app.databaseUrl,
      'SELECT output_options, category_filter FROM report_configurations WHERE id = $1',
      [path.split('/').at(-1)],
    )
  )[0]!;

describe('a configuration in the console', () => {
  it('is created with its files, filter and other options, and found again', async () => {
    const { browser, user, organization } = await aVisitor(app, { role: 'member' });
    const shown = await browser.fill(`${CONFIGURATIONS}/new`, {
      ...FIELDS,
      'outputOptions.formats': ['csv', 'pdf'],
      'outputOptions.currency': 'EUR',
      'outputOptions.detail': 'lines',
      outputOptions: '{"locale": "de"}',
      'categoryFilter.include': 'TRAVEL*\r\n STAFF \r\n',
    });
    expect(shown.text).toContain('The configuration was created.');
    expect(await storedAt(shown.url.pathname)).toEqual({
      output_options: { locale: 'de', formats: ['csv', 'pdf'], groupBy: ['category', 'month'], currency: 'EUR', detail: 'lines' },
      category_filter: { include: ['TRAVEL*', 'STAFF'] },
    });
    expect((await browser.visit(`${CONFIGURATIONS}?search=january&status=ready`)).text).toContain(shown.url.pathname);
    expect((await browser.visit(`${CONFIGURATIONS}?status=draft`)).text).not.toContain(shown.url.pathname);
    const audit = await rowsOf(app.databaseUrl, 'SELECT action, actor_id FROM audit_entries WHERE organization_id = $1', [organization.id]);
    expect(audit).toContainEqual({ action: 'report_configuration.created', actor_id: user.id });
  });

  it('keeps what the form has no field for when it is edited', async () => {
    const { browser } = await aVisitor(app);
    const other = { outputOptions: '{"locale": "de", "own": {"a": 1}, "currency": null}', categoryFilter: '{"status": ["archived"]}' };
    const { url } = await browser.fill(`${CONFIGURATIONS}/new`, { ...FIELDS, ...other });
    const before = await storedAt(url.pathname);
    const saved = await browser.fill(`${url.pathname}/edit`, { name: 'Renamed' });
    expect(saved.text).toMatch(/Renamed.*The configuration was changed\./s);
    expect(await storedAt(url.pathname)).toEqual(before);
  });

  it('says at the field what is wrong, once, and keeps what was entered', async () => {
    const { browser } = await aVisitor(app);
    const wrong = await browser.fill(`${CONFIGURATIONS}/new`, {
      ...FIELDS,
      'outputOptions.currency': 'E',
      outputOptions: '{"locale": "?"}',
    });
    expect(wrong.status).toBe(400);
    expect(wrong.text.match(/id="outputOptions\.currency-error"/g)).toHaveLength(1);
    expect(wrong.text).toMatch(/id="outputOptions-error">Locale /);
    expect(wrong.text).not.toMatch(/id="outputOptions-error">Currency /);
    expect(wrong.text).toContain('value="Of January"');
    const json = await browser.fill(`${CONFIGURATIONS}/new`, { ...FIELDS, categoryFilter: '[' });
    expect(json.text).toMatch(/id="categoryFilter-error">[^<]* must be JSON/);
    const period = await browser.fill(`${CONFIGURATIONS}/new`, { ...FIELDS, periodEnd: '2025-01-01' });
    expect(period.text).toContain('id="periodEnd-error"');
  });

  it('shows a hostile text as text', async () => {
    const { browser } = await aVisitor(app);
    const name = '<script>alert(1)</script>';
    const shown = await browser.fill(`${CONFIGURATIONS}/new`, { ...FIELDS, name, 'categoryFilter.include': name });
    for (const page of [shown, await browser.visit(CONFIGURATIONS), await browser.visit(`${shown.url.pathname}/edit`)])
      expect([page.status, page.text.includes('<script>alert')]).toEqual([200, false]);
  });

  it('is not there for another organization or environment', async () => {
    const [{ browser }, stranger] = [await aVisitor(app), await aVisitor(app)];
    const { url } = await browser.fill(`${CONFIGURATIONS}/new`, FIELDS);
    for (const path of [url.pathname, `${url.pathname}/edit`]) {
      expect((await stranger.browser.visit(path)).status).toBe(404);
      expect((await browser.visit(path.replace('/test/', '/live/'))).status).toBe(404);
    }
    const csrf = /name="csrf" value="([^"]+)"/.exec((await stranger.browser.visit(`${CONFIGURATIONS}/new`)).text)![1]!;
    const yours = { csrf, ...FIELDS, status: 'ready', accountingProvider: 'manual' };
    expect((await stranger.browser.visit(`${url.pathname}/edit`, yours)).status).toBe(404);
  });
});
