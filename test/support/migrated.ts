import { DataSource } from 'typeorm';
import { patientConnectionOptions } from '../../src/store/database/connection-options.js';
import { migrate } from '../../src/store/database/migrate.js';

/** Migrates a database, and does more with the connection if asked to. */
export async function migrateDatabase(url: string, more?: (source: DataSource) => Promise<unknown>): Promise<void> {
  const source = await new DataSource(patientConnectionOptions(url)).initialize();
  try {
    await migrate(source);
    await more?.(source);
  } finally {
    await source.destroy();
  }
}
