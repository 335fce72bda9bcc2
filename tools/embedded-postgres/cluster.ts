import { existsSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { type Binaries, engineCannotRun } from './binaries.js';
import { type ConnectionFacts, newPassword, writeFacts } from './connection-facts.js';
import { giveTo, type RunAs } from './drop-privileges.js';
import { EmbeddedDatabaseError } from './embedded-database-error.js';
import { createCluster, hasCluster, removeDrafts, resetPassword } from './initialize.js';
import { isDiskFull, type Place } from './place.js';
import { findPostmaster, isPidTaken, outliveStragglers, type ProcessMark, readPostmasterPid, stopPostmaster } from './processes.js';
import { type Readiness, whenReady } from './readiness.js';
import { logLinePrefix, openServerLog } from './server-log.js';
import { couldNotRun, runWatched, type Watched } from './watchdog.js';

export interface Setup {
  place: Place;
  binaries: Binaries;
  runAs: RunAs;
  database: string;
  settings: Record<string, string>;
  owner: ProcessMark;
}

export interface Server {
  facts: ConnectionFacts;
  stop(): Promise<void>;
}

interface Failure {
  error: EmbeddedDatabaseError;
  /** Somebody ended it, or a sibling of ours got in its way: nothing is wrong with the cluster. */
  unexplained: boolean;
}

const startPatienceMs = 120_000;
const endPatienceMs = 5_000;
const attempts = 4;

const withoutComplaint: Record<Readiness, string> = {
  ready: 'it answers',
  ended: 'something ended it',
  late: `no answer within ${startPatienceMs / 1000} s`,
  refused: 'it does not take its own password',
};

const defaultSettings = {
  shared_buffers: '128MB',
  max_connections: '100',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: logLinePrefix,
};

/** Makes the cluster when there is none, starts it and waits until it answers. Only under the start lock. */
export async function startServer(setup: Setup, known: ConnectionFacts | undefined): Promise<Server> {
  const { place, binaries, runAs, owner } = setup;
  removeDrafts(place);
  if (!hasCluster(place)) {
    const password = newPassword();
    await createCluster(place, binaries, runAs, password, () => writeFacts(place.factsFile, { port: 0, password, owner }));
    return startCluster(setup, password, false);
  }
  const hadCrashed = await clearLeftOvers(place.folder);
  giveTo(runAs.owner, place.folder);
  const password = known?.password ?? newPassword();
  if (!known) await resetPassword(place, binaries, runAs, password);
  return startCluster(setup, password, hadCrashed);
}

async function startCluster(setup: Setup, password: string, hadCrashed: boolean): Promise<Server> {
  const { place } = setup;
  for (let attempt = 1; ; attempt++) {
    const facts = { port: await freePort(), password, owner: setup.owner };
    // Written before the start: whoever finds a running server must also find who is answerable for it.
    writeFacts(place.factsFile, facts);
    const outcome = await launch(setup, facts);
    if ('stop' in outcome) return outcome;
    // A port may be taken in between, and the processes of a killed server may need a moment to let go of the folder.
    const worthAnother = outcome.unexplained || hadCrashed || hasPidFile(place.folder) || (await isPortTaken(facts.port));
    if (attempt === attempts || !worthAnother) throw outcome.error;
    await delay(50 * 2 ** attempt);
    await clearLeftOvers(place.folder);
  }
}

/** Returns the failure, for the caller to decide whether another attempt makes sense. */
async function launch(setup: Setup, facts: ConnectionFacts, mayReset = true): Promise<Server | Failure> {
  const { place, binaries, runAs } = setup;
  const log = openServerLog(place.logFile);
  try {
    const engine = runWatched([binaries.postgres, '-D', place.folder, ...options(setup, facts.port)], runAs, log.handle);
    const readiness = await askWhenReady(engine, setup, facts);
    const pid = findPostmaster(place.folder);
    if (readiness === 'ready') return { facts, stop: () => end(engine, pid, place.folder) };
    if (couldNotRun(engine)) throw engineCannotRun(log.firstLine());
    await end(engine, pid, place.folder);
    if (readiness !== 'refused' || !mayReset) return describeFailure(place, readiness, log.complaint());
  } finally {
    log.close();
  }
  await resetPassword(place, binaries, runAs, facts.password);
  return launch(setup, facts, false);
}

/** An error is an answer as well: the engine runs, but cannot open the database. */
function askWhenReady(engine: Watched, { place, database }: Setup, facts: ConnectionFacts): Promise<Readiness | Error> {
  const hasEnded = (): boolean => engine.exitCode !== undefined;
  return whenReady({ facts, database, folder: place.folder, patienceMs: startPatienceMs, hasEnded }).catch((error: unknown) =>
    error instanceof Error ? error : new Error(String(error)),
  );
}

/** Idempotent. The pipe asks for a fast shutdown; the signals are for an engine that does not listen. */
async function end(engine: Watched, pid: number | undefined, folder: string): Promise<void> {
  engine.letGo();
  if (pid !== undefined) await stopPostmaster(pid, folder);
  await Promise.race([engine.ended, delay(endPatienceMs, undefined, { ref: false })]);
  engine.kill();
  await engine.ended;
}

/** Ours come last, so no setting of the caller can open the engine to the network. */
function options({ settings }: Setup, port: number): string[] {
  const fixed = { listen_addresses: '127.0.0.1', port: String(port), unix_socket_directories: '', logging_collector: 'off' };
  return Object.entries({ ...defaultSettings, ...settings, ...fixed }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

function describeFailure(place: Place, outcome: Readiness | Error, complaint: string | undefined): Failure {
  const reason = outcome instanceof Error ? outcome.message : (complaint ?? withoutComplaint[outcome]);
  const mayPass = complaint === undefined && (outcome === 'ended' || outcome === 'late');
  const message =
    `The embedded database in ${place.folder} does not start (${reason}): ` +
    `${mayPass ? 'try again' : remedyFor(place)}; the log is ${place.logFile}.`;
  return { error: new EmbeddedDatabaseError(message, { cause: outcome }), unexplained: mayPass && outcome === 'ended' };
}

function remedyFor(place: Place): string {
  if (isDiskFull(place)) return 'its disk is full, so make room and start again';
  return `move ${place.folder} away to start empty, or restore it from a backup`;
}

/**
 * Whether the last run ended in a crash. Whatever still runs here under the start lock has lost its owner, and is about to
 * end by itself; this makes sure. Postgres copes with a file left behind, except for one that a crash left empty, and for a
 * pid that meanwhile went to an unrelated process (or a zombie), which it would take for a running server.
 */
async function clearLeftOvers(folder: string): Promise<boolean> {
  const running = findPostmaster(folder);
  if (running !== undefined) await stopPostmaster(running, folder);
  const pid = readPostmasterPid(folder);
  if (pid === undefined) return false;
  await outliveStragglers(folder);
  if (Number.isNaN(pid) || isPidTaken(pid)) rmSync(join(folder, 'postmaster.pid'), { force: true });
  return true;
}

function hasPidFile(folder: string): boolean {
  return existsSync(join(folder, 'postmaster.pid'));
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
