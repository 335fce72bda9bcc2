import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AuditService } from '../../../src/modules/audit/index.js';
import { firstIdOf, newId } from '../../../src/kernel/ids.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aKey } from '../../support/builders.js';
import { Client, type Answer } from '../../support/client.js';
import { openClosings } from '../../support/closings.js';
import { rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { tablesOfExtensions } from '../../support/extension-facts.js';
import { holdLines, openReports } from '../../support/reports.js';
import { openSession } from '../../support/session.js';
import { aProject, webhookInput } from '../../support/webhooks.js';
import { aWholeOrganization, KEEPING, startKeeping } from '../../support/whole-organization.js';

const RESET = '/v1/test/reset';
const PROJECTS = '/v1/claim-projects';
const CATEGORIES = '/v1/expense-categories';
const PERIOD = { periodStart: '2026-01-01', periodEnd: '2026-12-31' };
const HOUR_MS = 3_600_000;

/** Each table with rows of environments is in one of these lists: a new one is decided about. */
const EMPTIED = [
  ...['bank_statements', 'claim_closings', 'claim_items', 'claim_line_decisions', 'claim_lines', 'claim_projects', 'claim_report_files'],
  ...[
    'claim_reports',
    'confirmations',
    'counterparty_decisions',
    'events',
    'expense_categories',
    'idempotency_keys',
    'receipt_files',
    'receipts',
  ],
  ...['report_configurations', 'statement_layouts', 'statement_lines', 'statement_names', 'statement_originals', 'upload_links'],
  'webhook_deliveries',
];
const KEPT = [
  ...['api_keys', 'api_requests', 'audit_entries', 'audit_events', 'job_turns', 'oauth_applications', 'redaction_keys', 'signing_keys'],
  ...['stored_files', 'usage_credentials', 'usage_days', 'webhook_endpoints'],
];

let app: TestApp;
let other: TestApp;
beforeAll(async () => {
  app = await startKeeping();
  other = await startApp({ ...KEEPING, DATABASE_URL: app.databaseUrl, RECORD_LIMITS: JSON.stringify({ expenseCategories: 3 }) });
});
afterAll(async () => {
  await other.close();
  await app.close();
});

async function reset(api: Client, key = newId()): Promise<Answer> {
  const answer = await api.post(RESET, {}, { 'Idempotency-Key': key });
  expect(answer.status, answer.text).toBe(200);
  return answer;
}

const totalOf = async (api: Client, path: string): Promise<number> =>
  ((await api.get(`${path}?page_size=1`)).body as { pagination: { total: number } }).pagination.total;

/** How many rows of an environment each table has. Those of audit entries may be sealed meanwhile. */
async function rowsIn(organizationId: string, environment: string): Promise<Record<string, number>> {
  const tables = await rowsOf<{ name: string }>(
    app.databaseUrl,
    `SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition
      AND (SELECT count(*) FROM pg_attribute WHERE attrelid = pg_class.oid AND attname IN ('organization_id', 'environment')) = 2`,
  );
  const counts = tables.map(
    ({ name }) => `SELECT '${name}' AS name, count(*)::int AS count FROM ${name} WHERE organization_id = $1 AND environment = $2`,
  );
  const found = await rowsOf<{ name: string; count: number }>(app.databaseUrl, counts.join(' UNION ALL '), [organizationId, environment]);
  return Object.fromEntries(found.map(({ name, count }) => [name, count]));
}

const only = (rows: Record<string, number>, names: readonly string[]) =>
  Object.fromEntries(Object.entries(rows).filter(([name]) => names.includes(name)));

describe('a reset of the test environment', () => {
  it('deletes all records with what belongs to them, and says so once in the audit log; all else stays', async () => {
    const [whole, neighbour] = [await aWholeOrganization(app), await aWholeOrganization(app)];
    const { organizationId, api } = whole;
    const live = new Client(app.url, (await aKey(app, organizationId, { environment: 'live' })).key);
    await aProject(live);
    const before = await rowsIn(organizationId, 'test');
    const ofExtensions = await tablesOfExtensions();
    expect(Object.keys(before).sort()).toEqual([...EMPTIED, ...KEPT, ...ofExtensions.filter((name) => name in before)].sort());
    expect(Object.entries(only(before, EMPTIED)).filter(([, count]) => count === 0)).toEqual([]);
    const untouched = only(await rowsIn(organizationId, 'live'), EMPTIED);
    const ofNeighbour = only(await rowsIn(neighbour.organizationId, 'test'), EMPTIED);
    const answer = await api.post(RESET, { reason: 'Nightly' });
    expect(answer.status, answer.text).toBe(200);
    const records = Object.values(only(before, EMPTIED)).reduce((sum, count) => sum + count, 0);
    expect(answer.body).toEqual({ deleted: expect.any(Number) as number });
    expect(Math.abs((answer.body as { deleted: number }).deleted - records)).toBeLessThan(3);
    const after = await rowsIn(organizationId, 'test');
    // The key of the reset itself is kept, so that it can be repeated.
    expect(only(after, EMPTIED)).toEqual(Object.fromEntries(EMPTIED.map((name) => [name, name === 'idempotency_keys' ? 1 : 0])));
    const counted = ['api_requests', 'audit_entries', 'audit_events', 'usage_credentials', 'usage_days'];
    const still = KEPT.filter((name) => !counted.includes(name));
    expect(only(after, still)).toEqual(only(before, still));
    expect(after.audit_entries! + after.audit_events!).toBe(before.audit_entries! + before.audit_events! + 1);
    expect(only(await rowsIn(organizationId, 'live'), EMPTIED)).toEqual(untouched);
    expect(only(await rowsIn(neighbour.organizationId, 'test'), EMPTIED)).toEqual(ofNeighbour);
    const { data } = (await api.get('/v1/audit/events?action_prefix=test_environment')).body as { data: object[] };
    expect(data).toMatchObject([
      { action: 'test_environment.reset', environment: 'test', resource: { id: organizationId }, changes: { reason: { to: 'Nightly' } } },
    ]);
    expect((await app.app.get(AuditService).verify(organizationId)).fault).toBeNull();
    expect((await api.get(`/v1/webhooks/${whole.webhook.id}`)).status).toBe(200);
    for (const path of [PROJECTS, CATEGORIES, '/v1/report-configurations', '/v1/bank-statements', '/v1/claim-reports', '/v1/receipts'])
      expect([path, await totalOf(api, path)]).toEqual([path, 0]);
    expect((await api.get(`/v1/claim-reports/${whole.report.id}`)).status).toBe(404);
    expect((await reset(api)).body).toEqual({ deleted: 0 });
  });

  it('deletes final claims, which nothing else can', async () => {
    const { api, organizationId, claim, close } = await openClosings(app);
    const { report } = await claim();
    await close(report.id);
    const remove = 'DELETE FROM claim_closings WHERE organization_id = $1';
    await expect(rowsOf(app.databaseUrl, remove, [organizationId])).rejects.toThrow('a final claim never changes');
    await reset(api);
    expect(await totalOf(api, '/v1/claim-closings')).toBe(0);
    expect((await rowsIn(organizationId, 'test')).claim_reports).toBe(0);
  });

  it('removes files from the store in which they are', async () => {
    const { api, organizationId } = await openClosings(app);
    await rowsOf(
      app.databaseUrl,
      `INSERT INTO stored_files (organization_id, environment, kind, owner_id, name, id, data_key, bytes, status, attempts, created_at)
        SELECT $1, environment, 'receipt_files', gen_random_uuid(), '', gen_random_uuid(), '', 1, 'kept', 0, now()
          FROM unnest(ARRAY['test', 'live']) AS environment`,
      [organizationId],
    );
    await reset(api);
    const statuses = 'SELECT environment, status FROM stored_files WHERE organization_id = $1 ORDER BY 1';
    expect(await rowsOf(app.databaseUrl, statuses, [organizationId])).toEqual([
      { environment: 'live', status: 'kept' },
      { environment: 'test', status: 'going' },
    ]);
  });

  it('deletes more than one transaction should', async () => {
    const { api, organizationId } = await openClosings(app);
    await addProjects(organizationId, 6000);
    expect((await reset(api)).body).toMatchObject({ deleted: expect.any(Number) as number });
    expect((await rowsIn(organizationId, 'test')).claim_projects).toBe(0);
  });

  it('repeated with its key it deletes nothing and answers the same, also after another reset; other keys are free again', async () => {
    const { api } = await openClosings(app);
    const [first, project] = [newId(), { name: 'Berlin', ...PERIOD }];
    const created = await api.post(PROJECTS, project, { 'Idempotency-Key': 'a' });
    const answer = await reset(api, first);
    expect((await api.post(RESET, { reason: 'Another one' })).status).toBe(200);
    const again = await api.post(PROJECTS, project, { 'Idempotency-Key': 'a' });
    expect(again.status).toBe(201);
    expect(again.body.id).not.toBe(created.body.id);
    const replayed = await reset(api, first);
    expect([replayed.text, replayed.headers['idempotent-replayed']]).toEqual([answer.text, 'true']);
    expect(await totalOf(api, PROJECTS)).toBe(1);
  });

  it('forgets what its credential has planned', async () => {
    const { api } = await openClosings(app);
    await api.post('/v1/test/answers', { problem: 'internal_error', calls: 5 });
    await reset(api);
    expect((await api.get('/v1')).status).toBe(200);
  });

  it('is for those who may change the test environment', async () => {
    const { organizationId } = await openClosings(app);
    const reader = new Client(app.url, (await aKey(app, organizationId, { scopes: ['claim_projects:write'] })).key);
    expect((await reader.post(RESET, {})).body).toMatchObject({ status: 403, code: 'scope_missing' });
  });
});

const addProjects = (organizationId: string, count: number, at = Date.now() - HOUR_MS) =>
  rowsOf(
    app.databaseUrl,
    `INSERT INTO claim_projects (id, organization_id, environment, created_at, updated_at, name, period_start, period_end,
        status, metadata, unique_key, search_key)
      SELECT id, $1, 'test', now(), now(), id::text, '2026-01-01', '2026-12-31', 'draft', '{}', id::text, id::text
      FROM unnest($2::uuid[]) id`,
    [organizationId, Array.from({ length: count }, () => firstIdOf(new Date(at)).slice(0, 24) + newId().slice(24))],
  );

describe('beside a reset', () => {
  it('what is created is created whole or not at all: no record refers to one that is gone', async () => {
    const { api, organizationId } = await openClosings(app);
    let isOver = false;
    const creating = Array.from({ length: 4 }, async () => {
      while (!isOver) {
        const { id: projectId } = await aProject(api);
        await api.post(CATEGORIES, { code: newId(), name: 'Rail', sourceMapping: {}, projectId });
        await api.post('/v1/report-configurations', { name: 'Annual', ...PERIOD, projectId });
      }
    });
    for (let time = 0; time < 8; time += 1) await reset(api);
    isOver = true;
    await Promise.all(creating);
    for (const table of ['expense_categories', 'report_configurations']) {
      const lost = `SELECT id FROM ${table} WHERE organization_id = $1 AND project_id NOT IN (SELECT id FROM claim_projects)`;
      expect([table, await rowsOf(app.databaseUrl, lost, [organizationId])]).toEqual([table, []]);
    }
    // An event is of a record that is there.
    const told = `SELECT kind FROM events WHERE organization_id = $1 AND kind = 'claim_project.created'
      AND resource_id NOT IN (SELECT id FROM claim_projects)`;
    expect(await rowsOf(app.databaseUrl, told, [organizationId])).toEqual([]);
  });

  it('two at once both succeed', async () => {
    const { api } = await openClosings(app);
    await aProject(api);
    const deleted = (await Promise.all([reset(api), reset(api)])).map(({ body }) => (body as { deleted: number }).deleted);
    expect(Math.min(...deleted)).toBeLessThan(3);
    expect(await totalOf(api, PROJECTS)).toBe(0);
  });

  it('a run and a statement that workers have in hand leave nothing, and the next ones are worked on', async () => {
    const { api, organizationId, taken, take, configuration, queue, get, run } = await openReports(app);
    const { id: reportConfigurationId } = await configuration();
    await taken();
    const release = await holdLines(app);
    try {
      const { id } = await queue({ reportConfigurationId });
      await take();
      await eventually(async () => expect((await get(id)).status).toBe('running'));
      const resetting = reset(api);
      await release();
      await resetting;
    } finally {
      await release().catch(() => undefined);
    }
    const next = await configuration();
    await taken();
    expect(await run({ reportConfigurationId: next.id })).toMatchObject({ status: 'succeeded' });
    const parts = ['claim_report_files', 'claim_lines'].map((table) => `SELECT report_id FROM ${table} WHERE organization_id = $1`);
    const lost = `SELECT report_id FROM (${parts.join(' UNION ')}) part WHERE report_id NOT IN (SELECT id FROM claim_reports)`;
    expect(await rowsOf(app.databaseUrl, lost, [organizationId])).toEqual([]);
  });

  it('every replica counts right at once', async () => {
    const { api, key, organizationId } = await openClosings(app);
    await addProjects(organizationId, 3);
    const there = new Client(other.url, key);
    expect([await totalOf(api, PROJECTS), await totalOf(there, PROJECTS)]).toEqual([3, 3]);
    await reset(api);
    expect([await totalOf(api, PROJECTS), await totalOf(there, PROJECTS)]).toEqual([0, 0]);
  });

  it('records that are gone do not count against a limit', async () => {
    const { key, api } = await openClosings(app);
    const there = new Client(other.url, key);
    const create = async () => (await there.post(CATEGORIES, { code: newId(), name: 'Rail', sourceMapping: {} })).status;
    expect([await create(), await create()]).toEqual([201, 201]);
    // So old that they need not be counted again.
    await rowsOf(app.databaseUrl, `UPDATE expense_categories SET id = $2::uuid WHERE id = $1`, [
      ...[(await newest(there)).id, firstIdOf(new Date(Date.now() - HOUR_MS))],
    ]);
    expect([await create(), await create()]).toEqual([201, 409]);
    await reset(api);
    expect([await create(), await create(), await create(), await create()]).toEqual([201, 201, 201, 409]);
  });

  it('a transaction that lasts too long ends it with 503; the same key goes on when it is repeated', { timeout: 60_000 }, async () => {
    const { api, organizationId } = await openClosings(app);
    await aProject(api);
    const [key, session] = [newId(), await openSession(app.databaseUrl)];
    try {
      await session.query(`BEGIN; SELECT pg_advisory_xact_lock_shared(hashtextextended('reset ${organizationId}', 0))`);
      const answer = await api.post(RESET, {}, { 'Idempotency-Key': key });
      expect([answer.status, answer.body]).toMatchObject([503, { code: 'unavailable', retry: 'same_key' }]);
    } finally {
      await session.query('ROLLBACK');
      await session.end();
    }
    await reset(api, key);
    expect(await totalOf(api, PROJECTS)).toBe(0);
  });

  it('endpoints get no delivery of before, and those of after', async () => {
    const { api, organizationId } = await openClosings(app);
    const input = webhookInput({ targetUrl: 'http://127.0.0.1:1/hook', subscribedEvents: ['claim_project.created'] });
    const { id } = (await api.post('/v1/webhooks', input)).body as { id: string };
    await aProject(api);
    await reset(api);
    await aProject(api);
    const due = `SELECT event_id FROM webhook_deliveries
      WHERE organization_id = $1 AND webhook_id = $2 AND event_id NOT IN (SELECT id FROM events)`;
    expect(await rowsOf(app.databaseUrl, due, [organizationId, id])).toEqual([]);
    expect((await rowsIn(organizationId, 'test')).webhook_deliveries).toBeGreaterThan(0);
  });
});

async function newest(api: Client): Promise<{ id: string }> {
  return ((await api.get(CATEGORIES)).body as { data: { id: string }[] }).data[0]!;
}
