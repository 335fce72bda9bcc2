import { Injectable, Module } from '@nestjs/common';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  After,
  Before,
  CategoriesModule,
  CategoriesService,
  ChangeHook,
  ClaimProjectDto,
  ClaimReportDto,
  CreateClaimProjectDto,
  CreateClaimReportDto,
  CreateWebhookDto,
  declareExtension,
  ExpenseCategoryCreated,
  Implements,
  Problem,
  UpdateClaimProjectDto,
  UpdateWebhookDto,
  WebhookWithSecretDto,
  type ChangeParams,
  type WriteContext,
} from '../../src/extension-api.js';
import { newId } from '../../src/kernel/ids.js';
import { startApp } from '../support/app.js';
import { aKey, aTenant } from '../support/builders.js';
import { Client } from '../support/client.js';
import { aVisitor, textOf } from '../support/console.js';
import { startDocumentedApp, type DocumentedApp } from '../support/documented-app.js';
import { auditOf, eventsOf } from '../support/law-database.js';
import { withoutReferences } from '../support/law-document.js';
import { callTool, connectTools } from '../support/tools.js';
import { webhookInput } from '../support/webhooks.js';
import { costCentres } from './cost-centres/extension.js';

const PROJECTS = '/v1/claim-projects';
const YEAR = { periodStart: '2026-01-01', periodEnd: '2026-12-31' };
const CLOSED = { periodStart: '2024-01-01', periodEnd: '2024-12-31' };

/** How often it was called, and what it does with projects of some names. */
let called = 0;
@Injectable()
@Implements(ChangeHook)
class Counting extends ChangeHook {
  @Before('claim_projects.create')
  count(_ctx: WriteContext, input: CreateClaimProjectDto): void {
    called += 1;
    if (input.name === 'too long') input.name = 'x'.repeat(201);
    if (input.name.startsWith('Marked')) input.name += '!';
  }

  @After('claim_projects.create')
  fail(_ctx: WriteContext, record: ClaimProjectDto): void {
    if (record.name === 'fails afterwards') throw new Error('A bug of the extension.');
    if (record.name === 'is renamed') record.name = 'renamed';
  }
}

/** Endpoints called `kept` are not deleted, and of the others a category is left. */
@Injectable()
@Implements(ChangeHook)
class Deletions extends ChangeHook {
  constructor(private readonly categories: CategoriesService) {
    super();
  }

  @Before('webhooks.delete', { problems: ['already_exists'] })
  async keep(ctx: WriteContext, _input: undefined, { webhook_id: id }: ChangeParams): Promise<void> {
    await this.categories.create(ctx, { code: `before ${id}`, name: 'Before' });
    if (refuseDeletions) throw new Problem('already_exists');
  }

  @After('webhooks.delete', { emits: [ExpenseCategoryCreated] })
  async remember(ctx: WriteContext, record: undefined, input: undefined, { webhook_id: id }: ChangeParams): Promise<void> {
    await this.categories.create(ctx, { code: `after ${id}`, name: JSON.stringify([record ?? null, input ?? null]) });
  }
}
let refuseDeletions = false;

/** A hook of each kind on the changes whose records are not those of a project. */
@Injectable()
@Implements(ChangeHook)
class RunsAndEndpoints extends ChangeHook {
  @Before('claim_reports.create', { problems: ['already_exists'] })
  refuse(_ctx: WriteContext, input: CreateClaimReportDto): void {
    if (input.projectId !== undefined && refuseRuns) throw new Problem('already_exists');
  }

  @After('claim_reports.create')
  seen(_ctx: WriteContext, record: ClaimReportDto): void {
    seen.push(`${record.id} ${record.status}`);
  }

  @Before('webhooks.create')
  name(_ctx: WriteContext, input: CreateWebhookDto): void {
    input.name = `${input.name} of ${seen.length}`;
  }

  @After('webhooks.update')
  updated(_ctx: WriteContext, { id, name }: WebhookWithSecretDto, input: UpdateWebhookDto): void {
    seen.push(`${id} ${name} ${input.status}`);
  }
}
let refuseRuns = false;
const seen: string[] = [];

@Module({ imports: [CategoriesModule], providers: [Counting, Deletions, RunsAndEndpoints] })
class CountingModule {}
const counting = declareExtension({ name: 'counting', madeFor: '1.0.0', modules: [CountingModule] });

let app: DocumentedApp;
beforeAll(async () => {
  app = await startDocumentedApp({}, undefined, [costCentres, counting]);
});
afterAll(() => app.close());

async function anApi() {
  const { organization, key } = await aTenant(app);
  return { organization, key, api: new Client(app.url, key) };
}

const kindsOf = async (organizationId: string) => (await eventsOf(app, organizationId)).map(({ kind }) => kind);

it('a hook before a change sets fields of its input, and one after it writes in its transaction', async () => {
  const { organization, api } = await anApi();
  const { status, body } = await api.post(PROJECTS, { name: 'Berlin', ...YEAR });
  expect([status, body]).toMatchObject([201, { name: 'Berlin', clientReference: 'none' }]);
  const { data } = (await api.get('/v1/expense-categories')).body as { data: object[] };
  expect(data).toMatchObject([{ code: 'TRAVEL', name: 'Travel: Berlin', projectId: body.id as string }]);
  expect((await kindsOf(organization.id)).sort()).toEqual(['claim_project.created', 'expense_category.created']);
  expect(
    (await auditOf(app, organization.id))
      .slice(-2)
      .map(({ action }) => action)
      .sort(),
  ).toEqual(['claim_project.created', 'expense_category.created']);
});

it('a hook refuses a change with a problem of its own: nothing is written, and the key can be used again', async () => {
  const { organization, api } = await anApi();
  const key = { 'Idempotency-Key': newId() };
  const refused = await api.post(PROJECTS, { name: 'Berlin', ...CLOSED }, key);
  expect(refused).toMatchObject({ status: 409, body: { code: 'period_closed', title: 'The period is closed', retry: 'never' } });
  expect(await kindsOf(organization.id)).toEqual([]);
  const { status, body } = await api.post(PROJECTS, { name: 'Berlin', ...YEAR }, key);
  expect(status).toBe(201);
  expect(await api.patch(`${PROJECTS}/${body.id as string}`, CLOSED)).toMatchObject({ status: 409, body: { code: 'period_closed' } });
});

it.each([
  ['sets an invalid value', 'too long'],
  ['fails after the change', 'fails afterwards'],
  ['changes the record', 'is renamed'],
])('a hook that %s is a 500, and nothing is written', async (_what, name) => {
  const { organization, api } = await anApi();
  expect(await api.post(PROJECTS, { name, ...YEAR })).toMatchObject({ status: 500, body: { code: 'internal_error' } });
  expect(await kindsOf(organization.id)).toEqual([]);
  expect((await api.get(PROJECTS)).body).toMatchObject({ data: [] });
});

it('a write that begins anew has the input as it was sent: what a hook adds is there once', async () => {
  const { organization, api } = await anApi();
  expect((await api.post(PROJECTS, { name: 'Marked', ...YEAR })).body).toMatchObject({ name: 'Marked!' });
  const before = called;
  // The first attempt does not wait for its writes; the second one says what is wrong.
  expect(await api.post(PROJECTS, { name: 'Marked', ...YEAR })).toMatchObject({ status: 409, body: { code: 'already_exists' } });
  expect(called - before).toBe(2);
  expect(await kindsOf(organization.id)).toHaveLength(2);
});

it('a replay leaves nothing of a hook, and an invalid call or a tool call without its confirmation runs none', async () => {
  const { organization, key, api } = await anApi();
  const header = { 'Idempotency-Key': newId() };
  const first = await api.post(PROJECTS, { name: 'Once', ...YEAR }, header);
  const again = await api.post(PROJECTS, { name: 'Once', ...YEAR }, header);
  expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([201, first.text, 'true']);
  // With the category of the other hook, and once each.
  expect(await kindsOf(organization.id)).toHaveLength(2);
  const before = called;
  await api.post(PROJECTS, { name: '' });
  const tools = await connectTools(app, { 'X-API-Key': key });
  const inputs = { name: 'Unconfirmed', period_start: '2026-01-01', period_end: '2026-12-31', confirm: false, idempotency_key: newId() };
  expect((await callTool(tools, 'create_claim_project', inputs)).isError).toBe(true);
  expect(called - before).toBe(0);
});

it('hooks take part in a deletion, in its transaction: they get the ids of the path, and no record', async () => {
  const { organization, api } = await anApi();
  const { id } = (await api.post('/v1/webhooks', webhookInput())).body as { id: string };
  const left = async () => ((await api.get('/v1/expense-categories')).body as { data: { code: string; name: string }[] }).data;
  refuseDeletions = true;
  expect(await api.delete(`/v1/webhooks/${id}`)).toMatchObject({ status: 409, body: { code: 'already_exists' } });
  expect([(await api.get(`/v1/webhooks/${id}`)).status, await left()]).toEqual([200, []]);
  refuseDeletions = false;
  expect((await api.delete(`/v1/webhooks/${id}`)).status).toBe(204);
  expect(await left()).toMatchObject([{ code: `after ${id}`, name: '[null,null]' }, { code: `before ${id}` }]);
  expect(await kindsOf(organization.id)).toEqual(['expense_category.created', 'expense_category.created']);
});

it('hooks take part in runs and endpoints: they name the classes of these, too', async () => {
  const { api } = await anApi();
  const project = (await api.post(PROJECTS, { name: 'Berlin', ...YEAR })).body.id as string;
  refuseRuns = true;
  expect(await api.post('/v1/claim-reports', { projectId: project })).toMatchObject({ status: 409, body: { code: 'already_exists' } });
  refuseRuns = false;
  seen.length = 0;
  const run = await api.post('/v1/claim-reports', { projectId: project });
  const endpoint = await api.post('/v1/webhooks', webhookInput({ name: 'Ledger' }));
  expect([run.status, endpoint]).toMatchObject([201, { status: 201, body: { name: 'Ledger of 1' } }]);
  expect((await api.patch(`/v1/webhooks/${endpoint.body.id as string}`, { status: 'disabled' })).status).toBe(200);
  expect(seen).toEqual([`${run.body.id as string} queued`, `${endpoint.body.id as string} Ledger of 1 disabled`]);
});

it('two applications of one process have hooks of their own: one that ends takes nothing from the other', async () => {
  const { api } = await anApi();
  const other = await startApp({}, undefined, [costCentres, counting]);
  await other.close();
  const { body } = await api.post(PROJECTS, { name: 'Berlin', ...YEAR });
  expect(body).toMatchObject({ clientReference: 'none' });
  expect((await api.get('/v1/expense-categories')).body).toMatchObject({ data: [{ name: 'Travel: Berlin' }] });
});

it('hooks take part in calls of tools', async () => {
  const { key } = await anApi();
  const tools = await connectTools(app, { 'X-API-Key': key });
  const create = (start: string) =>
    callTool(tools, 'create_claim_project', {
      name: 'By a tool',
      period_start: start,
      period_end: '2026-12-31',
      confirm: true,
      idempotency_key: newId(),
    });
  expect(await create('2024-01-01')).toMatchObject({ isError: true, content: { code: 'period_closed' } });
  expect(await create('2026-01-01')).toMatchObject({ isError: false, content: { clientReference: 'none' } });
});

it('hooks take part in the console', async () => {
  const { browser, organization } = await aVisitor(app);
  const refused = await browser.fill('/console/test/projects/new', { name: 'By hand', status: 'active', ...CLOSED });
  expect(textOf(refused.text)).toContain('The books of the period are closed.');
  const made = await browser.send(refused, { name: 'By hand', status: 'active', ...YEAR });
  expect(textOf(made.text)).toContain('The project was created.');
  const { key } = await aKey(app, organization.id);
  expect((await new Client(app.url, key).get('/v1/expense-categories')).body).toMatchObject({ data: [{ code: 'TRAVEL' }] });
});

it('the documents have the problems of hooks', async () => {
  const { document } = app;
  const answers = (method: string): string => JSON.stringify(withoutReferences(document, document.paths[PROJECTS]![method]!).responses);
  expect(answers('post')).toContain('`period_closed`: The period is closed.');
  expect(answers('get')).not.toContain('period_closed');
  expect((await new Client(app.url).get('/problems/period_closed')).text).toContain('The books of the period are closed.');
});

it('the service does not start with a hook that cannot be called, and says why', async () => {
  @Injectable()
  @Implements(ChangeHook)
  class Wrong extends ChangeHook {
    @Before('claim_project.create')
    misspelt(): void {}
    @Before('claim_projects.list')
    ofRead(): void {}
    @Before('claim_projects.create')
    ofAnother(_ctx: WriteContext, _input: UpdateClaimProjectDto): void {}
  }
  @Module({ providers: [Wrong] })
  class WrongModule {}
  const starting = startApp({}, undefined, [declareExtension({ name: 'wrong', madeFor: '1.0.0', modules: [WrongModule] })]);
  await expect(starting).rejects.toThrow(/Wrong\.misspelt is before claim_project\.create, but there is no such operation\./);
  await expect(starting).rejects.toThrow(/Wrong\.ofRead is before claim_projects\.list, which is a read\./);
  await expect(starting).rejects.toThrow(
    /Wrong\.ofAnother is before claim_projects\.create, so its parameter 2 is a CreateClaimProjectDto/,
  );
});

it('docs/extending-hooks.md shows the hooks of these tests', async () => {
  const [guide, hooks] = await Promise.all([
    readFile('docs/extending-hooks.md', 'utf8'),
    readFile('test/extended/cost-centres/period-rules.ts', 'utf8'),
  ]);
  expect(guide).toContain(hooks.replace('../../../src/extension-api.js', '../../extension-api.js'));
});
