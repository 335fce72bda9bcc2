import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import { AuditService } from '../../../src/modules/audit/index.js';
import { EventRetention } from '../../../src/store/events/events.js';
import { Partitions, type PartitionedTable } from '../../../src/store/database/partitions.js';
import { startApp } from '../../support/app.js';
import { aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { runCommand } from '../../support/command.js';
import { leftOutOnCitus } from '../../support/citus.js';
import { createDatabase, rowsOf } from '../../support/database.js';
import { runClaims } from '../../support/process.js';
import { inSession } from '../../support/session.js';

const isLeftOut = leftOutOnCitus('The roles would have to be made on each server, and an emptied schema has no extension.');
const EVENTS: PartitionedTable = { table: 'events', by: 'id', period: 'week' };
/** Roles belong to the whole server, so each run has its own. */
const MIGRATOR = `migrator_${newId().replaceAll('-', '')}`;
const SERVICE = `service_${newId().replaceAll('-', '')}`;

let database: Awaited<ReturnType<typeof createDatabase>>;
let urls: { migrator: string; service: string };
beforeAll(async () => {
  database = await createDatabase();
  await rowsOf(database.url, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  await run(database.url, await sqlOfDocument('roles'));
  urls = { migrator: as(MIGRATOR, 'choose one'), service: as(SERVICE, 'choose another') };
});
afterAll(async () => {
  const server = Object.assign(new URL(database.url), { pathname: '/postgres' }).href;
  await database.drop();
  await run(server, `DROP ROLE ${MIGRATOR}; DROP ROLE ${SERVICE}`);
});

async function sqlOfDocument(name: string): Promise<string> {
  const document = await readFile('docs/operating.md', 'utf8');
  const sql = new RegExp(`<!-- ${name} -->\\n\`\`\`sql\\n([^]*?)\`\`\``).exec(document)![1]!;
  return sql.replaceAll('claims_migrator', MIGRATOR).replaceAll('claims_service', SERVICE);
}

async function run(url: string, sql: string): Promise<void> {
  await inSession(url, (client) => client.query(sql));
}

const as = (username: string, password: string): string => Object.assign(new URL(database.url), { username, password }).href;

const partitions = async (): Promise<string[]> =>
  (
    await rowsOf<{ name: string }>(
      database.url,
      "SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'events'::regclass",
    )
  ).map(({ name }) => name);

it.skipIf(isLeftOut)('one role migrates, and another, which owns nothing, serves calls and creates and drops partitions', async () => {
  const migrated = await runCommand(['migrate'], { DATABASE_URL: urls.service, DATABASE_DIRECT_URL: urls.migrator });
  expect(migrated).toMatchObject({ code: 0, stderr: '' });
  const app = await startApp({ DATABASE_URL: urls.service, ROLE: 'all' });
  const api = new Client(app.url, (await aTenant(app)).key);
  const created = await api.post('/v1/claim-projects', { name: 'Owned by nobody', periodStart: '2026-01-01', periodEnd: '2026-12-31' });
  expect(created.status).toBe(201);
  expect((await api.get('/v1/audit/events')).body.data.length).toBeGreaterThan(0);
  const before = await partitions();
  await app.app.get(Partitions).ensure(EVENTS, new Date(Date.now() - 70 * 86_400_000), 0);
  expect(await partitions()).toHaveLength(before.length + 1);
  await app.app.get(EventRetention).retain();
  expect((await partitions()).sort()).toEqual(before.sort());
  await app.close();
  expect((await runCommand(['doctor'], { DATABASE_URL: urls.service })).stdout).toMatch(/ok +privileges +the role service_\w+ may do/);
});

it.skipIf(isLeftOut)('the role of the service exports and erases an organization', async () => {
  const app = await startApp({ DATABASE_URL: urls.service });
  const [{ organization }, other] = [await aTenant(app), await aTenant(app)];
  await new Client(app.url, other.key).get('/v1/audit/events');
  // More than one call of the function deletes, and many sealed at the same time.
  await app.app.get(AuditService).sealedHead(organization.id);
  await rowsOf(
    database.url,
    `INSERT INTO audit_events SELECT (jsonb_populate_record(row, jsonb_build_object('id', gen_random_uuid(), 'sequence', 100 + number))).*
      FROM audit_events row, generate_series(1, 2500) AS number WHERE organization_id = $1 AND sequence = 1`,
    [organization.id],
  );
  const eventsOf = async (id: string): Promise<number> =>
    (await rowsOf(database.url, 'SELECT 1 FROM audit_events WHERE organization_id = $1', [id])).length;
  const [before, ofOther] = [await eventsOf(organization.id), await eventsOf(other.organization.id)];
  expect([before > 2500, ofOther > 0]).toEqual([true, true]);
  await app.close();
  const folder = await mkdtemp(join(tmpdir(), 'claims-export-'));
  const exported = await runCommand(['org', 'export', organization.id, '--out', join(folder, 'all')], { DATABASE_URL: urls.service });
  const erased = await runCommand(['org', 'erase', organization.id, '--confirm', organization.id], { DATABASE_URL: urls.service });
  expect([exported.code, exported.stderr, erased.code, erased.stderr]).toEqual([0, '', 0, '']);
  expect(await rowsOf(database.url, 'SELECT 1 FROM organizations WHERE id = $1', [organization.id])).toEqual([]);
  expect([await eventsOf(organization.id), await eventsOf(other.organization.id)]).toEqual([0, ofOther]);
  await rm(folder, { recursive: true });
});

it.skipIf(isLeftOut)('the role of the service could change and delete sealed audit events: it can only add them', async () => {
  const app = await startApp({ DATABASE_URL: urls.service });
  const { key, organization } = await aTenant(app);
  const api = new Client(app.url, key);
  await api.post('/v1/claim-projects', { name: 'Sealed', periodStart: '2026-01-01', periodEnd: '2026-12-31' });
  expect((await api.get('/v1/audit/events')).body.data.length).toBeGreaterThan(0);
  // A partition that comes later.
  const later: PartitionedTable = { table: 'audit_events', by: 'time', period: 'month' };
  await app.app.get(Partitions).ensure(later, new Date('2031-05-01T00:00:00Z'), 0);
  await app.close();
  const tables = await rowsOf<{ name: string }>(database.url, "SELECT relid::text AS name FROM pg_partition_tree('audit_events')");
  expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(['audit_events', 'audit_events_20310501']));
  expect(tables.length).toBeGreaterThan(2);
  const attempts = async (): Promise<void> => {
    for (const { name } of tables)
      for (const sql of [
        `UPDATE ${name} SET actor_name = 'Somebody else'`,
        `DELETE FROM ${name}`,
        `TRUNCATE ${name}`,
        `INSERT INTO ${name} SELECT * FROM audit_events ON CONFLICT (organization_id, created_at, id) DO UPDATE SET hash = ''`,
        `SELECT 1 FROM ${name} FOR UPDATE`,
      ])
        await expect(run(urls.service, sql), sql).rejects.toThrow(/permission denied for table/);
    for (const name of ['audit_tiles', 'audit_checkpoints'])
      for (const sql of [`UPDATE ${name} SET created_at = now()`, `DELETE FROM ${name}`, `TRUNCATE ${name}`])
        await expect(run(urls.service, sql), sql).rejects.toThrow(/permission denied for table/);
  };
  await attempts();
  const erase = `SELECT erase_audit_events('${organization.id}', '-infinity')`;
  for (const sql of [erase, erase.replace('events', 'tiles'), erase.replace('events', 'checkpoints')])
    await expect(run(urls.service, sql), sql).rejects.toThrow(`organization ${organization.id} is not being erased`);
  await expect(run(urls.service, 'SELECT protect_audit_log()')).resolves.toBeUndefined();
  // Somebody grants everything again.
  await run(urls.migrator, `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${SERVICE}`);
  const warned = await runCommand(['doctor'], { DATABASE_URL: urls.service });
  expect([warned.code, warned.stdout]).toEqual([
    0,
    expect.stringMatching(/WARN +privileges +the role \w+ of DATABASE_URL may change sealed/),
  ]);
  await run(urls.migrator, await sqlOfDocument('grants'));
  await attempts();
  expect((await runCommand(['doctor'], { DATABASE_URL: urls.service })).stdout).not.toContain('may change sealed');
});

it.skipIf(isLeftOut)('the role of the service can neither alter tables nor drop the audit log', async () => {
  const refused = /must be owner|permission denied|may be dropped|not a partition/;
  for (const sql of [
    'ALTER TABLE events ADD COLUMN more text',
    'CREATE TABLE more (id uuid)',
    'DROP TABLE claim_projects',
    "SELECT drop_partition('audit_events', 'audit_events_20260101')",
    "SELECT drop_partition('events', 'claim_projects')",
    "SELECT create_partition('claim_projects', 'claim_projects_20260101', '1', '2')",
    "SELECT create_partition('events', 'events_20260101; DROP TABLE events', '1', '2')",
  ])
    await expect(run(urls.service, sql), sql).rejects.toThrow(refused);
});

it.skipIf(isLeftOut)('what the role lacks is one line, at start and in claims doctor, and the documented grants give it', async () => {
  await run(urls.migrator, `REVOKE EXECUTE ON FUNCTION create_partition(text, text, text, text) FROM ${SERVICE}`);
  await run(urls.migrator, `REVOKE INSERT, DELETE ON events FROM ${SERVICE}`);
  const missing = 'DELETE on events, EXECUTE on create_partition, INSERT on events';
  const line = new RegExp(`The database role ${SERVICE} lacks ${missing}: grant them as docs/operating.md says`);
  const started = await runClaims(['start'], { DATABASE_URL: urls.service });
  expect([started.code, started.stderr.trim().split('\n').length]).toEqual([1, 1]);
  expect(started.stderr).toMatch(line);
  const examined = await runCommand(['doctor'], { DATABASE_URL: urls.service });
  expect([examined.code, line.test(examined.stdout)]).toEqual([1, true]);
  await run(urls.migrator, await sqlOfDocument('grants'));
  expect(await runCommand(['doctor'], { DATABASE_URL: urls.service })).toMatchObject({ code: 0 });
});
