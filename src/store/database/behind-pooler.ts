import type pg from 'pg';
import { SESSION, SET_LOCAL } from './connection-options.js';
import { execute, prepared } from './prepared-statements.js';

/** What a connection does by itself. Directly to Postgres it does both. */
export interface SessionFacts {
  /** It has our settings without being told in each transaction. */
  readonly hasSettings: boolean;
  /** A statement that it has prepared by name is there when it is asked for again. */
  readonly keepsStatements: boolean;
}

export const DIRECT: SessionFacts = { hasSettings: true, keepsStatements: true };
export const POOLED: SessionFacts = { hasSettings: false, keepsStatements: false };

const SETTINGS = `SELECT concat_ws(' ', ${Object.keys(SESSION)
  .map((name) => `current_setting('${name}', true)`)
  .join(', ')}) AS settings`;

/** It finds itself. A pooler that knows prepared statements gives each a name of its own at the server. */
const PROBE = prepared({ name: 'claims_probe', text: `SELECT name FROM pg_prepared_statements WHERE statement LIKE '%claims_probe%'` });

/** Asked at the start, on a connection of its own that is closed then. */
export async function askPooler(client: pg.PoolClient): Promise<SessionFacts> {
  const settings = async (): Promise<string> => (await client.query<{ settings: string }>(SETTINGS)).rows[0]!.settings;
  await client.query('BEGIN');
  const ofRole = await settings();
  await client.query(SET_LOCAL);
  const hasSettings = ofRole === (await settings());
  const names = (await execute<{ name: string }>(client, PROBE, [])).map(({ name }) => name);
  // It would stay at the server, and the next client of that connection would meet it.
  if (names.includes(PROBE.name)) await client.query(`DEALLOCATE ${PROBE.name}`);
  await client.query('COMMIT');
  return { hasSettings, keepsStatements: names.length === 1 && !names.includes(PROBE.name) };
}
