import { connect, connectToMigrate } from './connect.js';
import type { Settings } from '../kernel/settings/settings.js';
import { requireDeclaredPlans } from '../modules/organization/index.js';
import { StartError } from '../kernel/start-error.js';
import { migrate, pendingMigrations } from '../store/database/migrate.js';
import { requirePrivileges } from '../store/database/privileges.js';
import { requireServer } from '../store/database/requirements.js';
import { noteEncryptionKey } from '../store/secrets/encryption-key-checks.js';

/** Migrates an embedded or development database. In production, `claims migrate` is a step of its own. */
export async function prepareDatabase(settings: Settings): Promise<void> {
  const source = await connect(settings);
  try {
    await requireServer(source);
    const pending = await pendingMigrations(source);
    if (pending.length > 0) await migrateHere(settings, pending.length);
    await requirePrivileges(source);
    await requireDeclaredPlans(source, settings.plans);
    await noteEncryptionKey(source, settings);
  } finally {
    await source.destroy();
  }
}

async function migrateHere(settings: Settings, pending: number): Promise<void> {
  if (settings.isProduction) throw new StartError(`${pending} migrations are pending: run \`claims migrate\` first.`);
  const source = await connectToMigrate(settings);
  try {
    await migrate(source);
  } finally {
    await source.destroy();
  }
}
