import { DataSource } from 'typeorm';
import { patientConnectionOptions } from '../../src/store/database/connection-options.js';
import { migrationsOf } from '../../src/program/connect.js';
import type { Extension } from '../../src/extension.js';
import { extensions } from '../../src/extensions/index.js';
import { migrate } from '../../src/store/database/migrate.js';

/** Migrates a database, also for the given extensions. */
export async function migrateDatabase(url: string, added: readonly Extension[] = extensions): Promise<void> {
  const source = await new DataSource(patientConnectionOptions(url, 'none', migrationsOf(added))).initialize();
  try {
    await migrate(source);
  } finally {
    await source.destroy();
  }
}
