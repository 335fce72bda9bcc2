import { Body, Controller, Injectable, Module, Param } from '@nestjs/common';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  Before,
  Capability,
  CategoriesModule,
  CategoriesService,
  ChangeHook,
  CreateClaimProjectDto,
  Ctx,
  declareExtension,
  declareProblem,
  ExpenseCategoryCreated,
  ExpenseCategoryDto,
  Implements,
  Operation,
  Policy,
  Problem,
  Text,
  type PolicyRecord,
  type PolicyWrite,
  type PolicyWriteContext,
  type WriteContext,
} from '../../src/extension-api.js';
import { newId } from '../../src/kernel/ids.js';
import { aTenant } from '../support/builders.js';
import { Client } from '../support/client.js';
import { rowsOf } from '../support/database.js';
import { aVisitor, textOf } from '../support/console.js';
import { startDocumentedApp, type DocumentedApp } from '../support/documented-app.js';
import { auditOf } from '../support/law-database.js';
import { JANUARY } from '../support/statements.js';
import { callTool, connectTools } from '../support/tools.js';
import { LinkClient, linkOf, projectOf } from '../support/upload-links.js';

const PROJECTS = '/v1/claim-projects';
const CATEGORIES = '/v1/expense-categories';
const DAYS = { periodStart: '2026-01-01', periodEnd: '2026-12-31' };

const NOT_NOW = declareProblem('not_now', {
  status: 409,
  title: 'Not now',
  retry: 'later',
  about: 'A rule of these tests is against it.',
});

interface Rule {
  readonly before?: (ctx: PolicyWriteContext, write: PolicyWrite) => void | Promise<void>;
  readonly after?: (ctx: PolicyWriteContext, write: PolicyWrite, record: PolicyRecord | undefined) => void | Promise<void>;
}
let rule: Rule = {};
/** The operations about which it was asked after the write. */
let asked: string[] = [];
beforeEach(() => {
  rule = {};
  asked = [];
});

@Injectable()
@Implements(Policy)
class Rules implements Policy {
  readonly problems = [NOT_NOW];

  checkWrite(ctx: PolicyWriteContext, write: PolicyWrite): void | Promise<void> {
    return rule.before?.(ctx, write);
  }

  checkWritten(ctx: PolicyWriteContext, write: PolicyWrite, record: PolicyRecord | undefined): void | Promise<void> {
    asked.push(write.operation.id);
    return rule.after?.(ctx, write, record);
  }
}

@Injectable()
@Implements(ChangeHook)
class References extends ChangeHook {
  @Before('claim_projects.create')
  set(_ctx: WriteContext, input: CreateClaimProjectDto): void {
    input.clientReference ??= 'set by a hook';
  }
}

class CreateTripDto {
  @Text({ about: 'Where to.', min: 1, max: 100, example: 'Hamburg' }) to: string;
}

@Capability({ about: 'Trips are categories of a project, made by an extension.' })
@Controller('v1/claim-projects')
class TripsController {
  constructor(private readonly categories: CategoriesService) {}

  @Operation({
    id: 'trips.create',
    route: 'POST /:project_id/trips',
    scope: 'trips:write',
    status: 200,
    summary: 'Create a trip',
    description: 'It is a category of the project.',
    returns: ExpenseCategoryDto,
    emits: [ExpenseCategoryCreated],
  })
  async create(
    @Ctx() ctx: WriteContext,
    @Param('project_id') projectId: string,
    @Body() { to }: CreateTripDto,
  ): Promise<ExpenseCategoryDto> {
    return ExpenseCategoryDto.from(await this.categories.create(ctx, { projectId, code: to, name: `Trip to ${to}` }));
  }
}

@Module({ imports: [CategoriesModule], controllers: [TripsController], providers: [Rules, References] })
class RulesModule {}

let app: DocumentedApp;
beforeAll(async () => {
  app = await startDocumentedApp({}, undefined, [declareExtension({ name: 'rules', madeFor: '1.0.0', modules: [RulesModule] })]);
});
afterAll(() => app.close());

async function anApi() {
  const { organization, key } = await aTenant(app);
  const api = new Client(app.url, key);
  const project = async (name = 'Berlin') => (await api.post(PROJECTS, { name, ...DAYS })).body as { id: string; name: string };
  return { organization, key, api, project };
}
const refuse = (): never => {
  throw new Problem(NOT_NOW);
};
const REFUSED = { status: 409, body: { code: 'not_now', title: 'Not now' } };

it('a policy sees writes of extensions: the ids of the path, the record that it names, and what is answered', async () => {
  const { api, project } = await anApi();
  const berlin = await project();
  const seen: unknown[] = [];
  rule = {
    before: async (_ctx, { operation, params, input, before }) => void seen.push(operation.id, params, input, (await before())!.name),
    after: (_ctx, _write, record) => void seen.push(record!.name),
  };
  expect((await api.post(`${PROJECTS}/${berlin.id}/trips`, { to: 'Hamburg' })).status).toBe(200);
  expect(seen).toEqual(['trips.create', { project_id: berlin.id }, { to: 'Hamburg' }, 'Berlin', 'Trip to Hamburg']);
  rule = { after: refuse };
  expect(await api.post(`${PROJECTS}/${berlin.id}/trips`, { to: 'Bremen' })).toMatchObject(REFUSED);
  expect(((await api.get(CATEGORIES)).body as { data: object[] }).data).toMatchObject([{ code: 'Hamburg' }]);
});

it('a policy compares the record before a change with the record after it', async () => {
  const { api, project } = await anApi();
  const { id } = await project();
  // Who has archived a project may not open it again.
  let was: unknown;
  rule = {
    before: async (_ctx, { before }) => void (was = (await before())?.status),
    after: (_ctx, _write, record) => (was === 'archived' && record!.status !== 'archived' ? refuse() : undefined),
  };
  expect((await api.patch(`${PROJECTS}/${id}`, { status: 'archived' })).status).toBe(200);
  expect(await api.patch(`${PROJECTS}/${id}`, { status: 'active' })).toMatchObject(REFUSED);
  expect((await api.patch(`${PROJECTS}/${id}`, { name: 'Old' })).body).toMatchObject({ name: 'Old', status: 'archived' });
});

it('a refused write leaves nothing, and its key can be used again; a replay gets its answer', async () => {
  const { organization, api } = await anApi();
  const once = { 'Idempotency-Key': newId() };
  rule = { after: refuse };
  expect(await api.post(PROJECTS, { name: 'Berlin', ...DAYS }, once)).toMatchObject(REFUSED);
  expect(await auditOf(app, organization.id)).toEqual([]);
  rule = {};
  const made = await api.post(PROJECTS, { name: 'Berlin', ...DAYS }, once);
  rule = { before: refuse };
  expect(await api.post(PROJECTS, { name: 'Berlin', ...DAYS }, once)).toMatchObject({ status: 201, text: made.text });
});

it('a policy sees the body as hooks have left it, and each call of a batch', async () => {
  const { api } = await anApi();
  const references: unknown[] = [];
  rule = { before: (_ctx, { input }) => void references.push((input as CreateClaimProjectDto).clientReference) };
  const items = ['A', 'B'].map((name) => ({ name, ...DAYS }));
  expect((await api.post('/v1/batches', { operation: 'claim_projects.create', items })).status).toBe(200);
  expect([references, asked]).toEqual([
    ['set by a hook', 'set by a hook'],
    ['claim_projects.create', 'claim_projects.create'],
  ]);
});

it('a record that is not there is the 404 of the operation, also of another organization', async () => {
  const { api } = await anApi();
  const other = await (await anApi()).project();
  rule = { before: async (_ctx, { before }) => void (await before()) };
  for (const id of [newId(), other.id])
    expect(await api.patch(`${PROJECTS}/${id}`, { name: 'Mine' })).toMatchObject({ status: 404, body: { code: 'not_found' } });
});

it.each([
  ['asks for the record before when it is written', { after: async (_ctx, { before }) => void (await before()) }],
  ['refuses with a problem that it has not named', { before: () => Promise.reject(new Problem('already_exists')) }],
  ['changes the record', { after: (_ctx, _write, record) => void Object.assign(record!, { name: 'Other' }) }],
] satisfies [string, Rule][])('a policy that %s is a 500, and nothing is written', async (_what, wrong) => {
  const { organization, api } = await anApi();
  rule = wrong;
  expect(await api.post(PROJECTS, { name: 'Berlin', ...DAYS })).toMatchObject({ status: 500, body: { code: 'internal_error' } });
  expect(await auditOf(app, organization.id)).toEqual([]);
});

it.each([
  ['once is written as the policy has seen it then', 1, 200],
  ['again and again is not written: the call can be repeated', 100, 503],
])('a record that others change after a policy has seen it %s', async (_what, most, status) => {
  const { api, project } = await anApi();
  const { id } = await project();
  const changed = `UPDATE claim_projects SET name = 'By another', updated_at = updated_at + interval '1 second' WHERE id = $1`;
  const seen: unknown[] = [];
  rule = {
    before: async (_ctx, { before }) => {
      seen.push((await before())!.name);
      if (seen.length <= most) await rowsOf(app.databaseUrl, changed, [id]);
    },
  };
  const once = { 'Idempotency-Key': newId() };
  const answer = await api.patch(`${PROJECTS}/${id}`, { clientReference: 'C-1' }, once);
  expect([answer.status, seen.slice(0, 2)]).toEqual([status, ['Berlin', 'By another']]);
  if (status === 503) expect(answer.headers['retry-after']).toBe('1');
  rule = {};
  expect((await api.patch(`${PROJECTS}/${id}`, { clientReference: 'C-1' }, once)).body).toMatchObject({ clientReference: 'C-1' });
});

it('a policy is asked about calls of tools', async () => {
  const { key } = await anApi();
  const tools = await connectTools(app, { 'X-API-Key': key });
  rule = { before: (_ctx, { operation }) => (operation.id === 'claim_projects.create' ? refuse() : undefined) };
  const inputs = { name: 'By a tool', period_start: '2026-01-01', period_end: '2026-12-31', confirm: true, idempotency_key: newId() };
  expect(await callTool(tools, 'create_claim_project', inputs)).toMatchObject({ isError: true, content: { code: 'not_now' } });
  await tools.close();
});

it('a policy is asked about what people do in the console, files that they upload, and those of an upload link', async () => {
  const { browser, user, organization } = await aVisitor(app);
  await projectOf(browser, 'Berlin');
  const callers: unknown[] = [];
  rule = {
    before: ({ user: person, organization: { slug } }, { operation, input }) =>
      operation.id === 'bank_statements.create'
        ? void callers.push([person?.id, slug, (input as { fileName: string }).fileName])
        : undefined,
    after: (_ctx, { operation }) => (operation.id === 'upload_links.create' ? undefined : refuse()),
  };
  const refused = await browser.fill('/console/test/projects/new', { name: 'By hand', ...DAYS });
  expect(textOf(refused.text)).toContain('A rule of these tests is against it.');
  const shown = await browser.upload(await browser.visit('/console/test/statements/new'), [['january.csv', JANUARY]]);
  expect(textOf(shown.text)).toContain('A rule of these tests is against it.');
  const link = await linkOf(browser);
  const sent = await new LinkClient(app.url).send(link, [['february.csv', JANUARY]]);
  expect([sent.status, sent.text]).toEqual([400, expect.stringContaining('A rule of these tests is against it.')]);
  expect(callers).toEqual([
    [user.id, organization.slug, 'january.csv'],
    [undefined, organization.slug, 'february.csv'],
  ]);
  expect(textOf((await browser.visit('/console/test/statements')).text)).not.toContain('january.csv');
  rule = {};
  const taken = await new LinkClient(app.url).send(link, [['february.csv', JANUARY]]);
  expect(taken.status).toBe(200);
});
