import pg from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { migrations } from '../../../migrations/index.js';
import type { Settings } from '../../kernel/settings/settings.js';
import type { MigrationClass } from './extension-migrations.js';
import { SHOWN_SETTING, SHOWS_NONE } from './row-security.js';

const TIMESTAMPTZ = 1184;
const DATE = 1082;
const BIGINT = 20;

type Parser = (text: string) => unknown;

const PARSERS: Record<number, Parser> = {
  [TIMESTAMPTZ]: isoText,
  // pg's own parser turns a calendar date into local midnight, which is another day in half of the world.
  [DATE]: (text) => text,
  [BIGINT]: Number,
};

/** `2026-03-01 09:30:00.5+00` becomes `2026-03-01T09:30:00.500Z`. Done on the text, since lists have two of them per row. */
function isoText(text: string): string {
  if (!text.endsWith('+00')) return new Date(text).toISOString();
  const time = text.slice(11, -3);
  return `${text.slice(0, 10)}T${time.length === 8 ? `${time}.000` : time.padEnd(12, '0')}Z`;
}

const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary'): Parser => PARSERS[oid] ?? (pg.types.getTypeParser(oid, format) as Parser),
};

/** How long a statement waits for a lock, and so how long a repeated request waits for the first one to be answered. */
export const LOCK_TIMEOUT_MS = 10_000;

// Statements are short: JIT and parallel workers cost more than they save. Data is in memory or on an SSD, where a random page
// costs little more than the next one.
export const SESSION = {
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  random_page_cost: '1.1',
  lock_timeout: `${LOCK_TIMEOUT_MS}`,
  statement_timeout: '30000',
  idle_in_transaction_session_timeout: '30000',
  TimeZone: 'UTC',
  [SHOWN_SETTING]: SHOWS_NONE,
};
const STARTUP_OPTIONS = Object.entries(SESSION)
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ');

export const SET_LOCAL = Object.entries(SESSION)
  .map(([name, value]) => `SET LOCAL ${name} = '${value}'`)
  .join('; ');
/** Begins a transaction where a session has not our settings, as behind a pooler. */
export const BEGIN_WITH_SETTINGS = `BEGIN; ${SET_LOCAL}`;

/** How long a statement or transaction waits for a connection. */
export const CONNECTION_TIMEOUT_MS = 5000;
const APPLICATION = 'claims';
const FOR_ALL = { connectionTimeoutMillis: CONNECTION_TIMEOUT_MS, keepAlive: true };

/** The connections of the service: no statement, lock or transaction may hold one for long. */
export const connectionOptions = (url: string, settings: PoolSettings): DataSourceOptions => options(url, ofService(settings));

export function poolOptions(url: string, settings: PoolSettings): pg.PoolConfig {
  const own = ofService(settings);
  return { connectionString: withOptions(url, own.options), application_name: APPLICATION, ...FOR_ALL, ...own };
}

type PoolSettings = Pick<Settings, 'databasePoolSize'> & Partial<Pick<Settings, 'databasePooler'>>;

function ofService({ databasePoolSize, databasePooler }: PoolSettings) {
  const isPooled = databasePooler === 'transaction';
  // `pipeline`: statements of one connection are sent without waiting for the answer to the one before.
  return {
    max: databasePoolSize,
    pipeline: true,
    types,
    options: isPooled ? undefined : STARTUP_OPTIONS,
    ...(isPooled && { Client: NamelessClient }),
    idleTimeoutMillis: 60_000,
  };
}

/** The connections of migrations (for the lock, the work, and the question who is in its way) and diagnosis. Statements may take long. */
export function patientConnectionOptions(
  url: string,
  pooler: Settings['databasePooler'] = 'none',
  ofExtensions: readonly MigrationClass[] = [],
): DataSourceOptions {
  const common = options(url, { max: 3, types, options: pooler === 'none' ? '-c TimeZone=UTC' : undefined });
  return { ...common, migrations: [...migrations, ...ofExtensions] };
}

/** pg prepares a statement with a name for good: behind a pooler the next one may go to another connection of the server. */
class NamelessClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    const query = this.query.bind(this) as (first: unknown, ...rest: unknown[]) => unknown;
    this.query = ((first: unknown, ...rest: unknown[]) => query(withoutName(first), ...rest)) as pg.Client['query'];
  }
}

/** Not of a query of ours, which keeps its own account of what is prepared. */
const withoutName = (query: unknown): unknown =>
  typeof query === 'object' && query !== null && !(query instanceof pg.Query) ? { ...query, name: undefined } : query;

/** The address, whose own `options` come after ours: pg would take them alone. */
function withOptions(url: string, ours: string | undefined): string {
  const address = new URL(url);
  const given = address.searchParams.get('options');
  if (ours === undefined || given === null) return url;
  address.searchParams.set('options', `${ours} ${given}`);
  return address.href;
}

function options(url: string, extra: pg.PoolConfig): DataSourceOptions {
  return {
    type: 'postgres',
    // Or TypeORM would load a copy of its own beside the one in the bundle, whose errors are of another class.
    driver: pg,
    url: withOptions(url, extra.options),
    entities: [],
    migrations,
    migrationsTableName: 'migrations',
    migrationsTransactionMode: 'each',
    installExtensions: false,
    applicationName: APPLICATION,
    extra: { ...FOR_ALL, ...extra },
  };
}
