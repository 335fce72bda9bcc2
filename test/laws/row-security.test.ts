import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../src/store/database/database.js';
import { declaredSql, declareSql, type NamedText, type Scope } from '../../src/store/database/prepared-statements.js';
import { lockedTables, shownBy } from '../../src/store/database/row-security.js';
import { startApp, type TestApp } from '../support/app.js';
import { rowsOf } from '../support/database.js';
import { asService } from '../support/service-role.js';
import { openSession } from '../support/session.js';
import { importStatement, openStatements, startWorking } from '../support/statements.js';
import { takeUnscoped } from '../support/tenant-statements.js';

let working: TestApp;
let pooled: TestApp;
let own: string;
let other: string;
beforeAll(async () => {
  working = await startWorking();
  pooled = await startApp({ DATABASE_URL: working.databaseUrl, DATABASE_POOLER: 'transaction' });
  [own, other] = await Promise.all([anImport(), anImport()]);
});
afterAll(async () => {
  await pooled.close();
  await working.close();
  // Other laws of this process read all that are declared.
  for (const name of declaredSql().keys()) if (name.startsWith(PREFIX)) declaredSql().delete(name);
});

/** The first lock, which looks at each statement, notices these as well. */
afterEach(() => takeUnscoped());

async function anImport(): Promise<string> {
  const { organizationId, settled } = await openStatements(working);
  expect(await settled((await importStatement(working, organizationId)).id)).toMatchObject({ redactionStatus: 'succeeded' });
  return organizationId;
}

interface Seen {
  readonly organization: string;
}
const FORGOTTEN = 'SELECT DISTINCT organization_id AS organization FROM statement_lines WHERE $1::uuid IS NOT NULL ORDER BY 1';
let declared = 0;
/** Statements that a test declares stay declared, so each has a name of its own. */
const PREFIX = 'row_security.';
const named = (text: string): NamedText => ({ name: `${PREFIX}${(declared += 1)}`, text: `${text} -- ${declared}` });
const DOORS: [string, () => Database][] = [
  ['directly', () => working.app.get(Database)],
  ['behind a pooler', () => pooled.app.get(Database)],
];

async function seenBy(database: Database, scope: Scope, name?: string): Promise<string[]> {
  const statement = declareSql(name === undefined ? named(FORGOTTEN) : { name, text: FORGOTTEN }, scope, 0);
  return (await database.rows<Seen>(statement, [own])).map(({ organization }) => organization);
}

describe.each(DOORS)('a statement on a locked table, %s', (_how, database) => {
  it('that forgets its condition is shown the rows of its own organization alone', async () => {
    expect(await seenBy(database(), 'tenant')).toEqual([own]);
    expect(await seenBy(database(), 'tenant', '')).toEqual([own]);
    const looked = [0, 1, 2].map(() => database().shortRead<Seen>(declareSql(named(FORGOTTEN), 'organization', 0), [own]));
    for (const rows of await Promise.all(looked)) expect(rows).toEqual([{ organization: own }]);
    expect(await seenBy(database(), { reason: 'All are asked for.' })).toEqual([own, other].sort());
  });

  it('writes no row of another organization', async () => {
    const text = 'UPDATE statement_lines SET organization_id = $2 WHERE organization_id = $1';
    const moved = declareSql(named(text), 'organization', 0);
    await expect(database().rows(moved, [own, other])).rejects.toThrow('new row violates row-level security policy');
    expect(await seenBy(database(), { reason: 'All are asked for.' })).toEqual([own, other].sort());
  });

  it('fails at once in a transaction that has failed, and goes on after it', async () => {
    const { client, release } = await taken(database());
    const statement = declareSql(named(FORGOTTEN), 'tenant', 0);
    await client.query('SELECT 1 / 0').catch(() => undefined);
    const asked = [statement, statement].map((one) => database().rows(one, [own], { client }));
    for (const rows of asked) await expect(rows).rejects.toThrow('current transaction is aborted');
    release();
    expect(await database().rows(statement, [own])).toEqual([{ organization: own }]);
  });

  it('that does not say whose rows it is about fails, also after another one did', async () => {
    const { client, release } = await taken(database());
    try {
      await seenBy(database(), 'tenant');
      await expect(client.query('SELECT 1 FROM statement_lines')).rejects.toThrow('invalid input syntax for type uuid: "none"');
    } finally {
      release();
    }
  });
});

/** Behind a pooler a connection has its settings in a transaction alone. */
async function taken(database: Database) {
  const client = await database.connect();
  await client.query(database.begin);
  return { client, release: () => void client.query('ROLLBACK').then(() => client.release()) };
}

it('a statement whose organization is not known cannot be sent', () => {
  const statement = declareSql(named('SELECT 1 FROM claim_lines'), 'organization');
  expect(() => shownBy(statement, [])).toThrow('does not say of which organization');
});

it('the tables that are locked in Postgres are those whose entities say so', async () => {
  const policies = await rowsOf<{ name: string }>(
    working.databaseUrl,
    'SELECT relname AS name FROM pg_class WHERE relrowsecurity AND EXISTS (SELECT 1 FROM pg_policy WHERE polrelid = pg_class.oid)',
  );
  expect(policies.map(({ name }) => name).sort()).toEqual(lockedTables().sort());
});

it('the applications of the tests are bound by it; version 1.0.0, which names no organization, goes on', async () => {
  const active = declareSql(named("SELECT row_security_active('statement_lines') AS active, current_user AS role"), undefined);
  expect(await working.app.get(Database).rows(active, [])).toEqual([{ active: true, role: 'claims_service_of_tests' }]);
  const client = await openSession(asService(working.databaseUrl));
  const { rows } = await client.query<Seen>(FORGOTTEN, [own]);
  await client.end();
  expect(rows.map(({ organization }) => organization)).toEqual([own, other].sort());
});
