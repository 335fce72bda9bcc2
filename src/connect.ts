import 'reflect-metadata';
import { DataSource } from 'typeorm';
import type { Settings } from './kernel/settings/settings.js';
import { StartError } from './kernel/start-error.js';
import { patientConnectionOptions } from './store/database/connection-options.js';

/** Connects to the database for migrations and checks, without time limits on statements. */
export async function connect(settings: Settings): Promise<DataSource> {
  try {
    return await new DataSource(patientConnectionOptions(settings.databaseUrl!)).initialize();
  } catch (error) {
    const { host, pathname } = new URL(settings.databaseUrl!);
    throw new StartError(`The database ${host}${pathname} cannot be reached (${reasonOf(error)}): check DATABASE_URL and that it runs.`);
  }
}

const reasonOf = (error: unknown): string => {
  const { code, message } = error as { code?: string; message?: string };
  return message || code || String(error);
};
