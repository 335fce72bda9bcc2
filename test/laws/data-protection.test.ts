import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dataProtectionOfExtensions, tablesForExtensions } from '../support/extension-facts.js';
import { createDatabase, rowsOf } from '../support/database.js';

/** Types of columns that can hold what people write. The others are ids, times, numbers and flags. */
const FREE = ['text', 'character varying', 'json', 'jsonb', 'bytea', 'ARRAY', 'inet'];

const page = await readFile('docs/data-protection.md', 'utf8');
const pages = [page, ...dataProtectionOfExtensions()];
const rows = pages.flatMap((text) => text.split('\n')).filter((line) => line.startsWith('| `'));
const named = (cell = ''): string[] => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name!);
/** Of each table of the page, its columns, in alphabetical order. */
const stated = Object.fromEntries(
  rows.map((row) => {
    const [, table, personal, other] = row.split(' | ').join('|').split('|');
    return [named(table)[0]!, [...named(personal), ...named(other)].sort()];
  }),
);
// Like that of ours.
for (const table of tablesForExtensions) stated[table] = ['name'];

let database: Awaited<ReturnType<typeof createDatabase>>;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

it('docs/data-protection.md says of every column that holds text, documents or bytes whether it may be personal', async () => {
  const columns = await rowsOf<{ name: string; columns: string[] }>(
    database.url,
    `SELECT table_name::text AS name, array_agg(column_name::text) AS columns FROM information_schema.columns
      JOIN pg_class ON relname = table_name AND relkind IN ('r', 'p') AND NOT relispartition
      WHERE table_schema = 'public' AND data_type = ANY ($1) GROUP BY table_name`,
    [FREE],
  );
  expect(columns.length).toBeGreaterThan(30);
  expect(stated).toEqual(Object.fromEntries(columns.map(({ name, columns: found }) => [name, found.sort()])));
});
