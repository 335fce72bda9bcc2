import { setTimeout as delay } from 'node:timers/promises';

import { findBinaries } from './binaries.js';
import { type Server, startServer } from './cluster.js';
import { type ConnectionFacts, connectionUrl, readFacts } from './connection-facts.js';
import { chooseRunAs } from './drop-privileges.js';
import { asEmbeddedDatabaseError, EmbeddedDatabaseError } from './embedded-database-error.js';
import { type Place, preparePlace } from './place.js';
import { findPostmaster, isPostgresOf, isRunning, markOf } from './processes.js';
import { whenReady } from './readiness.js';
import { underLock } from './start-lock.js';

export { EmbeddedDatabaseError } from './embedded-database-error.js';

export interface EmbeddedDatabaseOptions {
  dataDir: string;
  /**
   * `own`: for the long-running server; fails when another live process runs the database of this folder.
   * `share`: for short commands; attaches to the running database, or starts it and stops it again.
   */
  mode: 'own' | 'share';
  /** Further settings of the engine. They have no effect on a database that already runs. */
  settings?: Record<string, string>;
  /** Created when missing. */
  database?: string;
}

export interface EmbeddedDatabase {
  url: string;
  port: number;
  /** Whether this process started it. Whoever merely attached sees its connections end when the owner stops. */
  owned: boolean;
  /** Ends the engine when we own it, and does nothing otherwise. May be called more than once. */
  stop(): Promise<void>;
}

const attachPatienceMs = 30_000;
const outlivePatienceMs = 500;
const outlivePollMs = 20;

/** Should our process die without `stop`, however suddenly, the engine is shut down all the same. */
export async function openEmbeddedDatabase(options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  try {
    const place = preparePlace(options.dataDir);
    return await underLock(place.lockFile, () => attachOrStart(place, options));
  } catch (error) {
    throw asEmbeddedDatabaseError(error, options.dataDir);
  }
}

async function attachOrStart(place: Place, options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  const facts = readFacts(place.factsFile);
  const running = findPostmaster(place.folder);
  if (running === undefined || !facts || !isRunning(facts.owner)) return start(place, options, facts);
  const attached = options.mode === 'own' ? await outlive(place, facts) : await attach(place, options, facts, running);
  return attached ?? attachOrStart(place, options);
}

async function start(place: Place, options: EmbeddedDatabaseOptions, known: ConnectionFacts | undefined): Promise<EmbeddedDatabase> {
  const { database = 'claims', settings = {} } = options;
  const owner = markOf(process.pid);
  if (!owner) throw new EmbeddedDatabaseError('The embedded database needs /proc or the command ps: set DATABASE_URL instead.');
  const binaries = findBinaries();
  const runAs = chooseRunAs(binaries, place);
  const server = await startServer({ place, binaries, runAs, database, settings, owner }, known);
  return { url: connectionUrl(server.facts, database), port: server.facts.port, owned: true, stop: once(server) };
}

/** A restart may come a moment before the last run is quite gone; an owner that stays is reported. */
async function outlive(place: Place, facts: ConnectionFacts): Promise<undefined> {
  const deadline = Date.now() + outlivePatienceMs;
  while (findPostmaster(place.folder) !== undefined && isRunning(facts.owner)) {
    if (Date.now() > deadline || facts.owner.pid === process.pid) throw alreadyOwned(place, facts);
    await delay(outlivePollMs);
  }
}

/** Nothing when the owner stops it at this very moment; then it is ours to start. */
async function attach(
  place: Place,
  { database = 'claims' }: EmbeddedDatabaseOptions,
  facts: ConnectionFacts,
  running: number,
): Promise<EmbeddedDatabase | undefined> {
  const hasEnded = (): boolean => !isPostgresOf(running, place.folder);
  const question = { facts, database, folder: place.folder, patienceMs: attachPatienceMs, hasEnded };
  const readiness = await whenReady(question).catch((error: unknown) => error);
  if (readiness === 'ended') return undefined;
  if (readiness !== 'ready') throw doesNotAnswer(place, facts, readiness);
  return { url: connectionUrl(facts, database), port: facts.port, owned: false, stop: () => Promise.resolve() };
}

function once(server: Server): () => Promise<void> {
  let stopped: Promise<void> | undefined;
  return () => (stopped ??= server.stop());
}

function alreadyOwned(place: Place, { owner }: ConnectionFacts): EmbeddedDatabaseError {
  return new EmbeddedDatabaseError(
    `The embedded database in ${place.folder} is already in use by process ${owner.pid}: ` +
      'stop that process first, or set DATA_DIR to another folder.',
  );
}

function doesNotAnswer(place: Place, { owner }: ConnectionFacts, cause: unknown): EmbeddedDatabaseError {
  const reason = cause instanceof Error ? ` (${cause.message})` : '';
  return new EmbeddedDatabaseError(
    `The embedded database in ${place.folder}, started by process ${owner.pid}, does not answer${reason}: ` +
      'stop that process and try again.',
    { cause },
  );
}
