/** A data source, or the runner of one connection. */
interface Queries {
  query(sql: string, values?: unknown[]): Promise<unknown>;
}

const KEY = "hashtext('claims.migrate')";

export const TRY_MIGRATE_LOCK = `SELECT pg_try_advisory_xact_lock(${KEY}) AS held`;

const HOLDERS_OF_MIGRATE_LOCK = `
  SELECT array_agg(pid) AS pids FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database AND datname = current_database()
  WHERE locktype = 'advisory' AND granted AND objsubid = 1 AND (classid::bigint << 32) | objid::bigint = ${KEY}::bigint`;

// A session of another role shows no state.
const DESCRIBED = `
  SELECT string_agg(
    concat_ws(', ', 'pid ' || pid, 'application_name ' || nullif(application_name, ''), 'user ' || usename, state), '; ') AS text
  FROM pg_stat_activity WHERE pid = ANY ($1)`;

export const UNKNOWN = 'it cannot be said which';

export async function holdersOfMigrateLock(queries: Queries): Promise<string> {
  const [row] = (await queries.query(HOLDERS_OF_MIGRATE_LOCK)) as { pids: number[] | null }[];
  return (await describe(queries, row!.pids ?? [])) ?? UNKNOWN;
}

/** Who holds, or awaits before it, the lock that a session waits for. Undefined if it does not wait. */
export async function sessionsBlocking(queries: Queries, pid: number): Promise<string | undefined> {
  const [row] = (await queries.query('SELECT pg_blocking_pids($1) AS pids', [pid])) as { pids: number[] }[];
  return row!.pids.length === 0 ? undefined : describe(queries, row!.pids);
}

async function describe(queries: Queries, pids: readonly number[]): Promise<string | undefined> {
  const [row] = (await queries.query(DESCRIBED, [pids])) as { text: string | null }[];
  return row!.text ?? undefined;
}
