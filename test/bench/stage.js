// The setup of a benchmark: a database with data, and servers that run side by side.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import 'reflect-metadata';
import { DataSource } from 'typeorm';
import { createContext } from '../../dist/src/program/app.js';
import { ApiKeysService } from '../../dist/src/modules/api-keys/index.js';
import { NewOrganizations } from '../../dist/src/modules/organization/index.js';
import { Settings } from '../../dist/src/kernel/settings/settings.js';
import { patientConnectionOptions } from '../../dist/src/store/database/connection-options.js';
import { migrate } from '../../dist/src/store/database/migrate.js';
import { createLog } from '../../dist/src/kernel/log.js';
import { openBenchDatabase } from './database.js';
import { processorSeconds } from './processes.js';

const PROJECTS = 1000;
/** With BENCH_SMALL each server has one processor, and the heap that V8 gives itself in a container of 512 MB. */
const SMALL_HEAP = '--max-old-space-size=256';
const UNLIMITED = { perMinute: 1e9, burst: 1e9 };
const root = fileURLToPath(new URL('../..', import.meta.url));

/** `settings` are of Postgres, where it is the embedded one. */
export async function openStage(more = {}, settings = {}) {
  const database = await openBenchDatabase(settings);
  const env = {
    ...process.env,
    DATABASE_URL: database.url,
    ROLE: 'api',
    LOG_FORMAT: 'json',
    TOOL_REPEATS: '0',
    RATE_LIMITS: JSON.stringify({ enterprise: UNLIMITED }),
    // Pages are limited by address.
    ADDRESS_LIMITS: JSON.stringify({ console: UNLIMITED }),
    ...more,
  };
  const servers = [];
  const serverAt = new Map();
  const openServer = async (script, port, more = {}, { args = [] } = {}) => {
    const { url, child } = await waitForServer(script, port, { ...env, ...more }, args, servers);
    serverAt.set(url, child);
    return {
      url,
      pid: child.pid,
      processorSeconds: () => processorSeconds(child.pid),
      profile: (file, work) => profile(child, file, work),
    };
  };
  const startServer = async (script, port, more = {}) => (await openServer(script, port, more)).url;
  /** Ends all servers, so that others can take their ports. */
  const closeServers = async () => {
    for (const server of servers) server.kill();
    await Promise.all(servers.splice(0).map((server) => server.exitCode ?? once(server, 'exit')));
  };
  const close = async () => {
    await closeServers();
    await database.close();
  };
  const seedWith = (fill) => withSource(env, fill);
  const spawned = (script, more) => {
    const child = spawn(process.execPath, [script], { cwd: root, env: { ...env, ...more }, stdio: ['ignore', 'ignore', 'inherit'] });
    servers.push(child);
    return Object.assign(child, { role: more.ROLE });
  };
  /** Stops the processes of a role, and waits until they have ended. */
  const stopProcesses = (role) =>
    Promise.all(
      servers.filter((server) => server.role === role && server.exitCode === null).map((server) => (server.kill(), once(server, 'exit'))),
    );
  return {
    databaseUrl: database.url,
    startProcess: spawned,
    stopProcesses,
    /** An organization with this many projects. */
    seed: (projects = PROJECTS) => seedWith((tools) => seedProjects(tools, projects)),
    seedOrganizations: (count) => seedWith(({ sql }) => seedOrganizations(sql, count)),
    seedWith,
    openServer,
    closeServers,
    startServer,
    processorSeconds: (url) => processorSeconds(serverAt.get(url).pid),
    close,
  };
}

/** Migrates, and passes `fill` what it needs: SQL, the application without HTTP, and tenants with keys that have all scopes. */
async function withSource(env, fill) {
  const settings = Settings.from({ ...env, LOG_LEVEL: 'silent' });
  const source = await new DataSource(patientConnectionOptions(env.DATABASE_URL)).initialize();
  await migrate(source);
  const app = await createContext(settings, createLog(settings));
  const actor = { type: 'system', id: null, name: 'bench' };
  const tenant = async (slug) => {
    const { id } = await app.get(NewOrganizations).create(actor, { name: slug, slug, plan: 'enterprise' });
    const keyOf = async (environment) =>
      (await app.get(ApiKeysService).create(actor, { organizationId: id, environment, name: 'Bench', scopes: 'all' })).key;
    return { id, key: await keyOf('test'), liveKey: await keyOf('live') };
  };
  try {
    return await fill({ sql: (text, values) => source.query(text, values), tenant, app });
  } finally {
    await app.close();
    await source.destroy();
  }
}

async function seedProjects({ sql, tenant }, count) {
  const { id, key } = await tenant(`bench-${count}`);
  // A second apart, until three hours ago.
  const first = Date.now() - 3 * 3_600_000 - count * 1000;
  await sql(`INSERT INTO claim_projects (id, organization_id, environment, created_at, updated_at,
      name, client_reference, period_start, period_end, status, metadata, unique_key, search_key)
    SELECT (lpad(to_hex(${first} + n * 1000), 12, '0') || '7000' || '8' || substr(md5('${id}' || n), 1, 15))::uuid, '${id}', 'test', now(), now(),
      'Project ' || n, 'CLIENT-' || n, '2026-01-01', '2026-12-31', 'active', '{"officeCode":"BER-1"}', 'seed' || n, 'PROJECT ' || n
    FROM generate_series(1, ${count}) n`);
  // Brings the tables into the state that autovacuum leaves in production.
  await sql('VACUUM ANALYZE');
  const [row] = await sql('SELECT id FROM claim_projects WHERE organization_id = $1 ORDER BY id LIMIT 1 OFFSET 500', [id]);
  return { organizationId: id, key, projectId: row.id };
}

/** Others, each with 100 projects. */
async function seedOrganizations(sql, count) {
  await sql(`INSERT INTO organizations (id, name, slug, plan, status, time_zone, billing_cycle_anchor, created_at, updated_at)
    SELECT gen_random_uuid(), 'Other ' || n, 'other-' || n, 'enterprise', 'active', 'UTC', '2026-01-01', now(), now() FROM generate_series(1, ${count}) n`);
  await sql(`INSERT INTO claim_projects (id, organization_id, environment, created_at, updated_at,
      name, client_reference, period_start, period_end, status, metadata, unique_key, search_key)
    SELECT gen_random_uuid(), id, 'test', now(), now(), 'Project ' || n, NULL, '2026-01-01', '2026-12-31', 'active', '{}', 'seed' || n, 'PROJECT ' || n
    FROM organizations, generate_series(1, 100) n WHERE slug LIKE 'other-%'`);
  await sql('VACUUM ANALYZE');
}

async function waitForServer(script, port, env, args, servers) {
  const node = [process.execPath, ...args, script];
  const [program, ...rest] = process.env.BENCH_SMALL ? ['taskset', '-c', '0', process.execPath, SMALL_HEAP, ...args, script] : node;
  const child = spawn(program, rest, {
    cwd: root,
    env: { ...env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  servers.push(child);
  const url = `http://127.0.0.1:${port}`;
  for (;;) {
    const answer = await fetch(`${url}/v1/claim-projects`).catch(() => undefined);
    if (answer) return { url, child };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Writes a processor profile of a server that was started with profile.js while the work runs. */
async function profile(child, file, work) {
  child.send('begin');
  await once(child, 'message');
  await work();
  child.send({ write: file });
  await once(child, 'message');
}
