import pg from 'pg';
import { inject } from 'vitest';
import { newId } from '../../src/kernel/ids.js';

/** A migrated, empty database of a test's own, and how to be rid of it. */
export async function createDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `own_${newId().replaceAll('-', '')}`;
  const url = new URL(inject('templateUrl'));
  const template = url.pathname.slice(1);
  url.pathname = '/postgres';
  const admin = url.href;
  await runOnce(admin, `CREATE DATABASE "${name}" TEMPLATE "${template}"`);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => runOnce(admin, `DROP DATABASE "${name}" WITH (FORCE)`) };
}

async function runOnce(url: string, sql: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** Rows as they stand in a database, for looking behind the API. */
export async function rowsOf<Row extends object>(url: string, sql: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<Row>(sql, values)).rows;
  } finally {
    await client.end();
  }
}
