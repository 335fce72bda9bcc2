import { DataSource } from 'typeorm';
import type { Extension } from '../../src/extension.js';
import { migrationsOf } from '../../src/program/connect.js';
import { patientConnectionOptions } from '../../src/store/database/connection-options.js';
import { migrate } from '../../src/store/database/migrate.js';
import { createDatabase } from '../support/database.js';
import { startDocumentedApp } from '../support/documented-app.js';

/** The application with an extension, in a database of its own that has the extension's migration. */
export async function startWith(extension: Extension, env: Record<string, string> = {}) {
  const database = await createDatabase();
  const source = await new DataSource(patientConnectionOptions(database.url, 'none', migrationsOf([extension]))).initialize();
  await migrate(source);
  await source.destroy();
  const app = await startDocumentedApp({ DATABASE_URL: database.url, ...env }, undefined, [extension]);
  const close = async (): Promise<void> => {
    await app.close();
    await database.drop();
  };
  return { ...app, close };
}
