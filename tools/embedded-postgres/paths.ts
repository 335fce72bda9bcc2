import { lchownSync, mkdirSync, realpathSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** With less space than this the disk counts as full. Postgres extends its write-ahead log in steps of 16 MiB. */
const ALMOST_FULL_BYTES = 32 * 1024 * 1024;

/** The files of one embedded database. */
export interface DatabasePaths {
  dataDir: string;
  /** The Postgres cluster. It belongs to the user that the engine runs as; the other files belong to us. */
  clusterDir: string;
  connectionFile: string;
  logFile: string;
  lockFile: string;
}

/** Resolves symbolic links, because a running engine is recognised by the path of its folder. */
export function preparePaths(dataDir: string): DatabasePaths {
  mkdirSync(dataDir, { recursive: true });
  const real = realpathSync(dataDir);
  return {
    dataDir: real,
    clusterDir: join(real, 'postgres'),
    connectionFile: join(real, 'postgres.json'),
    logFile: join(real, 'postgres.log'),
    lockFile: join(real, 'postgres.lock'),
  };
}

/** Files that root creates go to the folder's owner, so that an ordinary user can still use them after one start as root. */
export function giveToFolderOwner(file: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dirname(file));
  lchownSync(file, uid, gid);
}

/** Asks the file system, because Postgres reports a full disk in many different ways. */
export function isDiskFull(paths: DatabasePaths): boolean {
  const { bavail, bsize } = statfsSync(paths.dataDir);
  return bavail * bsize < ALMOST_FULL_BYTES;
}
