import { availableParallelism } from 'node:os';
import { DEFAULT_ADDRESS_LIMITS, mergeAddressLimits } from '../address-limits.js';
import { DEFAULT_TIERS, mergeTiers, type Plans, readPlans, STANDARD_PLANS, type Tier, type Tiers } from '../plans.js';
import { DEFAULT_RECORD_LIMITS, mergeRecordLimits } from '../record-limits.js';
import { DEFAULT_REPORT_LIMITS, mergeReportLimits } from '../report-limits.js';
import { CLIENT_SETTINGS, hostProblem, networkProblem } from './client-settings.js';
import { byDefault, described } from './descriptions.js';
import { isPublished, parseEncryptionKeys } from './encryption-keys.js';
import { type ExtensionSettings, SettingsError, type SettingValues, valuesOf } from './extension-settings.js';
import { checked, contact, flag, integer, json, list, oneOf, parseHeaders, secret, share, text, url } from './reader.js';
import { durationMs, durationsMs, optionalDurationMs } from './reader.js';
import { parseRedisUrl } from './redis-url.js';
import { textOfSetting } from './text-of-setting.js';

/** Such as `starter 120/40, growth 600/200`. */
const listed = <Limit>(limits: Readonly<Record<string, Limit>>, shown: (limit: Limit) => string): string =>
  Object.entries(limits)
    .map(([name, limit]) => `${name} ${shown(limit)}`)
    .join(', ');
const shownTier = ({ perMinute, burst }: Tier): string => `${perMinute}/${burst}`;

const between = (min: number, max: number) => ({ min, max });

export { SettingsError } from './extension-settings.js';

/** All settings, each with its sentence. The README's table is generated from this list. */
export const SETTINGS = described({
  port: integer('PORT', between(0, 65_535), byDefault(3000)),
  host: text('HOST', byDefault('127.0.0.1')),
  healthPort: integer('HEALTH_PORT', between(0, 65_535), byDefault(undefined)),
  metricsPort: integer('METRICS_PORT', between(0, 65_535), byDefault(undefined, '9464; none if that is taken')),
  metricsHost: text('METRICS_HOST', byDefault('127.0.0.1')),
  drainDelayMs: durationMs('DRAIN_DELAY', byDefault('8s', '8s; 0s unless NODE_ENV is production')),
  requestTimeoutMs: integer('REQUEST_TIMEOUT_MS', between(100, 300_000), byDefault(25_000)),
  baseUrl: url('BASE_URL', ['http:', 'https:'], byDefault(undefined, 'from HOST and PORT')),
  role: oneOf('ROLE', ['all', 'api', 'worker'], byDefault('all')),
  apiProcesses: integer('API_PROCESSES', between(1, 64), byDefault(1)),
  workerProcesses: integer('WORKER_PROCESSES', between(1, 64), byDefault(1)),
  databaseUrl: url('DATABASE_URL', ['postgres:', 'postgresql:'], byDefault(undefined, 'none: embedded Postgres')),
  databasePooler: oneOf('DATABASE_POOLER', ['none', 'transaction'], byDefault('none')),
  databaseDirectUrl: url('DATABASE_DIRECT_URL', ['postgres:', 'postgresql:'], byDefault(undefined, 'DATABASE_URL')),
  databaseReadUrl: url('DATABASE_READ_URL', ['postgres:', 'postgresql:'], byDefault(undefined, 'DATABASE_URL')),
  // Look-ups by key reserve two connections, and writes need at least one.
  databasePoolSize: integer('DATABASE_POOL_SIZE', between(3, 1000), byDefault(10)),
  dataDir: text('DATA_DIR', byDefault('.data')),
  redisUrl: checked('REDIS_URL', parseRedisUrl, byDefault(undefined, 'none: wake-ups and limits within the process, for one process only')),
  smtpUrl: url('SMTP_URL', ['smtp:', 'smtps:'], byDefault(undefined, 'none: notices are written to files in DATA_DIR/mail')),
  mailFrom: text('MAIL_FROM', byDefault(undefined)),
  encryptionKeys: secret('ENCRYPTION_KEY', parseEncryptionKeys, byDefault(undefined, 'generated and stored in DATA_DIR')),
  trustedProxies: list('TRUSTED_PROXIES', networkProblem, byDefault<string[]>([])),
  requireSecondFactor: flag('REQUIRE_SECOND_FACTOR', byDefault(false)),
  fileScanner: url('FILE_SCANNER', ['tcp:'], byDefault(undefined)),
  outboundHosts: list('OUTBOUND_HOSTS', hostProblem, byDefault<string[]>([], 'none: all public ones')),
  webhookAllowedNetworks: list('WEBHOOK_ALLOWED_NETWORKS', networkProblem, byDefault<string[]>([])),
  webhookRetrySchedule: durationsMs('WEBHOOK_RETRY_SCHEDULE', byDefault('0s,5s,5m,30m,2h,5h,10h,10h')),
  webhookTimeoutMs: integer('WEBHOOK_TIMEOUT_MS', between(1, 60_000), byDefault(15_000)),
  webhookMaxConcurrency: integer('WEBHOOK_MAX_CONCURRENCY', between(1, 256), byDefault(8)),
  webhookMaxBytesInFlight: integer('WEBHOOK_MAX_BYTES_IN_FLIGHT', between(1_048_576, 17_179_869_184), byDefault(67_108_864)),
  ...CLIENT_SETTINGS,
  plans: json('PLANS', readPlans, byDefault(STANDARD_PLANS, 'none')),
  rateLimits: json('RATE_LIMITS', mergeTiers, byDefault(DEFAULT_TIERS, listed(DEFAULT_TIERS, shownTier))),
  addressLimits: json('ADDRESS_LIMITS', mergeAddressLimits, byDefault(DEFAULT_ADDRESS_LIMITS, listed(DEFAULT_ADDRESS_LIMITS, shownTier))),
  recordLimits: json('RECORD_LIMITS', mergeRecordLimits, byDefault(DEFAULT_RECORD_LIMITS, listed(DEFAULT_RECORD_LIMITS, String))),
  toolRepeats: integer('TOOL_REPEATS', between(0, 1_000_000), byDefault(10)),
  idempotencyRetentionMs: durationMs('IDEMPOTENCY_RETENTION', byDefault('24h')),
  eventRetentionMs: durationMs('EVENT_RETENTION', byDefault('30d')),
  deliveryRetentionMs: durationMs('DELIVERY_RETENTION', byDefault('30d')),
  requestHistory: oneOf('REQUEST_HISTORY', ['off', 'errors', 'sampled', 'all'], byDefault('all', 'sampled in production, else all')),
  requestHistoryRetentionMs: durationMs('REQUEST_HISTORY_RETENTION', byDefault('7d')),
  statementRetentionMs: optionalDurationMs('STATEMENT_RETENTION', byDefault(undefined)),
  statementKeepOriginal: flag('STATEMENT_KEEP_ORIGINAL', byDefault(false)),
  reportLimits: json('REPORT_LIMITS', mergeReportLimits, byDefault(DEFAULT_REPORT_LIMITS, listed(DEFAULT_REPORT_LIMITS, String))),
  // With fewer, a statement would wait for the end of a long report of its organization.
  computeThreads: integer(
    'COMPUTE_THREADS',
    between(1, 256),
    byDefault(Math.max(4, availableParallelism()), 'number of processor cores, at least 4'),
  ),
  computeTimeoutMs: durationMs('COMPUTE_TIMEOUT', byDefault('10m')),
  statementTimeoutMs: durationMs('STATEMENT_TIMEOUT', byDefault('30s')),
  computeMemoryMib: integer('COMPUTE_MEMORY_MIB', between(64, 65_536), byDefault(1024)),
  securityContact: contact('SECURITY_CONTACT', byDefault(undefined, 'none: no security.txt')),
  tracesEndpoint: url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:'], byDefault(undefined)),
  collectorHeaders: secret('OTEL_EXPORTER_OTLP_HEADERS', parseHeaders, byDefault(undefined)),
  traceShare: share('OTEL_TRACES_SAMPLER_ARG', byDefault(0.01)),
  metricsExporter: oneOf('OTEL_METRICS_EXPORTER', ['none', 'otlp'], byDefault('none')),
  metricsIntervalMs: integer('OTEL_METRIC_EXPORT_INTERVAL', between(1000, 3_600_000), byDefault(60_000)),
  logLevel: oneOf('LOG_LEVEL', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], byDefault('info')),
  logFormat: oneOf('LOG_FORMAT', ['auto', 'pretty', 'json'], byDefault('auto', 'pretty on a terminal, else json')),
  nodeEnv: text('NODE_ENV', byDefault('development')),
});

/** In production. */
const REQUIRED = ['databaseUrl', 'redisUrl', 'encryptionKeys', 'baseUrl'] as const;
/** In development no load balancer has to notice a stop. */
const NO_DRAIN_MS = 0;

type Values = SettingValues<typeof SETTINGS>;

/** A name means one setting, also after the next version of ours. */
function namesTwice(added: readonly ExtensionSettings[]): string[] {
  const names = [SETTINGS, ...added.map(({ declared }) => declared)].flatMap((some) => Object.values(some).map(({ name }) => name));
  return names.filter((name, index) => names.indexOf(name) < index);
}

// A class, so that Nest can inject it. The interface below gives it the fields of SETTINGS.
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export class Settings {
  private readonly ofExtensions: ReadonlyMap<ExtensionSettings, object> = new Map();

  /** `added`: those of extensions. */
  static from(
    env: NodeJS.ProcessEnv,
    required: readonly (typeof REQUIRED)[number][] = REQUIRED,
    added: readonly ExtensionSettings[] = [],
  ): Settings {
    const problems = namesTwice(added).map((name) => `${name} is declared twice: an extension needs another name for its setting`);
    const isProduction = env.NODE_ENV === 'production';
    const values = valuesOf(SETTINGS, env, problems);
    const ofExtensions = new Map(added.map((type) => [type, Object.assign(new type(), valuesOf(type.declared, env, problems))]));
    if (isProduction) {
      if (textOfSetting(env, SETTINGS.requestHistory.name) === undefined) values.requestHistory = 'sampled';
      for (const field of required) {
        const { name } = SETTINGS[field];
        const isInvalid = problems.some((problem) => problem.startsWith(`${name} `));
        if (values[field] === undefined && !isInvalid) problems.push(`${name} must be set when NODE_ENV is production`);
      }
    } else if (!env.DRAIN_DELAY) values.drainDelayMs = NO_DRAIN_MS;
    values.rateLimits = (values.plans as Plans | undefined)?.tiers(values.rateLimits as Tiers);
    const [first] = (values.encryptionKeys as Buffer[] | undefined) ?? [];
    if (values.metricsExporter === 'otlp' && values.tracesEndpoint === undefined)
      problems.push('OTEL_EXPORTER_OTLP_ENDPOINT must be set with OTEL_METRICS_EXPORTER');
    if (values.smtpUrl !== undefined && values.mailFrom === undefined) problems.push('MAIL_FROM must be set with SMTP_URL');
    if (isProduction && first && isPublished(first)) {
      problems.push('ENCRYPTION_KEY must not begin with a key that was published; generate your own: openssl rand -base64 32');
    }
    if (problems.length > 0) throw new SettingsError(problems);
    return Object.assign(new Settings(), values, { ofExtensions });
  }

  /** Those of an extension. */
  of<T extends object>(type: ExtensionSettings<T>): T {
    const values = this.ofExtensions.get(type) as T | undefined;
    if (!values) throw new Error('An extension injects settings that its declaration does not name: `settings` in extension.ts.');
    return values;
  }

  /** A copy with some values replaced, such as the URL of the embedded database. */
  with(values: Partial<Values>): Settings {
    return Object.assign(new Settings(), this, values);
  }

  /** Sets the port that the process listens on, for `publicUrl`: PORT=0 picks a free one. */
  listensOn(port: number): void {
    Object.assign(this, { port });
  }

  get isProduction(): boolean {
    return this.nodeEnv === 'production';
  }

  /** The URL that documents and errors state: BASE_URL, or else the address that this process listens on. */
  get publicUrl(): string {
    return this.baseUrl ?? `http://${this.host.includes(':') ? `[${this.host}]` : this.host}:${this.port}`;
  }
}
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export interface Settings extends Values {}

/** Why a process does not start, or a command cannot be done: one line that says what to do. */
export class StartError extends Error {}
