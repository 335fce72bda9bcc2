import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import { AuditService } from '../../../src/modules/audit/index.js';
import { Checkpoints } from '../../../src/modules/audit/tree/checkpoints.service.js';
import { Partitions } from '../../../src/store/database/partitions.js';
import { startApp } from '../../support/app.js';
import { aTenant } from '../../support/builders.js';
import { leftOutOnCitus } from '../../support/citus.js';
import { runCommand } from '../../support/command.js';
import { createDatabase, rowsOf } from '../../support/database.js';
import { inSession } from '../../support/session.js';

const isLeftOut = leftOutOnCitus('The roles would have to be made on each server.');
/** Roles belong to the whole server, so each run has its own. */
const MIGRATOR = `migrator_${newId().replaceAll('-', '')}`;
const SERVICE = `service_${newId().replaceAll('-', '')}`;
const LATER = 'audit_events_20310501';
const SEALED = ['audit_events', LATER, 'audit_tiles', 'audit_checkpoints'];

let database: Awaited<ReturnType<typeof createDatabase>>;
let organizationId: string;
let urls: Readonly<Record<'administrator' | 'migrator' | 'service', string>>;
beforeAll(async () => {
  if (isLeftOut) return;
  database = await createDatabase();
  const as = (username: string, password: string): string => Object.assign(new URL(database.url), { username, password }).href;
  urls = { administrator: database.url, migrator: as(MIGRATOR, 'choose one'), service: as(SERVICE, 'choose another') };
  await rowsOf(database.url, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  const [, roles] = /<!-- roles -->\n```sql\n([^]*?)```/.exec(await readFile('docs/operating.md', 'utf8'))!;
  await run('administrator', roles!.replaceAll('claims_migrator', MIGRATOR).replaceAll('claims_service', SERVICE));
  expect(await runCommand(['migrate'], { DATABASE_URL: urls.service, DATABASE_DIRECT_URL: urls.migrator })).toMatchObject({ code: 0 });
  const app = await startApp({ DATABASE_URL: urls.service });
  ({
    organization: { id: organizationId },
  } = await aTenant(app));
  await app.app.get(AuditService).sealedHead(organizationId);
  await app.app.get(Checkpoints).current(organizationId);
  await app.app.get(Partitions).ensure({ table: 'audit_events', by: 'time', period: 'month' }, new Date('2031-05-01T00:00:00Z'), 0);
  await app.close();
});
afterAll(async () => {
  if (isLeftOut) return;
  const server = Object.assign(new URL(database.url), { pathname: '/postgres' }).href;
  await database.drop();
  await rowsOf(server, `DROP ROLE ${MIGRATOR}`);
  await rowsOf(server, `DROP ROLE ${SERVICE}`);
});

async function run(role: keyof typeof urls, sql: string): Promise<void> {
  await inSession(urls[role], (client) => client.query(sql));
}

/** Everything of the log that somebody could want to change. */
const contents = () =>
  rowsOf(
    database.url,
    `SELECT (SELECT json_agg(row ORDER BY id) FROM audit_events row) AS events, (SELECT json_agg(row) FROM audit_chains row) AS chains,
      (SELECT json_agg(row ORDER BY id) FROM audit_keys row) AS keys, (SELECT json_agg(row) FROM audit_checkpoints row) AS checkpoints`,
  );

async function expectRefused(role: keyof typeof urls, attempts: readonly string[], reason: RegExp): Promise<void> {
  const before = await contents();
  for (const sql of attempts) await expect(run(role, sql), `${role}: ${sql}`).rejects.toThrow(reason);
  expect(await contents()).toEqual(before);
}

describe.skipIf(isLeftOut)('a sealed audit log', () => {
  it('is changed by no statement, neither of the service nor of the owner of its tables', async () => {
    expect((await contents())[0]).toMatchObject({ events: expect.arrayContaining([expect.anything()]), checkpoints: [expect.anything()] });
    const changes = SEALED.flatMap((name) => [
      `UPDATE ${name} SET created_at = now() - interval '1 second'`,
      `DELETE FROM ${name}`,
      `TRUNCATE ${name}`,
      `TRUNCATE organizations, ${name} CASCADE`,
      `MERGE INTO ${name} USING (SELECT 1) one ON true WHEN MATCHED THEN DELETE`,
    ]);
    await expectRefused('service', changes, /permission denied/);
    // A partition without rows has none that could be changed.
    const withRows = changes.filter((sql) => !(sql.includes(LATER) || sql.includes('tiles')) || sql.startsWith('TRUNCATE'));
    await expectRefused('migrator', withRows, /what is sealed is not changed/);
  });

  it('has a chain that only grows, and keys that stay', async () => {
    const changes = [
      `UPDATE audit_chains SET sequence = sequence - 1 WHERE organization_id = '${organizationId}'`,
      `UPDATE audit_chains SET organization_id = '${newId()}'`,
      'DELETE FROM audit_chains',
      'UPDATE audit_keys SET public_key = secret',
      'DELETE FROM audit_keys',
    ];
    for (const role of ['service', 'migrator'] as const) await expectRefused(role, changes, /what is sealed is not changed/);
    await expectRefused('migrator', ['TRUNCATE audit_chains', 'TRUNCATE audit_keys'], /what is sealed is not changed/);
  });

  it('says in claims doctor that its triggers are switched off', async () => {
    await run('migrator', 'ALTER TABLE audit_events DISABLE TRIGGER audit_log_is_kept');
    const examined = await runCommand(['doctor'], { DATABASE_URL: urls.service });
    expect(examined.stdout).toMatch(/WARN +audit log +the triggers that keep it are switched off or gone/);
    await run('migrator', 'ALTER TABLE audit_events ENABLE TRIGGER audit_log_is_kept');
    expect((await runCommand(['doctor'], { DATABASE_URL: urls.service })).stdout).not.toContain('triggers that keep it');
  });

  it('is neither dropped, taken apart nor left without its triggers by the owner, once an administrator has set the guard', async () => {
    await run('administrator', await readFile('docker/audit-guard.sql', 'utf8'));
    const attempts = [
      'DROP TABLE audit_events',
      `DROP TABLE ${LATER}`,
      'DROP TABLE audit_checkpoints, audit_tiles',
      'DROP SCHEMA public CASCADE',
      `ALTER TABLE audit_events DETACH PARTITION ${LATER}`,
      `ALTER TABLE ${LATER} RENAME TO elsewhere`,
      'ALTER TABLE audit_chains RENAME TO elsewhere',
      'ALTER TABLE audit_events DROP COLUMN actor_name',
      'ALTER TABLE audit_events DISABLE TRIGGER ALL',
      `ALTER TABLE ${LATER} DISABLE TRIGGER audit_log_is_kept_whole`,
      'DROP TRIGGER audit_log_is_kept ON audit_events',
      'ALTER TRIGGER audit_log_is_kept ON audit_chains RENAME TO another',
      'DROP FUNCTION keep_audit_log() CASCADE',
      `CREATE OR REPLACE FUNCTION keep_audit_log() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN OLD; END'`,
      `CREATE OR REPLACE FUNCTION erase_audit_tiles(organization uuid, since timestamptz) RETURNS timestamptz
        LANGUAGE sql AS 'SELECT now()'`,
      'DROP EVENT TRIGGER claims_audit_log_is_dropped',
      'DROP SCHEMA claims_guard CASCADE',
      'SET session_replication_role = replica',
    ];
    await expectRefused(
      'migrator',
      attempts,
      /the audit log is kept|must be (?:owner|superuser)|permission denied|is a month of the audit log/,
    );
  });

  it('goes on under the guard: months are added, migrations run, and an organization is erased', async () => {
    const app = await startApp({ DATABASE_URL: urls.service });
    await app.app.get(Partitions).ensure({ table: 'audit_events', by: 'time', period: 'month' }, new Date('2031-08-01T00:00:00Z'), 0);
    await app.close();
    const added = await rowsOf(database.url, "SELECT 1 FROM pg_trigger WHERE tgrelid = 'audit_events_20310801'::regclass");
    expect(added).toHaveLength(2);
    await run('migrator', 'CREATE TABLE later (id uuid); ALTER TABLE later ADD COLUMN name text; DROP TABLE later');
    await run('migrator', 'ALTER TABLE audit_events ADD COLUMN later text');
    const erased = await runCommand(['org', 'erase', organizationId, '--confirm', organizationId], { DATABASE_URL: urls.service });
    expect([erased.code, erased.stderr]).toEqual([0, '']);
    expect(await rowsOf(database.url, 'SELECT 1 FROM audit_events WHERE organization_id = $1', [organizationId])).toEqual([]);
  });
});
