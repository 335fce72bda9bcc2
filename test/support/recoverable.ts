import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openEmbeddedDatabase, type EmbeddedDatabase } from '../../tools/embedded-postgres/index.js';
import { rowsOf } from './database.js';
import { eventually } from './eventually.js';
import { migrateDatabase } from './migrated.js';
import { openSession } from './session.js';

const SETTINGS = { max_connections: '100' };

/** The archive_command of the guide to backups, for another folder. */
export const archiveCommandInto = (folder: string): string =>
  /^archive_command = '(.+)'$/m.exec(readFileSync('docs/backup.md', 'utf8'))![1]!.replaceAll('/archive/', `${folder}/`);

/** A database whose log is archived, so that it can be restored as it was at any moment after its backup. */
export class RecoverableDatabase {
  private readonly servers: EmbeddedDatabase[] = [];

  private constructor(private readonly folder: string) {}

  static async start(more: Record<string, string> = {}): Promise<RecoverableDatabase> {
    const folder = await mkdtemp(join(tmpdir(), 'claims-recoverable-'));
    const made = new RecoverableDatabase(folder);
    // The engine may run as another user.
    await chmod(folder, 0o755);
    await mkdir(made.archive);
    await chmod(made.archive, 0o777);
    const settings = { ...SETTINGS, archive_mode: 'on', archive_command: archiveCommandInto(made.archive), ...more };
    made.servers.push(await openEmbeddedDatabase({ dataDir: join(folder, 'first'), mode: 'own', settings }));
    await migrateDatabase(made.url);
    return made;
  }

  get url(): string {
    return this.servers[0]!.url;
  }

  /** How many segments the archive has got. */
  async archivedSegments(): Promise<number> {
    return (await readdir(this.archive)).filter((name) => /^[0-9A-F]{24}$/.test(name)).length;
  }

  private get archive(): string {
    return join(this.folder, 'archive');
  }

  /** A base backup, made while the database is in use. */
  async backUp(): Promise<void> {
    const session = await openSession(this.url);
    await session.query("SELECT pg_backup_start('base', true)");
    // `-a` keeps the user that the engine runs as.
    await promisify(execFile)('cp', ['-a', join(this.folder, 'first'), join(this.folder, 'base')]);
    const { rows } = await session.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
    await session.end();
    const cluster = join(this.folder, 'base', 'postgres');
    await writeAsOwner(cluster, 'backup_label', rows[0]!.labelfile);
    await rm(join(cluster, 'postmaster.pid'));
  }

  /** Gives the present moment a name. */
  async mark(moment: string): Promise<void> {
    await rowsOf(this.url, 'SELECT pg_create_restore_point($1)', [moment]);
  }

  /** Starts a second server from the backup, with everything up to a moment. Returns the address of its database. */
  async restore(moment: string): Promise<string> {
    const [last] = await rowsOf<{ file: string }>(this.url, 'SELECT pg_walfile_name(pg_switch_wal()) AS file');
    await eventually(async () => {
      const [row] = await rowsOf<{ done: boolean }>(this.url, 'SELECT last_archived_wal >= $1 AS done FROM pg_stat_archiver', [last!.file]);
      if (!row!.done) throw new Error('The log is not archived yet.');
    });
    return this.recover({ recovery_target_name: moment, recovery_target_action: 'promote' });
  }

  /** As if the machine was lost with its disk: what it has not archived is gone. */
  async lose(): Promise<void> {
    const first = join(this.folder, 'first');
    process.kill(Number((await readFile(join(first, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]), 'SIGKILL');
    await this.servers[0]!.stop();
    await rm(first, { recursive: true });
  }

  /** Starts a second server from the backup, with everything that the archive has. Returns the address of its database. */
  restoreAll(): Promise<string> {
    return this.recover({});
  }

  private async recover(target: Record<string, string>): Promise<string> {
    const dataDir = join(this.folder, 'base');
    await writeAsOwner(join(dataDir, 'postgres'), 'recovery.signal', '');
    const settings = { ...SETTINGS, restore_command: `cp ${this.archive}/%f %p`, ...target };
    const server = await openEmbeddedDatabase({ dataDir, mode: 'own', settings });
    this.servers.push(server);
    await eventually(async () => {
      const [row] = await rowsOf<{ recovers: boolean }>(server.url, 'SELECT pg_is_in_recovery() AS recovers');
      if (row!.recovers) throw new Error('It does not accept writes yet.');
    });
    return server.url;
  }

  async stop(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.stop()));
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** The engine may run as another user. */
async function writeAsOwner(folder: string, name: string, text: string): Promise<void> {
  const { uid, gid } = await stat(folder);
  await writeFile(join(folder, name), text, { mode: 0o600 });
  await chown(join(folder, name), uid, gid);
}
