import { DataSource } from 'typeorm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrations } from '../../../migrations/index.js';
import { patientConnectionOptions } from '../../../src/store/database/connection-options.js';
import { leftOutOnCitus } from '../../support/citus.js';
import { createDatabase, rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { startPgBouncer } from '../../support/pgbouncer.js';
import { runClaims, startClaims } from '../../support/process.js';
import { openSession } from '../../support/session.js';

/** The newest migration that changes tables which others use, and those after it. */
const REVERTED = migrations.slice(migrations.findIndex(({ name }) => name === 'AddCustomFields1763700051000')).map(({ name }) => name);
const CHANGING = REVERTED[0]!;
const isLeftOut = leftOutOnCitus('It reverts migrations.');

type Own = Record<string, string> & { DATABASE_URL: string };
let own: Own;
let drop: () => Promise<void>;
beforeAll(async () => {
  const database = await createDatabase();
  own = { DATABASE_URL: database.url };
  drop = database.drop;
});
afterAll(() => drop());

/** Makes the last migrations pending. */
async function revertLast(): Promise<void> {
  const source = await new DataSource(patientConnectionOptions(own.DATABASE_URL)).initialize();
  for (const _name of REVERTED) await source.undoLastMigration();
  await source.destroy();
}

/** A session that holds what a statement locks, until it is told to stop. */
async function holding(sql: string): Promise<{ stop: () => Promise<void> }> {
  const session = await openSession({ connectionString: own.DATABASE_URL, application_name: 'nightly-report' });
  await session.query(`BEGIN; ${sql}`);
  return { stop: () => session.end() };
}

const LOCK_TABLE = 'LOCK TABLE users, events, organizations, claim_projects IN ACCESS SHARE MODE';
const HELD_BY = /pid \d+, application_name nightly-report, user \S+, idle in transaction/;

it.skipIf(isLeftOut)('`claims migrate --plan` prints each statement with its locks, and changes nothing', async () => {
  await revertLast();
  const { code, stdout, stderr } = await runClaims(['migrate', '--plan'], own);
  expect([code, stderr]).toEqual([0, '']);
  for (const name of REVERTED) expect(stdout).toContain(name);
  expect(stdout).toMatch(/ACCESS EXCLUSIVE on \w+, for a moment/);
  const { migrations: planned } = JSON.parse((await runClaims(['migrate', '--plan', '--json'], own)).stdout) as { migrations: object[] };
  const altering = (table: string) => ({ sql: expect.stringContaining(`ALTER TABLE ${table}`), locks: [{ table }], warnings: [] });
  const tables = ['claim_projects', 'expense_categories', 'report_configurations'];
  expect(planned).toMatchObject([{ name: CHANGING, statements: tables.map(altering) }, ...REVERTED.slice(1).map((name) => ({ name }))]);
  expect(JSON.parse((await runClaims(['migrate', '--json'], own)).stdout)).toEqual({ migrations: REVERTED });
  expect((await runClaims(['migrate', '--plan'], own)).stdout).toBe('Nothing to do: the database is up to date.\n');
});

it.skipIf(isLeftOut)('`claims migrate --plan` knows all migrations of an empty database, which lock nothing that others use', async () => {
  const empty = await createDatabase();
  await rowsOf(empty.url, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  const { stdout } = await runClaims(['migrate', '--plan', '--json'], { DATABASE_URL: empty.url });
  const { migrations: planned } = JSON.parse(stdout) as {
    migrations: { name: string; statements: { locks: object[] }[]; incomplete?: string }[];
  };
  expect(planned.map(({ name }) => name)).toEqual(migrations.map(({ name }) => name));
  expect(planned.filter(({ incomplete }) => incomplete !== undefined)).toEqual([]);
  expect(planned.flatMap(({ statements }) => statements.flatMap(({ locks }) => locks))).toEqual([]);
  expect(await rowsOf(empty.url, "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace")).toEqual([]);
  await empty.drop();
});

it.skipIf(isLeftOut)('`claims migrate` gives up with one line that names who holds a table, and runs when the table is free', async () => {
  await revertLast();
  const holder = await holding(LOCK_TABLE);
  const { code, stdout, stderr } = await runClaims(['migrate', '--wait', '1s'], own);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(HELD_BY);
  expect(stderr).toMatch(new RegExp(`^claims: ${CHANGING} waited 1 s for a lock [^\\n]+\\n$`));
  const patient = startClaims(['migrate', '--json'], own);
  // It waits, and is tried again.
  await eventually(async () => {
    const [row] = await rowsOf<{ tries: number }>(
      own.DATABASE_URL,
      "SELECT count(*)::int AS tries FROM pg_locks WHERE NOT granted AND mode = 'AccessExclusiveLock'",
    );
    expect(row!.tries).toBeGreaterThan(0);
  });
  await holder.stop();
  expect(JSON.parse((await patient.ended).stdout)).toEqual({ migrations: REVERTED });
});

it.skipIf(isLeftOut)('`claims migrate` tries again when it and a session that writes wait for each other', async () => {
  await revertLast();
  const writer = await openSession({ connectionString: own.DATABASE_URL });
  await writer.query('BEGIN; LOCK TABLE report_configurations IN ACCESS SHARE MODE');
  const migrating = startClaims(['migrate', '--json'], own);
  const waiting = "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'report_configurations'::regclass";
  await eventually(async () => expect(await rowsOf(own.DATABASE_URL, waiting)).toHaveLength(1));
  // The migration has claim_projects. Of two that wait for each other, Postgres ends the one that has waited for a second.
  await writer.query('LOCK TABLE claim_projects IN ACCESS SHARE MODE; COMMIT');
  await writer.end();
  const { code, stdout, stderr } = await migrating.ended;
  expect([code, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout)).toEqual({ migrations: REVERTED });
});

it.skipIf(isLeftOut)('`claims migrate` lets others use the table while it waits for it', async () => {
  await revertLast();
  const holder = await holding(LOCK_TABLE);
  const waiting = startClaims(['migrate', '--wait', '6s'], own);
  const started = Date.now();
  let slowestMs = 0;
  let reads = 0;
  let hasEnded = false;
  void waiting.ended.then(() => (hasEnded = true));
  while (!hasEnded) {
    const before = Date.now();
    await rowsOf(own.DATABASE_URL, 'SELECT 1 FROM users, events, organizations, claim_projects LIMIT 1');
    slowestMs = Math.max(slowestMs, Date.now() - before);
    reads += 1;
  }
  expect(Date.now() - started).toBeGreaterThan(6000);
  expect(reads).toBeGreaterThan(20);
  expect(slowestMs).toBeLessThan(5000);
  await holder.stop();
  await runClaims(['migrate'], own);
});

it.skipIf(isLeftOut)('`claims migrate` gives up with one line that names another run of it that does not end', async () => {
  const holder = await holding("SELECT pg_advisory_xact_lock(hashtext('claims.migrate'))");
  const { code, stderr } = await runClaims(['migrate', '--wait', '1s'], own);
  expect(code).toBe(1);
  expect(stderr).toMatch(HELD_BY);
  expect(stderr).toMatch(/^claims: Another `claims migrate` has been running for longer than 1 s: [^\n]+\n$/);
  await holder.stop();
});

it.skipIf(isLeftOut)('`claims migrate` through PgBouncer gives up, too, and names the holder if it has a connection to ask', async () => {
  await revertLast();
  const before = await startPgBouncer(own.DATABASE_URL, 3);
  const holder = await holding(LOCK_TABLE);
  const pooled = { DATABASE_URL: before.url, DATABASE_POOLER: 'transaction' };
  try {
    const { code, stderr } = await runClaims(['migrate', '--wait', '1s'], pooled);
    expect(code).toBe(1);
    expect(stderr).toMatch(HELD_BY);
  } finally {
    await holder.stop();
  }
  expect(JSON.parse((await runClaims(['migrate', '--json'], pooled)).stdout)).toEqual({ migrations: REVERTED });
  await before.stop();
});
