import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openEmbeddedDatabase, type EmbeddedDatabase, type EmbeddedDatabaseOptions } from '../../tools/embedded-postgres/index.js';
import { rowsOf } from './database.js';
import { eventually } from './eventually.js';
import { migrateDatabase } from './migrated.js';
import { isAlive } from './processes-of.js';
import { TcpProxy } from './tcp-proxy.js';

/** A Postgres of a test's own, with the schema of the service, which can be lost and come back at the same address. */
export class OwnPostgres {
  /** The folder is removed in the end. */
  static async start(
    settings: Record<string, string> = {},
    folder = mkdtempSync(join(tmpdir(), 'claims-own-')),
    env: Record<string, string> = {},
  ): Promise<OwnPostgres> {
    const options = { dataDir: folder, mode: 'own', settings, env } as const;
    const engine = await openEmbeddedDatabase(options);
    await migrateDatabase(engine.url);
    return new OwnPostgres(options, engine, await TcpProxy.to(engine.url));
  }

  private constructor(
    private readonly options: EmbeddedDatabaseOptions,
    private engine: EmbeddedDatabase,
    /** What the service reaches it through. */
    readonly proxy: TcpProxy,
  ) {}

  /** The address of the server itself, for checks. It changes when the server is started again. */
  get directUrl(): string {
    return this.engine.url;
  }

  /** The folder of its data. */
  get cluster(): string {
    return join(this.options.dataDir, 'postgres');
  }

  /** Kills the server with SIGKILL. */
  async kill(): Promise<void> {
    process.kill(await this.pid(), 'SIGKILL');
    await this.engine.stop();
  }

  async isRunning(): Promise<boolean> {
    return isAlive(await this.pid().catch(() => Infinity));
  }

  /** After `kill`, or after it has ended by itself. Returns when it answers. */
  async startAgain(): Promise<void> {
    await this.engine.stop();
    this.engine = await openEmbeddedDatabase(this.options);
    this.proxy.leadTo(this.engine.url);
  }

  /** Its write-ahead log is in another folder from now on. */
  async moveLog(to: string): Promise<void> {
    const from = join(this.cluster, 'pg_wal');
    await this.engine.stop();
    // `-a` keeps the user that the engine runs as.
    await promisify(execFile)('cp', ['-a', from, to]);
    await rm(from, { recursive: true });
    await symlink(join(to, 'pg_wal'), from);
    await this.startAgain();
  }

  /** Kills the process of one session, as a kernel without memory does: the server ends all sessions, and recovers by itself. */
  async killSession(): Promise<void> {
    const sql = "SELECT pid FROM pg_stat_activity WHERE application_name = 'claims' LIMIT 1";
    const [session] = await rowsOf<{ pid: number }>(this.directUrl, sql);
    process.kill(session!.pid, 'SIGKILL');
    await eventually(() => rowsOf(this.directUrl, 'SELECT 1'));
  }

  async endSessions(): Promise<void> {
    await rowsOf(this.directUrl, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'claims'");
  }

  async stop(): Promise<void> {
    await this.proxy.close();
    await this.engine.stop();
    await rm(this.options.dataDir, { recursive: true, force: true });
  }

  private async pid(): Promise<number> {
    return Number((await readFile(join(this.cluster, 'postmaster.pid'), 'utf8')).split('\n')[0]);
  }
}
