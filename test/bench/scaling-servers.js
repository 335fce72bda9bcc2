// The servers of `npm run bench -- --only scaling`: a primary with a standby, a PgBouncer and a Redis, each in a folder of its own.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import pg from 'pg';
import { openEmbeddedDatabase } from '../../dist/tools/embedded-postgres/index.js';

const SETTINGS = { max_connections: '200' };
const REDIS_PORT = 3872;
const PGBOUNCER = process.env.TEST_PGBOUNCER_PATH ?? '/usr/sbin/pgbouncer';

/** A primary and a standby that follows it, with fsync. Commits wait for the standby once `synchronous(true)` was called. */
export async function openPair() {
  const folder = await mkdtemp(join(tmpdir(), 'claims-bench-pair-'));
  const [first, second] = [join(folder, 'primary'), join(folder, 'standby')];
  const initial = await openEmbeddedDatabase({ dataDir: first, mode: 'own', settings: SETTINGS });
  await initial.stop();
  // The copy of a stopped server is a base backup. `-a` keeps the user that the engine runs as.
  await promisify(execFile)('cp', ['-a', first, second]);
  const primary = await openEmbeddedDatabase({ dataDir: first, mode: 'own', settings: SETTINGS });
  await writeFile(join(second, 'postgres', 'standby.signal'), '');
  const { username, password, port } = new URL(primary.url);
  const upstream = `host=127.0.0.1 port=${port} user=${username} password=${password} application_name=standby`;
  const standby = await openEmbeddedDatabase({ dataDir: second, mode: 'own', settings: { ...SETTINGS, primary_conninfo: upstream } });
  const synchronous = async (is) => {
    await execute(primary.url, `ALTER SYSTEM SET synchronous_standby_names = '${is ? 'standby' : ''}'`);
    await execute(primary.url, 'SELECT pg_reload_conf()');
    await until(
      async () => (await execute(primary.url, 'SELECT sync_state FROM pg_stat_replication'))[0]?.sync_state === (is ? 'sync' : 'async'),
    );
  };
  const stop = async () => {
    await synchronous(false);
    await standby.stop();
    await primary.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { primary: primary.url, standby: standby.url, synchronous, stop };
}

/** In transaction mode. */
export async function startPgBouncer(databaseUrl, port, path = PGBOUNCER) {
  const url = new URL(databaseUrl);
  const target = `host=127.0.0.1 port=${url.port} user=${url.username} password=${url.password}`;
  const lines = ['[databases]', `* = ${target}`, '[pgbouncer]', 'listen_addr = 127.0.0.1', `listen_port = ${port}`, 'unix_socket_dir ='];
  lines.push('auth_type = any', 'pool_mode = transaction', 'default_pool_size = 16', '');
  const folder = await mkdtemp(join(tmpdir(), 'claims-bench-pgbouncer-'));
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(file, lines.join('\n'));
  await Promise.all([chmod(folder, 0o755), chmod(file, 0o644)]);
  // It refuses to run as root.
  const child = spawn(path, [...(process.getuid() === 0 ? ['-u', 'nobody'] : []), file], { stdio: 'ignore' });
  url.host = `127.0.0.1:${port}`;
  await until(() => execute(url.href, 'SELECT 1'));
  return { url: url.href, stop: () => ended(child, folder) };
}

export async function startRedis(path) {
  const folder = await mkdtemp(join(tmpdir(), 'claims-bench-redis-'));
  const child = spawn(path, ['--port', String(REDIS_PORT), '--bind', '127.0.0.1', '--save', '', '--dir', folder], { stdio: 'ignore' });
  const url = `redis://127.0.0.1:${REDIS_PORT}`;
  const client = new Redis(url);
  // Until it listens. `once` of node:events would fail with the first error.
  client.on('error', () => undefined);
  await new Promise((resolve) => client.once('ready', resolve));
  /** How many it has executed, those within scripts included. */
  const commands = async () => Number(/total_commands_processed:(\d+)/.exec(await client.info('stats'))[1]);
  const stop = async () => {
    client.disconnect();
    await ended(child, folder);
  };
  return { url, commands, stop };
}

async function ended(child, folder) {
  child.kill('SIGINT');
  await once(child, 'exit');
  await rm(folder, { recursive: true, force: true });
}

async function execute(url, sql) {
  const client = new pg.Client(url);
  client.on('error', () => undefined);
  await client.connect();
  return (await client.query(sql).finally(() => client.end())).rows;
}

/** Repeats what fails or is not true yet, for half a minute. */
async function until(check) {
  const end = Date.now() + 30_000;
  for (;;) {
    const found = await check().catch((error) => (Date.now() < end ? undefined : Promise.reject(error)));
    if (found) return;
    if (Date.now() > end) throw new Error('It did not come to pass within half a minute.');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
