import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { migrationsOf } from '../../src/program/connect.js';
import { extensions } from '../../src/extensions/index.js';
import type { Builder } from './law-records.js';
import { recordMigration } from '../../tools/migration-plan/index.js';

/** What the laws cannot find out about the tables of an extension: `facts` of src/extensions/NAME/test/facts.ts. Each with its reason. */
export interface ExtensionFacts {
  /** Tables with rows of no organization. */
  readonly tablesOfNobody?: Readonly<Record<string, string>>;
  /** Tables of organizations whose rows are found before their organization is known: on Citus, each worker has a copy. */
  readonly referenceTables?: Readonly<Record<string, string>>;
  /** Tables of organizations that no index of theirs begins with, so that an export reads all of them. */
  readonly readWholeByExports?: Readonly<Record<string, string>>;
  /** Tables that a statement may read whole, because they stay small. */
  readonly smallTables?: Readonly<Record<string, string>>;
  /** Names of statements that no index serves for an empty list of values, and that are fast with others. */
  readonly unplannedStatements?: Readonly<Record<string, string>>;
  /** Tables with counters and times that also reads write, after the answer. */
  readonly countingTables?: Readonly<Record<string, string>>;
  /** Exported columns, as `table.column`, that sound like secrets and are none. */
  readonly noSecrets?: Readonly<Record<string, string>>;
  /** Columns of bytes, as `table.column`, that an export has, because they are files of the customer. */
  readonly exportedFiles?: Readonly<Record<string, string>>;
  /** Fields with the id of another record, each with the path of the collection of these. */
  readonly related?: Readonly<Record<string, string>>;
  /** Creates a record of a collection that has no POST, by the path of the collection. */
  readonly builders?: Readonly<Record<string, Builder>>;
  /** Brings a record into the state that an action asks for, by the id of the operation: it is called with the database and the record. */
  readonly states?: Readonly<Record<string, (databaseUrl: string, id: string) => Promise<unknown>>>;
  /** Paths of collections whose records have no project: a credential for some projects reads all of them. */
  readonly sharedRecords?: Readonly<Record<string, string>>;
  /** Ids of operations with a scope and no tool. */
  readonly withoutTool?: Readonly<Record<string, string>>;
  /** Ids of operations that answer each caller something else, or the same caller each time. */
  readonly answersOfTheCaller?: Readonly<Record<string, string>>;
  /** Fields with a value that no caller gives and that differs from record to record, such as a number that is counted. */
  readonly computedFields?: Readonly<Record<string, string>>;
  /** Ids of operations that emit one of the events that they declare. */
  readonly oneOfSeveralEvents?: Readonly<Record<string, string>>;
  /** By the id of an operation, what replaces values of its example where a second call with the same is refused. */
  readonly ownValues?: Readonly<Record<string, () => object>>;
  /** By the id of an operation, what makes another valid body of its example, where the laws find nothing to change. */
  readonly otherValues?: Readonly<Record<string, () => object>>;
}

const folderOf = (name: string): string => fileURLToPath(new URL(`../../src/extensions/${name}/`, import.meta.url));

const known = await Promise.all(
  extensions.map(async ({ name }): Promise<ExtensionFacts> => {
    const file = `${folderOf(name)}test/facts.ts`;
    return existsSync(file) ? ((await import(/* @vite-ignore */ file)) as { facts: ExtensionFacts }).facts : {};
  }),
);

/** What the extensions say together. */
export const factsOfExtensions = <Fact extends keyof ExtensionFacts>(fact: Fact): NonNullable<ExtensionFacts[Fact]> =>
  Object.assign({}, ...known.map((facts) => facts[fact])) as NonNullable<ExtensionFacts[Fact]>;

/** The tables that the product makes for extensions, if there are some. */
export const tablesForExtensions = extensions.some(({ migrations = [] }) => migrations.length > 0) ? ['extension_migrations'] : [];

/** The tables that the migrations of extensions create. */
export async function tablesOfExtensions(): Promise<string[]> {
  const recorded = await Promise.all(migrationsOf(extensions).map((Class) => recordMigration(new Class(), () => Promise.resolve([]))));
  return recorded.flatMap(({ statements }) =>
    statements.flatMap(({ sql }) => /^CREATE TABLE (?:IF NOT EXISTS )?"?(\w+)/i.exec(sql)?.[1] ?? []),
  );
}

/** The pages of data protection of extensions: a line for each of their tables, as in docs/data-protection.md. */
export const dataProtectionOfExtensions = (): string[] =>
  extensions
    .map(({ name }) => `${folderOf(name)}docs/data-protection.md`)
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, 'utf8'));

/** The tables of the product in which there are no rows. What is in those of extensions is the matter of their own tests. */
export async function emptyTables(counts: Readonly<Record<string, number>>): Promise<string[]> {
  const ofExtensions = await tablesOfExtensions();
  return Object.keys(counts).filter((name) => counts[name] === 0 && !ofExtensions.includes(name));
}
