import type { INestApplicationContext } from '@nestjs/common';
import { createContext } from '../app.js';
import { Settings } from '../platform/config/settings.js';
import { StartError } from '../platform/config/start-error.js';
import { openEmbeddedDatabase } from '../platform/database/embedded/embedded-postgres.js';
import { pendingMigrations } from '../platform/database/migrate.js';
import { createLog } from '../platform/logging/log.js';
import { connect } from '../start.js';

/** Runs the work with the database that the settings name, or with the embedded one, running or not. */
export async function withDatabase<T>(work: (settings: Settings) => Promise<T>): Promise<T> {
  // A command attends to no jobs, and what it logs would stand in the way of what it prints.
  const settings = Settings.from(process.env).with({ role: 'api', logLevel: 'silent' });
  if (settings.databaseUrl !== undefined) return work(settings);
  const embedded = await openEmbeddedDatabase({ dataDir: settings.dataDir, mode: 'share' });
  try {
    return await work(settings.with({ databaseUrl: embedded.url }));
  } finally {
    await embedded.stop();
  }
}

/** Runs the work with the application's services, once the database is up to date. */
export function withApp<T>(work: (app: INestApplicationContext) => Promise<T>): Promise<T> {
  return withDatabase(async (settings) => {
    await requireMigrated(settings);
    const app = await createContext(settings, createLog(settings));
    try {
      return await work(app);
    } finally {
      await app.close();
    }
  });
}

async function requireMigrated(settings: Settings): Promise<void> {
  const source = await connect(settings);
  try {
    const pending = await pendingMigrations(source);
    if (pending.length > 0) throw new StartError(`${pending.length} migrations are pending: run \`claims migrate\` first.`);
  } finally {
    await source.destroy();
  }
}
