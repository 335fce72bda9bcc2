import pg from 'pg';
import type { DataSource } from 'typeorm';
import { connect, connectToReplica } from '../../program/connect.js';
import { inWords } from '../../kernel/durations.js';
import { inTime } from '../../kernel/in-time.js';
import { parseRedisUrl, shownNodes } from '../../kernel/settings/redis-url.js';
import type { Settings } from '../../kernel/settings/settings.js';
import { requireDeclaredPlans } from '../../modules/organization/index.js';
import { examineTargets } from '../../modules/webhooks/index.js';
import { readSettings } from '../../program/read-settings.js';
import { pendingMigrations } from '../../store/database/migrate.js';
import { requirePrivileges, requireServer } from '../../store/database/requirements.js';
import { requireReplica } from '../../store/database/read-replica.js';
import { certificateProblem, connectRedis, unusable } from '../../store/redis/connect-redis.js';
import { requireEncryptionKeys } from '../../store/secrets/encryption-key-checks.js';
import type { Reencryption } from '../../store/secrets/reencryption.js';
import { withDatabase, withServices } from '../command.js';

export interface Finding {
  readonly check: string;
  readonly ok: boolean;
  readonly detail: string;
  /** Not a failure, but the operator should know. */
  readonly warning?: true;
}

export async function finding(check: string, look: () => Promise<string | Finding> | string): Promise<Finding> {
  try {
    const found = await look();
    return typeof found === 'string' ? { check, ok: true, detail: found } : found;
  } catch (error) {
    return failed(check, error);
  }
}

const LOCAL = /^(localhost|127\.[\d.]+|::1|\/.*|)$/;

export const unencrypted = (name: string, hosts: readonly string[], isEncrypted: boolean, how: string): Finding[] =>
  isEncrypted || hosts.every((host) => LOCAL.test(host))
    ? []
    : [warning('tls', `${name} leads to ${hosts.join(', ')} without TLS: use ${how}`)];

const warning = (check: string, detail: string): Finding => ({ check, ok: true, warning: true, detail });

export const failed = (check: string, error: unknown): Finding => ({
  check,
  ok: false,
  detail: error instanceof Error ? error.message : String(error),
});

const MAX_CLOCK_DRIFT_MS = 2000;

export async function examineDatabase(settings: Settings): Promise<Finding[]> {
  const source = await connect(settings);
  try {
    return [
      await finding('database', async () => `Postgres ${await requireServer(source)}`),
      await finding('migrations', () => requireNonePending(source)),
      await finding('privileges', async () => `the role ${await requirePrivileges(source)} may do what the service does`),
      ...(await examineRole(source, settings)),
      ...examineConnections(settings),
      await finding('plans', () => requireDeclaredPlans(source, settings.plans)),
      await finding('keys', () => examineKeys(source, settings)),
      await finding('clock', () => compareClocks(source)),
      ...(settings.databaseReadUrl === undefined ? [] : [await finding('replica', () => examineReplica(settings, source))]),
    ];
  } finally {
    await source.destroy();
  }
}

const ROLE = `
  SELECT current_user AS role, pg_has_role(relowner, 'USAGE') AS owns, EXISTS (
    SELECT FROM pg_partition_tree(class.oid) WHERE has_table_privilege(relid, 'UPDATE, DELETE, TRUNCATE, TRIGGER')) AS changes,
    EXISTS (SELECT FROM pg_partition_tree(class.oid) WHERE (SELECT count(*) FROM pg_trigger
      WHERE tgrelid = relid AND tgname LIKE 'audit_log_is_kept%' AND tgenabled IN ('O', 'A')) < 2) AS open
  FROM pg_class class WHERE oid = to_regclass('audit_events')`;

async function examineRole(source: DataSource, { isProduction }: Settings): Promise<Finding[]> {
  const [found] = await source.query<{ role: string; owns: boolean; changes: boolean; open: boolean }[]>(ROLE);
  if (found?.open)
    return [warning('audit log', 'the triggers that keep it are switched off or gone: somebody with the rights of the owner did that')];
  const detail = found?.owns
    ? isProduction && 'can do what the owner of the tables can: docs/operating.md says how to make two roles'
    : found?.changes && 'may change sealed audit events: run SELECT protect_audit_log(); as the owner of the tables';
  return detail ? [warning('privileges', `the role ${found!.role} of DATABASE_URL ${detail}`)] : [];
}

function examineConnections({ databaseUrl, databaseDirectUrl, databaseReadUrl }: Settings): Finding[] {
  const urls = { DATABASE_URL: databaseUrl, DATABASE_DIRECT_URL: databaseDirectUrl, DATABASE_READ_URL: databaseReadUrl };
  return Object.entries(urls).flatMap(([name, url]) => {
    if (url === undefined) return [];
    const { host, ssl } = new pg.Client(url);
    return unencrypted(name, [host], ssl, '?sslmode=verify-full');
  });
}

async function examineKeys(source: DataSource, settings: Settings): Promise<string> {
  await requireEncryptionKeys(source, settings);
  return settings.encryptionKeys === undefined ? 'ENCRYPTION_KEY is not set' : 'ENCRYPTION_KEY opens what was encrypted here';
}

/** After a failover, its address may lead to the new primary for a while. */
async function examineReplica(settings: Settings, primary: DataSource): Promise<string | Finding> {
  const replica = await connectToReplica(settings);
  try {
    if (await requireReplica(primary, replica)) return 'follows the database';
    return warning('replica', 'DATABASE_READ_URL leads to a server that follows no other one, so it is not used');
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

const REDIS_READY_WITHIN_MS = 5000;
const SECRETS = 'secrets';
/** What Redis says of a wrong or missing user or password. */
const PASSWORD = /WRONGPASS|NOAUTH|invalid (?:username-)?password/;

/** Checks everything that the service needs; with `withTargets`, also that forbidden webhook targets are refused. */
export async function examine(withTargets: boolean): Promise<Finding[]> {
  const settings = await finding('settings', async () => {
    await readSettings(process.env);
    return 'all settings are valid';
  });
  if (!settings.ok) return [settings];
  const database = await withDatabase(examineDatabase).catch((error: unknown) => [failed('database', error)]);
  const stored = database.every(({ ok }) => ok) ? await examineStored() : [];
  const read = await readSettings(process.env);
  const redis = await finding('redis', async () => pingRedis(read));
  return [settings, ...database, ...stored, redis, ...examineTls(read), ...(withTargets ? await examineGuard(read) : [])];
}

function examineTls({ redisUrl }: Settings): Finding[] {
  if (redisUrl === undefined) return [];
  const { nodes, isEncrypted } = parseRedisUrl(redisUrl);
  const hosts = nodes.map(({ host }) => host);
  return unencrypted('REDIS_URL', hosts, isEncrypted, 'rediss://');
}

async function examineGuard(settings: Settings): Promise<Finding[]> {
  const opened = settings.webhookAllowedNetworks.map((network) =>
    warning('ssrf', `WEBHOOK_ALLOWED_NETWORKS opens ${network} to deliveries of every tenant`),
  );
  const targets = await examineTargets(settings);
  const tried = targets.map(({ target, what, refused, detail }) => ({
    check: 'ssrf',
    ok: refused,
    detail: `${target} (${what}): ${detail}`,
  }));
  return [...opened, ...tried];
}

async function examineStored(): Promise<Finding[]> {
  try {
    return await withServices(async ({ reencryption, fileExamination }) => [
      await finding(SECRETS, () => examineSecrets(reencryption)),
      await finding('files', () => fileExamination.examine()),
    ]);
  } catch (error) {
    return [failed(SECRETS, error)];
  }
}

async function examineSecrets(reencryption: Reencryption): Promise<string | Finding> {
  const { encryptionKeys } = await readSettings(process.env);
  if (encryptionKeys === undefined) return 'ENCRYPTION_KEY is not set: the key in DATA_DIR is the only one';
  const columns = await reencryption.left();
  const [left, unreadable] = [columns.reduce((sum, row) => sum + row.left, 0), columns.reduce((sum, row) => sum + row.unreadable, 0)];
  if (unreadable > 0)
    throw new Error(`${unreadable} secrets are under a key that ENCRYPTION_KEY does not have: add it after the first one.`);
  if (left === 0) return 'all are under the first key of ENCRYPTION_KEY';
  return warning(SECRETS, `${left} are under an older key: run \`claims secrets reencrypt\` before you remove it`);
}

async function pingRedis({ redisUrl }: Settings): Promise<string> {
  if (redisUrl === undefined) return 'not used: REDIS_URL is not set, so there may be one process only';
  const redis = connectRedis(redisUrl, { lazyConnect: true, maxRetriesPerRequest: 0, connectTimeout: 2000, retryStrategy: () => null });
  // Who refuses a password closes the connection, and that alone is what `connect` reports.
  let refusal: string | undefined;
  redis.on('error', ({ message }: Error) => (refusal = message));
  const address = parseRedisUrl(redisUrl);
  const servers = shownNodes(address);
  try {
    await inTime(redis.connect(), REDIS_READY_WITHIN_MS, tooLate).catch(async (error: Error) => {
      const reason = (await certificateProblem(address)) ?? refusal ?? error.message;
      if (PASSWORD.test(reason)) throw new Error(`${servers} refuses the user or password (${reason}): check REDIS_URL.`);
      throw new Error(`${servers} does not answer (${reason}): check REDIS_URL and that it runs.`);
    });
    const why = await unusable(redis);
    if (why !== undefined) throw new Error(`${servers} cannot be used (${why}): check REDIS_URL.`);
    return 'runs scripts';
  } finally {
    redis.disconnect();
  }
}

/** A cluster that lacks some of its slots answers, but never becomes ready. */
const tooLate = (): Error => new Error(`not ready within ${inWords(REDIS_READY_WITHIN_MS)}`);
