import pg from 'pg';
import { inject } from 'vitest';
import { createOnCitus, dropOnCitus } from './citus.js';
import { newId } from '../../src/kernel/ids.js';
import { inSession } from './session.js';

/** Creates a migrated, empty database for one test. The caller drops it. */
export async function createDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `own_${newId().replaceAll('-', '')}`;
  const citus = process.env.TEST_CITUS_URL;
  if (citus) return { url: await createOnCitus(citus, name), drop: () => dropOnCitus(citus, name) };
  const url = new URL(inject('templateUrl'));
  const template = url.pathname.slice(1);
  url.pathname = '/postgres';
  const admin = url.href;
  await execute(admin, `CREATE DATABASE "${name}" TEMPLATE "${template}"`);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => execute(admin, `DROP DATABASE "${name}" WITH (FORCE)`) };
}

async function execute(url: string, sql: string): Promise<void> {
  await inSession(url, (client) => client.query(sql));
}

/** Reads rows directly from the database, for checks that the API does not allow. */
export async function rowsOf<Row extends object>(url: string, sql: string, values: unknown[] = []): Promise<Row[]> {
  const pool = poolOf(url);
  if (pool) return (await pool.query<Row>(sql, values)).rows;
  return inSession(url, async (session) => (await session.query<Row>(sql, values)).rows);
}

const pools = new Map<string, pg.Pool>();

/** A session costs a hundred times what is asked in it. A server of a test's own, which the test may end, has one for each question. */
function poolOf(url: string): pg.Pool | undefined {
  if (new URL(url).host !== new URL(inject('templateUrl')).host) return undefined;
  const known = pools.get(url);
  if (known) return known;
  const pool = new pg.Pool({ connectionString: url, max: 4, idleTimeoutMillis: 500, allowExitOnIdle: true });
  // Its database may be dropped meanwhile.
  pool.on('error', () => undefined);
  pools.set(url, pool);
  return pool;
}

/** As an administrator of the server, whom no trigger binds: what an attacker with all rights could do. */
export async function asAdministrator<Row extends object>(url: string, sql: string, values: unknown[] = []): Promise<Row[]> {
  return inSession(url, async (client) => {
    await client.query('SET session_replication_role = replica');
    return (await client.query<Row>(sql, values)).rows;
  });
}
