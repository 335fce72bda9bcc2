import { setTimeout as delay } from 'node:timers/promises';
import { Client, DatabaseError, escapeIdentifier } from 'pg';
import { connectionUrl, SUPERUSER, type ConnectionInfo } from './connection-info.js';
import { EmbeddedDatabaseError } from './embedded-database-error.js';

/** `ended`: the server stopped while we asked. `refused`: it is up, but rejects our password. `late`: no answer in time. */
export type Readiness = 'ready' | 'ended' | 'refused' | 'late';

interface ReadinessCheck {
  connection: Pick<ConnectionInfo, 'port' | 'password'>;
  database: string;
  clusterDir: string;
  timeoutMs: number;
  /** Whether the server has ended. Asking again is then pointless. */
  hasEnded: () => boolean;
}

const CONNECT_TIMEOUT_MS = 5_000;
/** Another server on our port may reject us a few times until ours has ended. More rejections mean a wrong password. */
const MAX_WRONG_PASSWORDS = 10;

const NO_SUCH_DATABASE = '3D000';
const WRONG_PASSWORD = '28P01';
/** Starting, recovering, shutting down, or all connections in use. */
const TRANSIENT_STATES = /^(57P0.|53300)$/;
const DATABASE_EXISTS = new Set(['42P04', '23505']);

/** Connects again and again until the server answers: every few milliseconds at first, less often during a crash recovery. */
export async function whenReady(check: ReadinessCheck): Promise<Readiness> {
  const begin = Date.now();
  for (let refusals = 0; ;) {
    if (check.hasEnded()) return 'ended';
    const code = await attempt(check);
    if (code === 'ready') return 'ready';
    if (code === WRONG_PASSWORD && ++refusals > MAX_WRONG_PASSWORDS) return 'refused';
    const waited = Date.now() - begin;
    if (waited > check.timeoutMs) return 'late';
    await delay(Math.min(250, 4 + waited / 20));
  }
}

async function attempt({ connection, database, clusterDir }: ReadinessCheck): Promise<string> {
  const connect = (name: string, then?: (client: Client) => Promise<void>): Promise<string> =>
    connectOnce(connectionUrl(connection, name), clusterDir, then);
  const code = await connect(database);
  if (code !== NO_SUCH_DATABASE) return code;
  const created = await connect(SUPERUSER, (client) => createDatabase(client, database));
  const again = created === 'ready' ? await connect(database) : created;
  if (again === NO_SUCH_DATABASE) throw new EmbeddedDatabaseError(`the database ${database} is listed, but its files are missing`);
  return again;
}

/** Returns `ready` or the code of a transient state, and throws any other error. */
async function connectOnce(connectionString: string, clusterDir: string, then?: (client: Client) => Promise<void>): Promise<string> {
  const client = new Client({ connectionString, connectionTimeoutMillis: CONNECT_TIMEOUT_MS, ssl: false });
  client.on('error', () => undefined);
  try {
    await client.connect();
    if (!(await serves(client, clusterDir))) return 'another server';
    await then?.(client);
    return 'ready';
  } catch (error) {
    const code = error instanceof DatabaseError ? (error.code ?? '') : 'unreachable';
    if (code === 'unreachable' || code === NO_SUCH_DATABASE || code === WRONG_PASSWORD || TRANSIENT_STATES.test(code)) return code;
    throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** A copy of this data folder has the same password, so a successful login does not prove that this is our server. */
async function serves(client: Client, clusterDir: string): Promise<boolean> {
  const { rows } = await client.query<{ directory: string }>("select current_setting('data_directory') as directory");
  return rows[0]?.directory === clusterDir;
}

/** Two commands may find the database missing at the same time, so it is fine if another one created it first. */
async function createDatabase(client: Client, database: string): Promise<void> {
  try {
    await client.query(`create database ${escapeIdentifier(database)}`);
  } catch (error) {
    if (!(error instanceof DatabaseError && DATABASE_EXISTS.has(error.code ?? ''))) throw error;
  }
}
