import { readFileSync } from 'node:fs';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { migrations } from '../../migrations/index.js';
import { extensions } from '../../src/extensions/index.js';
import { migrationOf } from '../../src/store/database/extension-migrations.js';
import { patientConnectionOptions } from '../../src/store/database/connection-options.js';
import { nameOf, Planner, recordMigration, readOnly, type Migration } from '../../tools/migration-plan/index.js';
import { filesOfRelease } from '../support/releases.js';

/** Migrations up to this one ran before anyone relied on the service, so they were free to lock and to rename. */
const LAST_ACCEPTED = 1_763_700_049_000;

let source: DataSource;
beforeAll(async () => {
  source = await new DataSource(patientConnectionOptions(inject('databaseUrl'))).initialize();
});
afterAll(() => source.destroy());

const timeOf = (name: string): number => Number(name.slice(-13));

/** Everything that is wrong with the migrations after a time. */
async function faultsAfter(time: number, all: readonly Migration[]): Promise<string[]> {
  const known = new Planner();
  const faults: string[] = [];
  for (const migration of all) {
    const recorded = await recordMigration(migration, readOnly(source));
    if (timeOf(recorded.name) <= time) {
      known.learn(recorded);
      continue;
    }
    const { name, statements, incomplete } = known.plan(recorded);
    if (incomplete !== undefined) faults.push(`${name} cannot be read: ${incomplete}`);
    faults.push(...statements.flatMap(({ sql, faults: found }) => found.map((fault) => `${name}: ${sql}: ${fault}`)));
    known.forgetCreated();
  }
  return faults;
}

it('migrations neither block the service while they run, nor break the version before', async () => {
  expect(
    await faultsAfter(
      LAST_ACCEPTED,
      migrations.map((Class) => new Class()),
    ),
  ).toEqual([]);
});

it('migrations of extensions do neither, each after those of the product', async () => {
  for (const { name, migrations: own = [] } of extensions) {
    const ours = migrations.map((Class) => new Class());
    const theirs = own.map((Class) => new (migrationOf(name, Class))());
    const faults = await faultsAfter(LAST_ACCEPTED, [...ours, ...theirs]);
    expect(faults.filter((fault) => fault.startsWith(`${name}.`))).toEqual([]);
  }
});

it('no migration leaves a lock or a setting on a connection of a pooler', async () => {
  const planner = new Planner();
  const found: string[] = [];
  for (const Class of migrations) {
    const { name, statements } = planner.plan(await recordMigration(new Class(), readOnly(source)));
    found.push(
      ...statements.filter(({ faults }) => faults.some((fault) => fault.startsWith('A pooler'))).map(({ sql }) => `${name}: ${sql}`),
    );
  }
  expect(found).toEqual([]);
});

/** What a migration says of `afterRelease` that is not so. */
function untrue(all: readonly Migration[], released: readonly string[], filesOf: ReadonlyMap<string, readonly string[]>): string[] {
  return all.flatMap((migration) => {
    const [name, { afterRelease }] = [nameOf(migration), migration];
    if (afterRelease === undefined) return [];
    if (!released.includes(afterRelease)) return [`${name}: ${afterRelease} is not in CHANGELOG.md with a day.`];
    const time = timeOf(name);
    const isPart = filesOf.get(afterRelease)?.some((file) => file.includes(`/${time}-`)) ?? false;
    return isPart ? [`${name}: ${afterRelease} has this migration already, so it does not do without what is removed.`] : [];
  });
}

it('a migration that removes something names a release of the changelog that does without it', async () => {
  const released = [...readFileSync('CHANGELOG.md', 'utf8').matchAll(/^## (\S+) \((?!unreleased)/gm)].map(([, version]) => version!);
  expect(released).toContain('1.0.0');
  // Where no history is, such as in a copy, only the changelog is known.
  const files = await Promise.all(released.map(async (version) => [version, await filesOfRelease(version, 'migrations')] as const));
  expect(
    untrue(
      migrations.map((Class) => new Class()),
      released,
      new Map(files),
    ),
  ).toEqual([]);
});

it('a release that is not in the changelog, or that has the migration itself, is no release that does without it', () => {
  const removal = made(['ALTER TABLE users DROP name'], { afterRelease: '1.0.0' });
  const files = (version: string, file: string) => new Map([[version, [file]]]);
  expect(untrue([removal], ['1.0.0'], files('1.0.0', 'migrations/1700000000000-other.ts'))).toEqual([]);
  expect(untrue([removal], ['1.1.0'], new Map())).toEqual([expect.stringContaining('1.0.0 is not in CHANGELOG.md')]);
  expect(untrue([removal], ['1.0.0'], files('1.0.0', 'migrations/1800000000000-tried.ts'))).toEqual([
    expect.stringContaining('has this migration already'),
  ]);
});

type Facts = Pick<Migration, 'transaction' | 'afterRelease'>;

/** Each text is a query of its own. */
const made = (queries: readonly string[], facts: Facts = {}): Migration => {
  const up = async (runner: QueryRunner): Promise<void> => {
    for (const sql of queries) await runner.query(sql);
  };
  return { name: 'Tried1800000000000', up, down: () => Promise.resolve(), ...facts } satisfies MigrationInterface & Facts;
};

describe('accepts', () => {
  const apart = { transaction: false };
  it.each<[what: string, queries: string[], facts?: Facts]>([
    ['a new column', ['ALTER TABLE users ADD nickname text']],
    [
      'one with a default that is one value',
      ["ALTER TABLE users ADD tags text[] NOT NULL DEFAULT '{}', ADD seen_at timestamptz(3) DEFAULT now()"],
    ],
    [
      'a new table with its indexes and rows',
      ['CREATE TABLE pets (id uuid); CREATE INDEX pets_id ON pets (id); UPDATE pets SET id = NULL; DROP INDEX pets_id'],
    ],
    [
      'an index that is built beside the service',
      ['DROP INDEX CONCURRENTLY IF EXISTS x', 'CREATE INDEX CONCURRENTLY x ON users (name)'],
      apart,
    ],
    ['rows that are changed in batches', ['DELETE FROM users WHERE id IN (SELECT id FROM users LIMIT 1000)'], apart],
    ['a constraint that is checked later', ["ALTER TABLE users ADD CONSTRAINT x CHECK (name <> '') NOT VALID"], { afterRelease: '1.0.0' }],
    ['a column that is removed after a release did without it', ['ALTER TABLE users DROP name'], { afterRelease: '1.0.0' }],
    ['a function', ['CREATE OR REPLACE FUNCTION f() RETURNS int LANGUAGE sql AS $$ SELECT 1; DROP TABLE users $$']],
  ])('%s', async (_what, queries, facts) => {
    expect(await faultsAfter(0, [made(queries, facts)])).toEqual([]);
  });

  it('NOT NULL, if an earlier migration has validated a CHECK of it', async () => {
    const ready = { afterRelease: '1.0.0' };
    const add = made(['ALTER TABLE users ADD CONSTRAINT x CHECK (name IS NOT NULL) NOT VALID'], ready);
    const validate = made(['ALTER TABLE users VALIDATE CONSTRAINT x']);
    const set = made(['ALTER TABLE users ALTER name SET NOT NULL'], ready);
    expect(await faultsAfter(0, [add, validate, set])).toEqual([]);
    expect(await faultsAfter(0, [add, set])).toEqual([expect.stringContaining('VALIDATE it in a second migration')]);
  });
});

describe('row security', () => {
  const of = (setting: string) => `CREATE POLICY p ON users USING (${setting} = 'all'); ALTER TABLE users ENABLE ROW LEVEL SECURITY`;

  it('is allowed only if it shows all to the version before, which makes no setting', async () => {
    expect(await faultsAfter(0, [made([of("coalesce(current_setting('a.b', true), 'all')")])])).toEqual([]);
    const refused = [expect.stringContaining('does not say whose rows it works on')];
    expect(await faultsAfter(0, [made([of("current_setting('a.b', true)")])])).toEqual(refused);
    expect(await faultsAfter(0, [made(['ALTER TABLE users ENABLE ROW LEVEL SECURITY'])])).toEqual(refused);
  });
});

describe('refuses', () => {
  const apart = { transaction: false };
  it.each<[what: string, queries: string[], fault: string, facts?: Facts]>([
    [
      'an index that blocks writes',
      ['CREATE INDEX x ON users (name)'],
      'SHARE on users for as long as it takes. Instead: CREATE INDEX CONCURRENTLY',
    ],
    ['an index in a transaction', ['CREATE INDEX CONCURRENTLY x ON users (name)'], 'cannot run in a transaction'],
    ['one beside another statement', ['CREATE INDEX CONCURRENTLY x ON users (name); SELECT 1'], 'a query of its own', apart],
    [
      'one that may be invalid',
      ['CREATE INDEX CONCURRENTLY IF NOT EXISTS x ON users (name)'],
      'DROP INDEX CONCURRENTLY IF EXISTS first',
      apart,
    ],
    [
      'a default that differs by row',
      ['ALTER TABLE users ADD x uuid DEFAULT gen_random_uuid()'],
      'ACCESS EXCLUSIVE on users for as long as it takes',
    ],
    ['a generated column', ['ALTER TABLE users ADD x text GENERATED ALWAYS AS (lower(name)) STORED'], 'let the program fill it'],
    ['a lock of the session', ["SELECT pg_advisory_lock(hashtext('x'))"], 'A pooler would leave it on any connection', apart],
    ['a setting of the session', ["SET lock_timeout = '5s'"], 'A pooler would leave it on any connection'],
    ['another type', ['ALTER TABLE users ALTER name TYPE varchar(9)'], 'Add a column of the new type'],
    ['NOT NULL', ['ALTER TABLE users ALTER COLUMN name SET NOT NULL'], 'IS NOT NULL) NOT VALID'],
    ['a CHECK', ['ALTER TABLE users ADD CHECK (id <> account_id)'], 'VALIDATE CONSTRAINT in a migration of its own'],
    [
      'a foreign key',
      ['ALTER TABLE users ADD FOREIGN KEY (organization_id) REFERENCES organizations'],
      'SHARE ROW EXCLUSIVE on organizations',
    ],
    ['a key', ['ALTER TABLE users ADD CONSTRAINT x UNIQUE (name)'], 'USING INDEX'],
    ['all rows at once', ["UPDATE users SET name = 'x'"], 'in batches'],
    [
      'a long statement after a lock',
      ['ALTER TABLE users ADD x int', 'INSERT INTO pets SELECT id FROM users'],
      'users stays locked meanwhile',
    ],
    ['a column without a default', ['ALTER TABLE users ADD x int NOT NULL'], 'The version before inserts rows without this column'],
    ['the removal of a column', ['ALTER TABLE users DROP COLUMN name'], 'The version before reads and writes this column'],
    ['another name of a column', ['ALTER TABLE users RENAME name TO x'], 'The version before uses the old name'],
    ['another name of a table', ['ALTER TABLE users RENAME TO x'], 'The version before uses the old name'],
    ['the removal of a table', ['DROP TABLE users'], 'The version before uses this table'],
    ['the removal of an index', ['DROP INDEX users_of_account'], 'for ON CONFLICT'],
    ['the removal of a default', ['ALTER TABLE organizations ALTER redact_counterparties DROP DEFAULT'], 'leave the value to the default'],
    ['a partition of a table in use', ["CREATE TABLE x PARTITION OF events FOR VALUES FROM ('a') TO ('b')"], 'create_partition'],
    ['what no rule knows', ["DO $$ BEGIN EXECUTE 'DROP TABLE users'; END $$"], 'No rule knows what this locks'],
    ['an action that no rule knows', ['ALTER TABLE users ADD x int, CLUSTER ON users_pkey'], 'No rule knows what this locks'],
    ['a migration that fails', ['SELECT * FROM missing'], 'cannot be read: relation "missing" does not exist'],
  ])('%s', async (_what, queries, fault, facts) => {
    const faults = await faultsAfter(0, [made(queries, facts)]);
    expect(faults.join('\n')).toContain(fault);
  });
});
