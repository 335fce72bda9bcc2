import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { examineTargets } from '../../modules/webhooks/index.js';
import { requireDeclaredPlans } from '../../modules/organization/index.js';
import { inWords } from '../../kernel/durations.js';
import { parseRedisUrl, shownNodes } from '../../kernel/settings/redis-url.js';
import type { Settings } from '../../kernel/settings/settings.js';
import { pendingMigrations } from '../../store/database/migrate.js';
import { requirePrivileges } from '../../store/database/privileges.js';
import { requireServer } from '../../store/database/requirements.js';
import { certificateProblem } from '../../store/redis/certificate-problem.js';
import { connectRedis } from '../../store/redis/connect-redis.js';
import { unusable } from '../../store/redis/unusable.js';
import { connect } from '../../connect.js';
import { readSettings } from '../../read-settings.js';
import { withDatabase, withServices } from '../command-context.js';

export interface Finding {
  readonly check: string;
  readonly ok: boolean;
  /** The result, or what to do. */
  readonly detail: string;
  /** Not a failure, but the operator should know. */
  readonly warning?: true;
}

const MAX_CLOCK_DRIFT_MS = 2000;
const REDIS_READY_WITHIN_MS = 5000;

/** Checks everything that the service needs; with `withTargets`, also that forbidden webhook targets are refused. */
export async function examine(withTargets: boolean): Promise<Finding[]> {
  const settings = await finding('settings', async () => {
    await readSettings(process.env);
    return 'all settings are valid';
  });
  if (!settings.ok) return [settings];
  const database = await withDatabase(examineDatabase).catch((error: unknown) => [failed('database', error)]);
  const secrets = database.every(({ ok }) => ok) ? [await examineSecrets()] : [];
  const redis = await finding('redis', async () => pingRedis(await readSettings(process.env)));
  return [settings, ...database, ...secrets, redis, ...(withTargets ? await examineGuard(await readSettings(process.env)) : [])];
}

/** One finding per target, and a warning per network that the settings open. */
async function examineGuard(settings: Settings): Promise<Finding[]> {
  const opened = settings.webhookAllowedNetworks.map((network): Finding => ({
    check: 'ssrf',
    ok: true,
    warning: true,
    detail: `WEBHOOK_ALLOWED_NETWORKS opens ${network} to deliveries of every tenant`,
  }));
  const targets = await examineTargets(settings);
  return [
    ...opened,
    ...targets.map(({ target, what, refused, detail }): Finding => ({
      check: 'ssrf',
      ok: refused,
      detail: `${target} (${what}): ${detail}`,
    })),
  ];
}

async function examineDatabase(settings: Settings): Promise<Finding[]> {
  const source = await connect(settings);
  try {
    return [
      await finding('database', async () => `Postgres ${await requireServer(source)}`),
      await finding('migrations', () => requireNonePending(source)),
      await finding('privileges', async () => `the role ${await requirePrivileges(source)} may do what the service does`),
      await finding('plans', () => requireDeclaredPlans(source, settings.plans)),
      await finding('clock', () => compareClocks(source)),
    ];
  } finally {
    await source.destroy();
  }
}

/** Whether a key of ENCRYPTION_KEY can be removed. */
async function examineSecrets(): Promise<Finding> {
  const check = 'secrets';
  if ((await readSettings(process.env)).encryptionKeys === undefined)
    return { check, ok: true, detail: 'ENCRYPTION_KEY is not set: the key in DATA_DIR is the only one' };
  try {
    const columns = await withServices(({ reencryption }) => reencryption.left());
    const [left, unreadable] = [columns.reduce((sum, row) => sum + row.left, 0), columns.reduce((sum, row) => sum + row.unreadable, 0)];
    if (unreadable > 0)
      throw new Error(`${unreadable} secrets are under a key that ENCRYPTION_KEY does not have: add it after the first one.`);
    if (left === 0) return { check, ok: true, detail: 'all are under the first key of ENCRYPTION_KEY' };
    return {
      check,
      ok: true,
      warning: true,
      detail: `${left} are under an older key: run \`claims secrets reencrypt\` before you remove it`,
    };
  } catch (error) {
    return failed(check, error);
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

async function pingRedis({ redisUrl }: Settings): Promise<string> {
  if (redisUrl === undefined) return 'not used: REDIS_URL is not set, so there may be one process only';
  const redis = connectRedis(redisUrl, { lazyConnect: true, maxRetriesPerRequest: 0, connectTimeout: 2000, retryStrategy: () => null });
  redis.on('error', () => undefined);
  const address = parseRedisUrl(redisUrl);
  const servers = shownNodes(address);
  try {
    await Promise.race([redis.connect(), tooLate()]).catch(async (error: Error) => {
      const reason = (await certificateProblem(address)) ?? error.message;
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
async function tooLate(): Promise<never> {
  await delay(REDIS_READY_WITHIN_MS, undefined, { ref: false });
  throw new Error(`not ready within ${inWords(REDIS_READY_WITHIN_MS)}`);
}

async function finding(check: string, look: () => Promise<string> | string): Promise<Finding> {
  try {
    return { check, ok: true, detail: await look() };
  } catch (error) {
    return failed(check, error);
  }
}

const failed = (check: string, error: unknown): Finding => ({
  check,
  ok: false,
  detail: error instanceof Error ? error.message : String(error),
});
