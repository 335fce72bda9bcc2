// What a benchmark runs on: a database with data, and servers beside each other.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import 'reflect-metadata';
import { DataSource } from 'typeorm';
import { createContext } from '../../dist/src/app.js';
import { ApiKeysService } from '../../dist/src/modules/api-keys/index.js';
import { OrganizationService } from '../../dist/src/modules/organization/index.js';
import { Settings } from '../../dist/src/platform/config/settings.js';
import { patientConnectionOptions } from '../../dist/src/platform/database/connection-options.js';
import { openEmbeddedDatabase } from '../../dist/src/platform/database/embedded/embedded-postgres.js';
import { migrate } from '../../dist/src/platform/database/migrate.js';
import { createLog } from '../../dist/src/platform/logging/log.js';

const PROJECTS = 1000;
const UNLIMITED = { perMinute: 1e9, burst: 1e9 };
const root = fileURLToPath(new URL('../..', import.meta.url));

/** A real Postgres with fsync, in a folder of its own. */
export async function openStage() {
  const dataDir = await mkdtemp(join(tmpdir(), 'claims-bench-'));
  const database = await openEmbeddedDatabase({ dataDir, mode: 'own' });
  const env = { ...process.env, DATABASE_URL: database.url, ROLE: 'api', LOG_FORMAT: 'json', RATE_LIMITS: JSON.stringify({ enterprise: UNLIMITED }) };
  const servers = [];
  const close = async () => {
    for (const server of servers) server.kill();
    await database.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { seed: () => seed(env), openApp: () => openApp(env), startServer: (script, port, more = {}) => startServer(script, port, { ...env, ...more }, servers), close };
}

/** The application without HTTP, and the way to its database. */
async function openApp(env) {
  const settings = Settings.from({ ...env, LOG_LEVEL: 'silent' });
  const source = await new DataSource(patientConnectionOptions(env.DATABASE_URL)).initialize();
  await migrate(source);
  return { source, app: await createContext(settings, createLog(settings)) };
}

async function seed(env) {
  const { source, app } = await openApp(env);
  const actor = { type: 'system', id: null, name: 'bench' };
  const { id } = await app.get(OrganizationService).create(actor, { name: 'Bench', slug: 'bench', plan: 'enterprise' });
  const keyOf = async (environment) => (await app.get(ApiKeysService).create(actor, { organizationId: id, environment, name: 'Bench', scopes: 'all' })).key;
  const [key, liveKey] = [await keyOf('test'), await keyOf('live')];
  await source.query(`INSERT INTO claim_projects (id, organization_id, environment, created_at, updated_at, name, client_reference, period_start, period_end, status, metadata, unique_key, search_key)
    SELECT gen_random_uuid(), '${id}', 'test', now(), now(), 'Project ' || n, 'CLIENT-' || n, '2026-01-01', '2026-12-31', 'active', '{"officeCode":"BER-1"}', 'seed' || n, 'PROJECT ' || n FROM generate_series(1, ${PROJECTS}) n`);
  await source.query('ANALYZE');
  const [row] = await source.query('SELECT id FROM claim_projects ORDER BY id LIMIT 1 OFFSET 500');
  await app.close();
  await source.destroy();
  return { key, liveKey, organizationId: id, projectId: row.id };
}

async function startServer(script, port, env, servers) {
  const child = spawn(process.execPath, [script], { cwd: root, env: { ...env, PORT: String(port) }, stdio: ['ignore', 'ignore', 'inherit'] });
  servers.push(child);
  const url = `http://127.0.0.1:${port}`;
  for (;;) {
    const answer = await fetch(`${url}/v1/claim-projects`).catch(() => undefined);
    if (answer) return url;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
