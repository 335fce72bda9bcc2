import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Injectable, Module } from '@nestjs/common';
import { Before, ChangeHook, ClaimProjectDto, CreateClaimProjectDto, customFields, declareExtension } from '../../src/extension-api.js';
import { fieldsIn, HiddenFields, Implements, Text, type WriteContext } from '../../src/extension-api.js';
import { newId } from '../../src/kernel/ids.js';
import { aKey, aTenant } from '../support/builders.js';
import { Client } from '../support/client.js';
import { aVisitor, textOf } from '../support/console.js';
import { rowsOf } from '../support/database.js';
import { startDocumentedApp, type DocumentedApp } from '../support/documented-app.js';
import { auditOf, eventsOf } from '../support/law-database.js';
import { collectStatements } from '../support/plans.js';
import { openSession } from '../support/session.js';
import { callTool, connectTools } from '../support/tools.js';
import { projectFieldsExtension } from './project-fields/extension.js';
import { startWith } from './start-with.js';

const PROJECTS = '/v1/claim-projects';
const YEAR = { periodStart: '2026-01-01', periodEnd: '2026-12-31' };
const BEGIN = '2026-03-01T09:30:00.000Z';
const FULL = {
  costCentre: 'CC-7',
  margin: '12.5',
  budget: { amount: '1000.00', currency: 'EUR' },
  isApproved: true,
  soldHours: '7.25',
  dueOn: '2027-03-31',
  beginsAt: BEGIN,
};
const NONE = { costCentre: null, margin: null, budget: null, isApproved: null, soldHours: null, dueOn: null, beginsAt: null };

/** Changes a custom field in place, and what it saw before. */
const seen: string[] = [];
@Injectable()
@Implements(ChangeHook)
class Marking extends ChangeHook {
  @Before('claim_projects.create')
  mark(_ctx: WriteContext, input: CreateClaimProjectDto): void {
    const fields = (input as { customFields?: { costCentre?: string } }).customFields;
    if (!fields?.costCentre?.startsWith('MARK')) return;
    seen.push(fields.costCentre);
    fields.costCentre += fields.costCentre === 'MARK-LONG' ? 'x'.repeat(20) : '!';
  }
}
@Module({ providers: [Marking] })
class MarkingModule {}
const marking = declareExtension({ name: 'marking', madeFor: '^1.0.0', modules: [MarkingModule] });

let app: DocumentedApp;
beforeAll(async () => {
  app = await startWith([projectFieldsExtension, marking]);
});
afterAll(() => app.close());

async function anApi() {
  const { organization, key } = await aTenant(app);
  const api = new Client(app.url, key);
  const make = async (name: string, fields?: object) =>
    (await api.post(PROJECTS, { name, ...YEAR, ...(fields && { customFields: fields }) })).body as { id: string; customFields: object };
  return { organization, key, api, make };
}

it('a record has its custom fields in every answer, null where they are not set', async () => {
  const { api, make } = await anApi();
  const [full, none] = [await make('Full', FULL), await make('None')];
  expect([full.customFields, none.customFields]).toEqual([FULL, NONE]);
  expect((await api.get(`${PROJECTS}/${full.id}`)).body).toEqual(full);
  expect((await api.get(PROJECTS)).body).toMatchObject({ data: [none, full] });
});

it('a PATCH changes the custom fields that it gives, and null removes one; event and audit log show it', async () => {
  const { api, make, organization } = await anApi();
  const { id } = await make('Berlin', FULL);
  const changed = { ...FULL, margin: '15', budget: null };
  const { body } = await api.patch(`${PROJECTS}/${id}`, { customFields: { margin: '15', budget: null } });
  expect(body).toMatchObject({ name: 'Berlin', customFields: changed });
  const [event] = (await eventsOf(app, organization.id)).slice(-1);
  expect(event).toMatchObject({ changed_fields: ['customFields'], data: { customFields: changed } });
  const [audit] = (await auditOf(app, organization.id)).slice(-1);
  expect(audit!.changes).toEqual({ customFields: { from: FULL, to: changed } });
  const again = await api.patch(`${PROJECTS}/${id}`, { customFields: { budget: null, isApproved: true } });
  expect(again.body).toEqual(body);
});

it.each([
  ['customFields.costCentre too_long', { costCentre: 'x'.repeat(21) }],
  ['customFields.margin invalid_percent', { margin: '101' }],
  ['customFields.budget.currency invalid_currency', { budget: { amount: '1', currency: 'XXX' } }],
  ['customFields.soldHours wrong_type', { soldHours: 7.25 }],
  ['customFields.soldHours invalid_decimal', { soldHours: '7.255' }],
  ['customFields.soldHours out_of_range', { soldHours: '10000.01' }],
  ['customFields.isApproved wrong_type', { isApproved: 'yes' }],
  ['customFields.costCenter unknown_property', { costCenter: 'CC-7' }],
  ['customFields.constructor unknown_property', { constructor: 1 }],
  ['customFields wrong_type', 'CC-7'],
  ['customFields.costCentre required', { budget: { amount: '1', currency: 'EUR' } }],
])('returns 400 to an invalid custom field, and names it: %s', async (expected, fields) => {
  const { api } = await anApi();
  const { status, body } = await api.post(PROJECTS, { name: 'Berlin', ...YEAR, customFields: fields });
  const [error] = body.errors as { field: string; code: string }[];
  expect([status, `${error!.field} ${error!.code}`]).toEqual([400, expected]);
});

it('what a hook changes inside of them is checked, and is there once when a write begins anew', async () => {
  const { api, make } = await anApi();
  const create = (costCentre: string) => api.post(PROJECTS, { name: costCentre, ...YEAR, customFields: { costCentre } });
  expect((await create('MARK-LONG')).status).toBe(500);
  expect((await api.get(PROJECTS)).body).toMatchObject({ data: [] });
  expect((await make('MARK-1', { costCentre: 'MARK-1' })).customFields).toMatchObject({ costCentre: 'MARK-1!' });
  seen.length = 0;
  expect((await create('MARK-1')).status).toBe(409);
  expect(seen).toEqual(['MARK-1', 'MARK-1']);
});

it('lists are filtered and searched by custom fields, within the tenant, and the migration has made their indexes', async () => {
  const { api, make } = await anApi();
  const other = await anApi();
  const seven = await make('Seven', { costCentre: 'CC-7', isApproved: true });
  const eight = await make('Eight', { costCentre: 'CC-8', isApproved: false });
  await make('None');
  await other.make('Seven', { costCentre: 'CC-7', isApproved: true });
  const found = async (query: string) => {
    const { body } = await api.get(`${PROJECTS}?${query}`);
    return [(body.data as { id: string }[]).map(({ id }) => id), (body.pagination as { total: number }).total];
  };
  expect(await found('custom_fields.cost_centre=CC-7')).toEqual([[seven.id], 1]);
  expect(await found('custom_fields.is_approved=false')).toEqual([[eight.id], 1]);
  expect(await found('custom_fields.is_approved=true&custom_fields.cost_centre=CC-8')).toEqual([[], 0]);
  expect(await found('search=cc-')).toEqual([[eight.id, seven.id], 2]);
  expect(await api.get(`${PROJECTS}?custom_fields.margin=1`)).toMatchObject({ status: 400 });
  const indexes = await rowsOf<{ indexdef: string }>(app.databaseUrl, "SELECT indexdef FROM pg_indexes WHERE indexname LIKE '%_custom_%'");
  expect(indexes.map(({ indexdef }) => /USING btree \((.*)\)$/.exec(indexdef)![1]).sort()).toEqual([
    "organization_id, environment, (((custom_fields ->> 'soldHours'::text))::numeric), id",
    "organization_id, environment, ((custom_fields ->> 'costCentre'::text)), id",
    `organization_id, environment, ((custom_fields ->> 'dueOn'::text)) COLLATE "C", id`,
    "organization_id, environment, ((custom_fields ->> 'isApproved'::text)), id",
    `organization_id, environment, rtrim((custom_fields ->> 'beginsAt'::text), 'Z'::text) COLLATE "C", id`,
  ]);
});

const TIMES = { early: '2026-03-01T10:30:00.0005+01:00', late: '2026-03-01T09:30:01Z' };

it.each([
  ['sold_hours', 'soldHours', ['9', '9.5', '10', '100.25'], '9.50', '10.0'],
  ['due_on', 'dueOn', ['2026-12-31', '2027-01-01', '2027-02-01', '2027-10-01'], '2027-01-01', '2027-02-01'],
  [
    'begins_at',
    'beginsAt',
    [BEGIN, TIMES.early, TIMES.late, '2026-03-01T08:00:00-05:00'],
    '2026-03-01T09:30:00.0005Z',
    '2026-03-01T10:30:01+01:00',
  ],
])(
  'lists are filtered by a range of %s, whose ends are included and whose order is that of the values',
  async (parameter, field, values, from, to) => {
    const { api, make } = await anApi();
    const made: string[] = [];
    for (const value of values) made.push((await make(value, { [field]: value })).id);
    await make('None');
    const found = async (query: Record<string, string>) => {
      const asked = Object.entries(query).map(([end, value]) => [`custom_fields.${parameter}_${end}`, value]);
      const { status, body } = await api.get(`${PROJECTS}?${new URLSearchParams(asked).toString()}`);
      return [status, (body.data as { id: string }[] | undefined)?.map(({ id }) => made.indexOf(id)).reverse() ?? body.errors];
    };
    expect(await found({ from, to })).toEqual([200, [1, 2]]);
    expect(await found({ from })).toEqual([200, [1, 2, 3]]);
    expect(await found({ to })).toEqual([200, [0, 1, 2]]);
    expect(await found({ from: to, to: from })).toMatchObject([
      400,
      [{ location: 'query', field: `custom_fields.${parameter}_to`, code: 'before_start' }],
    ]);
    expect(await found({ from: 'x' })).toMatchObject([400, [{ field: `custom_fields.${parameter}_from` }]]);
  },
);

it('a time is kept in UTC, whatever its offset was', async () => {
  const { make } = await anApi();
  expect((await make('Berlin', { beginsAt: '2026-03-01T10:30:00+01:00' })).customFields).toMatchObject({ beginsAt: BEGIN });
});

it.each([
  ['sold_hours', '9000', "((custom_fields ->> 'soldHours')::numeric)"],
  ['due_on', '2027-01-01', `((custom_fields ->> 'dueOn') COLLATE "C")`],
  ['begins_at', '2027-01-01T00:00:00Z', `(rtrim((custom_fields ->> 'beginsAt'), 'Z') COLLATE "C")`],
])('a range of %s finds its rows by its index', async (name, from, value) => {
  const { api, organization } = await anApi();
  const statements = collectStatements(app);
  await api.get(`${PROJECTS}?custom_fields.${name}_from=${from}`);
  const [text] = [...statements.keys()].filter((sql) => sql.includes('custom_fields ->>'));
  expect(text).toContain(`${value} >= $5`);
  const session = await openSession(app.databaseUrl);
  await session.query('SET enable_seqscan = off');
  const where = `organization_id = '${organization.id}' AND environment = 'test' AND ${value} >= '${from}'`;
  const { rows } = await session.query<{ 'QUERY PLAN': string }>(`EXPLAIN SELECT id FROM claim_projects WHERE ${where}`);
  await session.end();
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain(`claim_projects_custom_${name}_range`);
});

it('the documents and tools have the fields, with their limits', async () => {
  const { schemas } = app.document.components;
  expect(schemas.ClaimProject!.properties!.customFields).toBeDefined();
  expect(schemas.ClaimProjectCustomFields!.required).toEqual([
    'costCentre',
    'margin',
    'budget',
    'isApproved',
    'soldHours',
    'dueOn',
    'beginsAt',
  ]);
  expect(schemas.ClaimProjectCustomFieldsInput).toMatchObject({ properties: { costCentre: { maxLength: 20, type: ['string', 'null'] } } });
  const events = (await new Client(app.url).get('/asyncapi.json')).text;
  expect(events).toContain('ClaimProjectCustomFields');
  const { key } = await anApi();
  const tools = await connectTools(app, { 'X-API-Key': key });
  const made = await callTool(tools, 'create_claim_project', {
    name: 'By a tool',
    period_start: '2026-01-01',
    period_end: '2026-12-31',
    custom_fields: FULL,
    confirm: true,
    idempotency_key: newId(),
  });
  expect(made.content).toMatchObject({ customFields: FULL });
  const listed = await callTool(tools, 'list_claim_projects', { 'custom_fields.cost_centre': 'CC-7' });
  expect(listed.content).toMatchObject({ pagination: { total: 1 } });
  const within = await callTool(tools, 'list_claim_projects', { 'custom_fields.sold_hours_from': '7', 'custom_fields.sold_hours_to': '8' });
  expect(within.content).toMatchObject({ pagination: { total: 1 } });
  const backwards = await callTool(tools, 'list_claim_projects', {
    'custom_fields.sold_hours_from': '8',
    'custom_fields.sold_hours_to': '7',
  });
  expect(backwards.content).toMatchObject({ errors: [{ field: 'custom_fields.sold_hours_to', code: 'before_start' }] });
});

it('the console shows them, and changes those that are no objects', async () => {
  const { browser, organization } = await aVisitor(app);
  const entered = { 'customFields.costCentre': 'CC-9', 'customFields.isApproved': 'true' };
  const made = await browser.fill('/console/test/projects/new', { name: 'By hand', status: 'active', ...YEAR, ...entered });
  expect(made.text).toMatch(/Cost centre<[^]{0,20}CC-9/);
  const edit = await browser.visit(`${made.url.pathname}/edit`);
  const refused = await browser.send(edit, { 'customFields.margin': '101' });
  expect(textOf(refused.text)).toContain('Margin is not a percentage from 0 to 100.');
  expect(refused.text).toContain('<a href="#customFields.margin">');
  const inexact = await browser.send(edit, { 'customFields.soldHours': '7,255' });
  expect(textOf(inexact.text)).toContain('Sold hours is not a number, or has too many decimals. Enter it with a point, such as 7.25.');
  const saved = await browser.send(refused, {
    'customFields.margin': '20',
    'customFields.costCentre': '',
    'customFields.soldHours': '1234.50',
  });
  expect(saved.text).toMatch(/Sold hours<[^]{0,20}1,234\.50/);
  const api = new Client(app.url, (await aKey(app, organization.id)).key);
  const { body } = await api.get(PROJECTS);
  expect(body).toMatchObject({
    data: [{ name: 'By hand', customFields: { ...NONE, margin: '20', isApproved: true, soldHours: '1234.50' } }],
  });
});

@Injectable()
@Implements(HiddenFields)
class HiddenHours extends HiddenFields {
  readonly fields = [fieldsIn(ClaimProjectDto, 'customFields.soldHours')];
  isHiddenFrom(): boolean {
    return true;
  }
}

@Module({ providers: [HiddenHours] })
class HidingModule {}

it('a list in the console offers no range of a hidden field, and is not filtered by it', async () => {
  const hiding = declareExtension({ name: 'hiding', madeFor: '1.0.0', modules: [HidingModule] });
  const less = await startDocumentedApp({ DATABASE_URL: app.databaseUrl }, undefined, [projectFieldsExtension, hiding]);
  const { browser, organization } = await aVisitor(less);
  const { key } = await aKey(less, organization.id);
  await new Client(less.url, key).post(PROJECTS, { name: 'Little', ...YEAR, customFields: { soldHours: '7.25' } });
  const { text } = await browser.visit('/console/test/projects?custom_fields.sold_hours_from=10');
  expect([
    text.includes('name="custom_fields.due_on_from"'),
    text.includes('name="custom_fields.sold_hours'),
    text.includes('>Little</a>'),
  ]).toEqual([true, false, true]);
  await less.close();
});

it('lists in the console are filtered by ranges, which stay on the next page; what is wrong with one is said at its input', async () => {
  const { browser, organization } = await aVisitor(app);
  const { key } = await aKey(app, organization.id);
  const api = new Client(app.url, key);
  for (const [name, soldHours, dueOn] of [
    ['Little', '7.25', '2027-01-31'],
    ['Much', '40', '2027-03-31'],
    ['Most', '100.25', '2027-03-31'],
  ])
    await api.post(PROJECTS, { name, ...YEAR, customFields: { soldHours, dueOn } });
  const LIST = '/console/test/projects';
  const shown = async (query: string) => {
    const page = await browser.visit(`${LIST}?${query}`);
    return { ...page, names: ['Little', 'Much', 'Most'].filter((name) => page.text.includes(`>${name}</a>`)) };
  };
  const all = await shown('');
  expect(all.names).toEqual(['Little', 'Much', 'Most']);
  expect(all.text).toMatch(/<label for="custom_fields.due_on_to">Due on to<\/label><input [^>]*type="date"/);
  expect(all.text).toContain('<details><summary>Filter by values and days</summary>');
  const some = await shown('custom_fields.sold_hours_from=10&custom_fields.due_on_from=2027-03-31&custom_fields.due_on_to=&sort=0');
  expect(some.names).toEqual(['Much', 'Most']);
  expect(some.text).toContain('<details open');
  expect(some.text).toMatch(/name="custom_fields.sold_hours_from"[^>]*value="10"/);
  expect(some.text).toMatch(/href="[^"]*sold_hours_from=10[^"]*sort=/);
  const bad = await shown('custom_fields.sold_hours_from=many');
  expect([bad.status, bad.names.length]).toEqual([200, 3]);
  expect(textOf(bad.text)).toContain('Sold hours from is not a number');
  expect(bad.text).toMatch(/name="custom_fields.sold_hours_from"[^>]*aria-invalid="true"/);
  const turned = await shown('custom_fields.due_on_from=2027-03-01&custom_fields.due_on_to=2027-02-01');
  expect([turned.status, turned.names.length, textOf(turned.text).includes('Due on to is before the start.')]).toEqual([200, 3, true]);
});

it('resources without custom fields do not have them', async () => {
  const { api } = await anApi();
  const refused = await api.post('/v1/expense-categories', { code: 'A', name: 'A', customFields: {} });
  expect(refused).toMatchObject({ status: 400, body: { errors: [{ field: 'customFields', code: 'unknown_property' }] } });
  expect((await api.post('/v1/expense-categories', { code: 'A', name: 'A' })).body).not.toHaveProperty('customFields');
});

it('refuses a bad declaration', () => {
  class Again {
    @Text({ about: 'Again.', max: 20 }) costCentre: string;
  }
  class Odd {
    @Text({ about: 'Odd.', max: 20 }) cost_centre: string;
  }
  expect(() => customFields('claim_project', Again)).toThrow(/^claim_project has no custom fields: only .*claim_projects/);
  expect(() => customFields('claim_projects', Again)).toThrow('The custom field costCentre of claim_projects is declared twice.');
  class Named {
    @Text({ about: 'A text.', max: 20 }) remark: string;
  }
  class Clashing {
    @Text({ about: 'A text.', max: 20 }) dueOnFrom: string;
  }
  const ranges = () => customFields('report_configurations', Named, { ranges: ['remark'] });
  expect(ranges).toThrow('There are no ranges of remark of report_configurations: it is no number, amount, day or time.');
  expect(() => customFields('claim_projects', Clashing, { filters: ['dueOnFrom'] })).toThrow(
    'There are two filters custom_fields.due_on_from.',
  );
  expect(() => customFields('expense_categories', Odd)).toThrow('must look like costCentre');
});

it('docs/extending-hooks.md shows the fields of these tests', async () => {
  const guide = await readFile('docs/extending-hooks.md', 'utf8');
  for (const file of ['project-fields', 'index-project-fields']) {
    const code = await readFile(`test/extended/project-fields/${file}.ts`, 'utf8');
    expect(guide).toContain(code.replace('../../../src/extension-api.js', '../../extension-api.js'));
  }
});
