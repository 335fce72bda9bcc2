import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrations } from '../../../migrations/index.js';
import { patientConnectionOptions } from '../../../src/store/database/connection-options.js';
import { Planner, recordMigration, readOnly, type RecordedMigration } from '../../../tools/migration-plan/index.js';
import { leftOutOnCitus } from '../../support/citus.js';
import { createDatabase, rowsOf } from '../../support/database.js';

/** From the weakest to the strongest. Reads are not in the plan. */
const MODES = ['ROW EXCLUSIVE', 'SHARE UPDATE EXCLUSIVE', 'SHARE', 'SHARE ROW EXCLUSIVE', 'EXCLUSIVE', 'ACCESS EXCLUSIVE'];
const asPlanned = (mode: string): string =>
  mode
    .replace(/Lock$/, '')
    .replaceAll(/\B(?=[A-Z])/g, ' ')
    .toUpperCase();

const isLeftOut = leftOutOnCitus('Citus locks more than the server does by itself.');

let database: Awaited<ReturnType<typeof createDatabase>>;
let source: DataSource;
beforeAll(async () => {
  database = await createDatabase();
  source = await new DataSource(patientConnectionOptions(database.url)).initialize();
});
afterAll(async () => {
  await source.destroy();
  await database.drop();
});

/** The strongest of the locks on each table. */
function strongest(locks: readonly { table: string; mode: string }[]): Record<string, string> {
  const found: Record<string, string> = {};
  for (const { table, mode } of locks) if (MODES.indexOf(mode) > MODES.indexOf(found[table] ?? '')) found[table] = mode;
  return found;
}

/** What a migration locks of the tables that are there before, while its transaction is open. */
async function lockedBy(from: DataSource, up: MigrationInterface['up'], commit: boolean): Promise<Record<string, string>> {
  const runner = from.createQueryRunner();
  const before = (await runner.query(
    "SELECT oid, relname FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace",
  )) as { oid: number; relname: string }[];
  const names = new Map(before.map(({ oid, relname }) => [oid, relname]));
  await runner.startTransaction();
  try {
    await up(runner);
    const locks = (await runner.query(
      `SELECT relation, mode FROM pg_locks
        WHERE pid = pg_backend_pid() AND relation = ANY ($1) AND mode NOT IN ('AccessShareLock', 'RowShareLock')`,
      [[...names.keys()]],
    )) as { relation: number; mode: string }[];
    if (commit) await runner.commitTransaction();
    return strongest(locks.map(({ relation, mode }) => ({ table: names.get(relation)!, mode: asPlanned(mode) })));
  } finally {
    if (runner.isTransactionActive) await runner.rollbackTransaction();
    await runner.release();
  }
}

/** What the plan says that a migration locks, after earlier ones. */
function planned(recorded: RecordedMigration, earlier: readonly RecordedMigration[] = []): Record<string, string> {
  const planner = new Planner();
  for (const migration of earlier) planner.learn(migration);
  const effects = planner.plan(recorded).statements.flatMap((statement) => statement.effects);
  return strongest(effects.flatMap(({ table, lock }) => (lock === undefined ? [] : [{ table, mode: lock }])));
}

it.skipIf(isLeftOut)('says of every migration that is one transaction what it locks', async () => {
  const own = await createDatabase();
  await rowsOf(own.url, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  const empty = await new DataSource(patientConnectionOptions(own.url)).initialize();
  const earlier: RecordedMigration[] = [];
  let locked = 0;
  for (const Migration of migrations) {
    const migration: MigrationInterface = new Migration();
    const recorded = await recordMigration(migration, readOnly(empty));
    if (migration.transaction === false) {
      const runner = empty.createQueryRunner();
      await migration.up(runner);
      await runner.release();
    } else {
      const locks = await lockedBy(empty, (runner) => migration.up(runner), true);
      // What locks a table also locks its partitions, so only the table is compared.
      const partitions = await rowsOf<{ name: string }>(own.url, 'SELECT relname AS name FROM pg_class WHERE relispartition');
      const ofTables = Object.entries(planned(recorded, earlier)).filter(([table]) => !partitions.some(({ name }) => name === table));
      expect([recorded.name, Object.fromEntries(ofTables)]).toEqual([recorded.name, locks]);
      locked += Object.keys(locks).length;
    }
    earlier.push(recorded);
  }
  expect(locked).toBeGreaterThan(20);
  await empty.destroy();
  await own.drop();
});

describe.skipIf(isLeftOut)('says what Postgres locks for', () => {
  it.each([
    'ALTER TABLE users ADD nickname text',
    'ALTER TABLE public.users ADD COLUMN tags text[] NOT NULL DEFAULT \'{}\', ADD "seenAt" timestamptz(3) DEFAULT now()',
    'ALTER TABLE users ADD random uuid DEFAULT gen_random_uuid()',
    'ALTER TABLE users DROP COLUMN name',
    'ALTER TABLE users RENAME name TO full_name',
    'ALTER TABLE users ALTER name TYPE varchar(200)',
    'ALTER TABLE users ALTER totp_last_step SET NOT NULL',
    'ALTER TABLE users ALTER COLUMN name DROP NOT NULL',
    "ALTER TABLE users ALTER name SET DEFAULT ''",
    'ALTER TABLE users ALTER name SET STATISTICS 500',
    "ALTER TABLE users ADD CONSTRAINT users_named CHECK (name <> '')",
    "ALTER TABLE users ADD CONSTRAINT users_named CHECK (name <> '') NOT VALID",
    'ALTER TABLE users ADD CONSTRAINT users_names UNIQUE (name)',
    'ALTER TABLE user_invitations ADD CONSTRAINT of_rule FOREIGN KEY (organization_id) REFERENCES oauth_connection_rules (organization_id)',
    'ALTER TABLE user_invitations ADD FOREIGN KEY (organization_id) REFERENCES oauth_connection_rules NOT VALID',
    'ALTER TABLE users SET (fillfactor = 90)',
    'ALTER TABLE users ENABLE ROW LEVEL SECURITY',
    'CREATE INDEX users_by_name ON users (name)',
    'CREATE INDEX ON users USING gin (recovery_codes)',
    'CREATE INDEX events_by_kind ON ONLY events (kind)',
    'DROP TABLE user_invitations, upload_links',
    'TRUNCATE user_invitations',
    'CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; -- ALTER TABLE users; \n END $$',
    'CREATE TRIGGER named BEFORE INSERT ON users FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()',
    'CREATE POLICY own ON users USING (true)',
    "UPDATE users SET name = 'x; DROP TABLE users'",
    'DELETE FROM user_invitations WHERE expires_at < now()',
    'INSERT INTO exchange_rates SELECT * FROM exchange_rates',
    "COMMENT ON TABLE events IS 'x'",
    'CREATE TABLE pairs (a uuid, b uuid REFERENCES oauth_connection_rules)',
  ])('%s', async (sql) => {
    const up = (runner: QueryRunner): Promise<void> => runner.query(sql) as Promise<void>;
    const migration = { name: 'Tried', up, down: () => Promise.resolve() };
    const recorded = await recordMigration(migration, readOnly(source));
    const locks = await lockedBy(source, up, false);
    expect(planned(recorded)).toEqual(locks);
  });
});
