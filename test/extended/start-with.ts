import { DataSource } from 'typeorm';
import type { Extension } from '../../src/extension.js';
import { migrationsOf } from '../../src/program/connect.js';
import { patientConnectionOptions } from '../../src/store/database/connection-options.js';
import { migrate } from '../../src/store/database/migrate.js';
import { createDatabase } from '../support/database.js';
import { startDocumentedApp } from '../support/documented-app.js';

/** The application with extensions, in a database of its own that has their migrations. */
export async function startWith(given: Extension | readonly Extension[], env: Record<string, string> = {}) {
  const extensions = [given].flat();
  const database = await createDatabase();
  const source = await new DataSource(patientConnectionOptions(database.url, 'none', migrationsOf(extensions))).initialize();
  await migrate(source);
  await source.destroy();
  const app = await startDocumentedApp({ DATABASE_URL: database.url, ...env }, undefined, extensions);
  const close = async (): Promise<void> => {
    await app.close();
    await database.drop();
  };
  return { ...app, close };
}
