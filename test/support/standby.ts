import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DataSource } from 'typeorm';
import { patientConnectionOptions } from '../../src/store/database/connection-options.js';
import { migrate } from '../../src/store/database/migrate.js';
import { openEmbeddedDatabase } from '../../tools/embedded-postgres/index.js';
import { rowsOf } from './database.js';
import { eventually } from './eventually.js';

const SETTINGS = { max_connections: '100' };
/** What the primary calls the standby. */
const NAME = 'standby';

/** A primary and a standby that has every commit before it is acknowledged. */
export interface Pair {
  readonly primary: string;
  readonly standby: string;
  /** As if the machine of the primary was lost: the server cannot react. */
  killPrimary(): Promise<void>;
  /** The standby becomes the primary. Returns when it accepts writes. */
  promote(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts both on this machine, with the schema of the service. */
export async function startPair(): Promise<Pair> {
  const folder = await mkdtemp(join(tmpdir(), 'claims-pair-'));
  const [ofPrimary, ofStandby] = [join(folder, 'primary'), join(folder, 'standby')];
  const first = await openEmbeddedDatabase({ dataDir: ofPrimary, mode: 'own', settings: SETTINGS });
  const source = await new DataSource(patientConnectionOptions(first.url)).initialize();
  await migrate(source);
  await source.destroy();
  await first.stop();
  // The copy of a stopped server is a base backup. `-a` keeps the user that the engine runs as.
  await promisify(execFile)('cp', ['-a', ofPrimary, ofStandby]);
  const primary = await openEmbeddedDatabase({ dataDir: ofPrimary, mode: 'own', settings: SETTINGS });
  await writeFile(join(ofStandby, 'postgres', 'standby.signal'), '');
  const { username, password, port } = new URL(primary.url);
  const upstream = `host=127.0.0.1 port=${port} user=${username} password=${password} application_name=${NAME}`;
  const standby = await openEmbeddedDatabase({ dataDir: ofStandby, mode: 'own', settings: { ...SETTINGS, primary_conninfo: upstream } });
  await rowsOf(primary.url, `ALTER SYSTEM SET synchronous_standby_names = '${NAME}'`);
  await rowsOf(primary.url, 'SELECT pg_reload_conf()');
  await eventually(async () => {
    const [row] = await rowsOf<{ state: string }>(primary.url, 'SELECT sync_state AS state FROM pg_stat_replication');
    if (row?.state !== 'sync') throw new Error('The standby does not follow yet.');
  });
  return {
    primary: primary.url,
    standby: standby.url,
    killPrimary: async () => {
      const [pid] = (await readFile(join(ofPrimary, 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
      process.kill(Number(pid), 'SIGKILL');
    },
    promote: async () => {
      await rowsOf(standby.url, 'SELECT pg_promote(true)');
    },
    stop: async () => {
      await Promise.all([primary.stop(), standby.stop()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
