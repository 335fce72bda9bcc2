import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { startApp } from './app.js';
import { aTenant } from './builders.js';
import { Client } from './client.js';
import { createDatabase, rowsOf } from './database.js';
import { startPgBouncer } from './pgbouncer.js';
import { aProject } from './webhooks.js';

type Undo = (() => Promise<unknown>)[];

/** A database in whose schema `public` another service has tables of all our names, with rows. */
async function withAnotherService(toUndo: Undo): Promise<string> {
  const { url, drop } = await createDatabase();
  toUndo.push(drop);
  const other = await startApp({ DATABASE_URL: url, DATABASE_POOLER: 'none' });
  await aProject(new Client(other.url, (await aTenant(other)).key));
  await other.close();
  await rowsOf(url, 'CREATE TABLE extension_notes (organization_id uuid)');
  return url;
}

/** As docs/operating.md says, for the one role that the tests have. */
async function chooseSchema(url: string): Promise<void> {
  const [role, database] = [pg.escapeIdentifier(new URL(url).username), new URL(url).pathname.slice(1)];
  const document = await readFile('docs/operating.md', 'utf8');
  const sql = /<!-- schema -->\n```sql\n([^]*?)```/.exec(document)![1]!;
  await rowsOf(url, sql.replaceAll(/claims_(migrator|service)/g, role).replaceAll('DATABASE claims', `DATABASE ${database}`));
}

interface Prepared {
  /** The address without a pooler. */
  readonly database: string;
  readonly env: Readonly<Record<string, string>>;
}

/** How operators choose a schema. */
export const WAYS_TO_A_SCHEMA: Record<string, (toUndo: Undo) => Promise<Prepared>> = {
  'its role': async (toUndo) => {
    const database = await withAnotherService(toUndo);
    await chooseSchema(database);
    return { database, env: { DATABASE_URL: database, DATABASE_POOLER: 'none' } };
  },
  'its role, behind PgBouncer': async (toUndo) => {
    const database = await withAnotherService(toUndo);
    await chooseSchema(database);
    const bouncer = await startPgBouncer(database, 10);
    toUndo.push(bouncer.stop);
    return { database, env: { DATABASE_URL: bouncer.url, DATABASE_POOLER: 'transaction' } };
  },
  'the options of its address': async (toUndo) => {
    const database = await withAnotherService(toUndo);
    await rowsOf(database, 'CREATE SCHEMA claims');
    const url = new URL(database);
    url.searchParams.set('options', '-c search_path=claims,public');
    return { database, env: { DATABASE_URL: url.href, DATABASE_POOLER: 'none' } };
  },
};

/** How many rows each table of `public` has. */
export async function rowsOfPublic(url: string): Promise<unknown[]> {
  const tables = await rowsOf<{ name: string }>(url, "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1");
  return rowsOf(url, tables.map(({ name }) => `SELECT '${name}' AS name, count(*)::int FROM public.${name}`).join(' UNION ALL '));
}
