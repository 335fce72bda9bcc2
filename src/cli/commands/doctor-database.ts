import type { DataSource } from 'typeorm';
import { connect, connectToReplica } from '../../connect.js';
import type { Settings } from '../../kernel/settings/settings.js';
import { requireDeclaredPlans } from '../../modules/organization/index.js';
import { pendingMigrations } from '../../store/database/migrate.js';
import { requirePrivileges } from '../../store/database/privileges.js';
import { requireReplica } from '../../store/database/require-replica.js';
import { requireServer } from '../../store/database/requirements.js';
import { failed, finding, type Finding } from './finding.js';

const MAX_CLOCK_DRIFT_MS = 2000;

/** What the service needs of its database. */
export async function examineDatabase(settings: Settings): Promise<Finding[]> {
  const source = await connect(settings);
  try {
    return [
      await finding('database', async () => `Postgres ${await requireServer(source)}`),
      await finding('migrations', () => requireNonePending(source)),
      await finding('privileges', async () => `the role ${await requirePrivileges(source)} may do what the service does`),
      await finding('plans', () => requireDeclaredPlans(source, settings.plans)),
      await finding('clock', () => compareClocks(source)),
      ...(settings.databaseReadUrl === undefined ? [] : [await examineReplica(settings, source)]),
    ];
  } finally {
    await source.destroy();
  }
}

/** After a failover, its address may lead to the new primary for a while. */
async function examineReplica(settings: Settings, primary: DataSource): Promise<Finding> {
  const check = 'replica';
  try {
    if (await followsPrimary(settings, primary)) return { check, ok: true, detail: 'follows the database' };
    return { check, ok: true, warning: true, detail: 'DATABASE_READ_URL leads to a server that follows no other one, so it is not used' };
  } catch (error) {
    return failed(check, error);
  }
}

async function followsPrimary(settings: Settings, primary: DataSource): Promise<boolean> {
  const replica = await connectToReplica(settings);
  try {
    return await requireReplica(primary, replica);
  } finally {
    await replica.destroy();
  }
}

async function requireNonePending(source: DataSource): Promise<string> {
  const pending = await pendingMigrations(source);
  if (pending.length > 0) throw new Error(`${pending.length} are pending: run \`claims migrate\`.`);
  return 'none is pending';
}

async function compareClocks(source: DataSource): Promise<string> {
  const [row] = await source.query<{ ms: number }[]>('SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms');
  const drift = Math.round(Math.abs(row!.ms - Date.now()));
  if (drift > MAX_CLOCK_DRIFT_MS) throw new Error(`This machine's clock and the database's differ by ${drift} ms: synchronize them (NTP).`);
  return `within ${drift} ms of the database's`;
}
