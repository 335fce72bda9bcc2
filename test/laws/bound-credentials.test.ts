import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lackOf } from '../../src/kernel/permissions.js';
import type { RegisteredOperation } from '../../src/api/operation/operation.js';
import { aKey, aTenant } from '../support/builders.js';
import { Client } from '../support/client.js';
import { rowsOf } from '../support/database.js';
import { factsOfExtensions } from '../support/extension-facts.js';
import { listsOf, named, startDocumentedApp, writesOf } from '../support/documented-app.js';
import {
  type AnyRecord,
  type Call,
  createRecord,
  pathToMissing,
  type RecordIds,
  sendCall,
  validCall,
  withoutRequestId,
} from '../support/law-call.js';
import { everyRowOf } from '../support/law-database.js';
import { filtersOf, pageOf, queriesFor } from '../support/law-filters.js';
import type { Body } from '../support/law-document.js';
import { expectProblem } from '../support/problem.js';

const app = await startDocumentedApp();
afterAll(() => app.close());

/** They make calls, each of which is asked by itself; or are about the credential alone. */
const OF_THE_CALLER = ['api.catalog', 'api.auth_context', 'batches.create', 'test.set_answers', 'bank_statements.check'];

/** Every credential reads them: those of extensions that say so. */
const isShared = ({ method, path }: RegisteredOperation): boolean =>
  method === 'GET' && Object.keys(factsOfExtensions('sharedRecords')).some((shared) => `${path}/`.startsWith(`${shared}/`));

const ofOrganization = app.operations.filter(({ concerns }) => concerns === 'organization');
const others = app.operations.filter(({ concerns, id }) => concerns === undefined && !OF_THE_CALLER.includes(id));
const ofProjects = others.filter((operation) => !isShared(operation));

let tables: string[];
beforeAll(async () => {
  const columns = `SELECT table_name AS name FROM information_schema.columns JOIN pg_class ON relname = table_name AND NOT relispartition
    WHERE column_name = 'project_id' AND table_schema = 'public' ORDER BY 1`;
  tables = (await rowsOf<{ name: string }>(app.databaseUrl, columns)).map(({ name }) => name);
});

/** An organization, a key for all of it, and one for a project that has no records. */
async function anOffice() {
  const { organization, key } = await aTenant(app);
  const projectId = await aProject(key);
  const bound = await aKey(app, organization.id, { projectIds: [projectId] });
  return { organizationId: organization.id, key, projectId, bound: bound.key };
}

async function aProject(key: string): Promise<string> {
  const { body } = await new Client(app.url, key).post('/v1/claim-projects', {
    ...{ name: `Client ${crypto.randomUUID()}`, periodStart: '2026-01-01', periodEnd: '2026-12-31' },
  });
  return (body as { id: string }).id;
}

/** A key for all projects of the organization, of which the first takes the records that have none. */
async function ofAllProjects(organizationId: string): Promise<string> {
  const found = await rowsOf<{ id: string }>(app.databaseUrl, 'SELECT id FROM claim_projects WHERE organization_id = $1 ORDER BY id', [
    organizationId,
  ]);
  const projectIds = found.map(({ id }) => id);
  for (const table of tables)
    await rowsOf(app.databaseUrl, `UPDATE ${table} SET project_id = $2 WHERE organization_id = $1 AND project_id IS NULL`, [
      organizationId,
      projectIds[0],
    ]);
  await rowsOf(app.databaseUrl, 'UPDATE webhook_endpoints SET project_ids = $2 WHERE organization_id = $1', [organizationId, projectIds]);
  return (await aKey(app, organizationId, { projectIds })).key;
}

const withProject = (call: Call, projectId: string): Call =>
  call.body && 'projectId' in (call.body as Body) ? { ...call, body: { ...(call.body as Body), projectId } } : call;

describe('a credential for some projects', () => {
  it('is refused exactly what says that it is of the organization as a whole', () => {
    expect(ofOrganization.length).toBeGreaterThan(10);
    const bound = { scopes: new Set(app.operations.flatMap(({ scope }) => scope ?? [])), user: null, projects: [] };
    expect(app.operations.filter((operation) => lackOf(bound, operation) === 'projects')).toEqual(ofOrganization);
  });
});

describe.each(named(ofOrganization))('%s', (_id, operation) => {
  it('refuses a credential for some projects, and changes nothing', async () => {
    const { organizationId, key, bound } = await anOffice();
    const call = await validCall(app, operation, key);
    const before = await everyRowOf(app, organizationId);
    expectProblem(await sendCall(app, call, bound), 'bound_to_projects');
    expect(await everyRowOf(app, organizationId)).toEqual(before);
  });
});

describe.each(named(ofProjects))('%s', (_id, operation) => {
  it('does not reach a record of another project, nor one without a project', async () => {
    const { organizationId, key, projectId, bound } = await anOffice();
    const call = await validCall(app, operation, key);
    const before = await everyRowOf(app, organizationId);
    const foreign = await sendCall(app, call, bound);
    if (operation.method === 'GET' && operation.pathIds.length === 0) return expectNothingOf(foreign.text, before);
    // An endpoint of its own is for its projects, even if all are asked for.
    if (operation.id === 'webhooks.create') return expect(foreign.body).toMatchObject({ projectIds: [projectId] });
    expect([400, 403, 404], foreign.text).toContain(foreign.status);
    if (operation.pathIds.length > 0) {
      const missing = await sendCall(app, { ...call, path: pathToMissing(operation) }, bound);
      expect(withoutRequestId(foreign)).toEqual(withoutRequestId(missing));
    }
    expect(await everyRowOf(app, organizationId)).toEqual(before);
  });
});

describe.each(named(others))('%s', (_id, operation) => {
  it('answers a credential for the projects of a record as it answers others', async () => {
    const { organizationId, key, projectId } = await anOffice();
    const made: RecordIds = new Map([['/v1/claim-projects', projectId]]);
    const call = withProject(await validCall(app, operation, key, made), projectId);
    const bound = await ofAllProjects(organizationId);
    const answer = await sendCall(app, call, bound);
    expect(answer.status, answer.text).toBe(operation.status);
    if (operation.method !== 'GET' || operation.id === 'webhooks.list_events') return;
    expect(answer.text).toEqual((await sendCall(app, call, key)).text);
  });
});

/** Of the ids of records, those of shared categories and configurations alone may be in an answer. */
function expectNothingOf(text: string, rows: Readonly<Record<string, readonly string[]>>): void {
  for (const table of [...tables, 'claim_lines'].filter((one) => !['expense_categories', 'report_configurations'].includes(one)))
    for (const row of rows[table] ?? []) expect(text).not.toContain(idIn(row));
  for (const row of rows.webhook_endpoints ?? []) expect(text).not.toContain(idIn(row));
}

const idIn = (row: string): string => /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(row)![0];

/** Without a project, their records are of all. */
const SHARED = ['expense_categories.list', 'report_configurations.list'];
/** The lists whose records have a project. */
const lists = listsOf(app).filter((operation) => ofProjects.includes(operation) && operation.pathIds.length === 0);

describe.each(named(lists))('%s', (_id, operation) => {
  it('shows and counts of two projects the records of one', async () => {
    const { organizationId, key, bound } = await anOffice();
    await createRecord(app, operation.path, key);
    const call = { operation, path: operation.path };
    const seen = (await sendCall(app, call, key)).body as { data: { id: string }[]; pagination: { total: number } };
    expect(seen.data.length).toBeGreaterThan(0);
    if (!SHARED.includes(operation.id))
      expect((await sendCall(app, call, bound)).body).toMatchObject(
        operation.id === 'claim_projects.list' ? { pagination: { total: 1 } } : { data: [], pagination: { total: 0, hasMore: false } },
      );
    const all = await ofAllProjects(organizationId);
    expect((await sendCall(app, call, all)).body).toMatchObject({ pagination: { total: seen.pagination.total } });
  });
});

const filtered = lists.filter((operation) => filtersOf(app.document, operation).length > 0);

describe.each(named(filtered))('%s', (_id, operation) => {
  it('finds by every filter and search what is of several projects, and nothing for none', async () => {
    const { organizationId, key } = await anOffice();
    const { id } = await createRecord(app, operation.path, key);
    await createRecord(app, operation.path, key);
    const several = await ofAllProjects(organizationId);
    const page = await pageOf(app, operation, operation.path, key);
    const record = page.data.find((candidate) => candidate.id === id) as AnyRecord;
    const none = await aKey(app, organizationId);
    await rowsOf(app.databaseUrl, "UPDATE api_keys SET project_ids = '{}' WHERE id = $1", [none.id]);
    for (const query of [{}, { page_size: '1', page: '2' }, ...(await queriesFor(app, operation, { path: operation.path, key, record }))]) {
      const url = `${operation.path}?${new URLSearchParams(query).toString()}`;
      expect(await pageOf(app, operation, operation.path, several, query), url).toEqual(
        await pageOf(app, operation, operation.path, key, query),
      );
      expect(await pageOf(app, operation, operation.path, none.key, query), url).toMatchObject({ data: [], pagination: { total: 0 } });
    }
  });
});

const makes = writesOf(app).filter((operation: RegisteredOperation) => others.includes(operation) && operation.method === 'POST');

it('a record cannot be made without a project, or moved out of its own', async () => {
  expect(makes.length).toBeGreaterThan(5);
  const { bound, projectId } = await anOffice();
  const client = new Client(app.url, bound);
  const category = { code: 'RAIL', name: 'Rail', sourceMapping: {} };
  expectProblem(await client.post('/v1/expense-categories', category), 'bound_to_projects');
  const made = await client.post('/v1/expense-categories', { ...category, projectId });
  expect(made.status).toBe(201);
  const path = `/v1/expense-categories/${(made.body as { id: string }).id}`;
  expectProblem(await client.patch(path, { projectId: null }), 'bound_to_projects');
  expect((await client.get(path)).body).toMatchObject({ projectId });
});

it('a category of all projects is seen by each, and changed by a credential for all alone', async () => {
  const { key, bound } = await anOffice();
  const { body } = await new Client(app.url, key).post('/v1/expense-categories', { code: 'RAIL', name: 'Rail', sourceMapping: {} });
  const { id } = body as { id: string };
  const client = new Client(app.url, bound);
  expect((await client.get(`/v1/expense-categories/${id}`)).body).toEqual(body);
  expect((await client.get('/v1/expense-categories')).body).toMatchObject({ data: [{ id }] });
  expectProblem(await client.patch(`/v1/expense-categories/${id}`, { name: 'Train' }), 'bound_to_projects');
});

it('an endpoint is within the projects of the credential, and so is what was sent to it when it was for more', async () => {
  const { key, bound, projectId } = await anOffice();
  const [all, own] = [new Client(app.url, key), new Client(app.url, bound)];
  const endpoint = {
    name: 'Sync',
    targetUrl: 'https://hooks.example.com/claims',
    subscribedEvents: ['claim_project.created', 'claim_project.updated'],
  };
  const { id } = (await all.post('/v1/webhooks', endpoint)).body as { id: string };
  const path = `/v1/webhooks/${id}`;
  expectProblem(await own.get(path), 'not_found');
  const other = await aProject(key);
  expect((await all.patch(path, { projectIds: [projectId] })).status).toBe(200);
  await all.patch(`/v1/claim-projects/${projectId}`, { name: 'Renamed' });
  const eventsOf = async (client: Client) =>
    ((await client.get(`${path}/deliveries`)).body as { data: { id: string; eventKind: string }[] }).data;
  const [sent, seen] = [await eventsOf(all), await eventsOf(own)];
  expect([sent.length, seen.map(({ eventKind }) => eventKind)]).toEqual([2, ['claim_project.updated']]);
  const hidden = sent.find(({ id: deliveryId }) => deliveryId !== seen[0]!.id)!;
  expectProblem(await own.get(`${path}/deliveries/${hidden.id}`), 'not_found');
  expectProblem(await own.post(`${path}/deliveries`, { deliveryId: hidden.id }), 'related_record_missing');
  expectProblem(await own.patch(path, { projectIds: [other] }), 'related_record_missing');
  expect((await own.patch(path, { projectIds: null })).body).toMatchObject({ projectIds: [projectId] });
});
