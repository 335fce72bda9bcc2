import pg from 'pg';
import { rowsOf } from './database.js';
import { factsOfExtensions } from './extension-facts.js';
import type { DocumentedApp } from './documented-app.js';

/**
 * Tables with counters, timestamps and what was called, which are written now and then, outside the call's transaction; and with the keys
 * of tokens and signatures, which are made when one is first needed.
 */
const COUNTERS = [
  ...['api_keys', 'api_requests', 'usage_credentials', 'usage_days', 'redaction_keys', 'signing_keys'],
  ...Object.keys(factsOfExtensions('countingTables')),
];

/** Without partitions, which jobs add during the tests: the rows of a partition are also rows of its table. */
const TABLES = `SELECT table_name AS name FROM information_schema.columns
  JOIN pg_class ON relname = table_name AND NOT relispartition
  WHERE table_schema = 'public' AND column_name = 'organization_id' AND table_name <> ALL ($1) ORDER BY 1`;

/** A file is put into a store before the transaction. That of a call which is refused, or repeated, is removed within the hour. */
const PASSING: Readonly<Record<string, string>> = { stored_files: "AND status <> 'coming'" };

/** Every row of an organization in any table, so that laws can check “nothing was changed” for tables they do not know. */
export async function everyRowOf(app: DocumentedApp, organizationId: string): Promise<Record<string, string[]>> {
  const tables = await rowsOf<{ name: string }>(app.databaseUrl, TABLES, [COUNTERS]);
  const parts = tables.map(
    ({ name }) =>
      `SELECT ${pg.escapeLiteral(name)} AS name, array(
         SELECT row::text FROM ${pg.escapeIdentifier(name)} row WHERE organization_id = $1 ${PASSING[name] ?? ''} ORDER BY 1
       ) AS rows`,
  );
  const found = await rowsOf<{ name: string; rows: string[] }>(app.databaseUrl, parts.join(' UNION ALL '), [organizationId]);
  return Object.fromEntries(found.map(({ name, rows }) => [name, rows]));
}

export interface EventFound {
  readonly environment: string;
  readonly kind: string;
  readonly resource_id: string;
  readonly data: Record<string, unknown>;
  readonly changed_fields: string[] | null;
}

/** The events of an organization, oldest first. */
export function eventsOf(app: DocumentedApp, organizationId: string): Promise<EventFound[]> {
  return rowsOf(app.databaseUrl, 'SELECT * FROM events WHERE organization_id = $1 ORDER BY id', [organizationId]);
}

export interface AuditFound {
  readonly environment: string | null;
  readonly actor_type: string;
  readonly actor_id: string;
  readonly actor_name: string;
  readonly action: string;
  readonly resource_type: string;
  readonly resource_id: string;
  readonly ip_address: string | null;
  readonly request_id: string | null;
  readonly changes: Record<string, { from: unknown; to: unknown }>;
}

/** The audit entries that API calls wrote for an organization, oldest first, without those of the operator. */
export function auditOf(app: DocumentedApp, organizationId: string): Promise<AuditFound[]> {
  return rowsOf(app.databaseUrl, `SELECT * FROM audit_entries WHERE organization_id = $1 AND actor_type = 'api' ORDER BY ordinal`, [
    organizationId,
  ]);
}

/** The stored Idempotency-Keys of an organization. */
export async function keysOf(app: DocumentedApp, organizationId: string): Promise<string[]> {
  const rows = await rowsOf<{ key: string }>(app.databaseUrl, 'SELECT key FROM idempotency_keys WHERE organization_id = $1 ORDER BY key', [
    organizationId,
  ]);
  return rows.map(({ key }) => key);
}

export type Step = Omit<AuditFound, 'resource_type' | 'resource_id'> & { readonly organization_id: string };

/** The audit log of one record, oldest first: sealed and unsealed, because a worker may seal entries during a test. */
export function stepsOf({ databaseUrl }: Pick<DocumentedApp, 'databaseUrl'>, resourceId: string): Promise<Step[]> {
  const columns = 'organization_id, environment, actor_type, actor_id, actor_name, action, request_id, ip_address, changes';
  const found = (table: string, unsealed: number, position: string): string =>
    `SELECT ${columns}, ${unsealed} AS unsealed, ${position} AS position FROM ${table} WHERE resource_id = $1`;
  return rowsOf(
    databaseUrl,
    `SELECT ${columns} FROM (${found('audit_events', 0, 'sequence')} UNION ALL ${found('audit_entries', 1, 'ordinal')}) log
     ORDER BY unsealed, position`,
    [resourceId],
  );
}
