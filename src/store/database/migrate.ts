import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource, QueryRunner } from 'typeorm';
import { StartError } from '../../kernel/settings/settings.js';
import { listsOf, type MigrationList, withList } from './extension-migrations.js';
import { nameOf } from '../../../tools/migration-plan/index.js';
import { LOCK_NOT_AVAILABLE } from './lock-codes.js';
import { requireSchema, requireServer, withPrivilegesNamed } from './requirements.js';

interface Queries {
  query(sql: string, values?: unknown[]): Promise<unknown>;
}

const KEY = "hashtext('claims.migrate')";
const TRY_MIGRATE_LOCK = `SELECT pg_try_advisory_xact_lock(${KEY}) AS held`;

const HOLDERS_OF_MIGRATE_LOCK = `
  SELECT array_agg(pid) AS pids FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database AND datname = current_database()
  WHERE locktype = 'advisory' AND granted AND objsubid = 1 AND (classid::bigint << 32) | objid::bigint = ${KEY}::bigint`;

// A session of another role shows no state.
const DESCRIBED = `
  SELECT string_agg(
    concat_ws(', ', 'pid ' || pid, 'application_name ' || nullif(application_name, ''), 'user ' || usename, state), '; ') AS text
  FROM pg_stat_activity WHERE pid = ANY ($1)`;

const UNKNOWN = 'it cannot be said which';

async function holdersOfMigrateLock(queries: Queries): Promise<string> {
  const [row] = (await queries.query(HOLDERS_OF_MIGRATE_LOCK)) as { pids: number[] | null }[];
  return (await describe(queries, row!.pids ?? [])) ?? UNKNOWN;
}

/** Who holds, or awaits before it, the lock that a session waits for. Undefined if it does not wait. */
async function sessionsBlocking(queries: Queries, pid: number): Promise<string | undefined> {
  const [row] = (await queries.query('SELECT pg_blocking_pids($1) AS pids', [pid])) as { pids: number[] }[];
  return row!.pids.length === 0 ? undefined : describe(queries, row!.pids);
}

async function describe(queries: Queries, pids: readonly number[]): Promise<string | undefined> {
  const [row] = (await queries.query(DESCRIBED, [pids])) as { text: string | null }[];
  return row!.text ?? undefined;
}

const TRY_EVERY_MS = 100;
/** The transaction waits for the migrations, however long they take. */
const MAY_WAIT = 'SET LOCAL idle_in_transaction_session_timeout = 0';
/** How long `claims migrate` waits for another run of it, and for locks that others hold. */
export const DEFAULT_WAIT_MS = 60_000;
/** Others who need the table wait as long. Above `deadlock_timeout` (1 s), when Postgres cancels an autovacuum that is in the way. */
const LOCK_TIMEOUT = '1500ms';
/** Meanwhile those who waited behind it go on. */
const TRY_AGAIN_AFTER_MS = 1000;
const LOOK_FOR_HOLDERS_EVERY_MS = 200;

/** The names of those that have not run yet: first those of the product, then those of extensions. */
export async function pendingMigrations(source: DataSource): Promise<string[]> {
  const pending: string[] = [];
  for (const list of listsOf(source)) pending.push(...(await findPending(source, list)));
  return pending;
}

async function findPending(source: DataSource, { table: name, migrations }: MigrationList): Promise<string[]> {
  // Not a table of the same name in another schema of the search path.
  const [{ table }] = await source.query<[{ table: string | null }]>(
    "SELECT to_regclass(quote_ident(current_schema()) || '.' || $1)::text AS table",
    [name],
  );
  const done = table === null ? [] : await source.query<{ name: string }[]>(`SELECT name FROM ${table}`);
  const names = new Set(done.map((row) => row.name));
  return migrations.map(nameOf).filter((migration) => !names.has(migration));
}

/** Each in its own transaction; none if one could not be run. Returns their names. `waitMs`: for another run, and for locks of others. */
export async function migrate(source: DataSource, waitMs = DEFAULT_WAIT_MS): Promise<string[]> {
  await requireServer(source);
  return withPrivilegesNamed(source, () => migrateOnce(source, waitMs));
}

async function migrateOnce(source: DataSource, waitMs: number): Promise<string[]> {
  const guard = source.createQueryRunner();
  try {
    await lock(guard, waitMs);
    const pending = await pendingMigrations(source);
    if (pending.length > 0) await requireSchema(source);
    await runPatiently(source, waitMs);
    await guard.commitTransaction();
    return pending;
  } finally {
    if (guard.isTransactionActive) await guard.rollbackTransaction();
    await guard.release();
  }
}

/**
 * Returns in a transaction that holds the lock, so that replicas that start together migrate once. The transaction stays open: behind a
 * pooler, a session's lock would stay on the server's connection. We poll for it: a statement that waits for it would hold a connection
 * of the pooler that the migrations may need, and would block concurrent index builds: they wait for every transaction that looks at data.
 */
async function lock(guard: QueryRunner, waitMs: number): Promise<void> {
  const until = Date.now() + waitMs;
  for (;;) {
    await guard.startTransaction();
    const [row] = (await guard.query(TRY_MIGRATE_LOCK)) as { held: boolean }[];
    if (row!.held) return void (await guard.query(MAY_WAIT));
    const holders = await holdersOfMigrateLock(guard);
    await guard.rollbackTransaction();
    if (Date.now() > until)
      throw new StartError(`Another \`claims migrate\` has been running for longer than ${waitMs / 1000} s: ${holders}.`);
    await delay(TRY_EVERY_MS);
  }
}

/** Tries again while others hold locks. Nothing of a migration that was interrupted in its transaction remains. */
async function runPatiently(source: DataSource, waitMs: number): Promise<void> {
  const until = Date.now() + waitMs;
  for (;;) {
    const holders = await attempt(source);
    if (holders === undefined) return;
    if (Date.now() > until) {
      const [name] = await pendingMigrations(source);
      throw new StartError(
        `${name} waited ${waitMs / 1000} s for a lock that another session holds: ${holders}. ` +
          'The migrations before it have run; run `claims migrate` again when the session has ended.',
      );
    }
    await delay(TRY_AGAIN_AFTER_MS);
  }
}

/** Returns undefined if all migrations have run, otherwise who holds a lock that one of them needs. */
async function attempt(source: DataSource): Promise<string | undefined> {
  const { MigrationExecutor } = await import('typeorm');
  const runner = source.createQueryRunner();
  const watch = new HolderWatch(source);
  limitWaiting(runner, (pid) => (watch.pid = pid));
  // It prints what the error says as well.
  source.logger.logMigration = () => undefined;
  // Who cannot be asked is not named.
  const watching = watch.run().catch(() => undefined);
  try {
    for (const list of listsOf(source)) {
      const executor = new MigrationExecutor(withList(source, list), runner);
      executor.transaction = 'each';
      await executor.executePendingMigrations();
    }
    return undefined;
  } catch (error) {
    if (!LOCK_NOT_AVAILABLE.includes((error as { code: string }).code)) throw error;
    return watch.holders;
  } finally {
    watch.stop();
    await watching;
    await runner.release();
  }
}

/** In each transaction, because behind a pooler a session has no settings of its own. */
function limitWaiting(runner: QueryRunner, told: (pid: number) => void): void {
  const start = runner.startTransaction.bind(runner);
  runner.startTransaction = async (level) => {
    await start(level);
    const sql = "SELECT set_config('lock_timeout', $1, true), pg_backend_pid() AS pid";
    const [row] = (await runner.query(sql, [LOCK_TIMEOUT])) as { pid: number }[];
    told(row!.pid);
  };
}

/** On a connection of its own: a transaction that stays open must not have looked at anything, or concurrent index builds wait for it. */
class HolderWatch {
  pid?: number;
  holders = UNKNOWN;
  private readonly stopped = new AbortController();

  constructor(private readonly source: DataSource) {}

  async run(): Promise<void> {
    const { signal } = this.stopped;
    while (!signal.aborted) {
      this.holders = (this.pid && (await sessionsBlocking(this.source, this.pid))) || this.holders;
      await delay(LOOK_FOR_HOLDERS_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  stop(): void {
    this.stopped.abort();
  }
}
