import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dataProtectionOfExtensions, tablesForExtensions } from '../support/extension-facts.js';
import { PERSONAL_FIELDS } from '../../src/kernel/audit-actions.js';
import { UserDto } from '../../src/modules/users/user.dto.js';
import { fieldsOf } from '../../src/api/validation/field.js';
import { saidOf } from '../../src/store/tenant/organization-tables.js';
import { createDatabase, rowsOf } from '../support/database.js';
// The entities say of themselves what becomes of people.
import '../support/documented-app.js';

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
/** Of each table of ours, the columns that may be personal. */
const personal = Object.fromEntries(
  page
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((row) => row.split('|'))
    .map(([, table, columns]) => [named(table)[0]!, named(columns)]),
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

it('each table says of each column that may be personal what becomes of it when a person is erased', () => {
  const silent = Object.entries(personal).flatMap(([table, columns]) => {
    const rules = saidOf(table).people;
    if (rules.some(({ set, stays }) => !set && !stays)) return [];
    const answered = new Set(rules.flatMap(({ set, stays }) => [...Object.keys(set ?? {}), ...(stays?.columns ?? [])]));
    return columns.filter((column) => !answered.has(column)).map((column) => `${table}.${column}`);
  });
  expect(silent).toEqual([]);
});

it('what the audit log says of a user is personal, or says nothing of who the user is', () => {
  const known = ['id', 'role', 'status', 'createdAt', 'updatedAt'];
  // Extensions may add fields to members.
  const said = new Set([...fieldsOf(UserDto.prototype).keys(), 'customFields']);
  expect([...said].filter((field) => !known.includes(field)).sort()).toEqual([...PERSONAL_FIELDS.user!]);
});
