import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';
import { aVisitor, textOf, type Visitor } from '../support/console.js';
import { rowsOf } from '../support/database.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const RULES = { rules: [{ all: [{ field: 'counterparty', op: 'contains', value: 'Rail' }], claimablePercent: 100 }] };
const PERIOD = { periodStart: '2026-01-01', periodEnd: '2026-12-31' };

async function aProject({ browser }: Visitor, name: string): Promise<string> {
  return (await browser.fill('/console/test/projects/new', { name, ...PERIOD })).url.pathname.split('/').at(-1)!;
}

const KINDS = [
  {
    path: '/console/test/categories',
    table: 'expense_categories',
    fields: { code: 'RAIL', name: 'Rail travel', sourceMapping: JSON.stringify(RULES) },
    json: 'sourceMapping',
    wrong: [JSON.stringify({ rules: [{ all: [{ field: 'nope', op: 'is', value: 'x' }] }] }), 'sourceMapping.rules[0].all[0].field'],
  },
  {
    path: '/console/test/configurations',
    table: 'report_configurations',
    fields: { name: 'Annual report', ...PERIOD, outputOptions: '{"formats":["pdf"]}' },
    json: 'outputOptions',
    wrong: ['{"formats":["docx"]}', 'outputOptions.formats'],
  },
] as const;

describe.each(KINDS)('$path', ({ path, table, fields, json, wrong: [wrong, place] }) => {
  it('creates, shows and changes a record, also of a project', async () => {
    const visitor = await aVisitor(app);
    const projectId = await aProject(visitor, 'Berlin office');
    const made = await visitor.browser.fill(`${path}/new`, { ...fields, projectId });
    expect(made.text).toContain('was created.');
    expect(made.text).toContain('Berlin office');
    const changed = await visitor.browser.fill(`${made.url.pathname}/edit`, { name: 'Another name' });
    expect(changed.text).toContain('Another name');
    expect((await visitor.browser.visit(`${path}?search=another`)).text).toContain('Berlin office');
    const rows = await rowsOf(app.databaseUrl, `SELECT name, project_id FROM ${table} WHERE organization_id = $1`, [
      visitor.organization.id,
    ]);
    expect(rows).toEqual([{ name: 'Another name', project_id: projectId }]);
  });

  it('says where its JSON is none, and where it says what does not exist, and keeps it', async () => {
    const { browser } = await aVisitor(app);
    const broken = await browser.fill(`${path}/new`, { ...fields, [json]: '{"a": ' });
    expect([broken.status, broken.text]).toEqual([400, expect.stringContaining('is not JSON: ')]);
    const refused = await browser.fill(`${path}/new`, { ...fields, [json]: wrong });
    expect(refused.status).toBe(400);
    expect(textOf(refused.text)).toContain(place);
    expect(textOf(refused.text)).toContain(wrong);
  });

  it('shows nothing of another organization, and takes no project of one', async () => {
    const [owner, stranger] = [await aVisitor(app), await aVisitor(app)];
    const projectId = await aProject(owner, 'Not yours');
    const made = await owner.browser.fill(`${path}/new`, fields);
    for (const page of [made.url.pathname, `${made.url.pathname}/edit`]) expect((await stranger.browser.visit(page)).status).toBe(404);
    const refused = await stranger.browser.fill(`${path}/new`, { ...fields, projectId });
    expect([refused.status, refused.text.includes('Not yours')]).toEqual([400, false]);
  });

  it('shows a text as the text that it is', async () => {
    const { browser } = await aVisitor(app);
    const shown = await browser.fill(`${path}/new`, { ...fields, name: '<script>alert(1)</script>' });
    for (const page of [shown, await browser.visit(path), await browser.visit(`${shown.url.pathname}/edit`)]) {
      expect(page.status).toBe(200);
      expect(page.text).not.toContain('<script>');
    }
  });
});
