import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { type Binaries, engineCannotRun, engineEnvironment } from './binaries.js';
import { superuser } from './connection-facts.js';
import { giveTo, type RunAs } from './drop-privileges.js';
import { EmbeddedDatabaseError } from './embedded-database-error.js';
import { isDiskFull, type Place } from './place.js';
import { openServerLog } from './server-log.js';
import { couldNotRun, runWatched } from './watchdog.js';

const draftPrefix = 'postgres.new-';

/**
 * The builtin locale sorts alike on every machine and asks nothing of the operating system. A failed attempt is cleaned up
 * by us, once we know whether the disk was full.
 */
const initOptions = [
  '--no-sync',
  '--no-clean',
  '--no-instructions',
  `--username=${superuser}`,
  '--auth=scram-sha-256',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
];

export function hasCluster(place: Place): boolean {
  try {
    return readdirSync(place.folder).length > 0;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw error;
  }
}

/**
 * Made aside and renamed when complete, so a cluster is either there as a whole or not at all. `keep` gets the password
 * before that, for a cluster whose password nobody knows would be of little use.
 */
export async function createCluster(place: Place, binaries: Binaries, runAs: RunAs, password: string, keep: () => void): Promise<void> {
  const draft = mkdtempSync(join(place.dataDir, draftPrefix));
  try {
    const cluster = join(draft, 'cluster');
    const passwordFile = join(draft, 'password');
    mkdirSync(cluster, { mode: 0o700 });
    writeFileSync(passwordFile, password, { mode: 0o600 });
    giveTo(runAs.owner, draft);
    await runInitdb(place, [binaries.initdb, ...initOptions, `--pwfile=${passwordFile}`, '-D', cluster], runAs);
    keep();
    renameSync(cluster, place.folder);
  } finally {
    removeDrafts(place);
  }
}

/** Our own, and what a start that was killed half way has left. */
export function removeDrafts(place: Place): void {
  for (const name of readdirSync(place.dataDir)) {
    if (name.startsWith(draftPrefix)) removeDraft(join(place.dataDir, name));
  }
}

/** An engine killed with its start may still be busy dying, and writing. What cannot be removed now will be at the next start. */
function removeDraft(draft: string): void {
  try {
    rmSync(draft, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    return;
  }
}

async function runInitdb(place: Place, program: string[], runAs: RunAs): Promise<void> {
  const log = openServerLog(place.logFile);
  try {
    const initdb = runWatched(program, runAs, log.handle);
    initdb.keepUsAlive();
    await initdb.ended;
    initdb.letGo();
    if (initdb.exitCode === 0) return;
    if (couldNotRun(initdb)) throw engineCannotRun(log.firstLine());
    const reason = log.complaint() ?? 'it ended without a complaint';
    const remedy = isDiskFull(place)
      ? 'its disk is full, so make room or set DATA_DIR to another folder'
      : `see ${place.logFile}, set DATA_DIR to another folder, or set DATABASE_URL to a Postgres of your own`;
    throw new EmbeddedDatabaseError(`The embedded database cannot be made in ${place.dataDir} (${reason}): ${remedy}.`);
  } finally {
    log.close();
  }
}

/** Without a network and without the old password: for a cluster whose facts were lost, or which came from a backup. */
export async function resetPassword(place: Place, binaries: Binaries, runAs: RunAs, password: string): Promise<void> {
  const [command = binaries.postgres, ...args] = [...runAs.wrap, binaries.postgres, '--single', '-D', place.folder, superuser];
  const log = openServerLog(place.logFile);
  try {
    const engine = spawn(command, args, { ...runAs.account, cwd: '/', env: engineEnvironment, stdio: ['pipe', 'ignore', log.handle] });
    engine.stdin?.on('error', () => undefined);
    engine.stdin?.end(`alter role ${superuser} password '${password}';\n`);
    await once(engine, 'exit');
  } finally {
    log.close();
  }
}
