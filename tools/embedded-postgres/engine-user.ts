import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, lchownSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { engineUnavailable, ENGINE_ENV, type Binaries } from './binaries.js';
import { EmbeddedDatabaseError } from './embedded-database-error.js';
import type { DatabasePaths } from './paths.js';

interface Account {
  uid: number;
  gid: number;
}

/** Which user the engine runs as. Postgres refuses to run as root, and its user must own the cluster's folder. */
export interface EngineUser {
  /** The user to switch to. Undefined: the current user. */
  account?: Account;
  /** Arguments put before the command, such as a call of `unshare`. */
  wrap: string[];
  /** Who must own the cluster's folder. Undefined: the current user. */
  owner?: Account;
}

const ACCOUNTS_FILE = '/etc/passwd';
const REACHABLE = 0;
const ONLY_DATA_DIR_CLOSED = 3;

/** Starts the engine once, then checks access to the data folder's parent and to the data folder. */
const PROBE_SCRIPT = `"$1" --version >/dev/null 2>&1 && test -x "$2" || exit 1; test -x "$3" || exit ${ONLY_DATA_DIR_CLOSED}`;

/** An ordinary user stays as is. For root we look for a user that can reach both the binaries and the data. */
export function chooseEngineUser(binaries: Binaries, paths: DatabasePaths): EngineUser {
  if (process.getuid?.() !== 0) return ordinaryEngineUser(binaries, paths);
  const found = rootCandidates(paths).find((candidate) => canReach(candidate, binaries, paths));
  if (found) return found;
  const { error, stderr, status } = spawnSync(binaries.postgres, ['--version'], { cwd: '/', env: ENGINE_ENV, encoding: 'utf8' });
  if (status !== 0) throw engineUnavailable(error?.message ?? stderr);
  throw new EmbeddedDatabaseError(
    `Postgres does not run as root, and no other user can reach both ${binaries.postgres} and ${paths.dataDir}: ` +
      'start as an ordinary user, move the checkout to a folder that other users can enter, or set DATABASE_URL.',
  );
}

/** Changes the folder itself last: if we are interrupted, the next start sees the old owner and repeats the change. */
export function giveTo(owner: Account | undefined, folder: string): void {
  if (!owner) return;
  const now = lstatSync(folder);
  if (now.uid === owner.uid && now.gid === owner.gid) return;
  if (now.isDirectory()) {
    const inside = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    inside.forEach((name) => lchownSync(join(folder, name), owner.uid, owner.gid));
  }
  lchownSync(folder, owner.uid, owner.gid);
}

/** initdb needs a user name, which a container with an arbitrary uid does not have. There a user namespace provides one. */
function ordinaryEngineUser(binaries: Binaries, paths: DatabasePaths): EngineUser {
  try {
    userInfo();
    return { wrap: [] };
  } catch {
    const named = inNamespaces([namedAccount('nobody')]).map(({ wrap }) => ({ wrap }));
    return named.find((candidate) => canReach(candidate, binaries, paths)) ?? { wrap: [] };
  }
}

function rootCandidates(paths: DatabasePaths): EngineUser[] {
  const accounts = [namedAccount('postgres'), namedAccount('nobody')];
  const owner = ownerOf(paths.clusterDir);
  const ofOwner = owner ? asAccounts([owner]) : [];
  // With sudo in a closed home folder, only the owner of that home can reach the checkout.
  const ofHome = asAccounts([ownerOf(paths.dataDir), ownerOf(dirname(paths.dataDir))]);
  const ofNamed = asAccounts(accounts);
  const inNamespace = inNamespaces(accounts);
  // The cluster keeps the user it was created for as long as that user still has access.
  return owner?.uid === 0 ? [...inNamespace, ...ofNamed, ...ofHome] : [...ofOwner, ...ofNamed, ...ofHome, ...inNamespace];
}

function asAccounts(accounts: (Account | undefined)[]): EngineUser[] {
  return accounts.filter(isOrdinary).map((account) => ({ account, wrap: [], owner: account }));
}

/** In a user namespace root keeps its access to root's files, but Postgres sees itself as an ordinary user. */
function inNamespaces(accounts: (Account | undefined)[]): EngineUser[] {
  return accounts.filter(isOrdinary).map(({ uid, gid }) => ({
    wrap: ['unshare', '--user', `--map-user=${uid}`, `--map-group=${gid}`, '--'],
    owner: { uid: 0, gid: 0 },
  }));
}

function isOrdinary(account: Account | undefined): account is Account {
  return account !== undefined && account.uid > 0;
}

function canReach(candidate: EngineUser, binaries: Binaries, paths: DatabasePaths): boolean {
  const outcome = probe(candidate, binaries, paths);
  if (outcome !== ONLY_DATA_DIR_CLOSED) return outcome === REACHABLE;
  // The engine's user only has to pass through the data folder. We open it for that if it is ours.
  const { uid, mode } = statSync(paths.dataDir);
  if (uid !== process.getuid?.()) return false;
  chmodSync(paths.dataDir, (mode & 0o7777) | 0o001);
  return probe(candidate, binaries, paths) === REACHABLE;
}

function probe({ account, wrap }: EngineUser, binaries: Binaries, paths: DatabasePaths): number | null {
  const shell = ['/bin/sh', '-c', PROBE_SCRIPT, 'probe', binaries.postgres, dirname(paths.dataDir), paths.dataDir];
  const [command = '/bin/sh', ...args] = [...wrap, ...shell];
  return spawnSync(command, args, { ...account, cwd: '/', env: ENGINE_ENV, stdio: 'ignore' }).status;
}

function ownerOf(path: string): Account | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && { uid: found.uid, gid: found.gid };
}

function namedAccount(name: string): Account | undefined {
  const entries = existsSync(ACCOUNTS_FILE) ? readFileSync(ACCOUNTS_FILE, 'utf8').split('\n') : [];
  const line = entries.find((entry) => entry.startsWith(`${name}:`));
  if (line === undefined) return undefined;
  const [, , uid, gid] = line.split(':');
  return { uid: Number(uid), gid: Number(gid) };
}
