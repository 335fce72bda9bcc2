import { setTimeout as delay } from 'node:timers/promises';
import { findBinaries } from './binaries.js';
import { startServer, type Server } from './cluster.js';
import { connectionUrl, readConnectionInfo, type ConnectionInfo } from './connection-info.js';
import { chooseEngineUser } from './engine-user.js';
import { toEmbeddedDatabaseError, EmbeddedDatabaseError } from './embedded-database-error.js';
import { preparePaths, type DatabasePaths } from './paths.js';
import { findPostmaster, isPostgresOf, isRunning, identify } from './processes.js';
import { whenReady } from './readiness.js';
import { withLock } from './start-lock.js';

export interface EmbeddedDatabaseOptions {
  dataDir: string;
  /**
   * `own`: for the long-running server. Fails if another live process owns the database of this folder.
   * `share`: for short commands. Attaches to the running database, or starts it and stops it again.
   */
  mode: 'own' | 'share';
  /** Further settings of Postgres. They have no effect if the database is already running. */
  settings?: Record<string, string>;
  /** Variables that its processes get beside our own. They have no effect if the database is already running. */
  env?: Record<string, string>;
  /** The name of the database, `claims` by default. Created if it is missing. */
  database?: string;
}

export interface EmbeddedDatabase {
  url: string;
  port: number;
  /** Whether this process started the engine. If not, its connections end when the owner stops. */
  owned: boolean;
  /** Stops the engine if this process owns it, and does nothing otherwise. May be called more than once. */
  stop(): Promise<void>;
}

const ATTACH_TIMEOUT_MS = 30_000;
const OWNER_EXIT_TIMEOUT_MS = 500;
const OWNER_EXIT_POLL_MS = 20;

/** If this process dies without calling `stop`, even by kill -9, the engine is shut down as well. */
export async function openEmbeddedDatabase(options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  try {
    const paths = preparePaths(options.dataDir);
    return await withLock(paths.lockFile, () => attachOrStart(paths, options));
  } catch (error) {
    throw toEmbeddedDatabaseError(error, options.dataDir);
  }
}

async function attachOrStart(paths: DatabasePaths, options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  const connection = readConnectionInfo(paths.connectionFile);
  const running = findPostmaster(paths.clusterDir);
  if (running === undefined || !connection || !isRunning(connection.owner)) return start(paths, options, connection);
  const attached = options.mode === 'own' ? await waitForOwnerToStop(paths, connection) : await attach(paths, options, connection, running);
  return attached ?? attachOrStart(paths, options);
}

async function start(paths: DatabasePaths, options: EmbeddedDatabaseOptions, known: ConnectionInfo | undefined): Promise<EmbeddedDatabase> {
  const { database = 'claims', settings = {}, env = {} } = options;
  const owner = identify(process.pid);
  if (!owner) throw new EmbeddedDatabaseError('The embedded database needs /proc or the command ps: set DATABASE_URL instead.');
  const binaries = findBinaries();
  const engineUser = chooseEngineUser(binaries, paths);
  const server = await startServer({ paths, binaries, engineUser, database, settings, env, owner }, known);
  return { url: connectionUrl(server.connection, database), port: server.connection.port, owned: true, stop: once(server) };
}

/** After a restart the previous owner may still be stopping, so wait a moment. Throws if it stays. */
async function waitForOwnerToStop(paths: DatabasePaths, connection: ConnectionInfo): Promise<undefined> {
  const deadline = Date.now() + OWNER_EXIT_TIMEOUT_MS;
  while (findPostmaster(paths.clusterDir) !== undefined && isRunning(connection.owner)) {
    if (Date.now() > deadline || connection.owner.pid === process.pid) throw alreadyOwned(paths, connection);
    await delay(OWNER_EXIT_POLL_MS);
  }
}

/** Returns undefined if the owner stops the engine at this moment: the caller then starts it. */
async function attach(
  paths: DatabasePaths,
  { database = 'claims' }: EmbeddedDatabaseOptions,
  connection: ConnectionInfo,
  running: number,
): Promise<EmbeddedDatabase | undefined> {
  const hasEnded = (): boolean => !isPostgresOf(running, paths.clusterDir);
  const check = { connection, database, clusterDir: paths.clusterDir, timeoutMs: ATTACH_TIMEOUT_MS, hasEnded };
  const readiness = await whenReady(check).catch((error: unknown) => error);
  if (readiness === 'ended') return undefined;
  if (readiness !== 'ready') throw doesNotAnswer(paths, connection, readiness);
  return { url: connectionUrl(connection, database), port: connection.port, owned: false, stop: () => Promise.resolve() };
}

function once(server: Server): () => Promise<void> {
  let stopped: Promise<void> | undefined;
  return () => (stopped ??= server.stop());
}

function alreadyOwned(paths: DatabasePaths, { owner }: ConnectionInfo): EmbeddedDatabaseError {
  return new EmbeddedDatabaseError(
    `The embedded database in ${paths.clusterDir} is already in use by process ${owner.pid}: ` +
      'stop that process first, or set DATA_DIR to another folder.',
  );
}

function doesNotAnswer(paths: DatabasePaths, { owner }: ConnectionInfo, cause: unknown): EmbeddedDatabaseError {
  const reason = cause instanceof Error ? ` (${cause.message})` : '';
  return new EmbeddedDatabaseError(
    `The embedded database in ${paths.clusterDir}, started by process ${owner.pid}, does not answer${reason}: ` +
      'stop that process and try again.',
    { cause },
  );
}
