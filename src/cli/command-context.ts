import type { Settings } from '../kernel/settings/settings.js';
import { readSettings } from '../read-settings.js';
import type { Services } from './open-services.js';

/** Calls an action with the database of DATABASE_URL, or with the embedded one, which is started if it does not run. */
export async function withDatabase<T>(action: (settings: Settings) => Promise<T>, given = readSettings(process.env)): Promise<T> {
  // A command runs no jobs, and log lines would mix with its output.
  const settings = (await given).with({ role: 'api', logLevel: 'silent' });
  if (settings.databaseUrl !== undefined) return action(settings);
  const { openEmbeddedDatabase } = await import('../../tools/embedded-postgres/index.js');
  const embedded = await openEmbeddedDatabase({ dataDir: settings.dataDir, mode: 'share' });
  try {
    return await action(settings.with({ databaseUrl: embedded.url }));
  } finally {
    await embedded.stop();
  }
}

/** Calls an action with the application's services, if the database is up to date. */
export function withServices<T>(action: (services: Services) => Promise<T>): Promise<T> {
  return withDatabase(async (settings) => {
    const { openServices } = await import('./open-services.js');
    const services = await openServices(settings);
    try {
      return await action(services);
    } finally {
      await services.close();
    }
  });
}
