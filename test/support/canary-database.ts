import pg from 'pg';
import type { World } from '../fuzz/world.js';
import { Client } from './client.js';
import { rowsOf } from './database.js';
import { validCall, type Call } from './law-call.js';
import type { Canaries } from './canaries.js';

/** All rows of all tables, as text. */
export async function everyRow(url: string): Promise<Record<string, string>> {
  const named = await tableNames(url);
  const texts: Record<string, string> = {};
  for (const name of named) {
    const rows = await rowsOf<{ text: string }>(url, `SELECT one::text AS text FROM ${pg.escapeIdentifier(name)} one`);
    texts[name] = rows.map(({ text }) => text).join('\n');
  }
  return texts;
}

async function tableNames(url: string): Promise<string[]> {
  const rows = await rowsOf<{ name: string }>(
    url,
    `SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition
      AND relnamespace = 'public'::regnamespace ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

/** What the service must still read to know a key. */
const OF_CREDENTIALS = ['organizations', 'api_keys'];

/**
 * From now on no row can be written, and afterwards none can be read: errors of the database quote what was sent. Calls every
 * operation, and returns its statuses by its id.
 */
export async function failEveryOperation(world: World, canaries: Canaries, databaseUrl: string): Promise<Record<string, number>> {
  const names = await tableNames(databaseUrl);
  const calls: Call[] = [];
  for (const operation of world.app.operations) calls.push(await validCall(world.app, operation, world.key));
  const statuses: Record<string, number> = {};
  const send = async ({ operation, path, body }: Call): Promise<void> => {
    const name = canaries.content(`name of ${operation.id}, which fails`);
    const sent = typeof body === 'object' && 'name' in body ? { ...body, name } : body;
    statuses[operation.id] = (await new Client(world.url, world.key).send(operation.method, path, sent)).status;
  };
  const alter = (name: string, change: string) => rowsOf(databaseUrl, `ALTER TABLE ${pg.escapeIdentifier(name)} ${change}`);
  for (const name of names) await alter(name, 'ADD CONSTRAINT surprising CHECK (false) NOT VALID');
  for (const call of calls.filter(({ operation }) => operation.isWrite)) await send(call);
  for (const name of names.filter((one) => !OF_CREDENTIALS.includes(one)))
    await alter(name, `RENAME TO ${pg.escapeIdentifier(`${name}_away`)}`);
  for (const call of calls.filter(({ operation }) => !operation.isWrite)) await send(call);
  return statuses;
}
