import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import { SESSION } from '../../../src/store/database/connection-options.js';
import { Database, prepared } from '../../../src/store/database/database.js';
import { UnitOfWork } from '../../../src/store/database/unit-of-work.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aTenant } from '../../support/builders.js';
import { Client, type Answer } from '../../support/client.js';
import { runCommand } from '../../support/command.js';
import { createDatabase, rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { NEWER_PGBOUNCER, startPgBouncer } from '../../support/pgbouncer.js';
import { StatementProxy } from '../../support/postgres-statements.js';
import { openSession } from '../../support/session.js';

const PERIOD = { periodStart: '2026-01-01', periodEnd: '2026-12-31' };
const SERVER_CONNECTIONS = 3;

if (!NEWER_PGBOUNCER) console.warn('TEST_NEWER_PGBOUNCER_PATH is not set: one that keeps prepared statements (1.21) is not tried.');
const KINDS = [
  { kind: 'PgBouncer in transaction mode', path: undefined, begins: /^BEGIN; SET LOCAL / },
  { kind: 'PgBouncer that keeps prepared statements', path: NEWER_PGBOUNCER, begins: /^BEGIN; SET LOCAL / },
  { kind: 'PgBouncer and a role with the settings of the service', path: undefined, begins: /^BEGIN$/ },
  { kind: 'PgBouncer that keeps prepared statements and a role with the settings', path: NEWER_PGBOUNCER, begins: /^BEGIN$/ },
].filter(({ kind, path }) => path !== undefined || !kind.includes('keeps'));

/** Those of the guide, for the database of a test: its role is that of other tests. */
async function giveSettings(databaseUrl: string): Promise<void> {
  const guide = await readFile('docs/scaling.md', 'utf8');
  const statements = guide.match(/^ALTER ROLE claims_service SET .*;$/gm)!;
  expect(statements).toHaveLength(Object.keys(SESSION).length);
  const name = new URL(databaseUrl).pathname.slice(1);
  for (const statement of statements) await rowsOf(databaseUrl, statement.replace('ROLE claims_service', `DATABASE "${name}"`));
}

describe.each(KINDS)('through $kind', ({ path, begins }) => {
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let bouncer: Awaited<ReturnType<typeof startPgBouncer>>;
  let proxy: StatementProxy;
  let app: TestApp;
  let env: Record<string, string>;
  const statements: string[] = [];
  beforeAll(async () => {
    database = await createDatabase();
    if (begins.test('BEGIN')) await giveSettings(database.url);
    bouncer = await startPgBouncer(database.url, SERVER_CONNECTIONS, [], path);
    proxy = await StatementProxy.to(bouncer.url);
    proxy.handle = (text, _link, pass) => {
      statements.push(text);
      pass();
    };
    env = { DATABASE_URL: proxy.tcp.url, DATABASE_POOLER: 'transaction' };
    // All jobs run, too, and the pool of this process is larger than that of PgBouncer.
    app = await startApp({ ...env, ROLE: 'all', DATABASE_POOL_SIZE: '12' });
  });
  afterAll(async () => {
    await app.close();
    await proxy.tcp.close();
    await bouncer.stop();
    await database.drop();
  });

  it('a statement is sent as cheaply as pooler and role allow', async () => {
    const { key } = await aTenant(app);
    const api = new Client(app.url, key);
    const { id } = (await api.post('/v1/claim-projects', { name: 'Pooled', ...PERIOD })).body;
    const costs = [];
    for (let times = 0; times < 12; times += 1) {
      const before = statements.length;
      await api.get(`/v1/claim-projects/${id}`);
      costs.push(statements.length - before);
    }
    expect(app.app.get(Database).begin).toMatch(begins);
    // A BEGIN and a COMMIT are around it where it must make the settings.
    expect(Math.min(...costs)).toBe(begins.test('BEGIN') ? 1 : 3);
    const kept = await rowsOf<{ name: string }>(bouncer.url, 'SELECT name FROM pg_prepared_statements');
    expect(kept.length > 0).toBe(path !== undefined);
  });

  it('calls of every kind are answered', async () => {
    const { key } = await aTenant(app);
    const api = new Client(app.url, key);
    const created = await api.post('/v1/claim-projects', { name: 'Pooled', ...PERIOD }, { 'Idempotency-Key': 'pooled' });
    expect(created.status).toBe(201);
    const project = `/v1/claim-projects/${created.body.id}`;
    const replayed = await api.post('/v1/claim-projects', { name: 'Pooled', ...PERIOD }, { 'Idempotency-Key': 'pooled' });
    expect([replayed.status, replayed.headers['idempotent-replayed']]).toEqual([201, 'true']);
    expect((await api.patch(project, { name: 'Renamed' })).body.name).toBe('Renamed');
    expect((await api.get(project)).body.createdAt).toBe(created.body.createdAt);
    expect((await api.get('/v1/claim-projects?search=renamed')).body.data).toHaveLength(1);
    expect((await api.post('/v1/claim-projects', { name: 'Renamed', ...PERIOD })).status).toBe(409);
    const category = { projectId: created.body.id, code: 'A', name: 'A' };
    expect((await api.post('/v1/expense-categories', category)).status).toBe(201);
    const run = await api.post('/v1/claim-reports', {});
    await eventually(async () => expect((await api.get(`/v1/claim-reports/${run.body.id}`)).body.status).toBe('succeeded'));
    const webhook = await api.post('/v1/webhooks', {
      name: 'Hook',
      targetUrl: 'https://receiver.example/hook',
      subscribedEvents: ['claim_project.updated'],
    });
    expect(webhook.status).toBe(201);
    expect((await api.delete(`/v1/webhooks/${webhook.body.id}`)).status).toBeLessThan(300);
    for (const path of [
      '/v1',
      '/v1/usage',
      '/v1/organization',
      '/v1/audit/events',
      '/v1/webhooks',
      '/v1/auth/context',
      '/health/dependencies',
    ])
      expect((await api.get(path)).status, path).toBe(200);
  });

  it('every statement has its timeouts, in a transaction or not', async () => {
    const SHOW = prepared({
      name: 'test.show',
      text: "SELECT current_setting('lock_timeout') AS locks, current_setting('statement_timeout') AS all",
    });
    const all = [{ locks: '10s', all: '30s' }];
    const store = app.app.get(Database);
    expect(await store.rows(SHOW, [])).toEqual(all);
    expect(await store.shortRead(SHOW, [])).toEqual(all);
    // oxlint-disable-next-line house/tenant-rows -- it reads no row of a tenant
    expect(await store.manager().query(SHOW.text)).toEqual(all);
    expect(await app.app.get(UnitOfWork).transact((unit) => store.rows(SHOW, [], unit))).toEqual(all);
    // Nothing of it stays behind for whoever has the connection next.
    const outside = await rowsOf<{ locks: string }>(bouncer.url, SHOW.text);
    expect(outside[0]!.locks).toBe(begins.test('BEGIN') ? '10s' : '0');
  });

  it('answers a change of a locked record when the lock timeout of 10 s has passed', async () => {
    const { key, organization } = await aTenant(app);
    const api = new Client(app.url, key);
    const { id } = (await api.post('/v1/claim-projects', { name: 'Locked', ...PERIOD })).body;
    const other = await openSession(database.url);
    await other.query('BEGIN');
    await other.query('SELECT 1 FROM claim_projects WHERE organization_id = $1 AND id = $2 FOR UPDATE', [organization.id, id]);
    const start = performance.now();
    const refused = await api.patch(`/v1/claim-projects/${id}`, { name: 'Changed' });
    expect([refused.status, refused.body.detail]).toEqual([503, 'Another change of the same record is still running.']);
    expect(performance.now() - start).toBeLessThan(12_000);
    await other.end();
    expect((await api.patch(`/v1/claim-projects/${id}`, { name: 'Changed' })).status).toBe(200);
  });

  it('answers more than 500 calls of 24 clients at once over 3 connections to the server, each with its own rows', async () => {
    const tenants = await Promise.all(Array.from({ length: 24 }, () => aTenant(app)));
    const answers: Answer[] = [];
    await Promise.all(
      tenants.map(async ({ key }, index) => {
        const api = new Client(app.url, key);
        for (let times = 0; times < 12; times += 1) {
          answers.push(await api.post('/v1/claim-projects', { name: `${index} ${newId()}`, ...PERIOD }));
          const { status, body } = await api.get('/v1/claim-projects');
          expect([status, body.pagination.total]).toEqual([200, times + 1]);
          for (const { name } of body.data as { name: string }[]) expect(name.split(' ')[0]).toBe(`${index}`);
        }
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    const [server] = await rowsOf<{ count: number }>(
      database.url,
      "SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'claims'",
    );
    expect(server!.count).toBeLessThanOrEqual(SERVER_CONNECTIONS);
  });

  it('exports and erases an organization', async () => {
    const { organization, key } = await aTenant(app);
    expect((await new Client(app.url, key).post('/v1/claim-projects', { name: 'Pooled', ...PERIOD })).status).toBe(201);
    const folder = await mkdtemp(join(tmpdir(), 'claims-export-'));
    const out = join(folder, 'all');
    expect(await runCommand(['org', 'export', organization.id, '--out', out], env)).toMatchObject({ code: 0, stderr: '' });
    expect(await readFile(out, 'utf8')).toMatch(/"table":"claim_projects","row":\{.*"name":"Pooled"/);
    expect(await runCommand(['org', 'erase', organization.id, '--confirm', organization.id], env)).toMatchObject({ code: 0, stderr: '' });
    expect(await rowsOf(database.url, 'SELECT 1 FROM claim_projects WHERE organization_id = $1', [organization.id])).toEqual([]);
    await rm(folder, { recursive: true });
  });
});
