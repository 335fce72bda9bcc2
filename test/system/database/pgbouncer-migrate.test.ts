import { expect, it } from 'vitest';
import { migrations } from '../../../migrations/index.js';
import { leftOutOnCitus } from '../../support/citus.js';
import { createDatabase, rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { startPgBouncer } from '../../support/pgbouncer.js';
import { runClaims, startClaims } from '../../support/process.js';
import { inSession } from '../../support/session.js';

const isLeftOut = leftOutOnCitus('It empties the schema, which removes the extension.');

it.skipIf(isLeftOut)('`claims migrate` through PgBouncer migrates, and the next run finds nothing to do and is not held up', async () => {
  await withEmptyDatabase(async (own) => {
    expect(await migrate(own)).toEqual({ migrations: migrations.map(({ name }) => name) });
    expect(await migrate(own)).toEqual({ migrations: [] });
    expect((await runClaims(['doctor', '--json'], own)).code).toBe(0);
  });
});

it.skipIf(isLeftOut)('`claims migrate` through PgBouncer migrates once when two runs start at the same time', async () => {
  await withEmptyDatabase(async (own) => {
    const runs = await Promise.all([migrate(own), migrate(own)]);
    expect(runs.flatMap((run) => run.migrations)).toEqual(migrations.map(({ name }) => name));
  });
});

it.skipIf(isLeftOut)('`claims migrate` through PgBouncer migrates although a run was killed while it held the lock', async () => {
  await withEmptyDatabase(async (own) => {
    const killed = startClaims(['migrate'], own);
    await eventually(async () => expect(await rowsOf(own.DATABASE_URL, 'SELECT 1 FROM migrations')).not.toEqual([]));
    await killed.kill();
    const { migrations: left } = await migrate(own);
    expect(left.length).toBeLessThan(migrations.length);
    expect(await migrate(own)).toEqual({ migrations: [] });
  });
});

it.skipIf(isLeftOut)('`claims migrate` through PgBouncer is not held up by others who use the same connections', async () => {
  await withEmptyDatabase(async (own) => {
    // Each statement may go over another connection to the server, and so may the next one of the migrations.
    const others = Array.from({ length: 4 }, () => keepAsking(own.DATABASE_URL));
    expect(await migrate(own)).toEqual({ migrations: migrations.map(({ name }) => name) });
    await Promise.all(others.map((stop) => stop()));
  }, 4);
});

/** Statements one after the other, until told to stop. */
function keepAsking(url: string): () => Promise<void> {
  let isStopped = false;
  const asking = inSession(url, async (session) => {
    while (!isStopped) await session.query('SELECT pg_sleep(0.001)');
  });
  return () => {
    isStopped = true;
    return asking;
  };
}

/** In a process of its own, as two that run at the same time must be. */
async function migrate(own: Record<string, string>): Promise<{ migrations: string[] }> {
  const { code, stdout, stderr } = await runClaims(['migrate', '--json'], own);
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as { migrations: string[] };
}

/** A database without a schema, behind a PgBouncer that has few connections to it. */
async function withEmptyDatabase(
  work: (own: { DATABASE_URL: string; DATABASE_POOLER: string }) => Promise<void>,
  connections = 2,
): Promise<void> {
  const empty = await createDatabase();
  await rowsOf(empty.url, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  const before = await startPgBouncer(empty.url, connections);
  try {
    await work({ DATABASE_URL: before.url, DATABASE_POOLER: 'transaction' });
  } finally {
    await before.stop();
    await empty.drop();
  }
}
