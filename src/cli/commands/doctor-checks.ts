import { setTimeout as delay } from 'node:timers/promises';
import { examineTargets } from '../../modules/webhooks/index.js';
import { inWords } from '../../kernel/durations.js';
import { parseRedisUrl, shownNodes } from '../../kernel/settings/redis-url.js';
import type { Settings } from '../../kernel/settings/settings.js';
import { certificateProblem } from '../../store/redis/certificate-problem.js';
import type { Reencryption } from '../../store/secrets/reencryption.js';
import { connectRedis } from '../../store/redis/connect-redis.js';
import { unusable } from '../../store/redis/unusable.js';
import { readSettings } from '../../read-settings.js';
import { withDatabase, withServices } from '../command-context.js';
import { examineDatabase } from './doctor-database.js';
import { failed, finding, type Finding } from './finding.js';

const REDIS_READY_WITHIN_MS = 5000;
const SECRETS = 'secrets';

/** Checks everything that the service needs; with `withTargets`, also that forbidden webhook targets are refused. */
export async function examine(withTargets: boolean): Promise<Finding[]> {
  const settings = await finding('settings', async () => {
    await readSettings(process.env);
    return 'all settings are valid';
  });
  if (!settings.ok) return [settings];
  const database = await withDatabase(examineDatabase).catch((error: unknown) => [failed('database', error)]);
  const stored = database.every(({ ok }) => ok) ? await examineStored() : [];
  const redis = await finding('redis', async () => pingRedis(await readSettings(process.env)));
  return [settings, ...database, ...stored, redis, ...(withTargets ? await examineGuard(await readSettings(process.env)) : [])];
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

/** What the application says of its rows, if it starts. */
async function examineStored(): Promise<Finding[]> {
  try {
    return await withServices(async ({ reencryption, fileExamination }) => [
      await examineSecrets(reencryption),
      await finding('files', () => fileExamination.examine()),
    ]);
  } catch (error) {
    return [failed(SECRETS, error)];
  }
}

/** Whether a key of ENCRYPTION_KEY can be removed. */
async function examineSecrets(reencryption: Reencryption): Promise<Finding> {
  const check = SECRETS;
  if ((await readSettings(process.env)).encryptionKeys === undefined)
    return { check, ok: true, detail: 'ENCRYPTION_KEY is not set: the key in DATA_DIR is the only one' };
  try {
    const columns = await reencryption.left();
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
