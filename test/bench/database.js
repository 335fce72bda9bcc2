// Creates a database for a benchmark, and removes it afterwards.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openEmbeddedDatabase } from '../../dist/tools/embedded-postgres/index.js';

/** Uses the server of DATABASE_URL if it is set, and otherwise an embedded Postgres with fsync in a new folder. */
export function openBenchDatabase(settings, name = 'bench') {
  return process.env.DATABASE_URL ? createDatabase(process.env.DATABASE_URL, name) : openEmbedded(settings);
}

async function openEmbedded(settings) {
  const dataDir = await mkdtemp(join(tmpdir(), 'claims-bench-'));
  const database = await openEmbeddedDatabase({ dataDir, mode: 'own', settings });
  const close = async () => {
    await database.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { url: database.url, close };
}

async function createDatabase(server, kind) {
  const name = `claims_${kind}_${process.pid}`;
  const url = new URL(server);
  url.pathname = `/${name}`;
  const execute = async (sql) => {
    const client = new pg.Client(server);
    await client.connect();
    await client.query(sql).finally(() => client.end());
  };
  await execute(`CREATE DATABASE ${name}`);
  return { url: url.href, close: () => execute(`DROP DATABASE ${name} WITH (FORCE)`) };
}
