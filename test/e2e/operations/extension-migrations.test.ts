import { DataSource } from 'typeorm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrationsOf } from '../../../src/program/connect.js';
import { declareExtension } from '../../../src/extension-api.js';
import { patientConnectionOptions } from '../../../src/store/database/connection-options.js';
import { planPending } from '../../../tools/migration-plan/index.js';
import { migrate, pendingMigrations } from '../../../src/store/database/migrate.js';
import { requirePrivileges } from '../../../src/store/database/requirements.js';
import { createDatabase, rowsOf } from '../../support/database.js';

/** A migration by its class, and the table that it makes or changes. */
const making = (name: string, sql: string) =>
  ({
    [name]: class {
      up = (runner: { query(text: string): Promise<unknown> }) => runner.query(sql);
      down = () => Promise.resolve();
    },
  })[name]! as never;

// The later one has the earlier time, as that of another team may.
const notes = declareExtension({
  name: 'notes',
  madeFor: '1.0.0',
  modules: [],
  migrations: [
    making('CreateRows1800000000000', 'CREATE TABLE notes (id int)'),
    making('AddAuthor1800000001000', 'ALTER TABLE notes ADD author text'),
  ],
});
const labels = declareExtension({
  name: 'labels',
  madeFor: '1.0.0',
  modules: [],
  migrations: [making('CreateRows1700000000000', 'CREATE TABLE labels AS SELECT author FROM notes')],
});
const NAMES = ['notes.CreateRows1800000000000', 'notes.AddAuthor1800000001000', 'labels.CreateRows1700000000000'];

let database: Awaited<ReturnType<typeof createDatabase>>;
const opened: DataSource[] = [];
const open = async (...extensions: Parameters<typeof migrationsOf>[0]): Promise<DataSource> => {
  const source = await new DataSource(patientConnectionOptions(database.url, 'none', migrationsOf(extensions))).initialize();
  opened.push(source);
  return source;
};
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(async () => {
  for (const source of opened) await source.destroy();
  await database.drop();
});

it('without extensions there is no table of their migrations', async () => {
  expect(await migrate(await open())).toEqual([]);
  expect(await rowsOf(database.url, "SELECT 1 WHERE to_regclass('extension_migrations') IS NOT NULL")).toEqual([]);
});

it('migrations of extensions run after ours, extension by extension, once however many run them, and say what they did', async () => {
  const source = await open(notes, labels);
  expect(await pendingMigrations(source)).toEqual(NAMES);
  expect((await planPending(source, await pendingMigrations(source))).map(({ name }) => name)).toEqual(NAMES);
  const sources = await Promise.all([open(notes, labels), open(notes, labels), open(notes, labels)]);
  const done = await Promise.all(sources.map((one) => migrate(one)));
  expect(done.flat()).toEqual(NAMES);
  expect(await pendingMigrations(source)).toEqual([]);
  const rows = await rowsOf<{ name: string }>(database.url, 'SELECT name FROM extension_migrations ORDER BY id');
  expect(rows.map(({ name }) => name)).toEqual(NAMES);
  expect(await rowsOf(database.url, "SELECT 1 FROM migrations WHERE name LIKE '%.%'")).toEqual([]);
  await requirePrivileges(source);
});

it('an extension that is added later runs what is its own', async () => {
  const later = declareExtension({ ...labels, name: 'later', migrations: [making('Add1600000000000', 'ALTER TABLE labels ADD x int')] });
  expect(await migrate(await open(notes, labels, later))).toEqual(['later.Add1600000000000']);
});

it('refuses a name that its folder cannot have, and a migration without a time', () => {
  expect(() => declareExtension({ ...notes, name: 'My Notes' })).toThrow('a name like claim-notes');
  expect(() => declareExtension({ ...notes, migrations: [making('CreateRows', '')] })).toThrow('must end with a time');
});
