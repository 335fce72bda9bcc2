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
const nobody = 65534;
const couldBeNobody = isRoot && spawnSync('test', ['-r', join(nodeModules, 'pg/package.json')], { uid: nobody, cwd: '/' }).status === 0;
const hasNamespaces = isRoot && spawnSync('unshare', ['--user', '--map-user=1', 'true']).status === 0;

/** In one go, and without a word about those whose end followed from another's. */
function killAtOnce(pids: number[]): void {
  spawnSync('kill', ['-9', ...pids.map(String)]);
}

describe('after a sudden death', () => {
  it('kill -9 of the parent leaves no postgres behind, and the next start finds its data', async () => {
    const dataDir = sharedFolder();
    const owner = start(dataDir, 'own');
    await addNote((await owner.next()).url, 2);
    owner.child.kill('SIGKILL');
    await vi.waitFor(() => expect(processesOf(dataDir)).toEqual([]), { timeout: 5_000, interval: 20 });
    expect(readFileSync(join(dataDir, 'postgres.log'), 'utf8').trim()).toMatch(/database system is shut down$/);
    expect(await notes((await open(dataDir)).url)).toContain(2);
  });

  it('a start right after kill -9 of the parent waits for the orphan to end', async () => {
    const dataDir = sharedFolder();
    const owner = start(dataDir, 'own');
    const { url } = await owner.next();
    owner.child.kill('SIGKILL');
    const next = await open(dataDir);
    expect(next.owned).toBe(true);
    expect(next.url).not.toBe(url);
    expect(await notes(next.url)).toContain(1);
  });

  it('an orphan whose watchdog was killed as well is stopped by the next start', async () => {
    const dataDir = sharedFolder();
    const owner = start(dataDir, 'own');
    await owner.next();
    const orphan = findPostmaster(join(dataDir, 'postgres'));
    killAtOnce(processesOf(dataDir).filter((pid) => pid !== orphan));
    expect(findPostmaster(join(dataDir, 'postgres'))).toBe(orphan);
    expect(await notes((await open(dataDir)).url)).toContain(1);
    expect(findPostmaster(join(dataDir, 'postgres'))).not.toBe(orphan);
  });

  it('kill -9 of everything at once is recovered from', async () => {
    const dataDir = sharedFolder();
    const owner = start(dataDir, 'own');
    await addNote((await owner.next()).url, 3);
    killAtOnce(processesOf(dataDir));
    expect(existsSync(join(dataDir, 'postgres/postmaster.pid'))).toBe(true);
    expect(await notes((await open(dataDir)).url)).toContain(3);
  });

  it('an engine killed under a living owner can be started again by the next command', async () => {
    const owner = await open(sharedFolder());
    process.kill(findPostmaster(join(sharedFolder(), 'postgres')) ?? 0, 'SIGKILL');
    const command = start(sharedFolder(), 'share');
    const { url, owned } = await command.next();
    expect(owned).toBe(true);
    await owner.stop();
    expect(await notes(url)).toContain(1);
  });

  it('a first start killed half way is begun anew', async () => {
    const dataDir = newFolder();
    const owner = start(dataDir, 'own');
    const half = (): string | undefined => readdirSync(dataDir).find((name) => name.startsWith('postgres.new-'));
    const begun = (): void => expect(existsSync(join(dataDir, half() ?? '', 'cluster/PG_VERSION'))).toBe(true);
    await vi.waitFor(begun, { timeout: 5_000, interval: 5 });
    owner.child.kill('SIGKILL');
    expect((await open(dataDir)).owned).toBe(true);
    expect(half()).toBeUndefined();
  });

  it('a pid that meanwhile belongs to another process is no hindrance', async () => {
    const dataDir = sharedFolder();
    writeFileSync(join(dataDir, 'postgres/postmaster.pid'), `${process.pid}\n${join(dataDir, 'postgres')}\n`);
    const stale = { pid: process.pid, started: 'long ago' };
    writeFileSync(join(dataDir, 'postgres.lock'), JSON.stringify(stale));
    const facts = join(dataDir, 'postgres.json');
    writeFileSync(facts, readFileSync(facts, 'utf8').replace(/"pid": \d+/, `"pid": ${process.pid}`));
    expect(await notes((await open(dataDir)).url)).toContain(1);
  });

  it("a terminal's Ctrl-C reaches the parent but not the database", async () => {
    const owner = start(sharedFolder(), 'own');
    const { url } = await owner.next();
    process.kill(-(owner.child.pid ?? 0), 'SIGINT');
    expect(await owner.next()).toEqual({ signal: 'SIGINT' });
    expect(await notes(url)).toContain(1);
  });
});

describe('whoever starts it', () => {
  it.runIf(isRoot)('root gives the cluster, and nothing else, to an ordinary user', async () => {
    const dataDir = sharedFolder();
    chmodSync(dataDir, 0o700);
    await open(dataDir);
    expect(statSync(join(dataDir, 'postgres')).uid).not.toBe(0);
    expect(statSync(dataDir)).toMatchObject({ uid: 0, mode: 0o40701 });
  });

  it.runIf(hasNamespaces)('root in a folder closed to all others', async () => {
    const closed = newFolder();
    chmodSync(closed, 0o700);
    const dataDir = join(closed, 'data');
    const first = await open(dataDir);
    await query(first.url, 'create table notes as select 1 as id');
    await first.stop();
    expect(await notes((await open(dataDir)).url)).toContain(1);
    expect(statSync(closed)).toMatchObject({ uid: 0, mode: 0o40700 });
  });

  it.runIf(hasNamespaces)('root after the folder moved to a closed place, and back', async () => {
    const [dataDir, closed] = [sharedFolder(), newFolder()];
    chmodSync(closed, 0o700);
    renameSync(dataDir, join(closed, 'data'));
    const there = await open(join(closed, 'data'));
    expect(await notes(there.url)).toContain(1);
    await there.stop();
    renameSync(join(closed, 'data'), dataDir);
    expect(await notes((await open(dataDir)).url)).toContain(1);
  });

  it.runIf(couldBeNobody)('an ordinary user, and once root in between', async () => {
    const dataDir = newFolder();
    chownSync(dataDir, nobody, nobody);
    const first = start(dataDir, 'own', nobody);
    await query((await first.next()).url, 'create table notes as select 1 as id');
    await first.end();
    const asRoot = await open(dataDir);
    expect(await notes(asRoot.url)).toContain(1);
    await asRoot.stop();
    const { url } = await start(dataDir, 'own', nobody).next();
    expect(await notes(url)).toContain(1);
  });

  it.runIf(couldBeNobody)("an ordinary user is told about somebody else's folder", async () => {
    const { error } = await start(sharedFolder(), 'own', nobody).next();
    expect(error).toContain('EACCES');
  });

  it.runIf(couldBeNobody && hasNamespaces)('a user without a name, as containers have them', async () => {
    const nameless = 64_242;
    const dataDir = newFolder();
    chownSync(dataDir, nameless, nameless);
    expect(await start(dataDir, 'own', nameless).next()).toMatchObject({ owned: true });
  });
});
