import pg from 'pg';
import { inject } from 'vitest';
import { createOnCitus, dropOnCitus } from './citus.js';
import { newId } from '../../src/kernel/ids.js';

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
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** Reads rows directly from the database, for checks that the API does not allow. */
export async function rowsOf<Row extends object>(url: string, sql: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<Row>(sql, values)).rows;
  } finally {
    await client.end();
  }
}
