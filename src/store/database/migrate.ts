import { setTimeout } from 'node:timers/promises';
import type { DataSource } from 'typeorm';

/**
 * Replicas that start together migrate once. They ask for the lock again and again: a statement that waits for it would hold up a
 * migration that builds an index beside running transactions.
 */
const LOCK = "SELECT pg_try_advisory_lock(hashtext('claims.migrate')) AS locked";
const ASK_EVERY_MS = 200;
const UNLOCK = "SELECT pg_advisory_unlock(hashtext('claims.migrate'))";

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
    while (!((await runner.query(LOCK)) as { locked: boolean }[])[0]!.locked) await setTimeout(ASK_EVERY_MS);
    const run = await source.runMigrations();
    await runner.query(UNLOCK);
    return run.map(({ name }) => name);
  } finally {
    await runner.release();
  }
}
