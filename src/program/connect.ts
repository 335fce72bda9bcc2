import 'reflect-metadata';
import { DataSource } from 'typeorm';
import type { Extension } from '../extension.js';
import { type Settings, StartError } from '../kernel/settings/settings.js';
import { patientConnectionOptions } from '../store/database/connection-options.js';
import { migrationOf, type MigrationClass } from '../store/database/extension-migrations.js';
import { loadExtensions } from './extensions/load-extensions.js';

/** Connects to the database for checks, as the role of the service, without time limits on statements. */
export const connect = (settings: Settings): Promise<DataSource> => open(settings.databaseUrl!, settings.databasePooler, 'DATABASE_URL');

/** Connects for migrations, as the role that owns the tables. */
export async function connectToMigrate(settings: Settings): Promise<DataSource> {
  const { databaseDirectUrl, databasePooler } = settings;
  return databaseDirectUrl === undefined ? connect(settings) : open(databaseDirectUrl, databasePooler, 'DATABASE_DIRECT_URL');
}

export const connectToReplica = (settings: Settings): Promise<DataSource> =>
  open(settings.databaseReadUrl!, settings.databasePooler, 'DATABASE_READ_URL');

export const migrationsOf = (given: readonly Extension[]): MigrationClass[] =>
  given.flatMap(({ name, migrations = [] }) => migrations.map((migration) => migrationOf(name, migration)));

async function open(url: string, pooler: Settings['databasePooler'], name: string): Promise<DataSource> {
  const migrations = migrationsOf(await loadExtensions());
  try {
    return await new DataSource(patientConnectionOptions(url, pooler, migrations)).initialize();
  } catch (error) {
    const { host, pathname } = new URL(url);
    throw new StartError(`The database ${host}${pathname} cannot be reached (${reasonOf(error)}): check ${name} and that it runs.`);
  }
}

const reasonOf = (error: unknown): string => {
  const { code, message } = error as { code?: string; message?: string };
  return message || code || String(error);
};
