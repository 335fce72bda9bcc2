import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { engineUnavailable, ENGINE_ENV, type Binaries } from './binaries.js';
import { SUPERUSER } from './connection-info.js';
import { giveTo, type EngineUser } from './engine-user.js';
import { EmbeddedDatabaseError } from './embedded-database-error.js';
import { isDiskFull, type DatabasePaths } from './paths.js';
import { openServerLog } from './server-log.js';
import { failedToStart, spawnWatched } from './watchdog.js';

const DRAFT_PREFIX = 'postgres.new-';

/**
 * The builtin locale sorts the same on every machine and does not depend on the operating system's locales. `--no-clean`
 * because we clean up a failed attempt ourselves, after checking whether the disk was full.
 */
const INITDB_OPTIONS = [
  '--no-sync',
  '--no-clean',
  '--no-instructions',
  `--username=${SUPERUSER}`,
  '--auth=scram-sha-256',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
];

export function hasCluster(paths: DatabasePaths): boolean {
  try {
    return readdirSync(paths.clusterDir).length > 0;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw error;
  }
}

/**
 * Creates the cluster in a draft folder and renames that when complete, so a cluster is either whole or absent.
 * `savePassword` is called before the rename, so that no cluster exists without a saved password.
 */
export async function createCluster(
  paths: DatabasePaths,
  binaries: Binaries,
  engineUser: EngineUser,
  password: string,
  savePassword: () => void,
): Promise<void> {
  const draft = mkdtempSync(join(paths.dataDir, DRAFT_PREFIX));
  try {
    const cluster = join(draft, 'cluster');
    const passwordFile = join(draft, 'password');
    mkdirSync(cluster, { mode: 0o700 });
    writeFileSync(passwordFile, password, { mode: 0o600 });
    giveTo(engineUser.owner, draft);
    await execInitdb(paths, [binaries.initdb, ...INITDB_OPTIONS, `--pwfile=${passwordFile}`, '-D', cluster], engineUser);
    savePassword();
    renameSync(cluster, paths.clusterDir);
  } finally {
    removeDrafts(paths);
  }
}

/** Removes our own draft, and those that killed starts have left. */
export function removeDrafts(paths: DatabasePaths): void {
  for (const name of readdirSync(paths.dataDir)) {
    if (name.startsWith(DRAFT_PREFIX)) removeDraft(join(paths.dataDir, name));
  }
}

/** An engine that was killed may still be writing. What cannot be removed now is removed at the next start. */
function removeDraft(draft: string): void {
  try {
    rmSync(draft, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    return;
  }
}

async function execInitdb(paths: DatabasePaths, program: string[], engineUser: EngineUser): Promise<void> {
  const log = openServerLog(paths.logFile);
  try {
    const initdb = spawnWatched(program, engineUser, log.handle);
    initdb.keepParentAlive();
    await initdb.ended;
    initdb.release();
    if (initdb.exitCode === 0) return;
    if (failedToStart(initdb)) throw engineUnavailable(log.firstLine());
    const reason = log.complaint() ?? 'it ended without a message';
    const remedy = isDiskFull(paths)
      ? 'its disk is full, so make room or set DATA_DIR to another folder'
      : `see ${paths.logFile}, set DATA_DIR to another folder, or set DATABASE_URL to a Postgres of your own`;
    throw new EmbeddedDatabaseError(`The embedded database cannot be created in ${paths.dataDir} (${reason}): ${remedy}.`);
  } finally {
    log.close();
  }
}

/** Uses single-user mode, which needs no password: for a cluster whose connection file was lost, or that came from a backup. */
export async function resetPassword(paths: DatabasePaths, binaries: Binaries, engineUser: EngineUser, password: string): Promise<void> {
  const [command = binaries.postgres, ...args] = [...engineUser.wrap, binaries.postgres, '--single', '-D', paths.clusterDir, SUPERUSER];
  const log = openServerLog(paths.logFile);
  try {
    const engine = spawn(command, args, { ...engineUser.account, cwd: '/', env: ENGINE_ENV, stdio: ['pipe', 'ignore', log.handle] });
    engine.stdin?.on('error', () => undefined);
    engine.stdin?.end(`alter role ${SUPERUSER} password '${password}';\n`);
    await once(engine, 'exit');
  } finally {
    log.close();
  }
}
