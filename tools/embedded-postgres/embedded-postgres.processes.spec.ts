import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import {
  addNote,
  newFolder,
  nodeModules,
  notes,
  open,
  processesOf,
  query,
  sharedFolder,
  start,
  useTemporaryDatabases,
} from './fixtures/harness.js';
import { findPostmaster } from './processes.js';

useTemporaryDatabases();

const isRoot = process.getuid?.() === 0;
const NOBODY = 65534;
const couldBeNobody = isRoot && spawnSync('test', ['-r', join(nodeModules, 'pg/package.json')], { uid: NOBODY, cwd: '/' }).status === 0;
const hasNamespaces = isRoot && spawnSync('unshare', ['--user', '--map-user=1', 'true']).status === 0;

/** Kills all in one command, which ignores processes that ended because another one was killed. */
function killAtOnce(pids: number[]): void {
  spawnSync('kill', ['-9', ...pids.map(String)]);
}

describe('after kill -9', () => {
  it('of the parent: no Postgres process is left, and the next start finds the data', async () => {
    const dataDir = sharedFolder();
    const owner = start(dataDir, 'own');
    await addNote((await owner.next()).url, 2);
    owner.child.kill('SIGKILL');
    await vi.waitFor(() => expect(processesOf(dataDir)).toEqual([]), { timeout: 5_000, interval: 20 });
    expect(readFileSync(join(dataDir, 'postgres.log'), 'utf8').trim()).toMatch(/database system is shut down$/);
    expect(await notes((await open(dataDir)).url)).toContain(2);
  });

  it('of the parent: a start right afterwards waits until the orphaned server has ended', async () => {
    const dataDir = sharedFolder();
    const owner = start(dataDir, 'own');
    const { url } = await owner.next();
    owner.child.kill('SIGKILL');
    const next = await open(dataDir);
    expect(next.owned).toBe(true);
    expect(next.url).not.toBe(url);
    expect(await notes(next.url)).toContain(1);
  });

  it('of parent and watchdog: the next start stops the orphaned server', async () => {
    const dataDir = sharedFolder();
    const owner = start(dataDir, 'own');
    await owner.next();
    const orphan = findPostmaster(join(dataDir, 'postgres'));
    killAtOnce(processesOf(dataDir).filter((pid) => pid !== orphan));
    expect(findPostmaster(join(dataDir, 'postgres'))).toBe(orphan);
    expect(await notes((await open(dataDir)).url)).toContain(1);
    expect(findPostmaster(join(dataDir, 'postgres'))).not.toBe(orphan);
  });

  it('of all processes at once: the next start recovers', async () => {
    const dataDir = sharedFolder();
    const owner = start(dataDir, 'own');
    await addNote((await owner.next()).url, 3);
    killAtOnce(processesOf(dataDir));
    expect(existsSync(join(dataDir, 'postgres/postmaster.pid'))).toBe(true);
    expect(await notes((await open(dataDir)).url)).toContain(3);
  });

  it('of the engine only: the next command can start it again', async () => {
    const owner = await open(sharedFolder());
    process.kill(findPostmaster(join(sharedFolder(), 'postgres')) ?? 0, 'SIGKILL');
    const command = start(sharedFolder(), 'share');
    const { url, owned } = await command.next();
    expect(owned).toBe(true);
    await owner.stop();
    expect(await notes(url)).toContain(1);
  });

  it('during the first start: the next start creates the cluster again', async () => {
    const dataDir = newFolder();
    const owner = start(dataDir, 'own');
    const draft = (): string | undefined => readdirSync(dataDir).find((name) => name.startsWith('postgres.new-'));
    const hasBegun = (): void => expect(existsSync(join(dataDir, draft() ?? '', 'cluster/PG_VERSION'))).toBe(true);
    await vi.waitFor(hasBegun, { timeout: 5_000, interval: 5 });
    owner.child.kill('SIGKILL');
    expect((await open(dataDir)).owned).toBe(true);
    expect(draft()).toBeUndefined();
  });

  it('a stale pid that now belongs to another process does not prevent a start', async () => {
    const dataDir = sharedFolder();
    writeFileSync(join(dataDir, 'postgres/postmaster.pid'), `${process.pid}\n${join(dataDir, 'postgres')}\n`);
    const stale = { pid: process.pid, started: 'long ago' };
    writeFileSync(join(dataDir, 'postgres.lock'), JSON.stringify(stale));
    const connectionFile = join(dataDir, 'postgres.json');
    writeFileSync(connectionFile, readFileSync(connectionFile, 'utf8').replace(/"pid": \d+/, `"pid": ${process.pid}`));
    expect(await notes((await open(dataDir)).url)).toContain(1);
  });

  it('Ctrl-C in a terminal reaches the parent but not the database', async () => {
    const owner = start(sharedFolder(), 'own');
    const { url } = await owner.next();
    process.kill(-(owner.child.pid ?? 0), 'SIGINT');
    expect(await owner.next()).toEqual({ signal: 'SIGINT' });
    expect(await notes(url)).toContain(1);
  });
});

describe('as different users', () => {
  it.runIf(isRoot)('root: gives the cluster, and nothing else, to an ordinary user', async () => {
    const dataDir = sharedFolder();
    chmodSync(dataDir, 0o700);
    await open(dataDir);
    expect(statSync(join(dataDir, 'postgres')).uid).not.toBe(0);
    expect(statSync(dataDir)).toMatchObject({ uid: 0, mode: 0o40701 });
  });

  it.runIf(hasNamespaces)('root: starts in a folder that no other user can enter', async () => {
    const closed = newFolder();
    chmodSync(closed, 0o700);
    const dataDir = join(closed, 'data');
    const first = await open(dataDir);
    await query(first.url, 'create table notes as select 1 as id');
    await first.stop();
    expect(await notes((await open(dataDir)).url)).toContain(1);
    expect(statSync(closed)).toMatchObject({ uid: 0, mode: 0o40700 });
  });

  it.runIf(hasNamespaces)('root: starts after the folder was moved into a closed folder, and back', async () => {
    const [dataDir, closed] = [sharedFolder(), newFolder()];
    chmodSync(closed, 0o700);
    renameSync(dataDir, join(closed, 'data'));
    const there = await open(join(closed, 'data'));
    expect(await notes(there.url)).toContain(1);
    await there.stop();
    renameSync(join(closed, 'data'), dataDir);
    expect(await notes((await open(dataDir)).url)).toContain(1);
  });

  it.runIf(couldBeNobody)('an ordinary user: starts again after root has used the folder once', async () => {
    const dataDir = newFolder();
    chownSync(dataDir, NOBODY, NOBODY);
    const first = start(dataDir, 'own', NOBODY);
    await query((await first.next()).url, 'create table notes as select 1 as id');
    await first.end();
    const asRoot = await open(dataDir);
    expect(await notes(asRoot.url)).toContain(1);
    await asRoot.stop();
    const { url } = await start(dataDir, 'own', NOBODY).next();
    expect(await notes(url)).toContain(1);
  });

  it.runIf(couldBeNobody)('an ordinary user: the error for a folder of another user says EACCES', async () => {
    const { error } = await start(sharedFolder(), 'own', NOBODY).next();
    expect(error).toContain('EACCES');
  });

  it.runIf(couldBeNobody && hasNamespaces)('a user without a name, as in containers: starts', async () => {
    const namelessUid = 64_242;
    const dataDir = newFolder();
    chownSync(dataDir, namelessUid, namelessUid);
    expect(await start(dataDir, 'own', namelessUid).next()).toMatchObject({ owned: true });
  });
});
