import type { DataSource } from 'typeorm';
import type { Migration } from '../../../tools/migration-plan/index.js';

export type MigrationClass = new () => Migration;

export interface MigrationList {
  readonly table: string;
  readonly migrations: readonly Migration[];
}

/** A migration of an extension. Its name begins with that of the extension, so that two extensions may have the same. */
export function migrationOf(extension: string, Given: MigrationClass): MigrationClass {
  return class extends Given {
    override readonly extension = extension;
    override readonly name = `${extension}.${Given.name}`;
  };
}

/** Those of the product, then those of each extension. A later version of the product cannot take the name of one of an extension. */
export function listsOf(source: DataSource): MigrationList[] {
  const all = source.migrations as readonly Migration[];
  const owners = [...new Set(all.map(({ extension }) => extension))];
  return owners.map((owner) => ({
    table: owner === undefined ? 'migrations' : 'extension_migrations',
    migrations: all.filter(({ extension }) => extension === owner),
  }));
}

/** The data source as an executor of migrations sees it: with one list of them. */
export const withList = (source: DataSource, { table, migrations }: MigrationList): DataSource =>
  Object.create(source, {
    migrations: { value: migrations },
    options: { value: { ...source.options, migrationsTableName: table } },
  }) as DataSource;
