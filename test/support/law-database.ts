import pg from 'pg';
import { rowsOf } from './database.js';
import type { DocumentedApp } from './documented-app.js';

/** Tables that calls touch whatever they do: their numbers are written now and then, not in the call's transaction. */
const COUNTERS = ['api_keys', 'usage_days'];

/** Partitions come while tests run; their rows are those of the table. */
const TABLES = `SELECT table_name AS name FROM information_schema.columns JOIN pg_class ON relname = table_name AND NOT relispartition WHERE table_schema = 'public' AND column_name = 'organization_id' AND table_name <> ALL ($1) ORDER BY 1`;

/** Every row that an organization has in any table, so that a law can say “nothing was changed” of tables it does not know. */
export async function everyRowOf(app: DocumentedApp, organizationId: string): Promise<Record<string, string[]>> {
  const tables = await rowsOf<{ name: string }>(app.databaseUrl, TABLES, [COUNTERS]);
  const parts = tables.map(
    ({ name }) =>
      `SELECT ${pg.escapeLiteral(name)} AS name, array(SELECT row::text FROM ${pg.escapeIdentifier(name)} row WHERE organization_id = $1 ORDER BY 1) AS rows`,
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

/** What API calls left in the audit log of an organization, oldest first; what the settings left there is not theirs. */
export function auditOf(app: DocumentedApp, organizationId: string): Promise<AuditFound[]> {
  return rowsOf(app.databaseUrl, `SELECT * FROM audit_entries WHERE organization_id = $1 AND actor_type = 'api' ORDER BY ordinal`, [
    organizationId,
  ]);
}

/** The Idempotency-Keys that are remembered for an organization. */
export async function keysOf(app: DocumentedApp, organizationId: string): Promise<string[]> {
  const rows = await rowsOf<{ key: string }>(app.databaseUrl, 'SELECT key FROM idempotency_keys WHERE organization_id = $1 ORDER BY key', [
    organizationId,
  ]);
  return rows.map(({ key }) => key);
}

export type Step = Omit<AuditFound, 'resource_type' | 'resource_id'> & { readonly organization_id: string };

/** What the audit log says of one record, oldest first, sealed or not yet: where a worker runs, it seals meanwhile. */
export function stepsOf({ databaseUrl }: Pick<DocumentedApp, 'databaseUrl'>, resourceId: string): Promise<Step[]> {
  const facts = 'organization_id, environment, actor_type, actor_id, actor_name, action, request_id, ip_address, changes';
  const found = (table: string, sealed: number, place: string): string =>
    `SELECT ${facts}, ${sealed} AS sealed, ${place} AS place FROM ${table} WHERE resource_id = $1`;
  return rowsOf(
    databaseUrl,
    `SELECT ${facts} FROM (${found('audit_events', 0, 'sequence')} UNION ALL ${found('audit_entries', 1, 'ordinal')}) log ORDER BY sealed, place`,
    [resourceId],
  );
}
