import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import 'reflect-metadata';
import type { ProvidedContext } from 'vitest';
import type { TestProject } from 'vitest/node';
import { openEmbeddedDatabase } from '../../tools/embedded-postgres/index.js';
import { newId } from '../../src/kernel/ids.js';
import { openOnCitus } from './citus.js';
import { hasChromium } from './chromium.js';
import { migrateDatabase } from './migrated.js';
import { startPgBouncer } from './pgbouncer.js';
import { findRedis } from './redis.js';
import { grantToService } from './service-role.js';
import { inSession } from './session.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** A database that all test files share; each has organizations of its own. */
    databaseUrl: string;
    /** The migrated database that `createDatabase` copies. */
    templateUrl: string;
    redisUrl: string | undefined;
    /** With TEST_POOLER, the host and port of a PgBouncer before that server. */
    poolerHost: string | undefined;
  }
}

interface Shared extends ProvidedContext {
  readonly stop: () => Promise<void>;
}

let shared: Promise<Shared> | undefined;
let users = 0;
/** For each database: as many as the largest pool of a test, which holds as many calls at once as an organization may have. */
const POOLER_CONNECTIONS = 40;

async function open(): Promise<Shared> {
  const citus = process.env.TEST_CITUS_URL;
  const { databaseUrl, templateUrl, stop } = citus ? await openOnCitus(citus) : await openOnServer();
  const redisUrl = await findRedis();
  if (!redisUrl) console.warn('No Redis at hand (TEST_REDIS_URL or 127.0.0.1:6379): what runs on Redis is not tested.');
  if (!hasChromium()) console.warn('No Chromium at hand (TEST_CHROMIUM_PATH or /usr/bin/chromium): the pages are not tried in a browser.');
  const pooler = process.env.TEST_POOLER ? await startPgBouncer(templateUrl, POOLER_CONNECTIONS) : undefined;
  const stopAll = async (): Promise<void> => {
    await pooler?.stop();
    await stop();
  };
  return { databaseUrl, templateUrl, redisUrl, poolerHost: pooler && new URL(pooler.url).host, stop: stopAll };
}

async function openOnServer() {
  const server = await openServer();
  const run = newId().replaceAll('-', '');
  const templateUrl = await server.create(`template_${run}`);
  await migrateDatabase(templateUrl);
  await grantToService(templateUrl);
  const databaseUrl = await server.create(`shared_${run}`, `template_${run}`);
  const stop = async (): Promise<void> => {
    for (const name of [`shared_${run}`, `template_${run}`]) await server.drop(name);
    await server.stop();
  };
  return { databaseUrl, templateUrl, stop };
}

/** The database server that TEST_DATABASE_URL names, or one that is started for the tests. */
async function openServer() {
  const given = process.env.TEST_DATABASE_URL;
  const { url, stop } = given ? { url: given, stop: () => Promise.resolve() } : await startServer();
  const on = (name: string): string => Object.assign(new URL(url), { pathname: `/${name}` }).href;
  const run = async (sql: string): Promise<void> => {
    await inSession(on('postgres'), (client) => client.query(sql));
  };
  const create = async (name: string, template = 'template0'): Promise<string> => {
    await run(`CREATE DATABASE "${name}" TEMPLATE "${template}"`);
    return on(name);
  };
  return { create, stop, drop: (name: string) => run(`DROP DATABASE "${name}" WITH (FORCE)`) };
}

async function startServer(): Promise<{ url: string; stop: () => Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'claims-test-'));
  // No test crashes the machine, so the tests need not wait for the disk.
  const embedded = await openEmbeddedDatabase({
    dataDir,
    mode: 'own',
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' },
  });
  const stop = async (): Promise<void> => {
    await embedded.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { url: embedded.url, stop };
}

/** One database server for all Vitest projects. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  users += 1;
  shared ??= open();
  const { databaseUrl, templateUrl, redisUrl, poolerHost, stop } = await shared;
  project.provide('databaseUrl', databaseUrl);
  project.provide('templateUrl', templateUrl);
  project.provide('redisUrl', redisUrl);
  project.provide('poolerHost', poolerHost);
  return async () => {
    users -= 1;
    if (users === 0) await stop();
  };
}
