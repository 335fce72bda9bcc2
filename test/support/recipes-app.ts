import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Extension } from '../../src/extension.js';
import { OPERATOR } from '../../src/kernel/context.js';
import { NewOrganizations } from '../../src/modules/organization/index.js';
import { startApp } from './app.js';
import { startKafkaProxy } from './brokers.js';
import { createDatabase } from './database.js';
import { PROVIDERS_HERE } from './identity-provider.js';
import { migrateDatabase } from './migrated.js';
import { recipesOfPorts, writeRecipes } from './recipes.js';

export const MONDAY = '2026-11-23T12:00:00.000Z';

/** The application, which is also a worker, with all recipes of the guides of ports installed. */
export async function startWithRecipes(settings: Record<string, string> = {}) {
  const recipes = await writeRecipes(await recipesOfPorts());
  const kafka = await startKafkaProxy();
  const { default: acme } = await recipes.load<{ default: Extension }>('acme/extension.ts');
  const database = await createDatabase();
  await migrateDatabase(database.url, [acme]);
  const dataDir = await mkdtemp(join(tmpdir(), 'claims-ports-'));
  const env = {
    DATABASE_URL: database.url,
    ROLE: 'all',
    DATA_DIR: dataDir,
    TRUSTED_PROXIES: '127.0.0.1',
    KAFKA_REST_URL: kafka.url,
    ...PROVIDERS_HERE,
    ...settings,
  };
  const app = await startApp(env, undefined, [acme]);
  const { ClosedOnSundays } = await recipes.load<{ ClosedOnSundays: new () => object }>('acme/closed-on-sundays.ts');
  const policy = app.app.get(ClosedOnSundays, { strict: false });
  /** For the policy alone: workers run meanwhile. Unless a test says so it is Monday, or tests would fail on Sundays. */
  const itIs = (time: string) => void Object.assign(policy, { clock: { now: () => new Date(time) } });
  itIs(MONDAY);
  await app.app.get(NewOrganizations).create(OPERATOR, { name: 'Acme', slug: 'acme', plan: 'growth' });
  const close = async (): Promise<void> => {
    await app.close();
    await Promise.all([kafka.close(), database.drop(), recipes.remove(), rm(dataDir, { recursive: true })]);
  };
  return { app, kafka, dataDir, itIs, load: recipes.load, close };
}
