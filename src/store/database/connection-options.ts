import pg from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { migrations } from '../../../migrations/index.js';
import type { Settings } from '../../kernel/settings/settings.js';

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
const SHORT = '-c jit=off -c max_parallel_workers_per_gather=0 -c random_page_cost=1.1';
const TIMEOUTS = `-c lock_timeout=${LOCK_TIMEOUT_MS} -c statement_timeout=30000 -c idle_in_transaction_session_timeout=30000`;
const SESSION = `${SHORT} ${TIMEOUTS} -c TimeZone=UTC`;
/** Longer than the server's own timeouts: it applies when the server does not answer at all. */
const QUERY_TIMEOUT_MS = 35_000;

/** The connections of the service: no statement, lock or transaction may hold one for long. */
export function connectionOptions(url: string, settings: Pick<Settings, 'databasePoolSize'>): DataSourceOptions {
  // `pipeline`: statements of one connection are sent without waiting for the answer to the one before.
  return options(url, {
    max: settings.databasePoolSize,
    pipeline: true,
    types,
    options: SESSION,
    query_timeout: QUERY_TIMEOUT_MS,
    idleTimeoutMillis: 60_000,
  });
}

/** The connections of migrations and diagnosis, whose statements may take long. */
export function patientConnectionOptions(url: string): DataSourceOptions {
  return options(url, { max: 2, types, options: '-c TimeZone=UTC' });
}

function options(url: string, extra: object): DataSourceOptions {
  return {
    type: 'postgres',
    url,
    entities: [],
    migrations,
    migrationsTableName: 'migrations',
    migrationsTransactionMode: 'each',
    installExtensions: false,
    applicationName: 'claims',
    extra: { connectionTimeoutMillis: 5000, keepAlive: true, ...extra },
  };
}
