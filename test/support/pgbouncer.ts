import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rowsOf } from './database.js';
import { eventually } from './eventually.js';
import { aFreePort } from './free-port.js';

const PATHS = [process.env.TEST_PGBOUNCER_PATH, '/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer'];

/** From 1.21 on it keeps prepared statements. Debian 12 has an older one. */
export const NEWER_PGBOUNCER = process.env.TEST_NEWER_PGBOUNCER_PATH;

/** PgBouncer in transaction mode before a database, with few connections to the server. `more` are lines of its configuration. */
export function startPgBouncer(databaseUrl: string, serverConnections: number, more: readonly string[] = [], path?: string) {
  const { username, password } = new URL(databaseUrl);
  const target = [`* = ${serverOf(databaseUrl)} user=${decodeURIComponent(username)}`];
  if (password) target.push(`password=${decodeURIComponent(password)}`);
  return startWith(
    databaseUrl,
    (port) => [
      '[databases]',
      target.join(' '),
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = any',
      'pool_mode = transaction',
      `default_pool_size = ${serverConnections}`,
      'max_client_conn = 1000',
      // Databases of tests come and go.
      'server_idle_timeout = 5',
      ...more,
    ],
    path,
  );
}

const SHIPPED = 'docker/pgbouncer.ini';

/** PgBouncer as `docker/pgbouncer.ini` has it, but for the server, its own address and the passwords. */
export async function startShippedPgBouncer(databaseUrl: string) {
  const shipped = await readFile(SHIPPED, 'utf8');
  return startWith(databaseUrl, (port, folder) => {
    const own = {
      '*': serverOf(databaseUrl),
      listen_addr: '127.0.0.1',
      listen_port: `${port}`,
      auth_file: join(folder, USERS),
    };
    return Object.entries(own)
      .reduce((text, [name, value]) => {
        const line = new RegExp(`^${name.replace('*', '\\*')} =.*$`, 'm');
        if (!line.test(text)) throw new Error(`${SHIPPED} has no line for ${name}.`);
        return text.replace(line, () => `${name} = ${value}`);
      }, shipped)
      .split('\n');
  });
}

const USERS = 'userlist.txt';

function serverOf(databaseUrl: string): string {
  const { hostname, port } = new URL(databaseUrl);
  return `host=${hostname} port=${port || 5432}`;
}

async function startWith(databaseUrl: string, configure: (port: number, folder: string) => readonly string[], wanted?: string) {
  const path = wanted ?? PATHS.find((candidate) => candidate && existsSync(candidate));
  if (!path) throw new Error('PgBouncer is missing: install it (apt-get install pgbouncer), or set TEST_PGBOUNCER_PATH.');
  const url = new URL(databaseUrl);
  const port = await aFreePort();
  const folder = await mkdtemp(join(tmpdir(), 'claims-pgbouncer-'));
  const [file, users] = [join(folder, 'pgbouncer.ini'), join(folder, USERS)];
  await writeFile(file, `${configure(port, folder).join('\n')}\n`);
  await writeFile(users, `"${decodeURIComponent(url.username)}" "${decodeURIComponent(url.password)}"\n`);
  await Promise.all([chmod(folder, 0o755), chmod(file, 0o644), chmod(users, 0o644)]);
  // It refuses to run as root.
  const child = spawn(path, [...(process.getuid?.() === 0 ? ['-u', 'nobody'] : []), file], { stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  Object.assign(url, { hostname: '127.0.0.1', port: `${port}` });
  try {
    await eventually(() => rowsOf(url.href, 'SELECT 1'), 10_000);
  } catch (error) {
    child.kill('SIGKILL');
    throw new Error(`PgBouncer did not start: ${output}`, { cause: error });
  }
  const end = (signal: NodeJS.Signals) => async (): Promise<void> => {
    child.kill(signal);
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  return { url: url.href, stop: end('SIGINT'), kill: end('SIGKILL') };
}
