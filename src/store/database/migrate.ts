import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource, QueryRunner } from 'typeorm';

/**
 * Replicas that start together migrate once. The lock belongs to a transaction that stays open meanwhile: behind a pooler, a session's
 * lock would stay on the server's connection. We poll for it: a statement that waits for it would hold a connection of the pooler that
 * the migrations may need, and would block concurrent index builds.
 */
const TRY_LOCK = "SELECT pg_try_advisory_xact_lock(hashtext('claims.migrate')) AS held";
const TRY_EVERY_MS = 100;
/** The transaction waits for the migrations, however long they take. */
const MAY_WAIT = 'SET LOCAL idle_in_transaction_session_timeout = 0';

export async function pendingMigrations(source: DataSource): Promise<string[]> {
  const table = await source.query<{ exists: boolean }[]>("SELECT to_regclass('migrations') IS NOT NULL AS exists");
  const done = table[0]!.exists ? await source.query<{ name: string }[]>('SELECT name FROM migrations') : [];
  const names = new Set(done.map(({ name }) => name));
  return source.migrations.map(({ name, constructor }) => name ?? constructor.name).filter((name) => !names.has(name));
}

/** Runs the pending migrations in order, each in its own transaction. Returns their names. */
export async function migrate(source: DataSource): Promise<string[]> {
  const runner = source.createQueryRunner();
  try {
    await lock(runner);
    const run = await source.runMigrations();
    await runner.commitTransaction();
    return run.map(({ name }) => name);
  } finally {
    if (runner.isTransactionActive) await runner.rollbackTransaction();
    await runner.release();
  }
}

/** Returns in a transaction that holds the lock. */
async function lock(runner: QueryRunner): Promise<void> {
  for (;;) {
    await runner.startTransaction();
    const [row] = (await runner.query(TRY_LOCK)) as { held: boolean }[];
    if (row!.held) return void (await runner.query(MAY_WAIT));
    await runner.rollbackTransaction();
    await delay(TRY_EVERY_MS);
  }
}
