import { isCidrOrAddress } from '../addresses.js';
import { mergeTiers, DEFAULT_TIERS } from '../plans.js';
import { parseEncryptionKeys } from './encryption-keys.js';
import { durationMs, durationsMs, flag, integer, json, list, oneOf, secret, text, url, type Setting } from './reader.js';

/** Every setting there is, with its sentence. The README's table is checked against this list. */
export const SETTINGS = {
  port: integer('PORT', { min: 0, max: 65_535 }, { fallback: 3000, about: 'Port of the HTTP server; 0 takes a free one.' }),
  host: text('HOST', { fallback: '127.0.0.1', about: 'Address the HTTP server listens on; the image sets 0.0.0.0.' }),
  baseUrl: url('BASE_URL', ['http:', 'https:'], {
    fallback: undefined,
    shown: 'from host and port',
    about: 'Address the service is reached at, as documents and errors name it.',
  }),
  role: oneOf('ROLE', ['all', 'api', 'worker'], {
    fallback: 'all',
    about: 'What this process does: answer requests (api), do later work (worker), or both (all).',
  }),
  databaseUrl: url('DATABASE_URL', ['postgres:', 'postgresql:'], {
    fallback: undefined,
    shown: 'none: embedded Postgres',
    about: 'Address of the Postgres database (15 or newer).',
  }),
  // Short reads keep two of them for good; with fewer than three nothing could be written.
  databasePoolSize: integer(
    'DATABASE_POOL_SIZE',
    { min: 3, max: 1000 },
    { fallback: 10, about: 'Connections to the database that one process keeps.' },
  ),
  dataDir: text('DATA_DIR', { fallback: '.data', about: 'Folder of the embedded database and of the demo credentials.' }),
  redisUrl: url('REDIS_URL', ['redis:', 'rediss:'], {
    fallback: undefined,
    shown: 'none: in-process wake-ups and limits, one process only',
    about: 'Address of the Redis that limits and wake-ups share.',
  }),
  encryptionKeys: secret('ENCRYPTION_KEY', parseEncryptionKeys, {
    fallback: undefined,
    shown: 'made and kept in DATA_DIR',
    about:
      'Key that secrets are encrypted under at rest: 32 bytes in base64; of several, separated by commas, the first encrypts and all decrypt.',
  }),
  trustedProxies: list('TRUSTED_PROXIES', (item) => (isCidrOrAddress(item) ? undefined : 'which is no address or CIDR'), {
    fallback: [],
    about: 'Proxies (addresses or CIDRs, separated by commas) whose X-Forwarded-For is believed.',
  }),
  webhookAllowedNetworks: list('WEBHOOK_ALLOWED_NETWORKS', (item) => (isCidrOrAddress(item) ? undefined : 'which is no address or CIDR'), {
    fallback: [],
    about: 'Networks (addresses or CIDRs, separated by commas) that deliveries may reach although they are private.',
  }),
  webhookRetrySchedule: durationsMs('WEBHOOK_RETRY_SCHEDULE', {
    fallback: '0s,5s,5m,30m,2h,5h,10h,10h',
    about: 'One delay for each attempt to deliver, each after the attempt before.',
  }),
  webhookTimeoutMs: integer(
    'WEBHOOK_TIMEOUT_MS',
    { min: 1, max: 60_000 },
    { fallback: 15_000, about: 'How long one attempt to deliver may last, in milliseconds.' },
  ),
  webhookMaxConcurrency: integer(
    'WEBHOOK_MAX_CONCURRENCY',
    { min: 1, max: 256 },
    { fallback: 8, about: 'Deliveries that may be under way to one endpoint at once.' },
  ),
  rateLimits: json('RATE_LIMITS', mergeTiers, {
    fallback: DEFAULT_TIERS,
    shown: 'starter 120/40, growth 600/200, enterprise 3000/1000',
    about:
      'Requests per minute and burst of each tier, as JSON: {"starter":{"perMinute":120,"burst":40}}; a key may also be an organization\'s id.',
  }),
  idempotencyRetentionMs: durationMs('IDEMPOTENCY_RETENTION', {
    fallback: '24h',
    about: 'How long the answer to an Idempotency-Key is remembered.',
  }),
  eventRetentionMs: durationMs('EVENT_RETENTION', {
    fallback: '30d',
    about: 'How long events are kept, and can be replayed; they go a week at a time.',
  }),
  deliveryRetentionMs: durationMs('DELIVERY_RETENTION', {
    fallback: '30d',
    about: 'How long the log of webhook deliveries is kept; it goes a week at a time.',
  }),
  statementKeepOriginal: flag('STATEMENT_KEEP_ORIGINAL', {
    fallback: false,
    about: 'Whether the file of a bank statement is kept, encrypted, once it is redacted: true or false.',
  }),
  logLevel: oneOf('LOG_LEVEL', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    fallback: 'info',
    about: 'The least urgent log line that is written.',
  }),
  logFormat: oneOf('LOG_FORMAT', ['auto', 'pretty', 'json'], {
    fallback: 'auto',
    shown: 'pretty on a terminal, else json',
    about: 'How log lines are written.',
  }),
  nodeEnv: text('NODE_ENV', {
    fallback: 'development',
    about:
      'With production the process refuses to start without DATABASE_URL, REDIS_URL, ENCRYPTION_KEY and BASE_URL, and makes no demo data.',
  }),
} as const;

type Values = { readonly [K in keyof typeof SETTINGS]: (typeof SETTINGS)[K] extends Setting<infer T> ? T : never };

/** All problems of the environment at once: an operator should not have to start five times. */
export class SettingsError extends Error {
  constructor(readonly problems: string[]) {
    super(problems.join('; '));
  }
}

// The class is what gets injected; its fields are those of SETTINGS.
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging
export class Settings {
  static from(env: NodeJS.ProcessEnv): Settings {
    const problems: string[] = [];
    const values: Record<string, unknown> = {};
    for (const [field, setting] of Object.entries(SETTINGS) as [string, Setting<unknown>][]) {
      const given = env[setting.name];
      try {
        values[field] = given === undefined || given === '' ? setting.fallback : setting.parse(given);
      } catch (error) {
        problems.push(`${setting.name} ${(error as Error).message}`);
      }
    }
    if (env.NODE_ENV === 'production') {
      for (const { name } of [SETTINGS.databaseUrl, SETTINGS.redisUrl, SETTINGS.encryptionKeys, SETTINGS.baseUrl]) {
        if (!env[name]) problems.push(`${name} must be set when NODE_ENV is production`);
      }
    }
    if (problems.length > 0) throw new SettingsError(problems);
    return Object.assign(new Settings(), values);
  }

  /** The same with some values known better: the embedded database's address, the port that was free. */
  with(values: Partial<Values>): Settings {
    return Object.assign(new Settings(), this, values);
  }

  /** PORT=0 takes a free port: from here on the addresses name it. */
  listensOn(port: number): void {
    Object.assign(this, { port });
  }

  get isProduction(): boolean {
    return this.nodeEnv === 'production';
  }

  /** The address documents and errors name; without a setting, the one this process listens on. */
  get publicUrl(): string {
    return this.baseUrl ?? `http://${this.host.includes(':') ? `[${this.host}]` : this.host}:${this.port}`;
  }
}
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging
export interface Settings extends Values {}
