import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import 'reflect-metadata';
import pg from 'pg';
import { DataSource } from 'typeorm';
import type { TestProject } from 'vitest/node';
import { patientConnectionOptions } from '../../src/platform/database/connection-options.js';
import { openEmbeddedDatabase } from '../../src/platform/database/embedded/embedded-postgres.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { findRedis } from './redis.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** A database that all test files share; each has organizations of its own. */
    databaseUrl: string;
    /** The migrated database that `createDatabase` copies. */
    templateUrl: string;
    redisUrl: string | undefined;
  }
}

let shared: Promise<{ databaseUrl: string; templateUrl: string; redisUrl: string | undefined; stop: () => Promise<void> }> | undefined;
let users = 0;

async function open() {
  const dataDir = await mkdtemp(join(tmpdir(), 'claims-test-'));
  // What a crash of the machine would do is not tested here, so the tests need not wait for the disk.
  const embedded = await openEmbeddedDatabase({ dataDir, mode: 'own', database: 'template', settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' } });
  const source = await new DataSource(patientConnectionOptions(embedded.url)).initialize();
  await migrate(source);
  await source.destroy();
  const databaseUrl = await copyDatabase(embedded.url, 'shared');
  const redisUrl = await findRedis();
  if (!redisUrl) console.warn('No Redis at hand (TEST_REDIS_URL or 127.0.0.1:6379): what runs on Redis is not tested.');
  const stop = async (): Promise<void> => {
    await embedded.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { databaseUrl, templateUrl: embedded.url, redisUrl, stop };
}

async function copyDatabase(templateUrl: string, name: string): Promise<string> {
  const url = new URL(templateUrl);
  url.pathname = '/postgres';
  const client = new pg.Client(url.href);
  await client.connect();
  await client.query(`CREATE DATABASE "${name}" TEMPLATE "template"`);
  await client.end();
  url.pathname = `/${name}`;
  return url.href;
}

/** One database server for all projects of a run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  users += 1;
  shared ??= open();
  const { databaseUrl, templateUrl, redisUrl, stop } = await shared;
  project.provide('databaseUrl', databaseUrl);
  project.provide('templateUrl', templateUrl);
  project.provide('redisUrl', redisUrl);
  return async () => {
    users -= 1;
    if (users === 0) await stop();
  };
}
