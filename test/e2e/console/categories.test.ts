import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TEMPLATES } from '../../../src/modules/categories/console/templates.console.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aVisitor, textOf } from '../../support/console.js';
import { rowsOf } from '../../support/database.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const CATEGORIES = '/console/test/categories';
const RAIL = { code: 'RAIL', name: 'Rail travel', 'field-0': 'counterparty', 'op-0': 'contains', 'value-0': 'Railway', 'percent-0': '80' };

const mappingOf = async (path: string) => {
  const id = path.split('/').at(-1);
  const [row] = await rowsOf<{ source_mapping: object }>(app.databaseUrl, 'SELECT source_mapping FROM expense_categories WHERE id = $1', [
    id,
  ]);
  return row!.source_mapping;
};

describe('a category in the console', () => {
  it('is created with rules in rows, and found again', async () => {
    const { browser, user, organization } = await aVisitor(app, { role: 'member' });
    const shown = await browser.fill(`${CATEGORIES}/new`, { ...RAIL, 'field-2': 'amount', 'op-2': 'gte', 'value-2': '12.50' });
    expect(shown.text).toContain('The category was created.');
    expect(await mappingOf(shown.url.pathname)).toEqual({
      rules: [
        { claimablePercent: 80, all: [{ field: 'counterparty', op: 'contains', value: 'Railway' }] },
        { all: [{ field: 'amount', op: 'gte', value: '12.50' }] },
      ],
    });
    expect(shown.text).toContain('counterparty contains Railway');
    expect((await browser.visit(`${CATEGORIES}?search=rail&status=active`)).text).toContain(shown.url.pathname);
    expect((await browser.visit(`${CATEGORIES}?status=archived`)).text).not.toContain(shown.url.pathname);
    const audit = await rowsOf(
      app.databaseUrl,
      'SELECT action, actor_id FROM audit_entries WHERE organization_id = $1 AND resource_id = $2',
      [organization.id, shown.url.pathname.split('/').at(-1)],
    );
    expect(audit).toEqual([{ action: 'expense_category.created', actor_id: user.id }]);
  });

  it('is edited with its rules in place, and with more rows where there are too few', async () => {
    const { browser } = await aVisitor(app);
    const { url } = await browser.fill(`${CATEGORIES}/new`, RAIL);
    const form = await browser.visit(`${url.pathname}/edit`);
    expect(form.text).not.toContain('name="value-10"');
    const more = await browser.send(form, { name: 'Not saved yet', do: 'rows' });
    expect([more.text.includes('value="Railway"'), more.text.includes('value="Not saved yet"')]).toEqual([true, true]);
    expect((await browser.visit(url.pathname)).text).not.toContain('Not saved yet');
    const saved = await browser.send(more, { 'field-9': 'description', 'op-9': 'is', 'value-9': 'Ticket' });
    expect(saved.text).toContain('The category was changed.');
    expect(((await mappingOf(url.pathname)) as { rules: object[] }).rules).toHaveLength(2);
  });

  it('takes rules as JSON, and shows them as JSON where rows cannot say them', async () => {
    const { browser } = await aVisitor(app);
    const mapping = {
      rules: [{ all: [{ field: 'description', op: 'oneOf', value: ['a', 'b'] }], none: [{ field: 'direction', op: 'is', value: 'in' }] }],
      priority: 5,
    };
    const { url } = await browser.fill(`${CATEGORIES}/new`, { ...RAIL, sourceMapping: JSON.stringify(mapping) });
    expect(await mappingOf(url.pathname)).toEqual(mapping);
    const form = await browser.visit(`${url.pathname}/edit`);
    expect(form.text).not.toContain('name="value-0"');
    expect((await browser.send(form, { name: 'Renamed' })).text).toContain('Renamed');
    expect(await mappingOf(url.pathname)).toEqual(mapping);
  });

  it('says at the row or field what is wrong, and keeps what was entered', async () => {
    const { browser } = await aVisitor(app);
    const wrong = await browser.fill(`${CATEGORIES}/new`, { ...RAIL, 'field-2': 'amount', 'op-2': 'contains', 'value-2': '1' });
    expect(wrong.status).toBe(400);
    expect(textOf(wrong.text)).toMatch(/Rule 2: Op /);
    expect(wrong.text).toContain('value="Railway"');
    const json = await browser.fill(`${CATEGORIES}/new`, { ...RAIL, sourceMapping: '{"rules": [' });
    expect([json.status, json.text]).toEqual([400, expect.stringMatching(/id="sourceMapping-error">Rules as JSON must be JSON/)]);
    await browser.fill(`${CATEGORIES}/new`, RAIL);
    const twice = await browser.fill(`${CATEGORIES}/new`, RAIL);
    expect([twice.status, twice.text]).toEqual([409, expect.stringContaining('id="code-error"')]);
  });

  it('shows a hostile text as text', async () => {
    const { browser } = await aVisitor(app);
    const name = '<script>alert(1)</script>';
    const shown = await browser.fill(`${CATEGORIES}/new`, { ...RAIL, code: name, name, 'value-0': name });
    for (const page of [shown, await browser.visit(CATEGORIES), await browser.visit(`${shown.url.pathname}/edit`)])
      expect([page.status, page.text.includes('<script>alert')]).toEqual([200, false]);
  });

  it('is not there for another organization or environment', async () => {
    const [{ browser }, stranger] = [await aVisitor(app), await aVisitor(app)];
    const { url } = await browser.fill(`${CATEGORIES}/new`, RAIL);
    for (const path of [url.pathname, `${url.pathname}/edit`]) {
      expect((await stranger.browser.visit(path)).status).toBe(404);
      expect((await browser.visit(path.replace('/test/', '/live/'))).status).toBe(404);
    }
    const csrf = /name="csrf" value="([^"]+)"/.exec((await stranger.browser.visit(`${CATEGORIES}/new`)).text)![1]!;
    expect((await stranger.browser.visit(`${url.pathname}/edit`, { csrf, ...RAIL })).status).toBe(404);
  });
});

describe('templates of categories', () => {
  it.each(TEMPLATES.map(({ id }) => id))('%s makes its categories once, and skips those that exist', async (id) => {
    const { browser, organization } = await aVisitor(app);
    const { categories } = TEMPLATES.find((template) => template.id === id)!;
    const [first] = categories;
    await browser.fill(`${CATEGORIES}/new`, { ...RAIL, code: first!.code.toLowerCase() });
    const list = await browser.visit(`${CATEGORIES}/templates`);
    expect(list.text).toContain(`${CATEGORIES}/templates/${id}`);
    const form = await browser.visit(`${CATEGORIES}/templates/${id}`);
    const shown = await browser.send(form);
    expect(shown.text).toContain(`There already, and left as they are: ${first!.code}.`);
    await browser.send(form);
    const rows = await rowsOf(app.databaseUrl, 'SELECT code FROM expense_categories WHERE organization_id = $1', [organization.id]);
    expect(rows).toHaveLength(categories.length);
  });

  it('are applied to a project, and to none of another organization', async () => {
    const [{ browser }, stranger] = [await aVisitor(app), await aVisitor(app)];
    const dates = { periodStart: '2026-01-01', periodEnd: '2026-12-31' };
    const project = await browser.fill('/console/test/projects/new', { name: 'A project', ...dates });
    const projectId = project.url.pathname.split('/').at(-1)!;
    expect((await browser.fill(`${CATEGORIES}/templates/rent`, { projectId })).text).toContain('Created: RENT.');
    expect((await browser.visit(`${CATEGORIES}?project=${projectId}`)).text).toContain('RENT');
    expect((await stranger.browser.fill(`${CATEGORIES}/templates/rent`, { projectId })).status).toBe(400);
    expect((await browser.visit(`${CATEGORIES}/templates/nothing`)).status).toBe(404);
  });
});
