import { setTimeout as delay } from 'node:timers/promises';

import { Client, DatabaseError, escapeIdentifier } from 'pg';

import { type ConnectionFacts, connectionUrl, superuser } from './connection-facts.js';
import { EmbeddedDatabaseError } from './embedded-database-error.js';

/** `ended`: the server went away while we asked. `refused`: it runs, but does not take our password. */
export type Readiness = 'ready' | 'ended' | 'refused' | 'late';

interface Question {
  facts: Pick<ConnectionFacts, 'port' | 'password'>;
  database: string;
  folder: string;
  patienceMs: number;
  /** Whether the server in question is gone, for then nobody will ever answer. */
  hasEnded: () => boolean;
}

const connectTimeoutMs = 5_000;
/** A port taken by someone else in between ends our own server within milliseconds; a wrong password does not. */
const refusalsBelieved = 10;

const noSuchDatabase = '3D000';
const wrongPassword = '28P01';
/** Starting, recovering, shutting down; or every connection is in use. */
const passingStates = /^(57P0.|53300)$/;
const databaseExists = new Set(['42P04', '23505']);

/** Asks until the server answers, at first every few milliseconds, more patiently when it has a crash to recover from. */
export async function whenReady(question: Question): Promise<Readiness> {
  const begin = Date.now();
  for (let refusals = 0; ;) {
    if (question.hasEnded()) return 'ended';
    const code = await attempt(question);
    if (code === 'ready') return 'ready';
    if (code === wrongPassword && ++refusals > refusalsBelieved) return 'refused';
    const waited = Date.now() - begin;
    if (waited > question.patienceMs) return 'late';
    await delay(Math.min(250, 4 + waited / 20));
  }
}

async function attempt({ facts, database, folder }: Question): Promise<string> {
  const connect = (name: string, work?: (client: Client) => Promise<void>): Promise<string> =>
    connectOnce(connectionUrl(facts, name), folder, work);
  const code = await connect(database);
  if (code !== noSuchDatabase) return code;
  const created = await connect(superuser, (client) => createDatabase(client, database));
  const again = created === 'ready' ? await connect(database) : created;
  if (again === noSuchDatabase) throw new EmbeddedDatabaseError(`the database ${database} is listed, but its files are missing`);
  return again;
}

/** `ready`, or the code of a state that may pass. Whatever does not pass by itself is thrown. */
async function connectOnce(connectionString: string, folder: string, work?: (client: Client) => Promise<void>): Promise<string> {
  const client = new Client({ connectionString, connectionTimeoutMillis: connectTimeoutMs, ssl: false });
  client.on('error', () => undefined);
  try {
    await client.connect();
    if (!(await isServerOf(client, folder))) return 'somebody else';
    await work?.(client);
    return 'ready';
  } catch (error) {
    const code = error instanceof DatabaseError ? (error.code ?? '') : 'unreachable';
    if (code === 'unreachable' || code === noSuchDatabase || code === wrongPassword || passingStates.test(code)) return code;
    throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** A copy of this data folder has the same password, so the right port alone proves nothing. */
async function isServerOf(client: Client, folder: string): Promise<boolean> {
  const { rows } = await client.query<{ folder: string }>("select current_setting('data_directory') as folder");
  return rows[0]?.folder === folder;
}

/** Two commands may find it missing at the same time. */
async function createDatabase(client: Client, database: string): Promise<void> {
  try {
    await client.query(`create database ${escapeIdentifier(database)}`);
  } catch (error) {
    if (!(error instanceof DatabaseError && databaseExists.has(error.code ?? ''))) throw error;
  }
}
