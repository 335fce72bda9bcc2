import { lchownSync, mkdirSync, realpathSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Less than the engine asks for at once when it needs room. */
const almostFullBytes = 32 * 1024 * 1024;

/** Where everything of one embedded database lies. */
export interface Place {
  dataDir: string;
  /** The cluster itself. It belongs to the user the engine runs as; everything else here is ours. */
  folder: string;
  factsFile: string;
  logFile: string;
  lockFile: string;
}

/** Symbolic links are resolved, because a running engine is recognised by the path of its folder. */
export function preparePlace(dataDir: string): Place {
  mkdirSync(dataDir, { recursive: true });
  const real = realpathSync(dataDir);
  return {
    dataDir: real,
    folder: join(real, 'postgres'),
    factsFile: join(real, 'postgres.json'),
    logFile: join(real, 'postgres.log'),
    lockFile: join(real, 'postgres.lock'),
  };
}

/** A start as root, once, must not take the data folder away from the ordinary user it belongs to. */
export function leaveToFolderOwner(file: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dirname(file));
  lchownSync(file, uid, gid);
}

/** Postgres names a full disk in many ways, depending on where it ran out of room. */
export function isDiskFull(place: Place): boolean {
  const { bavail, bsize } = statfsSync(place.dataDir);
  return bavail * bsize < almostFullBytes;
}
