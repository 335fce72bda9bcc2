import { DataSource } from 'typeorm';
import { migrationsOf } from '../../../src/program/connect.js';
import { patientConnectionOptions } from '../../../src/store/database/connection-options.js';
import { migrate } from '../../../src/store/database/migrate.js';
import { createDatabase } from '../../support/database.js';
import { startDocumentedApp } from '../../support/documented-app.js';
import { projectFieldsExtension } from './extension.js';

/** The application with the extension, in a database of its own that has the extension's migration. */
export async function startWithProjectFields() {
  const database = await createDatabase();
  const source = await new DataSource(patientConnectionOptions(database.url, 'none', migrationsOf([projectFieldsExtension]))).initialize();
  await migrate(source);
  await source.destroy();
  const app = await startDocumentedApp({ DATABASE_URL: database.url }, undefined, [projectFieldsExtension]);
  const close = async (): Promise<void> => {
    await app.close();
    await database.drop();
  };
  return { ...app, close };
}
