import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { computedFields, customFields, Text } from '../../src/extension-api.js';
import { newId } from '../../src/kernel/ids.js';
import { METRICS } from '../../src/kernel/metrics.js';
import { ReportOperatorService } from '../../src/modules/reports/index.js';
import { BankStatementDto, StatementOperatorService } from '../../src/modules/statements/index.js';
import { EndpointOperations } from '../../src/modules/webhooks/index.js';
import { aKey } from '../support/builders.js';
import { Client } from '../support/client.js';
import { aVisitor, aVisitorOf, textOf } from '../support/console.js';
import { rowsOf } from '../support/database.js';
import type { DocumentedApp } from '../support/documented-app.js';
import { eventually } from '../support/eventually.js';
import { eventsOf, stepsOf } from '../support/law-database.js';
import { A_MAIL, A_PDF, openReceipts } from '../support/receipts.js';
import { openReports } from '../support/reports.js';
import { PATIENCE_MS, sendStatement } from '../support/statements.js';
import { callTool, connectTools } from '../support/tools.js';
import { webhookInput } from '../support/webhooks.js';
import { allFieldsExtension } from './all-fields/all-fields.js';
import { startWith } from './start-with.js';

let app: DocumentedApp;
beforeAll(async () => {
  app = await startWith(allFieldsExtension, { ROLE: 'all', STATEMENT_TIMEOUT: '5m' });
});
afterAll(() => app.close());

type Own = Readonly<Record<string, unknown>>;
type Answered = { readonly id: string; readonly customFields: Own };

async function open() {
  const opened = await openReports(app);
  const { id: projectId } = await opened.project();
  const { id: categoryId } = await opened.category(newId(), [], { projectId });
  return { ...opened, projectId, categoryId };
}
type Opened = Awaited<ReturnType<typeof open>>;

const TIME = '2026-03-01T09:30:00.000Z';
const LINES = [{ bookedOn: '2026-01-15', amount: '-12.50', description: 'Train' }];

interface Tried {
  readonly path: string;
  readonly body: (opened: Opened) => object;
  readonly changes: boolean;
  /** The event that tells of a new one; others are in the audit log alone. */
  readonly event?: string;
  readonly label: string;
}

let made = 0;
const RECORDS: Record<string, Tried> = {
  claim_items: {
    path: '/v1/claim-items',
    body: ({ projectId, categoryId }) => {
      const cost = { incurredOn: '2026-01-15', rate: '0.30', quantity: '10', currency: 'EUR' };
      return { name: 'Drive', projectId, categoryId, ...cost };
    },
    changes: true,
    event: 'claim_item.created',
    label: '3.00 EUR',
  },
  receipts: {
    path: '/v1/receipts',
    body: ({ projectId }) => {
      made += 1;
      const content = Buffer.concat([A_MAIL, Buffer.from(String(made))]).toString('base64');
      return { projectId, fileName: 'invoice.eml', content };
    },
    changes: true,
    event: 'receipt.created',
    label: 'invoice.eml',
  },
  bank_statements: {
    path: '/v1/bank-statements',
    body: ({ projectId }) => {
      made += 1;
      return { projectId, currency: 'EUR', lines: [{ ...LINES[0], description: `Train ${made}` }] };
    },
    changes: true,
    event: 'bank_statement.received',
    label: 'pending',
  },
  claim_reports: {
    path: '/v1/claim-reports',
    body: ({ projectId }) => ({ projectId }),
    changes: false,
    event: 'claim_report.queued',
    label: 'queued',
  },
  webhook_endpoints: { path: '/v1/webhooks', body: () => webhookInput(), changes: true, label: 'Month-end sync' },
  upload_links: { path: '/v1/upload-links', body: ({ projectId }) => ({ projectId }), changes: true, label: 'open' },
  statement_layouts: {
    path: '/v1/statement-layouts',
    body: () => {
      made += 1;
      return {
        name: `Card ${made}`,
        layout: { columns: { [`Day ${made}`]: 'date', What: 'description', Price: 'amount' }, currency: 'EUR' },
      };
    },
    changes: true,
    label: 'columns',
  },
};

const create = async (opened: Opened, { path, body }: Tried, customFields?: object): Promise<Answered> => {
  const answer = await opened.api.post(path, { ...body(opened), ...(customFields && { customFields }) });
  expect(answer.status, answer.text).toBe(201);
  return answer.body as Answered;
};

const own = ({ label: _label, ...fields }: Own): Own => fields;

describe.each(Object.entries(RECORDS))('%s', (table, record) => {
  const { path, changes, event, label } = record;

  it('have custom fields in every answer, null where they are not set, and what is computed of the record', async () => {
    const opened = await open();
    const { id, customFields } = await create(opened, record, { reference: 'F-7', checkedAt: '2026-03-01T10:30:00+01:00' });
    expect(own(customFields)).toEqual({ reference: 'F-7', checkedAt: TIME });
    expect(customFields.label).toBe(`${label} (F-7)`);
    const none = await create(opened, record);
    expect(own(none.customFields)).toEqual({ reference: null, checkedAt: null });
    expect((await opened.api.get(`${path}/${id}`)).body).toMatchObject({ customFields: { reference: 'F-7', checkedAt: TIME } });
    const { body } = await opened.api.get(path);
    expect((body.data as Answered[]).map((one) => [one.id, one.customFields.reference])).toEqual([
      [none.id, null],
      [id, 'F-7'],
    ]);
    expect((body.data as Answered[]).every((one) => typeof one.customFields.label === 'string')).toBe(true);
  });

  it('refuse what is invalid, unknown or computed', async () => {
    const opened = await open();
    const errorsOf = async (customFields: object) => {
      const { status, body } = await opened.api.post(path, { ...record.body(opened), customFields });
      return [status, ...(body.errors as { field: string; code: string }[]).map(({ field, code }) => `${field} ${code}`)];
    };
    expect(await errorsOf({ reference: 'x'.repeat(21) })).toEqual([400, 'customFields.reference too_long']);
    expect(await errorsOf({ label: 'Mine' })).toEqual([400, 'customFields.label unknown_property']);
    expect(await errorsOf({ other: 1 })).toEqual([400, 'customFields.other unknown_property']);
  });

  if (changes)
    it('change the fields that a PATCH gives, null removes one, and what changes nothing changes nothing', async () => {
      const opened = await open();
      const { id } = await create(opened, record, { reference: 'F-7', checkedAt: TIME });
      const patch = (customFields: object) => opened.api.patch(`${path}/${id}`, { customFields });
      const changed = await patch({ reference: 'F-8' });
      expect(changed.status, changed.text).toBe(200);
      expect(own(changed.body.customFields as Own)).toEqual({ reference: 'F-8', checkedAt: TIME });
      expect((changed.body.customFields as Own).label).toMatch(/\(F-8\)$/);
      const same = await patch({ reference: 'F-8' });
      if (table !== 'bank_statements') expect(same.body.updatedAt).toBe(changed.body.updatedAt);
      expect(own((await patch({ reference: null })).body.customFields as Own)).toEqual({ reference: null, checkedAt: TIME });
      const answer = await opened.api.get(`${path}/${id}`);
      expect(own((answer.body as Answered).customFields)).toEqual({ reference: null, checkedAt: TIME });
      const told = (await stepsOf(app, id)).flatMap(({ changes: all }) => (all && 'customFields' in all ? [all.customFields] : []));
      expect(told.map(({ to }) => (to as Own).reference ?? null)).toEqual(['F-7', 'F-8', null]);
    });

  if (event)
    it('are in events, in the feed and in audit entries, with what is computed', async () => {
      const opened = await open();
      const { id, customFields } = await create(opened, record, { reference: 'F-7' });
      const isIt = ({ kind, data }: { kind: string; data: { id: string } }) => kind === event && data.id === id;
      const found = (await eventsOf(app, opened.organizationId)).find((one) => isIt(one as never));
      expect(found).toMatchObject({ data: { customFields } });
      const schemas = app.document.components.schemas as Record<string, { properties?: Record<string, { readOnly?: boolean }> }>;
      const declared = Object.entries(schemas).filter(([name, { properties }]) => /CustomFields$/.test(name) && properties?.label);
      expect(declared.length).toBe(Object.keys(RECORDS).length);
      expect(declared.every(([, { properties }]) => properties!.label!.readOnly === true)).toBe(true);
      expect(Object.keys(schemas).filter((name) => /CustomFieldsInput$/.test(name) && schemas[name]!.properties!.label)).toEqual([]);
    });

  if (table !== 'webhook_endpoints')
    it('are filtered by them, within the tenant', async () => {
      const [opened, other] = [await open(), await open()];
      const { id } = await create(opened, record, { reference: 'F-7', checkedAt: TIME });
      await create(opened, record, { reference: 'F-8', checkedAt: '2026-04-01T00:00:00Z' });
      await create(opened, record);
      await create(other, record, { reference: 'F-7', checkedAt: TIME });
      const found = async (query: string) => {
        const { status, body } = await opened.api.get(`${path}?${query}`);
        return [status, (body.data as Answered[] | undefined)?.map((one) => one.id) ?? body.errors];
      };
      expect(await found('custom_fields.reference=F-7')).toEqual([200, [id]]);
      expect(await found('custom_fields.checked_at_to=2026-03-31T00:00:00Z')).toEqual([200, [id]]);
      expect(await found('custom_fields.label=x')).toMatchObject([400, [{ field: 'custom_fields.label', code: 'unknown_property' }]]);
      if (['claim_items', 'bank_statements'].includes(table)) expect(await found('search=f-7')).toEqual([200, [id]]);
    });
});

it('forms with a file take custom fields as JSON, and so does the query beside a file', async () => {
  const { key, settled } = await open();
  const customFields = JSON.stringify({ reference: 'F-9' });
  const { status, body } = await sendStatement(app, key, { fields: { customFields } });
  expect([status, own((body as unknown as Answered).customFields)]).toEqual([201, { reference: 'F-9', checkedAt: null }]);
  expect(await settled(body.id)).toMatchObject({
    redactionStatus: 'succeeded',
    customFields: { reference: 'F-9', label: 'succeeded (F-9)' },
  });
  const wrong = await sendStatement(app, key, { fields: { customFields: 'F-9' } });
  expect(wrong).toMatchObject({ status: 400, body: { errors: [{ field: 'customFields', code: 'wrong_type' }] } });
  const query = new URLSearchParams({ customFields }).toString();
  const headers = { 'X-API-Key': key, 'Idempotency-Key': newId(), 'Content-Type': 'text/csv' };
  const content = 'Date,Description,Amount,Currency\n2026-01-15,Tram,-2.50,EUR\n';
  const sent = await fetch(`${app.url}/v1/bank-statements?${query}`, { method: 'POST', headers, body: content });
  expect(await sent.json()).toMatchObject({ customFields: { reference: 'F-9' } });
  const { send } = await openReceipts(app);
  const { body: project } = await new Client(app.url, key).post('/v1/claim-projects', {
    name: 'Hamburg',
    periodStart: '2026-01-01',
    periodEnd: '2026-01-31',
  });
  expect((await send(A_PDF, { projectId: (project as Answered).id, customFields })).status).toBe(400);
});

it('a statement has its custom fields after its redaction, also one whose redaction failed, for operators as well', async () => {
  const { api, settled, organizationId } = await open();
  const { body } = await api.post('/v1/bank-statements', { currency: 'EUR', lines: LINES, customFields: { reference: 'F-1' } });
  const redacted = await settled((body as Answered).id);
  expect(redacted).toMatchObject({ redactionStatus: 'succeeded', customFields: { reference: 'F-1', label: 'succeeded (F-1)' } });
  const found = await app.app.get(StatementOperatorService).get(redacted.id);
  expect(BankStatementDto.from(found)).toMatchObject({ customFields: { reference: 'F-1' } });
  const told = (await eventsOf(app, organizationId)).filter(({ kind }) => kind === 'bank_statement.redaction_succeeded');
  expect(told).toMatchObject([{ data: { customFields: { reference: 'F-1', label: 'succeeded (F-1)' } } }]);
  // The search finds it after a worker has written the row.
  expect((await api.get('/v1/bank-statements?search=f-1')).body).toMatchObject({ pagination: { total: 1 } });
  const again = await api.post('/v1/bank-statements', { currency: 'EUR', lines: LINES, customFields: { reference: 'F-2' } });
  expect(again.body).toMatchObject({ id: redacted.id, customFields: { reference: 'F-1' } });
});

it('a run has its custom fields when it ends, and they are no part of its inputs', async () => {
  const { run, projectId, get } = await open();
  const [first, second] = [await run({ projectId, customFields: { reference: 'F-1' } }), await run({ projectId })];
  expect(first).toMatchObject({ status: 'succeeded', customFields: { reference: 'F-1', label: 'succeeded (F-1)' } });
  expect(second).toMatchObject({ customFields: { reference: null } });
  expect(first.result!.inputsHash).toBe(second.result!.inputsHash);
  expect(await app.app.get(ReportOperatorService).get(first.id)).toMatchObject({ customFields: { reference: 'F-1' } });
  expect(await get(first.id)).toMatchObject({ customFields: { reference: 'F-1' } });
});

it('an endpoint has its custom fields after its secret was rotated and its deliveries were sent, for operators as well', async () => {
  const { api } = await open();
  const { body } = await api.post('/v1/webhooks', { ...webhookInput(), customFields: { reference: 'F-1' } });
  expect(body).toMatchObject({ secret: expect.any(String) as string, customFields: { reference: 'F-1', label: 'Month-end sync (F-1)' } });
  const { id } = body as Answered;
  const rotated = await api.patch(`/v1/webhooks/${id}`, { rotateSecret: true });
  expect(rotated.body).toMatchObject({ secret: expect.any(String) as string, customFields: { reference: 'F-1' } });
  expect(await app.app.get(EndpointOperations).get(id)).toMatchObject({ customFields: { reference: 'F-1' } });
  expect((await api.patch(`/v1/webhooks/${id}`, { environment: 'test', customFields: { reference: null } })).body).toMatchObject({
    customFields: { reference: null },
  });
  expect(await api.get('/v1/webhooks?custom_fields.reference=F-1')).toMatchObject({ status: 400 });
});

it('a layout that replaces another of its name has what that had', async () => {
  const { api } = await open();
  const layout = (day: string) => ({ columns: { [day]: 'date', What: 'description', Price: 'amount' }, currency: 'EUR' });
  await api.post('/v1/statement-layouts', { name: 'Card', layout: layout('Day'), customFields: { reference: 'F-1', checkedAt: TIME } });
  const { body } = await api.post('/v1/statement-layouts', { name: 'Card', layout: layout('Tag'), customFields: { reference: 'F-2' } });
  expect(own((body as Answered).customFields)).toEqual({ reference: 'F-2', checkedAt: TIME });
});

it('tools take and show them', async () => {
  const { key, projectId, categoryId } = await open();
  const tools = await connectTools(app, { 'X-API-Key': key }, '?tools=claims');
  const written = { confirm: true, idempotency_key: newId() };
  const cost = { incurred_on: '2026-01-15', rate: '0.30', quantity: '10', currency: 'EUR' };
  const inputs = { name: 'Drive', project_id: projectId, category_id: categoryId, ...cost, custom_fields: { reference: 'F-1' } };
  const item = await callTool(tools, 'create_claim_item', { ...inputs, ...written });
  expect(item.content).toMatchObject({ customFields: { reference: 'F-1', label: '3.00 EUR (F-1)' } });
  const listed = await callTool(tools, 'list_claim_items', { 'custom_fields.reference': 'F-1' });
  expect(listed.content).toMatchObject({ data: [{ customFields: { label: '3.00 EUR (F-1)' } }] });
  const imported = { currency: 'EUR', lines: LINES };
  const statement = await callTool(tools, 'import_bank_statement', {
    ...imported,
    project_id: projectId,
    custom_fields: { reference: 'F-2' },
    ...written,
    idempotency_key: newId(),
  });
  expect(statement.content, statement.text).toMatchObject({ customFields: { reference: 'F-2' } });
  const moved = { statement_id: (statement.content as Answered).id, custom_fields: { reference: 'F-3' }, idempotency_key: newId() };
  expect((await callTool(tools, 'update_bank_statement', { ...moved, confirm: true })).content).toMatchObject({
    customFields: { reference: 'F-3' },
  });
});

describe('the console', () => {
  const ENTERED = { 'customFields.reference': 'F-5' };
  const shows = (text: string, label = 'Reference', value = 'F-5') =>
    expect(text).toMatch(new RegExp(`${label}<[^]{0,400}${value.replace(/[()]/g, '\\$&')}`));

  async function atConsole() {
    const { browser, organization } = await aVisitor(app);
    const api = new Client(app.url, (await aKey(app, organization.id)).key);
    const project = await api.post('/v1/claim-projects', {
      name: 'Berlin',
      periodStart: '2026-01-01',
      periodEnd: '2026-01-31',
      status: 'active',
    });
    const { id: projectId } = project.body as Answered;
    const category = await api.post('/v1/expense-categories', { code: 'A', name: 'A', projectId });
    const firstOf = async (path: string) => ((await api.get(path)).body.data as Answered[])[0]!;
    return { browser, api, projectId, categoryId: (category.body as Answered).id, firstOf };
  }

  it('shows them of claim items with what is computed, and keeps those that are not in the form', async () => {
    const { browser, projectId, categoryId, firstOf, api } = await atConsole();
    const cost = { name: 'Drive', projectId, categoryId, incurredOn: '2026-01-15', rate: '0.30', currency: 'EUR' };
    const made = await browser.fill('/console/test/items/new', { ...cost, quantity: '10', ...ENTERED });
    shows(made.text);
    shows(made.text, 'Label', '3.00 EUR (F-5)');
    const edit = await browser.visit(`${made.url.pathname}/edit`);
    expect(edit.text).not.toContain('customFields.label');
    const changed = await browser.send(edit, { 'customFields.reference': 'F-6' });
    shows(changed.text, 'Reference', 'F-6');
    expect(await firstOf('/v1/claim-items')).toMatchObject({ customFields: { reference: 'F-6' } });
    expect((await api.get('/v1/claim-items')).status).toBe(200);
  });

  it('shows them of statements, and takes them with uploads, whose invalid values it refuses', async () => {
    const { browser, firstOf } = await atConsole();
    const form = await browser.visit('/console/test/statements/new');
    const file = ['a.csv', 'Date,Description,Amount,Currency\n2026-01-15,Tram,-2.50,EUR\n'] as const;
    const refused = await browser.upload(form, [file], { 'customFields.reference': 'x'.repeat(21) });
    expect(textOf(refused.text)).toContain('href="#customFields.reference"');
    shows((await browser.upload(form, [file], ENTERED)).text);
    const { id } = await firstOf('/v1/bank-statements');
    expect(await firstOf('/v1/bank-statements')).toMatchObject({ customFields: { reference: 'F-5' } });
    await eventually(async () => {
      expect(await firstOf('/v1/bank-statements')).toMatchObject({ redactionStatus: 'succeeded' });
    }, PATIENCE_MS);
    shows((await browser.visit(`/console/test/statements/${id}`)).text, 'Label', 'succeeded (F-5)');
  });

  it('shows them of runs, and takes them with a new one', async () => {
    const { browser, projectId, firstOf } = await atConsole();
    const form = await browser.visit(`/console/test/reports/new?projectId=${projectId}`);
    const refused = await browser.send(form, { 'customFields.reference': 'x'.repeat(21) }, '/console/test/reports/new');
    expect(refused.text).toContain('<a href="#customFields.reference">');
    expect(refused.text).toContain('name="customFields.reference"');
    const { text } = await browser.send(refused, ENTERED, '/console/test/reports/new');
    shows(text);
    expect(await firstOf('/v1/claim-reports')).toMatchObject({ customFields: { reference: 'F-5' } });
  });

  it('shows them of endpoints, and changes them; a pause keeps them', async () => {
    const { browser, firstOf } = await atConsole();
    const fields = { name: 'Sync', targetUrl: 'https://hooks.example.com/claims', subscribedEvents: 'claim_project.created' };
    await browser.fill('/console/test/webhooks/new', { ...fields, ...ENTERED });
    const { id, customFields } = await firstOf('/v1/webhooks');
    expect(customFields).toMatchObject({ reference: 'F-5' });
    const page = await browser.visit(`/console/test/webhooks/${id}`);
    shows(page.text);
    shows(page.text, 'Label', 'Sync (F-5)');
    await browser.send(page, {}, `/webhooks/${id}/status`);
    expect(await firstOf('/v1/webhooks')).toMatchObject({ status: 'disabled', customFields: { reference: 'F-5' } });
    await browser.fill(`/console/test/webhooks/${id}/edit`, { 'customFields.reference': '' });
    expect(await firstOf('/v1/webhooks')).toMatchObject({ customFields: { reference: null } });
  });

  it('lists them of upload links and receipts, and takes them with new ones', async () => {
    const { browser, projectId, categoryId, firstOf, api } = await atConsole();
    await browser.fill('/console/test/statements/links/new', { projectId, ...ENTERED });
    const links = await browser.visit('/console/test/statements/links');
    for (const text of ['Reference', 'F-5', 'Label', 'open (F-5)']) expect(links.text).toContain(text);
    await browser.send(links, {}, '/withdraw');
    expect(await firstOf('/v1/upload-links')).toMatchObject({ status: 'withdrawn', customFields: { label: 'withdrawn (F-5)' } });
    const cost = { name: 'Drive', projectId, categoryId, incurredOn: '2026-01-15', rate: '0.30', currency: 'EUR' };
    const { body: item } = await api.post('/v1/claim-items', cost);
    const receipts = await browser.visit(`/console/test/receipts?claimItemId=${(item as Answered).id}`);
    const added = await browser.upload(receipts, [['invoice.pdf', A_PDF]], ENTERED);
    for (const text of ['Label', 'invoice.pdf (F-5)']) expect(added.text).toContain(text);
    await browser.send(added, {}, '/withdraw');
    expect(await firstOf('/v1/receipts')).toMatchObject({ status: 'withdrawn', customFields: { reference: 'F-5' } });
  });

  it('shows them of layouts, and changes them', async () => {
    const { browser, firstOf } = await atConsole();
    const layout = JSON.stringify({ columns: { Day: 'date', What: 'description', Price: 'amount' }, currency: 'EUR' });
    const made = await browser.fill('/console/test/layouts/new', { name: 'Card', layout, ...ENTERED });
    shows(made.text);
    shows(made.text, 'Label', 'columns (F-5)');
    await browser.fill(`${made.url.pathname}/edit`, { 'customFields.reference': 'F-6' });
    expect(await firstOf('/v1/statement-layouts')).toMatchObject({ name: 'Card', customFields: { reference: 'F-6' } });
  });

  it('shows them to a second person as to the first', async () => {
    const { browser, organization } = await aVisitor(app);
    const made = await browser.fill('/console/test/projects/new', { name: 'Berlin', periodStart: '2026-01-01', periodEnd: '2026-01-14' });
    const { browser: second } = await aVisitorOf(app, organization);
    shows((await second.visit(made.url.pathname)).text, 'Weeks', '2');
    expect((await second.visit(`${made.url.pathname}/edit`)).text).not.toContain('customFields');
  });
});

describe('a computed field', () => {
  const body = { name: 'Berlin', periodStart: '2026-01-01', periodEnd: '2026-03-31', metadata: {} };
  const FAILED = { thrown: null, tooLong: null, changed: null, isOther: null };

  it('is made of the record at each call, and no statement reads more for it', async () => {
    const { api } = await open();
    const { body: project } = await api.post('/v1/claim-projects', { ...body, name: newId() });
    expect(project).toMatchObject({ customFields: { weeks: 13 } });
    const changed = await api.patch(`/v1/claim-projects/${(project as Answered).id}`, { periodEnd: '2026-01-07' });
    expect(changed.body).toMatchObject({ customFields: { weeks: 1 } });
    const kept = 'SELECT custom_fields FROM claim_projects WHERE id = $1';
    expect(await rowsOf(app.databaseUrl, kept, [(project as Answered).id])).toEqual([{ custom_fields: {} }]);
    const { properties } = app.document.components.schemas.CreateClaimProject as unknown as { properties: object };
    expect(properties).not.toHaveProperty('customFields');
  });

  it('that throws, or is what its declaration forbids, is null, and operators are told once', async () => {
    const warned = vi.spyOn(process, 'emitWarning').mockReturnValue();
    const countOf = async (field: string) => {
      const { values } = await METRICS.getSingleMetric('claims_computed_fields_failed_total')!.get();
      return values.find(({ labels }) => labels.table === 'claim_projects' && labels.field === field)?.value ?? 0;
    };
    const [before, { api }] = [await countOf('thrown'), await open()];
    const made = await api.post('/v1/claim-projects', { ...body, name: newId() });
    expect(made).toMatchObject({ status: 201, body: { metadata: {}, customFields: { weeks: 13, ...FAILED } } });
    expect((await api.get('/v1/claim-projects')).body.data).toMatchObject([{ customFields: FAILED }, { customFields: FAILED }]);
    expect(await countOf('thrown')).toBeGreaterThan(before + 2);
    expect(await countOf('isOther')).toBe(0);
    const texts = warned.mock.calls.map(([text]) => String(text)).filter((text) => text.includes('thrown'));
    expect(texts.length).toBeLessThanOrEqual(1);
    warned.mockRestore();
  });

  it('has a name of its own, and a function', () => {
    class Again {
      @Text({ about: 'Again.', max: 20 }) reference: string;
    }
    class Named {
      @Text({ about: 'A text.', max: 20 }) remark: string;
    }
    expect(() => computedFields('claim_items', Again, { reference: () => '' })).toThrow('reference of claim_items is declared twice.');
    expect(() => customFields('claim_projects', class Weeks extends Again {})).toThrow('declares none');
    expect(() => computedFields('claim_items', Named, {} as never)).toThrow('The computed field remark of claim_items has no function.');
    expect(() => customFields('webhook_endpoints', Named, { filters: ['remark'] })).toThrow(
      'webhook_endpoints cannot be filtered by remark: its list has no filters.',
    );
  });
});
