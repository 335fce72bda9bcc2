import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, lchownSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';

import { type Binaries, engineCannotRun, engineEnvironment } from './binaries.js';
import { EmbeddedDatabaseError } from './embedded-database-error.js';
import type { Place } from './place.js';

interface Account {
  uid: number;
  gid: number;
}

/** How to run the engine, which refuses to be root and wants to own its folder. */
export interface RunAs {
  /** The user to become; nobody: stay who we are. */
  account?: Account;
  /** Put before the command. */
  wrap: string[];
  /** Who must own the cluster's folder; without it, we do. */
  owner?: Account;
}

const accountsFile = '/etc/passwd';
const reachable = 0;
const onlyDataDirClosed = 3;

/** Runs the engine once, then looks into the data folder's parent and the data folder. */
const probe = `"$1" --version >/dev/null 2>&1 && test -x "$2" || exit 1; test -x "$3" || exit ${onlyDataDirClosed}`;

/** An ordinary user runs the engine as it is; root finds somebody who can reach both the binaries and the data. */
export function chooseRunAs(binaries: Binaries, place: Place): RunAs {
  if (process.getuid?.() !== 0) return ordinaryRunAs(binaries, place);
  const found = rootCandidates(place).find((candidate) => canReach(candidate, binaries, place));
  if (found) return found;
  const { error, stderr, status } = spawnSync(binaries.postgres, ['--version'], { cwd: '/', env: engineEnvironment, encoding: 'utf8' });
  if (status !== 0) throw engineCannotRun(error?.message ?? stderr);
  throw new EmbeddedDatabaseError(
    `Postgres does not run as root, and no other user can reach both ${binaries.postgres} and ${place.dataDir}: ` +
      'start as an ordinary user, move the checkout out of the closed folder, or set DATABASE_URL.',
  );
}

/** The folder goes last, so that an interrupted change of owner is taken up again at the next start. */
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

/** initdb asks for the user's name, which a container started with a made-up uid does not have. */
function ordinaryRunAs(binaries: Binaries, place: Place): RunAs {
  try {
    userInfo();
    return { wrap: [] };
  } catch {
    const named = namespaces([namedAccount('nobody')]).map(({ wrap }) => ({ wrap }));
    return named.find((candidate) => canReach(candidate, binaries, place)) ?? { wrap: [] };
  }
}

function rootCandidates(place: Place): RunAs[] {
  const accounts = [namedAccount('postgres'), namedAccount('nobody')];
  const owner = ownerOf(place.folder);
  const ofOwner = owner ? becoming([owner]) : [];
  // With sudo in somebody's closed home, only that somebody can reach the checkout.
  const ofHome = becoming([ownerOf(place.dataDir), ownerOf(dirname(place.dataDir))]);
  const ofNamed = becoming(accounts);
  const inNamespace = namespaces(accounts);
  // A cluster stays with whom it was made for as long as that works.
  return owner?.uid === 0 ? [...inNamespace, ...ofNamed, ...ofHome] : [...ofOwner, ...ofNamed, ...ofHome, ...inNamespace];
}

function becoming(accounts: (Account | undefined)[]): RunAs[] {
  return accounts.filter(isOrdinary).map((account) => ({ account, wrap: [], owner: account }));
}

/** Root keeps its access to root's files, but in its own eyes the process is somebody else. */
function namespaces(accounts: (Account | undefined)[]): RunAs[] {
  return accounts.filter(isOrdinary).map(({ uid, gid }) => ({
    wrap: ['unshare', '--user', `--map-user=${uid}`, `--map-group=${gid}`, '--'],
    owner: { uid: 0, gid: 0 },
  }));
}

function isOrdinary(account: Account | undefined): account is Account {
  return account !== undefined && account.uid > 0;
}

function canReach(candidate: RunAs, binaries: Binaries, place: Place): boolean {
  const outcome = tryOut(candidate, binaries, place);
  if (outcome !== onlyDataDirClosed) return outcome === reachable;
  // Passing through is all the engine's user needs, and only in a folder that is ours to open.
  const { uid, mode } = statSync(place.dataDir);
  if (uid !== process.getuid?.()) return false;
  chmodSync(place.dataDir, (mode & 0o7777) | 0o001);
  return tryOut(candidate, binaries, place) === reachable;
}

function tryOut({ account, wrap }: RunAs, binaries: Binaries, place: Place): number | null {
  const shell = ['/bin/sh', '-c', probe, 'probe', binaries.postgres, dirname(place.dataDir), place.dataDir];
  const [command = '/bin/sh', ...args] = [...wrap, ...shell];
  return spawnSync(command, args, { ...account, cwd: '/', env: engineEnvironment, stdio: 'ignore' }).status;
}

function ownerOf(path: string): Account | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && { uid: found.uid, gid: found.gid };
}

function namedAccount(name: string): Account | undefined {
  const entries = existsSync(accountsFile) ? readFileSync(accountsFile, 'utf8').split('\n') : [];
  const line = entries.find((entry) => entry.startsWith(`${name}:`));
  if (line === undefined) return undefined;
  const [, , uid, gid] = line.split(':');
  return { uid: Number(uid), gid: Number(gid) };
}
