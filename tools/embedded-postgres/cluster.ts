import { existsSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { engineUnavailable, type Binaries } from './binaries.js';
import { newPassword, writeConnectionInfo, type ConnectionInfo } from './connection-info.js';
import { giveTo, type EngineUser } from './engine-user.js';
import { EmbeddedDatabaseError } from './embedded-database-error.js';
import { createCluster, hasCluster, removeDrafts, resetPassword } from './initdb.js';
import { isDiskFull, type DatabasePaths } from './paths.js';
import {
  findPostmaster,
  isPidTaken,
  waitForLeftoverBackends,
  readPostmasterPid,
  stopPostmaster,
  type ProcessIdentity,
} from './processes.js';
import { whenReady, type Readiness } from './readiness.js';
import { LOG_LINE_PREFIX, openServerLog } from './server-log.js';
import { failedToStart, spawnWatched, type WatchedProcess } from './watchdog.js';

export interface StartOptions {
  paths: DatabasePaths;
  binaries: Binaries;
  engineUser: EngineUser;
  database: string;
  settings: Record<string, string>;
  env: Record<string, string>;
  owner: ProcessIdentity;
}

export interface Server {
  connection: ConnectionInfo;
  stop(): Promise<void>;
}

interface Failure {
  error: EmbeddedDatabaseError;
  /** The engine ended without a message in its log, so nothing points at a broken cluster and another attempt may succeed. */
  unexplained: boolean;
}

const START_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 5_000;
const MAX_ATTEMPTS = 4;

/** The reasons for errors when the log gives none. */
const FALLBACK_REASONS: Record<Readiness, string> = {
  ready: 'it answers',
  ended: 'another process stopped it',
  late: `no answer within ${START_TIMEOUT_MS / 1000} s`,
  refused: 'it rejects its own password',
};

const DEFAULT_SETTINGS = {
  shared_buffers: '128MB',
  max_connections: '100',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: LOG_LINE_PREFIX,
};

/** Creates the cluster if it is missing, starts it and waits until it answers. The caller must hold the start lock. */
export async function startServer(options: StartOptions, known: ConnectionInfo | undefined): Promise<Server> {
  const { paths, binaries, engineUser, owner } = options;
  removeDrafts(paths);
  if (!hasCluster(paths)) {
    const password = newPassword();
    await createCluster(paths, binaries, engineUser, password, () =>
      writeConnectionInfo(paths.connectionFile, { port: 0, password, owner }),
    );
    return startCluster(options, password, false);
  }
  const hadCrashed = await clearLeftovers(paths.clusterDir);
  giveTo(engineUser.owner, paths.clusterDir);
  const password = known?.password ?? newPassword();
  if (!known) await resetPassword(paths, binaries, engineUser, password);
  return startCluster(options, password, hadCrashed);
}

async function startCluster(options: StartOptions, password: string, hadCrashed: boolean): Promise<Server> {
  const { paths } = options;
  for (let attempt = 1; ; attempt++) {
    const connection = { port: await freePort(), password, owner: options.owner };
    // Written before the start: a process that finds a running server must also find which process owns it.
    writeConnectionInfo(paths.connectionFile, connection);
    const outcome = await launch(options, connection);
    if ('stop' in outcome) return outcome;
    // Another process may have taken the port since, and processes of a killed server may hold the folder a moment longer.
    const shouldRetry = outcome.unexplained || hadCrashed || hasPidFile(paths.clusterDir) || (await isPortTaken(connection.port));
    if (attempt === MAX_ATTEMPTS || !shouldRetry) throw outcome.error;
    await delay(50 * 2 ** attempt);
    await clearLeftovers(paths.clusterDir);
  }
}

/** Returns a failure instead of throwing it, so that the caller can decide whether to try again. */
async function launch(options: StartOptions, connection: ConnectionInfo, mayReset = true): Promise<Server | Failure> {
  const { paths, binaries, engineUser } = options;
  const log = openServerLog(paths.logFile);
  try {
    const engine = spawnWatched(
      [binaries.postgres, '-D', paths.clusterDir, ...engineArguments(options, connection.port)],
      engineUser,
      log.handle,
      options.env,
    );
    const readiness = await awaitReadiness(engine, options, connection);
    const pid = findPostmaster(paths.clusterDir);
    if (readiness === 'ready') return { connection, stop: () => end(engine, pid, paths.clusterDir) };
    if (failedToStart(engine)) throw engineUnavailable(log.firstLine());
    await end(engine, pid, paths.clusterDir);
    if (readiness !== 'refused' || !mayReset) return describeFailure(paths, readiness, log.complaint());
  } finally {
    log.close();
  }
  await resetPassword(paths, binaries, engineUser, connection.password);
  return launch(options, connection, false);
}

/** Resolves to the error if the engine is up but cannot open the database. */
function awaitReadiness(engine: WatchedProcess, { paths, database }: StartOptions, connection: ConnectionInfo): Promise<Readiness | Error> {
  const hasEnded = (): boolean => engine.exitCode !== undefined;
  return whenReady({ connection, database, clusterDir: paths.clusterDir, timeoutMs: START_TIMEOUT_MS, hasEnded }).catch((error: unknown) =>
    error instanceof Error ? error : new Error(String(error)),
  );
}

/** Idempotent. Closing the pipe asks for a fast shutdown; the signals are for an engine that does not react to it. */
async function end(engine: WatchedProcess, pid: number | undefined, clusterDir: string): Promise<void> {
  engine.release();
  if (pid !== undefined) await stopPostmaster(pid, clusterDir);
  await Promise.race([engine.ended, delay(STOP_TIMEOUT_MS, undefined, { ref: false })]);
  engine.kill();
  await engine.ended;
}

/** The fixed settings come last, so that no setting of the caller can open the engine to the network. */
function engineArguments({ settings }: StartOptions, port: number): string[] {
  const fixed = { listen_addresses: '127.0.0.1', port: String(port), unix_socket_directories: '', logging_collector: 'off' };
  return Object.entries({ ...DEFAULT_SETTINGS, ...settings, ...fixed }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

function describeFailure(paths: DatabasePaths, outcome: Readiness | Error, complaint: string | undefined): Failure {
  const reason = outcome instanceof Error ? outcome.message : (complaint ?? FALLBACK_REASONS[outcome]);
  const mayBeTransient = complaint === undefined && (outcome === 'ended' || outcome === 'late');
  const message =
    `The embedded database in ${paths.clusterDir} does not start (${reason}): ` +
    `${mayBeTransient ? 'try again' : remedyFor(paths)}; the log is ${paths.logFile}.`;
  return { error: new EmbeddedDatabaseError(message, { cause: outcome }), unexplained: mayBeTransient && outcome === 'ended' };
}

function remedyFor(paths: DatabasePaths): string {
  if (isDiskFull(paths)) return 'its disk is full, so make room and start again';
  return `move ${paths.clusterDir} away to start empty, or restore it from a backup`;
}

/**
 * Returns whether the engine crashed last time. A server that is still up while we hold the start lock has lost its owner and
 * is about to shut down; this makes sure that it does. Postgres handles a leftover postmaster.pid, except an empty one, or one
 * whose pid now belongs to an unrelated process (or a zombie): it would take that process for a running server.
 */
async function clearLeftovers(clusterDir: string): Promise<boolean> {
  const running = findPostmaster(clusterDir);
  if (running !== undefined) await stopPostmaster(running, clusterDir);
  const pid = readPostmasterPid(clusterDir);
  if (pid === undefined) return false;
  await waitForLeftoverBackends(clusterDir);
  if (Number.isNaN(pid) || isPidTaken(pid)) rmSync(join(clusterDir, 'postmaster.pid'), { force: true });
  return true;
}

function hasPidFile(clusterDir: string): boolean {
  return existsSync(join(clusterDir, 'postmaster.pid'));
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

function isPortTaken(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(true));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(false)));
  });
}
