import { Settings } from '../kernel/settings/settings.js';
import type { Services } from './services.js';

/** Runs the work with the database that the settings name, or with the embedded one, running or not. */
export async function withDatabase<T>(work: (settings: Settings) => Promise<T>): Promise<T> {
  // A command attends to no jobs, and what it logs would stand in the way of what it prints.
  const settings = Settings.from(process.env).with({ role: 'api', logLevel: 'silent' });
  if (settings.databaseUrl !== undefined) return work(settings);
  const { openEmbeddedDatabase } = await import('../../tools/embedded-postgres/index.js');
  const embedded = await openEmbeddedDatabase({ dataDir: settings.dataDir, mode: 'share' });
  try {
    return await work(settings.with({ databaseUrl: embedded.url }));
  } finally {
    await embedded.stop();
  }
}

/** Runs the work with the application's services, once the database is up to date. */
export function withServices<T>(work: (services: Services) => Promise<T>): Promise<T> {
  return withDatabase(async (settings) => {
    const { openServices } = await import('./services.js');
    const services = await openServices(settings);
    try {
      return await work(services);
    } finally {
      await services.close();
    }
  });
}
