import { availableParallelism } from 'node:os';
import { DEFAULT_ADDRESS_LIMITS, mergeAddressLimits } from '../address-limits.js';
import { DEFAULT_TIERS, mergeTiers, type Plans, readPlans, STANDARD_PLANS, type Tiers } from '../plans.js';
import { DEFAULT_RECORD_LIMITS, mergeRecordLimits } from '../record-limits.js';
import { DEFAULT_REPORT_LIMITS, mergeReportLimits } from '../report-limits.js';
import { CLIENT_SETTINGS, networkProblem } from './client-settings.js';
import { isPublished, parseEncryptionKeys } from './encryption-keys.js';
import { type ExtensionSettings, SettingsError, type SettingValues, valuesOf } from './extension-settings.js';
import {
  checked,
  contact,
  flag,
  integer,
  json,
  list,
  oneOf,
  parseHeaders,
  secret,
  share,
  text,
  url,
  durationMs,
  durationsMs,
} from './reader.js';
import { optionalDurationMs } from './reader.js';
import { parseRedisUrl } from './redis-url.js';
import { textOfSetting } from './text-of-setting.js';

/** Such as `starter 120/40, growth 600/200`. */
const listed = <Limit>(limits: Readonly<Record<string, Limit>>, shown: (limit: Limit) => string): string =>
  Object.entries(limits)
    .map(([name, limit]) => `${name} ${shown(limit)}`)
    .join(', ');

const between = (min: number, max: number) => ({ min, max });

const COMPUTE_SETTINGS = {
  computeThreads: integer('COMPUTE_THREADS', between(1, 256), {
    // With fewer, a statement would wait for the end of a long report of its organization.
    fallback: Math.max(4, availableParallelism()),
    shown: 'number of processor cores, at least 4',
    about:
      'Maximum number of threads per process that compute reports and read statements; they start with the first of these. One ' +
      'organization can use half.',
  }),
  computeTimeoutMs: durationMs('COMPUTE_TIMEOUT', {
    fallback: '10m',
    about: 'Time limit of one report or statement. After that it fails with `took_too_long`.',
  }),
  statementTimeoutMs: durationMs('STATEMENT_TIMEOUT', {
    fallback: '30s',
    about: 'Time limit of reading a statement of up to 1 MiB; each further MiB adds half of it. After that it fails with `took_too_long`.',
  }),
  computeMemoryMib: integer('COMPUTE_MEMORY_MIB', between(64, 65_536), {
    fallback: 1024,
    about: 'Memory limit of one report or statement with its buffers, in MiB. Beyond that it fails with `took_too_much_memory`.',
  }),
} as const;

const LISTENER_SETTINGS = {
  port: integer('PORT', between(0, 65_535), { fallback: 3000, about: 'Port of the HTTP server; 0 picks a free one.' }),
  host: text('HOST', { fallback: '127.0.0.1', about: 'Address that the HTTP server listens on; the Docker image sets 0.0.0.0.' }),
  healthPort: integer('HEALTH_PORT', between(0, 65_535), {
    fallback: undefined,
    about: 'Port of a listener that answers only /health/live, /health/ready and /health/dependencies, for a worker; 0 picks a free one.',
  }),
  metricsPort: integer('METRICS_PORT', between(0, 65_535), {
    fallback: undefined,
    shown: '9464; none if that is taken',
    about: 'Port of a listener that answers /metrics for Prometheus; 0 picks a free one.',
  }),
  metricsHost: text('METRICS_HOST', {
    fallback: '127.0.0.1',
    about: 'Address that the listener of METRICS_PORT listens on. It asks nobody for a credential, so keep it from the internet.',
  }),
  drainDelayMs: durationMs('DRAIN_DELAY', {
    fallback: '8s',
    shown: '8s; 0s unless NODE_ENV is production',
    about: 'How long a process that was told to stop still accepts connections, while its readiness is 503.',
  }),
  requestTimeoutMs: integer('REQUEST_TIMEOUT_MS', between(100, 300_000), {
    fallback: 25_000,
    about: 'How long the headers and body of a request may take to arrive, in milliseconds. Each MiB that has arrived adds eight seconds.',
  }),
} as const;

export { SettingsError } from './extension-settings.js';

/** All settings, each with its sentence. The README's table is generated from this list. */
export const SETTINGS = {
  ...LISTENER_SETTINGS,
  baseUrl: url('BASE_URL', ['http:', 'https:'], {
    fallback: undefined,
    shown: 'from HOST and PORT',
    about: 'Public URL of the service, used in documents, links and errors.',
  }),
  role: oneOf('ROLE', ['all', 'api', 'worker'], {
    fallback: 'all',
    about: 'What this process does: serve requests (api), process jobs (worker), or both (all).',
  }),
  workerProcesses: integer('WORKER_PROCESSES', between(1, 64), {
    fallback: 1,
    about: 'With ROLE=worker: number of processes, each with its own memory, threads and database connections.',
  }),
  databaseUrl: url('DATABASE_URL', ['postgres:', 'postgresql:'], {
    fallback: undefined,
    shown: 'none: embedded Postgres',
    about: 'URL of the Postgres database (version 15 or later).',
  }),
  databasePooler: oneOf('DATABASE_POOLER', ['none', 'transaction'], {
    fallback: 'none',
    about: 'Whether DATABASE_URL leads to a pooler that changes connections between transactions, such as PgBouncer: none or transaction.',
  }),
  databaseDirectUrl: url('DATABASE_DIRECT_URL', ['postgres:', 'postgresql:'], {
    fallback: undefined,
    shown: 'DATABASE_URL',
    about: 'URL of the database for migrations, with the role that owns the tables.',
  }),
  databaseReadUrl: url('DATABASE_READ_URL', ['postgres:', 'postgresql:'], {
    fallback: undefined,
    shown: 'DATABASE_URL',
    about: 'URL of a replica of the database, for lists, the audit log and the delivery log. What was written before a read is in it.',
  }),
  // Look-ups by key reserve two connections, and writes need at least one.
  databasePoolSize: integer('DATABASE_POOL_SIZE', between(3, 1000), {
    fallback: 10,
    about: 'Maximum number of database connections per process.',
  }),
  dataDir: text('DATA_DIR', { fallback: '.data', about: 'Folder of the embedded database and of the demo credentials.' }),
  redisUrl: checked('REDIS_URL', parseRedisUrl, {
    fallback: undefined,
    shown: 'none: wake-ups and limits within the process, for one process only',
    about:
      'URL of the Redis that processes share for rate limits and wake-ups: redis://host:port, rediss:// with TLS, ' +
      'redis+sentinel://host:port,host:port/name or redis+cluster://host:port,host:port. With TLS, `?ca=` names a file of certificates.',
  }),
  smtpUrl: url('SMTP_URL', ['smtp:', 'smtps:'], {
    fallback: undefined,
    shown: 'none: notices are written to files in DATA_DIR/mail',
    about: 'URL of the mail server that sends mail to people, with its user and password if it needs them.',
  }),
  mailFrom: text('MAIL_FROM', {
    fallback: undefined,
    about: 'Sender of mail to people, such as `Claims API <no-reply@example.com>`. Required with SMTP_URL.',
  }),
  encryptionKeys: secret('ENCRYPTION_KEY', parseEncryptionKeys, {
    fallback: undefined,
    shown: 'generated and stored in DATA_DIR',
    about:
      'Key that encrypts stored secrets: 32 bytes in base64. Of several keys, separated by commas, the first encrypts and all decrypt.',
  }),
  trustedProxies: list('TRUSTED_PROXIES', networkProblem, {
    fallback: [],
    about: 'Proxies (addresses or CIDRs, separated by commas) whose X-Forwarded-For header is trusted.',
  }),
  webhookAllowedNetworks: list('WEBHOOK_ALLOWED_NETWORKS', networkProblem, {
    fallback: [],
    about: 'Private networks (addresses or CIDRs, separated by commas) that webhook deliveries may reach.',
  }),
  webhookRetrySchedule: durationsMs('WEBHOOK_RETRY_SCHEDULE', {
    fallback: '0s,5s,5m,30m,2h,5h,10h,10h',
    about: 'Delay before each attempt to deliver an event, counted from the attempt before.',
  }),
  webhookTimeoutMs: integer('WEBHOOK_TIMEOUT_MS', between(1, 60_000), {
    fallback: 15_000,
    about: 'Time limit of one attempt to deliver, in milliseconds.',
  }),
  webhookMaxConcurrency: integer('WEBHOOK_MAX_CONCURRENCY', between(1, 256), {
    fallback: 8,
    about: 'Maximum number of concurrent deliveries to one endpoint.',
  }),
  webhookMaxBytesInFlight: integer('WEBHOOK_MAX_BYTES_IN_FLIGHT', between(1_048_576, 17_179_869_184), {
    fallback: 67_108_864,
    about:
      'Memory for deliveries in flight per process, in bytes: each counts with its body and 32 KiB for its connection. One ' +
      'organization can use half.',
  }),
  ...CLIENT_SETTINGS,
  plans: json('PLANS', readPlans, {
    fallback: STANDARD_PLANS,
    shown: 'none',
    about:
      'Further plans, as JSON: {"scale":{"like":"enterprise","perMinute":6000,"burst":2000}}. A plan has the operations of the one that ' +
      'it is like, and without a tier also its tier. docs/operating.md has the rules.',
  }),
  rateLimits: json('RATE_LIMITS', mergeTiers, {
    fallback: DEFAULT_TIERS,
    shown: listed(DEFAULT_TIERS, ({ perMinute, burst }) => `${perMinute}/${burst}`),
    about:
      'Requests per minute and burst by plan, as JSON: {"starter":{"perMinute":120,"burst":40}}. ' +
      "A key may also be an organization's id.",
  }),
  addressLimits: json('ADDRESS_LIMITS', mergeAddressLimits, {
    fallback: DEFAULT_ADDRESS_LIMITS,
    shown: listed(DEFAULT_ADDRESS_LIMITS, ({ perMinute, burst }) => `${perMinute}/${burst}`),
    about:
      'Calls without a valid credential per minute and burst, for each address (IPv6: each /64), as JSON: ' +
      '{"pages":{"perMinute":60,"burst":60}}. docs/security.md says what each limit covers.',
  }),
  recordLimits: json('RECORD_LIMITS', mergeRecordLimits, {
    fallback: DEFAULT_RECORD_LIMITS,
    shown: listed(DEFAULT_RECORD_LIMITS, String),
    about:
      'How many records of a kind an organization may have in each environment (members: in all), as JSON: ' +
      '{"expenseCategories":20000}. `limits` of `GET /v1/organization` shows them.',
  }),
  idempotencyRetentionMs: durationMs('IDEMPOTENCY_RETENTION', {
    fallback: '24h',
    about: 'How long an Idempotency-Key and its answer are remembered.',
  }),
  eventRetentionMs: durationMs('EVENT_RETENTION', {
    fallback: '30d',
    about: 'How long events are kept and can be replayed; they are deleted a week at a time.',
  }),
  deliveryRetentionMs: durationMs('DELIVERY_RETENTION', {
    fallback: '30d',
    about: 'How long the log of webhook deliveries is kept; it is deleted a week at a time.',
  }),
  requestHistory: oneOf('REQUEST_HISTORY', ['off', 'errors', 'sampled', 'all'], {
    fallback: 'all',
    shown: 'sampled in production, else all',
    about:
      'Which calls the console shows afterwards: none (off), those that failed (errors), these and one in 100 of the others (sampled), ' +
      'or all. Usage counts every call in any case.',
  }),
  requestHistoryRetentionMs: durationMs('REQUEST_HISTORY_RETENTION', {
    fallback: '7d',
    about: 'How long these calls are kept; they are deleted a week at a time.',
  }),
  statementRetentionMs: optionalDurationMs('STATEMENT_RETENTION', {
    about: 'How long the lines and files of bank statements are kept after the import. The record of a statement stays.',
  }),
  statementKeepOriginal: flag('STATEMENT_KEEP_ORIGINAL', {
    fallback: false,
    about: 'Whether the encrypted file of a bank statement is kept after redaction: true or false.',
  }),
  reportLimits: json('REPORT_LIMITS', mergeReportLimits, {
    fallback: DEFAULT_REPORT_LIMITS,
    shown: listed(DEFAULT_REPORT_LIMITS, String),
    about: 'What a claim report run may use at most, as JSON: {"lines":5000000}.',
  }),
  ...COMPUTE_SETTINGS,
  securityContact: contact('SECURITY_CONTACT', {
    fallback: undefined,
    shown: 'none: no security.txt',
    about: 'Whom to tell about a vulnerability, in /.well-known/security.txt: a URL that begins with mailto: or https:.',
  }),
  tracesEndpoint: url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:'], {
    fallback: undefined,
    about: 'Where traces are sent, and metrics if wanted, by OTLP over HTTP: a collector of OpenTelemetry.',
  }),
  collectorHeaders: secret('OTEL_EXPORTER_OTLP_HEADERS', parseHeaders, {
    fallback: undefined,
    about: 'Headers for the collector, such as a token, as OpenTelemetry writes them: name=value,name=value.',
  }),
  traceShare: share('OTEL_TRACES_SAMPLER_ARG', { fallback: 0.01, about: 'The share of requests traced, 0 to 1. Failed ones always are.' }),
  metricsExporter: oneOf('OTEL_METRICS_EXPORTER', ['none', 'otlp'], {
    fallback: 'none',
    about: 'Whether metrics are sent to OTEL_EXPORTER_OTLP_ENDPOINT, too: otlp or none. Prometheus can read them in any case.',
  }),
  metricsIntervalMs: integer('OTEL_METRIC_EXPORT_INTERVAL', between(1000, 3_600_000), {
    fallback: 60_000,
    about: 'How often they are sent, in milliseconds.',
  }),
  logLevel: oneOf('LOG_LEVEL', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    fallback: 'info',
    about: 'Lowest level of the log lines that are written.',
  }),
  logFormat: oneOf('LOG_FORMAT', ['auto', 'pretty', 'json'], {
    fallback: 'auto',
    shown: 'pretty on a terminal, else json',
    about: 'Format of the log lines.',
  }),
  nodeEnv: text('NODE_ENV', {
    fallback: 'development',
    about: 'In `production` the process requires DATABASE_URL, REDIS_URL, ENCRYPTION_KEY and BASE_URL, and creates no demo data.',
  }),
} as const;

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
