import pg from 'pg';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { TEST_ENCRYPTION_KEY, type TestApp } from './app.js';
import { createDatabase, rowsOf } from './database.js';
import { type Ended, runClaims } from './process.js';

/** The key of the installation that organizations move to. */
export const OTHER_ENCRYPTION_KEY = Buffer.alloc(32, 'another key').toString('base64');
export const HERE = 'https://here.example';
export const THERE = 'https://there.example';

/** Another installation without a process: its database, and commands. */
export async function anInstallation() {
  const database = await createDatabase();
  const env = { DATABASE_URL: database.url, ENCRYPTION_KEY: OTHER_ENCRYPTION_KEY, BASE_URL: THERE };
  return { ...database, env, claims: (...args: string[]) => runClaims(args, env) };
}

export type Installation = Awaited<ReturnType<typeof anInstallation>>;

export const envOf = ({ databaseUrl }: Pick<TestApp, 'databaseUrl'>) => ({
  DATABASE_URL: databaseUrl,
  ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
  BASE_URL: HERE,
});

/** The steps of a move, with a folder of its own for key and archive. */
export function aMove(from: Pick<TestApp, 'databaseUrl'>, to: Installation, organizationId: string) {
  const folder = mkdtempSync(join(tmpdir(), 'move-'));
  const [key, archive] = [join(folder, 'move.key'), join(folder, 'organization.move')];
  writeFileSync(key, `${randomBytes(32).toString('base64')}\n`);
  const here = (...args: string[]) => runClaims(['org', 'move', ...args, '--json'], envOf(from));
  const importArgs = ['org', 'move', 'import', '--in', archive, '--key', key, '--json'];
  const exportArgs = ['org', 'move', 'export', organizationId, '--out', archive, '--key', key, '--to', THERE, '--json'];
  return {
    key,
    archive,
    exportArgs,
    importArgs,
    export: () => done(runClaims(exportArgs, envOf(from))),
    tryImport: () => to.claims(...importArgs),
    import: async () => JSON.parse(await done(to.claims(...importArgs))) as { organizationId: string; rows: number; auditHead: object },
    done: () => done(here('done', organizationId)),
    abort: () => done(here('abort', organizationId, '--not-imported')),
  };
}

export async function done(running: Promise<Ended>): Promise<string> {
  const { code, stdout, stderr } = await running;
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
}

/** The rows of an organization in each table, as text, without some columns. Not from the code under test: from the database alone. */
export async function contentOf(url: string, organizationId: string, without: Readonly<Record<string, readonly string[]>>) {
  const tables = await rowsOf<{ name: string; columns: string[]; key: string }>(
    url,
    `SELECT relname AS name, array_agg(attname::text ORDER BY attname) AS columns,
        CASE relname WHEN 'organizations' THEN 'id' ELSE 'organization_id' END AS key
      FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
      WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
      GROUP BY relname HAVING bool_or(attname = 'organization_id' OR relname = 'organizations') ORDER BY 1`,
  );
  const content: Record<string, string[]> = {};
  for (const { name, columns, key } of tables) {
    const shown = columns.filter((column) => !without[name]?.includes(column)).map((column) => pg.escapeIdentifier(column));
    const text = `SELECT (row(${shown.join(', ')}))::text AS row FROM ${pg.escapeIdentifier(name)} WHERE ${key} = $1 ORDER BY 1`;
    content[name] = (await rowsOf<{ row: string }>(url, text, [organizationId])).map(({ row }) => row);
  }
  return content;
}
