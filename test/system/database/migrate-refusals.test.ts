import { afterEach, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import { leftOutOnCitus } from '../../support/citus.js';
import { runCommand } from '../../support/command.js';
import { createDatabase, rowsOf } from '../../support/database.js';
import { TcpProxy } from '../../support/tcp-proxy.js';

const isLeftOut = leftOutOnCitus('The roles would have to be made on each server, and an emptied schema has no extension.');

const toUndo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const undo of toUndo.splice(0).reverse()) await undo();
});

/** An empty database, and a role that may do what `grants` say there. */
async function emptyDatabase(grants: (role: string) => string) {
  const database = await createDatabase();
  const role = `migrator_${newId().replaceAll('-', '')}`;
  const server = Object.assign(new URL(database.url), { pathname: '/postgres' }).href;
  await rowsOf(server, `CREATE ROLE ${role} LOGIN PASSWORD 'secret'`);
  toUndo.push(() => rowsOf(server, `DROP ROLE ${role}`), database.drop);
  await rowsOf(database.url, `DROP SCHEMA public CASCADE; CREATE SCHEMA public; ${grants(role)}`);
  const { href, pathname } = Object.assign(new URL(database.url), { username: role, password: 'secret' });
  return { role, admin: database.url, url: href, name: pathname.slice(1) };
}

/** The one line of a migration that was refused. */
async function refused(url: string): Promise<string> {
  const { code, stdout, stderr } = await runCommand(['migrate'], { DATABASE_URL: url });
  expect([code, stdout, stderr.split('\n').length]).toEqual([1, '', 2]);
  return stderr.trim();
}

it.skipIf(isLeftOut)('a role that may not create extensions learns what an administrator must run, and that is enough', async () => {
  const { role, admin, url, name } = await emptyDatabase((migrator) => `GRANT USAGE, CREATE ON SCHEMA public TO ${migrator}`);
  const line = await refused(url);
  const sql = 'CREATE EXTENSION pg_trgm SCHEMA public; CREATE EXTENSION btree_gin SCHEMA public;';
  expect(line).toBe(
    `claims: The database role ${role} cannot create the extensions pg_trgm and btree_gin (permission denied to create extension ` +
      `"pg_trgm"): as an administrator, run in the database ${name}: ${sql}`,
  );
  expect(await rowsOf(admin, "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace")).toEqual([]);
  await rowsOf(admin, /: (CREATE EXTENSION.*)$/.exec(line)![1]!);
  expect(await runCommand(['migrate'], { DATABASE_URL: url })).toMatchObject({ code: 0, stderr: '' });
});

it.skipIf(isLeftOut)('an extension that is there already is not asked for', async () => {
  const { admin, url } = await emptyDatabase((migrator) => `GRANT USAGE, CREATE ON SCHEMA public TO ${migrator}`);
  await rowsOf(admin, 'CREATE EXTENSION btree_gin');
  expect(await refused(url)).toMatch(/cannot create the extension pg_trgm \(.*: CREATE EXTENSION pg_trgm SCHEMA public;$/);
});

it.skipIf(isLeftOut)('an extension in a schema that the role does not look in is named with the search path that finds it', async () => {
  const { role, admin, url, name } = await emptyDatabase((migrator) => `GRANT USAGE, CREATE ON SCHEMA public TO ${migrator}`);
  await rowsOf(admin, 'CREATE SCHEMA shared; CREATE EXTENSION btree_gin; CREATE EXTENSION pg_trgm SCHEMA shared');
  expect(await refused(url)).toBe(
    `claims: The extension pg_trgm is in the schema shared, which the database role ${role} does not look in: ` +
      `run ALTER ROLE ${role} IN DATABASE ${name} SET search_path = public, shared;`,
  );
});

it.skipIf(isLeftOut)('the role of the service was to be granted CREATE: it learns that another role migrates', async () => {
  const { role, admin, url } = await emptyDatabase((service) => `GRANT USAGE ON SCHEMA public TO ${service}`);
  const line = (owner: string): string =>
    `claims: The database role ${role} may not create tables in the schema public: run the migrations as ${owner}, which owns the tables ` +
    '(DATABASE_DIRECT_URL): docs/operating.md says how the two roles are made.';
  expect(await refused(url)).toBe(line('a role of their own'));
  await rowsOf(admin, `CREATE TABLE migrations (id serial, timestamp bigint, name text); GRANT SELECT ON migrations TO ${role}`);
  expect(await refused(url)).toBe(line(new URL(admin).username));
});

it.skipIf(isLeftOut)('the owner of the tables that may create no more of them learns which grant is missing', async () => {
  const { role, admin, url } = await emptyDatabase((owner) => `GRANT USAGE ON SCHEMA public TO ${owner}`);
  await rowsOf(admin, `CREATE TABLE migrations (id serial, timestamp bigint, name text); ALTER TABLE migrations OWNER TO ${role}`);
  expect(await refused(url)).toBe(
    `claims: The database role ${role} may not create tables in the schema public: as an administrator, run ` +
      `GRANT USAGE, CREATE ON SCHEMA public TO ${role};`,
  );
});

it.skipIf(isLeftOut)('a search path that leads to no schema is named', async () => {
  const { role, admin, url } = await emptyDatabase(() => '');
  await rowsOf(admin, `ALTER ROLE ${role} SET search_path = nowhere`);
  expect(await refused(url)).toBe(
    `claims: The search_path of the database role ${role} (nowhere) names no schema that exists and that it may use: ` +
      'docs/operating.md says how to choose one.',
  );
});

it.skipIf(isLeftOut)('a role that owns only some of the tables is told in one line that it does not', async () => {
  const { role, admin, url } = await emptyDatabase((migrator) => `GRANT USAGE, CREATE ON SCHEMA public TO ${migrator}`);
  await rowsOf(
    admin,
    'CREATE EXTENSION pg_trgm; CREATE EXTENSION btree_gin; CREATE TABLE migrations (id serial, timestamp bigint, name text)',
  );
  expect(await refused(url)).toBe(
    `claims: The database role ${role} may not do what the migrations do (permission denied for table migrations): ` +
      'run them as the role that owns the tables (DATABASE_DIRECT_URL).',
  );
});

it.skipIf(isLeftOut)('a database in another encoding than UTF8 is refused, by the migration and by claims doctor', async () => {
  const { admin } = await emptyDatabase(() => '');
  const name = `latin_${newId().replaceAll('-', '')}`;
  await rowsOf(admin, `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'LATIN1' LOCALE_PROVIDER libc LOCALE 'C'`);
  toUndo.push(() => rowsOf(admin, `DROP DATABASE ${name} WITH (FORCE)`));
  const url = Object.assign(new URL(admin), { pathname: `/${name}` }).href;
  const line = `The database ${name} has the encoding LATIN1: create it anew with ENCODING 'UTF8' and TEMPLATE template0.`;
  expect(await refused(url)).toBe(`claims: ${line}`);
  expect((await runCommand(['doctor'], { DATABASE_URL: url })).stdout).toContain(`FAILED  database    ${line}`);
});

it.skipIf(isLeftOut)('a Postgres that says it is version 14 is refused', async () => {
  const { admin } = await emptyDatabase(() => '');
  const older = await TcpProxy.to(admin);
  toUndo.push(() => older.close());
  older.change = (answer) => {
    const text = answer.toString('latin1').replace(/\b1[5-9](00\d\d)\b/g, '14$1');
    return Buffer.from(text, 'latin1');
  };
  expect(await refused(older.url)).toMatch(/^claims: Postgres [\d.]+ .*is too old: 15 or newer is needed\.$/);
  expect((await runCommand(['doctor'], { DATABASE_URL: older.url })).stdout).toMatch(/FAILED +database +Postgres .* is too old/);
});
