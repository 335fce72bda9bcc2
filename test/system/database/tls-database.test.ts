import { chmod, chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openEmbeddedDatabase, type EmbeddedDatabase } from '../../../tools/embedded-postgres/index.js';
import { startApp } from '../../support/app.js';
import { aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { runCommand } from '../../support/command.js';
import { rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { startPgBouncer } from '../../support/pgbouncer.js';
import { runClaims } from '../../support/process.js';
import { FOR_LOCALHOST, SELF_SIGNED } from '../../support/self-signed.js';

const PATIENCE_MS = 120_000;
const PROJECT = { name: 'Encrypted', periodStart: '2026-01-01', periodEnd: '2026-12-31' };

let folder: string;
let server: EmbeddedDatabase;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'claims-tls-'));
  // The user of the engine and that of the pooler read the certificate there.
  await chmod(folder, 0o755);
  server = await openEmbeddedDatabase({ dataDir: join(folder, 'data'), mode: 'own' });
  const cluster = join(folder, 'data', 'postgres');
  const { uid, gid } = await stat(cluster);
  for (const [name, text] of [
    ['server.crt', SELF_SIGNED.cert],
    ['server.key', SELF_SIGNED.key],
  ] as const) {
    await writeFile(join(cluster, name), text, { mode: 0o600 });
    await chown(join(cluster, name), uid, gid);
  }
  await writeFile(join(folder, 'ca.pem'), SELF_SIGNED.cert);
  await writeFile(join(folder, 'key.pem'), SELF_SIGNED.key);
  await writeFile(join(folder, 'other.pem'), FOR_LOCALHOST.cert);
  await rowsOf(server.url, 'ALTER SYSTEM SET ssl = on');
  await rowsOf(server.url, 'SELECT pg_reload_conf()');
  await eventually(() => rowsOf(verified(server.url), 'SELECT 1'));
  expect(await runCommand(['migrate'], { DATABASE_URL: verified(server.url) })).toMatchObject({ code: 0, stderr: '' });
}, PATIENCE_MS);
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The address with full verification by a file of certificates, and other parts replaced. */
function verified(address: string, { ca = 'ca.pem', hostname = '127.0.0.1' } = {}): string {
  const url = new URL(address);
  url.hostname = hostname;
  url.search = new URLSearchParams({ sslmode: 'verify-full', sslrootcert: join(folder, ca) }).toString();
  return url.href;
}

const encryption = (): Promise<{ ssl: boolean }[]> =>
  rowsOf(
    server.url,
    `SELECT DISTINCT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
      WHERE application_name = 'claims' AND datname = current_database()`,
  );

it('the service verifies the server by a file of certificates: for calls, reads of a replica and claims doctor', async () => {
  const env = { DATABASE_URL: verified(server.url), DATABASE_READ_URL: verified(server.url) };
  const app = await startApp({ ...env, ROLE: 'all' });
  const api = new Client(app.url, (await aTenant(app)).key);
  expect((await api.post('/v1/claim-projects', PROJECT)).status).toBe(201);
  expect((await api.get('/v1/claim-projects')).body.data).toHaveLength(1);
  expect(await encryption()).toEqual([{ ssl: true }]);
  await app.close();
  expect(await runCommand(['doctor'], env)).toMatchObject({ code: 0, stderr: '' });
});

it('the service verifies PgBouncer in the same way', async () => {
  const bouncer = await startPgBouncer(server.url, 4, [
    // `allow`, because the start is awaited without TLS.
    'client_tls_sslmode = allow',
    `client_tls_cert_file = ${join(folder, 'ca.pem')}`,
    `client_tls_key_file = ${join(folder, 'key.pem')}`,
  ]);
  const env = { DATABASE_URL: verified(bouncer.url), DATABASE_POOLER: 'transaction' };
  const app = await startApp(env);
  const api = new Client(app.url, (await aTenant(app)).key);
  expect((await api.post('/v1/claim-projects', PROJECT)).status).toBe(201);
  await app.close();
  const other = await runCommand(['doctor'], { ...env, DATABASE_URL: verified(bouncer.url, { ca: 'other.pem' }) });
  expect([other.code, other.stdout]).toEqual([
    1,
    expect.stringMatching(/FAILED +database +.* cannot be reached \(self-signed certificate[);]/),
  ]);
  await bouncer.stop();
});

it.each([
  ['signed by somebody else', { ca: 'other.pem' }, /self-signed certificate/],
  ['of another host', { hostname: 'localhost' }, /does not match certificate's altnames/],
  ['that no file vouches for', { ca: 'missing.pem' }, /ENOENT.*missing\.pem/],
])('a server with a certificate %s is refused in one line: by claims doctor, the migration and the start', async (_what, parts, reason) => {
  const env = { DATABASE_URL: verified(server.url, parts) };
  const examined = await runCommand(['doctor'], env);
  expect([examined.code, examined.stderr, examined.stdout]).toEqual([1, '', expect.stringMatching(/FAILED +database +The database /)]);
  expect(examined.stdout).toMatch(reason);
  for (const command of ['migrate', 'start']) {
    const { code, stderr } = await runClaims([command], env);
    expect([code, stderr.split('\n').length], stderr).toEqual([1, 2]);
    expect(stderr).toMatch(/^claims: The database \S+ cannot be reached \(.*\): check DATABASE_URL/);
    expect(stderr).toMatch(reason);
  }
});
