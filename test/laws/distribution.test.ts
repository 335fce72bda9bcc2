import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';
import { LOCK_TIMEOUT_MS } from '../../src/store/database/connection-options.js';
import { placingSql } from '../support/citus.js';
import { rowsOf } from '../support/database.js';
import { factsOfExtensions, tablesForExtensions } from '../support/extension-facts.js';
import { inSession } from '../support/session.js';

const CREATE = /^SELECT create_(?<kind>reference|distributed)_table\('(?<name>\w+)'(?:, 'organization_id')?\)$/;

/**
 * The statements that the query of docs/citus.md returns if `placed` are where they belong already. On Postgres without Citus, too: it
 * finds our own catalogue of the placed tables.
 */
async function statements(placed: readonly string[] = [], before = ''): Promise<string[]> {
  return inSession(inject('databaseUrl'), async (client) => {
    await client.query('BEGIN');
    await client.query('CREATE TEMPORARY TABLE pg_dist_partition (logicalrelid regclass)');
    await client.query('INSERT INTO pg_dist_partition SELECT unnest($1::text[])::regclass', [placed]);
    if (before) await client.query(before);
    return (await client.query<{ statement: string }>(placingSql())).rows.map(({ statement }) => statement);
  });
}

const namesOf = (found: readonly string[], kind: 'reference' | 'distributed'): string[] =>
  found.flatMap((statement) => {
    const groups = CREATE.exec(statement)?.groups;
    return groups?.kind === kind ? [groups.name!] : [];
  });

// Its rows are on all workers, so a table is one of these only if its rows are found before their organization is known.
it('names the organization in the keys of every table of organizations, but for those that are copied to all workers', async () => {
  const ours = ['api_keys', 'oauth_applications', 'organizations', 'user_invitations', 'users'];
  const found = namesOf(await statements(), 'reference');
  expect(found).toEqual([...ours, ...Object.keys(factsOfExtensions('referenceTables'))].sort());
});

it('leaves only tables without organizations on the coordinator', async () => {
  const ours = [
    'audit_keys',
    'console_sessions',
    'encryption_key_checks',
    'exchange_rates',
    'migrations',
    'oauth_records',
    'oauth_registrations',
    'sign_in_links',
    'usage_writers',
  ];
  const ofExtensions = [...tablesForExtensions, ...Object.keys(factsOfExtensions('tablesOfNobody'))];
  const all = await rowsOf<{ name: string }>(
    inject('databaseUrl'),
    `SELECT relname AS name FROM pg_class
      WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = current_schema()::regnamespace ORDER BY 1`,
  );
  const found = await statements();
  const placed = new Set([...namesOf(found, 'reference'), ...namesOf(found, 'distributed')]);
  expect(all.map(({ name }) => name).filter((name) => !placed.has(name))).toEqual([...ours, ...ofExtensions].sort());
});

it('limits the workers, and then places each table and empties what it was copied from, those that are copied to all first', async () => {
  const [limit, ...found] = await statements();
  expect(limit).toMatch(new RegExp(`^SELECT run_command_on_workers\\('ALTER DATABASE "?\\w+"? SET lock_timeout = ${LOCK_TIMEOUT_MS}'\\)$`));
  const [copied, distributed] = [namesOf(found, 'reference'), namesOf(found, 'distributed')];
  expect(distributed.length).toBeGreaterThan(20);
  const truncate = (name: string): string => `SELECT truncate_local_data_after_distributing_table('${name}')`;
  expect(found).toEqual([
    ...copied.flatMap((name) => [`SELECT create_reference_table('${name}')`, truncate(name)]),
    ...distributed.flatMap((name) => [`SELECT create_distributed_table('${name}', 'organization_id')`, truncate(name)]),
  ]);
});

it.each([
  ['reference', 'a key forgets the organization', 'UNIQUE (id)'],
  ['distributed', 'all keys name the organization', 'UNIQUE (note, organization_id)'],
] as const)('a table is %s if %s', async (kind, _why, key) => {
  const found = await statements(
    [],
    `CREATE TABLE placed_notes (id uuid, organization_id uuid, note text, PRIMARY KEY (id, organization_id), ${key})`,
  );
  expect(namesOf(found, kind)).toContain('placed_notes');
});

it('has only the tables left that are not where they belong, and nothing in the end', async () => {
  const all = await statements();
  const names = [...namesOf(all, 'reference'), ...namesOf(all, 'distributed')];
  expect(await statements(names.filter((name) => name !== 'events'))).toEqual([
    all[0],
    "SELECT create_distributed_table('events', 'organization_id')",
    "SELECT truncate_local_data_after_distributing_table('events')",
  ]);
  expect(await statements(names)).toEqual([]);
});

// Citus would change them on one of the servers that have a copy.
it('changes the rows of tables that are copied to all workers by statements of their own', async () => {
  const names = namesOf(await statements(), 'reference').join('|');
  const within = new RegExp(`AS (?:MATERIALIZED )?\\(\\s*(?:DELETE FROM|UPDATE|INSERT INTO)\\s+"?(?:${names})\\b`);
  expect(within.test('WITH gone AS (DELETE FROM organizations WHERE id = $1) UPDATE')).toBe(true);
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  expect(sources.length).toBeGreaterThan(500);
  expect(sources.filter((file) => within.test(readFileSync(join('src', file), 'utf8')))).toEqual([]);
});

// Only a cluster has the functions of the extension.
if (process.env.TEST_CITUS_URL !== undefined)
  it('has nothing left to do in a database that is distributed', async () => {
    expect(await rowsOf(inject('databaseUrl'), placingSql())).toEqual([]);
  });
